# SPDX-License-Identifier: BSD-2-Clause
"""How each limit reads: a letter in a strip or a lane, a few words in a table, and a sentence."""

from sctp_rack.names import Limit

#: What stands for each in the strip.
LETTERS = {
    Limit.APPLICATION: ".",
    Limit.PEER_WINDOW: "W",
    Limit.CONGESTION_WINDOW: "C",
    Limit.SEND_BUFFER: "B",
    Limit.BURST_LIMIT: "M",
    Limit.DELAYED_SACK: "D",
    Limit.RECOVERY: "R",
    Limit.TIMEOUT: "T",
    Limit.PATH_FAILURE: "P",
    Limit.UNKNOWN: "?",
}

SENTENCES = {
    Limit.APPLICATION: "it had nothing to send",
    Limit.PEER_WINDOW: "it waited for the peer's window",
    Limit.CONGESTION_WINDOW: "it waited for the congestion window",
    Limit.SEND_BUFFER: "it waited for room in its send buffer",
    Limit.BURST_LIMIT: "it waited for feedback, as its bursts are limited",
    Limit.DELAYED_SACK: "it waited for acknowledgements that the receiver held back",
    Limit.RECOVERY: "it repaired losses that feedback or a probe told of",
    Limit.TIMEOUT: "it waited for T3-rtx, or repaired what that had found",
    Limit.PATH_FAILURE: "it waited for T3-rtx and sent again over another path",
    Limit.UNKNOWN: "the capture cannot tell what it waited for",
}

#: In a table, where each is a line.
NOUNS = {
    Limit.APPLICATION: "nothing to send",
    Limit.PEER_WINDOW: "the peer's window",
    Limit.CONGESTION_WINDOW: "the congestion window",
    Limit.SEND_BUFFER: "its send buffer",
    Limit.BURST_LIMIT: "a limit on bursts",
    Limit.DELAYED_SACK: "SACKs held back",
    Limit.RECOVERY: "repair by feedback or probe",
    Limit.TIMEOUT: "T3-rtx and its repair",
    Limit.PATH_FAILURE: "another path after T3-rtx",
    Limit.UNKNOWN: "cannot be told",
}
