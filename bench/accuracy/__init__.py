# SPDX-License-Identifier: BSD-2-Clause
"""How right the package is on captures with truth: `python -m bench.accuracy` writes
docs/accuracy.md."""
