# SPDX-License-Identifier: BSD-2-Clause
"""Captures with truth for others to measure their tools on: docs/benchmark-set.md."""
