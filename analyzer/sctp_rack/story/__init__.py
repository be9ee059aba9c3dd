# SPDX-License-Identifier: BSD-2-Clause
"""The story of one TSN."""
