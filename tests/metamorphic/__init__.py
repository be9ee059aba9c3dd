# SPDX-License-Identifier: BSD-2-Clause
"""Captures of real stacks changed in what must not matter: no row may change, but for a reason that
is listed. `python -m tests.metamorphic` counts by change, table and column what does."""
