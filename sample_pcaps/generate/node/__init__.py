# SPDX-License-Identifier: BSD-2-Clause
"""A host with a stack for Node.js, in virtual time: npm's package sctp, or werift's SCTP."""
