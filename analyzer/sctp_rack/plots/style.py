# SPDX-License-Identifier: BSD-2-Clause
"""What each thing looks like, in graphs and on pages: colour, shape and letter.

A colour says what became of a transmission, and nothing else has one: spurious is loud, needed is
quiet, lost stands out from both, and what is undetermined is grey, as is all else; greys differ in
shape and dash. The colours stand on a white and on a dark ground (contrast of 3:1, WCAG 2.2 1.4.11)
and are told apart by those who do not see red, green or blue; each verdict has its shape, too.
"""

from sctp_rack.names import Cause, Limit, Verdict

SPURIOUS = "#e0460b"
NEEDED = "#4a90c2"
LOST = "#9a3fc4"
OPEN = "#868e98"

_DARK, _LIGHT = "#66707c", "#8d959f"

DATA = SAMPLE = PROBE = MARK = NR_GAP = LATE = DUPLICATE = TIMER = _DARK
ACKED = GAP = WINDOW = LEAST = BY_COUNT = SMOOTH = _LIGHT

#: The ground of a limit, which has no colour either, and its pattern: a word of Plotly's, or plain
#: or dense, as it has seven. What an application leaves blank is blank.
GROUND, PLAIN, DENSE = _LIGHT, "rgba(141, 149, 159, 0.35)", "rgba(141, 149, 159, 0.7)"
PATTERNS = {
    Limit.APPLICATION: "",
    Limit.PEER_WINDOW: "/",
    Limit.CONGESTION_WINDOW: "\\",
    Limit.SEND_BUFFER: "plain",
    Limit.BURST_LIMIT: "dense",
    Limit.DELAYED_SACK: "-",
    Limit.RECOVERY: ".",
    Limit.TIMEOUT: "x",
    Limit.PATH_FAILURE: "+",
    Limit.UNKNOWN: "|",
}

#: The ground of a storm, most of which is spurious.
STORM = "rgba(224, 70, 11, 0.13)"

#: The same in words, on a light and on a dark page: text needs more contrast (4.5:1, 1.4.3).
TEXT = {
    "spurious": ("#b8390a", "#ff8a57"),
    "needed": ("#2a6594", "#7fb8e0"),
    "lost": ("#7d2ba6", "#cf95ee"),
    "undetermined": ("#5f6873", "#a3abb5"),
}

_FILLS = {"spurious": SPURIOUS, "needed": NEEDED, "lost": LOST, "undetermined": OPEN}

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

#: Symbol, its colour and its size by verdict, in the order in which they are told.
VERDICTS = {
    Verdict.SPURIOUS: ("circle", SPURIOUS, 15),
    Verdict.NEEDED: ("square", NEEDED, 11),
    Verdict.UNDETERMINED: ("diamond", OPEN, 13),
}

#: Of the letter in a symbol.
INK = "#101418"


def custom_properties() -> str:
    """The colours for the style sheet of a page: `--spurious` of words, `--spurious-fill` else."""
    fills = " ".join(f"--{word}-fill: {colour};" for word, colour in _FILLS.items())
    light, dark = (
        " ".join(f"--{word}: {pair[scheme]};" for word, pair in TEXT.items()) for scheme in (0, 1)
    )
    return (
        f":root {{ {fills} {light} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
    )
