# SPDX-License-Identifier: BSD-2-Clause
"""webrtc-sctp, the SCTP of webrtc-rs: why it sent a chunk again; its host is in Rust."""
