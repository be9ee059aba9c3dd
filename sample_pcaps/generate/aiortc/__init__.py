# SPDX-License-Identifier: BSD-2-Clause
"""A host with the SCTP of aiortc, which is Python, in virtual time."""
