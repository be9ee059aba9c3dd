# SPDX-License-Identifier: BSD-2-Clause
"""Many captures at once: which they are, who reads them, and how they compare."""
