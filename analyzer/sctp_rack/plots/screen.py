# SPDX-License-Identifier: BSD-2-Clause
"""How much a screen can show."""

#: Pixels of the overview.
COLUMNS, LINES = 1000, 500
#: Most bars, symbols and points of a line that are drawn one by one.
MOST = {"bars": 2500, "spans": 2500, "points": 1500, "steps": 3000, "line": 3000, "area": 3000}
