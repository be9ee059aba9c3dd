# SPDX-License-Identifier: BSD-2-Clause
"""Captures made by an enemy of this tool, and what every command may cost on them."""
