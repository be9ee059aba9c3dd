# SPDX-License-Identifier: BSD-2-Clause
"""How often a retransmission is invented: signalling of which nothing is lost, made here, measured
by `python -m bench.accuracy.signalling`."""
