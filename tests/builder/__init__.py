# SPDX-License-Identifier: BSD-2-Clause
"""Captures from nothing: SCTP packets, the headers below them, the files around them."""
