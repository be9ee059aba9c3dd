# SPDX-License-Identifier: BSD-2-Clause
"""What the stacks counted themselves against the truth."""

import math
from collections.abc import Callable, Iterator

from ..wire import DATA, I_DATA, SACK
from .checked import Checked, Fault, Record
from .given_up import came_after_its_forward_tsn

_ABORT, _SHUTDOWN = 6, 7
Counted = dict[str, int]
#: What was counted, its name, and the least and the most that truth allows.
Expected = tuple[int, str, int, float]


def compared(run: Checked, counters: dict[str, Counted], file: str) -> list[Fault]:
    """Where a host counted something else than truth says; one without counters is left out."""
    faults = []
    for host in "ab":
        compare = _OF_STACK.get(run.stack_of(host))
        if compare is None or not counters[host]:
            continue
        for counted, name, least, most in compare(_Told(run, host), counters[host]):
            if not least <= counted <= most:
                told = f"{least}" if least == most else f"{least} to {most}"
                faults.append(Fault(file, None, f"{host} counted {counted} {name}, truth: {told}"))
    return faults


class _Told:
    """What truth says of a host, and what the tap there has of it."""

    def __init__(self, run: Checked, host: str) -> None:
        self.run = run
        self.sent = [one for one in run.transmissions if one["dir"][0] == host]
        self.again = [one for one in self.sent if one["retransmission"]]
        got = [one for one in run.transmissions if one["dir"][2] == host]
        self.accepted = [one for one in got if one["fate"] == "delivered"]
        self.discarded = [one for one in got if one["fate"] == "discarded"]
        #: What the network repeats may come after the end, and DTLS takes no record twice.
        duplicates: list[Record] = run.document["network_duplicates"]
        repeated = [one for one in duplicates if one["dir"][2] == host]
        self.repeated = len(repeated)
        accepted = self.accepted + [one for one in repeated if one["fate"] == "delivered"]
        self.new = len({one["tsn"] for one in accepted})
        self.taken_again = len(accepted) - self.new
        #: What comes after a FORWARD-TSN that skips it is discarded, and counts as received again.
        late = [(came_after_its_forward_tsn(run, one), one) for one in self.discarded]
        self.skipped = [one for skipped, one in late if skipped is not False]  #: or may be
        self.turned_away = [one for skipped, one in late if not skipped]  #: or may be
        self.gives_up = any("abandoned" in one for one in self.sent)
        marks: list[Record] = run.document["stack_marks"]
        self.marks = [mark for mark in marks if mark["dir"][0] == host]
        self.timeouts = sum(mark["tsn"] is None and mark["trigger"] == "rto" for mark in self.marks)
        self.tap = run.tap_at(host)
        #: All that the host sent is in the file, and once.
        self.is_whole = not run.misses and not run.doubles
        self.frames = [f for f in run.seen[self.tap] if run.host_of.get(f.source) == host]

    @property
    def ended_ns(self) -> float:
        """When the host aborted, less what it may take: from then on it counts no DATA."""
        aborts = (frame.time_ns for frame in self.frames if _ABORT in frame.chunk_types)
        return min(aborts, default=math.inf) - self.run.takes_ns

    @property
    def is_interleaved(self) -> bool:
        """All data is I-DATA or none (RFC 8260). Where no tap has any, both hosts could do what the
        scenario asks."""
        run = self.run
        kinds = {kind for seen in run.seen.values() for frame in seen for kind in frame.chunk_types}
        asked = bool(run.document["scenario"].get("interleaving"))
        return I_DATA in kinds or (asked and DATA not in kinds)

    def times_of(self, trigger: str) -> set[int]:
        """When the stack marked something for that reason."""
        return {mark["t_ns"] for mark in self.marks if mark["trigger"] == trigger}


def _usrsctp(told: _Told, counted: Counted) -> Iterator[Expected]:
    """It counts one DATA dropped for each packet: it looks at no more of it."""
    again = len(told.again)
    doubled = len(told.accepted) - told.new
    dropped = counted["datadroprwnd"] + counted["datadropchklmt"]
    most = len({one["arrive_ns"] for one in told.discarded})
    arrived = {one["arrive_ns"] for one in told.discarded if one not in told.skipped}
    least = sum(told.run.as_written(told.tap, at_ns) < told.ended_ns for at_ns in arrived)
    new = len(told.sent) - again
    yield counted["senddata"], "new DATA sent", new, new
    yield counted["sendretransdata"], "DATA sent again", again, again
    again_most = doubled + told.repeated + len(told.skipped)
    yield counted["recvdata"], "new DATA received", told.new, told.new
    yield counted["recvdupdata"], "DATA received again", doubled, again_most
    yield dropped, "packets with DATA dropped", least, most + told.repeated


def _pion(told: _Told, counted: Counted) -> Iterator[Expected]:
    """It counts DATA that it drops at a full window, too, but not what overtakes the COOKIE ACK."""
    least = len(told.accepted)
    most = least + len(told.discarded) + told.repeated
    fast = sum(one["stack_said"] == "fast-retransmit" for one in told.sent)
    yield counted["nDATAs"], "DATA received", least, most
    yield counted["nT3Timeouts"], "timeouts", told.timeouts, told.timeouts
    yield counted["nFastRetrans"], "fast retransmissions", fast, fast


def _dcsctp(told: _Told, counted: Counted) -> Iterator[Expected]:
    """Packets with something sent again, and its bytes with chunk headers, padded (Metrics)."""
    header = 20 if told.is_interleaved else 16
    padded = sum((header + one["bytes"] + 3) // 4 * 4 for one in told.again)
    yield counted["rtx_bytes"], "bytes sent again", padded, padded
    # What the tap missed or cut has no frame: then it is only known when it was sent.
    frames = {(one["t_ns"], one["frames"][told.tap]) for one in told.again}
    shown = {(time_ns, at) for time_ns, at in frames if at is not None}
    packets = len(shown) + len({t for t, _ in frames} - {t for t, _ in shown})
    most = len(told.again) if told.run.misses else packets
    yield counted["rtx_packets"], "packets with DATA sent again", packets, most


def _linux(told: _Told, counted: Counted) -> Iterator[Expected]:
    """Named as in /proc/net/sctp/snmp (of the kernel) and sctp_assoc_stats (of the association);
    what is said of them is from net/sctp of Linux 6.1."""
    again, first = len(told.again), len(told.sent) - len(told.again)
    new = counted["oodchunks"] + counted["ouodchunks"]
    yield counted["rtxchunks"], "DATA sent again", again, again  # __sctp_outq_flush_rtx
    yield new, "new DATA sent", first, first  # sctp_outq_flush_data

    # sctp_eat_data counts before it is sure, and once more what was taken back meanwhile.
    received = counted["SctpInOrderChunks"] + counted["SctpInUnorderChunks"]
    turned_away = len(told.turned_away)
    most = told.new + (turned_away + told.repeated if turned_away else 0)
    yield received, "new DATA received", told.new, most

    if told.is_whole:  # __sctp_packet_append_chunk
        sacks = sum(frame.chunk_types.count(SACK) for frame in told.frames)
        yield counted["osacks"], "SACKs sent", sacks, sacks
    # sctp_make_sack counts duplicates as it reports them, at most 16 at a time.
    reported = sum(len(frame.duplicates) for frame in told.frames)
    doubled = len(told.accepted) - told.new + told.repeated + len(told.discarded)
    least = reported if told.is_whole else 0
    yield counted["idupchunks"], "duplicates reported", least, doubled
    # sctp_sf_eat_data_6_2 counts duplicates and what finds no room; once it sent a SHUTDOWN
    # sctp_sf_eat_data_fast_4_4 takes its place, which counts nothing.
    ends = told.run.misses or any(_SHUTDOWN in frame.chunk_types for frame in told.frames)
    dropped, least = counted["SctpInDataChunkDiscards"], 0 if ends else told.taken_again
    yield dropped, "DATA received again or dropped", least, doubled

    # sctp_retransmit counts a path's timeout also where it marks nothing: where all is abandoned,
    # or waits already and is only sent; and each SACK of a packet may mark.
    timeouts, fast = counted["SctpT3Retransmits"], counted["SctpFastRetransmits"]
    marked = told.times_of("rto")
    sent = {one["t_ns"] for one in told.again if one["cause"] in ("t3", "zero_window_probe")}
    paths = len(told.run.document.get("addresses", {}).get("a", [""]))
    some = timeouts if told.gives_up else paths * len(marked | sent)
    yield timeouts, "timeouts", len(marked), some
    chunks = sum(mark["trigger"] == "miss3" for mark in told.marks)
    some = fast if told.gives_up else chunks
    yield fast, "fast retransmissions", len(told.times_of("miss3")), some


def _aiortc(told: _Told, counted: Counted) -> Iterator[Expected]:
    """What comes after its end it does not see. A timeout that only asks a FORWARD-TSN again marks
    nothing, nor does one of chunks that it abandons."""
    again = len(told.again)
    new = len(told.sent) - again
    doubled = len(told.accepted) - told.new
    most = doubled + told.repeated + len(told.skipped)
    yield counted["sent"], "new DATA sent", new, new
    yield counted["sent_again"], "DATA sent again", again, again
    yield counted["received"], "new DATA received", told.new, told.new
    yield counted["received_again"], "DATA received again", told.taken_again, most
    marked = len(told.times_of("rto"))
    yield counted["timeouts"], "timeouts", marked, math.inf if told.gives_up else marked


def _port_of_pion(told: _Told, counted: Counted) -> Iterator[Expected]:
    """sctp-proto and webrtc-rs count DATA that they drop, a timeout that marks nothing, as where
    all is given up, and as fast-retransmitted what they give up while they fill the packet."""
    least = len(told.accepted)
    most = least + len(told.discarded) + told.repeated
    fast = sum(one["stack_said"] == "fast-retransmit" for one in told.sent)
    marked = len(told.times_of("rto"))
    yield counted["nDATAs"], "DATA received", least, most
    some = math.inf if told.gives_up else marked
    yield counted["nT3Timeouts"], "timeouts", marked, some
    some = math.inf if told.gives_up else fast
    yield counted["nFastRetrans"], "fast retransmissions", fast, some


#: A stack that is not here has no counters that are known.
_OF_STACK: dict[str, Callable[[_Told, Counted], Iterator[Expected]]] = {
    "usrsctp": _usrsctp,
    "pion": _pion,
    "dcsctp": _dcsctp,
    "linux": _linux,
    "aiortc": _aiortc,
    "sctp-proto": _port_of_pion,
    "webrtc-rs": _port_of_pion,
    "npm-sctp": _aiortc,
    "werift": _aiortc,
}
