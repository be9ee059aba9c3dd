# SPDX-License-Identifier: BSD-2-Clause
"""What users download: `make release` writes it into dist/, the same bytes from the same commit."""
