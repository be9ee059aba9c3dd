# SPDX-License-Identifier: BSD-2-Clause
"""How each limit reads: a letter in a strip or a lane, a few words in a table, and a sentence."""

from sctp_rack.findings.say import say
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

#: What findings say of each.
SENTENCES = {limit: say(f"limit.{limit.value}") for limit in Limit}

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
