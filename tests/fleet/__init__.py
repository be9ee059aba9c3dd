# SPDX-License-Identifier: BSD-2-Clause
"""Many captures as one dataset."""
