# SPDX-License-Identifier: BSD-2-Clause
"""Random runs: `mix.py` says from what they are drawn, `draw.py` draws them."""
