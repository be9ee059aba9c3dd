# SPDX-License-Identifier: BSD-2-Clause
"""Verdicts as packet comments of a pcapng file, which any Wireshark shows and filters."""
