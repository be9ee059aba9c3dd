# SPDX-License-Identifier: BSD-2-Clause
"""What each thing in a graph looks like: colour, shape and letter, so that one of them is enough.

The roles are those of tcptrace and of Wireshark; the colours are of middle lightness, so they stand
on a white and on a dark page, and can be told apart by those who do not see red and green (after
Okabe and Ito).
"""

from sctp_rack.names import Cause, Verdict

DATA = "#3778bf"
ACKED = "#1a936f"
GAP = "#9467bd"
NR_GAP = "#c26fb5"
WINDOW = "#d4a017"
LOST = "#c0392b"
MARK = "#d6336c"
PROBE = "#0f8b9d"
NEEDED = "#d1600f"
SPURIOUS = "#e0a800"
OPEN = "#8a8f98"
LATE = "#e377a8"
DUPLICATE = "#17a2c4"
STORM = "rgba(224, 168, 0, 0.18)"
SMOOTH = "#8a554a"
SAMPLE = "#5b8dd6"
LEAST = "#b2497a"
TIMER = "#c0392b"

#: The letter of a cause, at each retransmission and in the legend. F, R and T are as tcptrace's
#: readers know them.
LETTERS = {
    Cause.T3: "T",
    Cause.T3_GBN: "G",
    Cause.FAST: "F",
    Cause.FAST_DEFERRED: "f",
    Cause.RACK: "K",
    Cause.RACK_TIMER: "k",
    Cause.RACK_RTX: "L",
    Cause.TLP: "P",
    Cause.EARLY_RETRANSMIT: "E",
    Cause.ZERO_WINDOW_PROBE: "Z",
    Cause.PACKET_DROP: "D",
    Cause.RENEGE: "N",
    Cause.PMTU: "M",
    Cause.FAILOVER: "H",
    Cause.HANDSHAKE: "C",
    Cause.AFTER_ACK: "A",
    Cause.UNKNOWN: "?",
}

#: Symbol, its colour and that of the letter in it, by verdict.
VERDICTS = {
    Verdict.NEEDED: ("square", NEEDED, "white"),
    Verdict.SPURIOUS: ("circle", SPURIOUS, "black"),
    Verdict.UNDETERMINED: ("diamond", OPEN, "white"),
}
