# SPDX-License-Identifier: BSD-2-Clause
"""From the rows of the core to columns, tables and files."""
