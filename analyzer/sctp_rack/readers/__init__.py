# SPDX-License-Identifier: BSD-2-Clause
"""Readers for packets that are no pcap or pcapng file in clear: all give the one input shape."""
