# SPDX-License-Identifier: BSD-2-Clause
"""What users download."""
