# SPDX-License-Identifier: BSD-2-Clause
"""One wrong line at a time in the rules of the judge, and whether a test finds it."""
