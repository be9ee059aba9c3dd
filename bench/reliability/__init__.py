# SPDX-License-Identifier: BSD-2-Clause
"""What was done to break the tool, and what came of it: docs/reliability.md."""
