# SPDX-License-Identifier: BSD-2-Clause
"""How a test vector becomes a capture: a handshake and data that warm its paths up, its events,
and what tells that the receiver reports duplicates."""

import struct
from pathlib import Path
from typing import Any

from sctp_rack.reference.variants import milliseconds
from sctp_rack.reference.vector import WARM

from tests.builder import sctp
from tests.builder.files import RESOLUTION, START, Pcapng
from tests.builder.talk import (
    COOKIE_ECHO,
    INIT_ACK,
    RAW,
    A,
    End,
    in_ipv4,
    init,
    shutdown,
)

#: Samples, after which little is left of what RTTVAR began with.
WARM_UP = 48
NANOSECONDS = 9
FORWARD_TSN = 192
I_BIT = 8
MS, SECOND = 10**6, 10**9


class VectorCapture:
    """Frames of the tap at the sender, whose events are those of the vector."""

    def __init__(
        self, events: list[dict[str, Any]], paths: dict[str, Any], reports_duplicates: bool
    ) -> None:
        self._file = Pcapng()
        self._file.interface(RAW, options=[(RESOLUTION, bytes([NANOSECONDS]))])
        self._zero_ns = (START + 1000) * SECOND
        names = sorted(paths)
        self._ends = {
            name: End(f"10.0.{place}.2", 6000, 0xB0B0B0B0) for place, name in enumerate(names, 1)
        }
        self._events = events
        self._paths = paths
        self._reports_duplicates = reports_duplicates

    def write(self, folder: Path) -> Path:
        """The file."""
        self._warm_up()
        for event in sorted(self._events, key=_tap_ns):
            self._event(event)
        if self._reports_duplicates:
            self._epilogue()
        path = folder / "vector.pcapng"
        path.write_bytes(bytes(self._file))
        return path

    def _warm_up(self) -> None:
        first = next(event["send"][0] for event in self._events if "send" in event)
        lowest = min(
            _ahead(_number(chunk), _number(first))
            for event in self._events
            for chunk in event.get("send", [])
        )
        tsn = _number(first) + lowest - WARM_UP * len(self._ends)
        at_ns = -900 * SECOND
        for place, (name, end) in enumerate(self._ends.items()):
            learned = {**WARM, **(self._paths[name] or {})}
            rtt_ns, rttvar_ns = milliseconds(learned["srtt"]), milliseconds(learned["rttvar"])
            if place == 0:
                addresses = [one.address for one in self._ends.values()]
                self._say(at_ns, True, end, init(A), vtag=0)
                answer = init(end, INIT_ACK, addresses if len(addresses) > 1 else ())
                self._say(at_ns + rtt_ns, False, end, answer)
                cookie = sctp.chunk(COOKIE_ECHO, 0, b"cookie")
                self._say(at_ns + rtt_ns + MS, True, end, cookie)
                self._say(at_ns + 2 * rtt_ns + MS, False, end, sctp.cookie_ack())
                at_ns += 10 * SECOND
            if self._paths[name] is None:
                continue
            for number in range(WARM_UP):
                answered_ns = at_ns + rtt_ns + (rttvar_ns if number % 2 else -rttvar_ns)
                self._say(at_ns, True, end, _data(tsn % 2**32))
                self._say(answered_ns, False, end, sctp.sack(tsn % 2**32))
                tsn += 1
                at_ns = answered_ns + SECOND

    def _epilogue(self) -> None:
        """What tells that the receiver reports duplicates: it gets what it has acknowledged."""
        last = [_number(chunk) for event in self._events for chunk in event.get("send", [])]
        tsn = (max(last, key=lambda one: _ahead(one, last[0])) + 1) % 2**32
        at_ns = milliseconds(self._events[-1]["at"]) + 60 * SECOND
        end = next(iter(self._ends.values()))
        self._say(at_ns, True, end, _data(tsn))
        self._say(at_ns + 100 * MS, False, end, sctp.sack(tsn))
        self._say(at_ns + 110 * MS, True, end, _data(tsn))
        self._say(at_ns + 210 * MS, False, end, sctp.sack(tsn, dups=[tsn]))

    def _event(self, event: dict[str, Any]) -> None:
        at_ns = _tap_ns(event)
        end = self._ends[event.get("path", next(iter(self._ends)))]
        if "send" in event:
            self._say(at_ns, True, end, *map(_data, event["send"]))
        elif "sack" in event and not event.get("lost"):
            self._say(at_ns, False, end, _feedback(event))
        elif "forward_tsn" in event:
            chunk = sctp.chunk(FORWARD_TSN, 0, struct.pack(">I", event["forward_tsn"]))
            self._say(at_ns, True, end, chunk)
        elif "outside" in event and "PACKET-DROP" in event["outside"]:
            tsn = int(event["outside"].split()[-1])
            dropped = sctp.packet(_data(tsn), sport=A.port, dport=end.port, vtag=end.vtag)
            self._say(at_ns, False, end, sctp.packet_drop(dropped))

    def _say(
        self, at_ns: int, sent: bool, end: End, *chunks: bytes, vtag: int | None = None
    ) -> None:
        source, to = (A, end) if sent else (end, A)
        tag = to.vtag if vtag is None else vtag
        packet = sctp.packet(*chunks, sport=source.port, dport=to.port, vtag=tag)
        frame = in_ipv4(packet, source, to, 0)  # else it tells in which order they were sent
        self._file.packet(frame, ticks=self._zero_ns + at_ns)


def _tap_ns(event: dict[str, Any]) -> int:
    return milliseconds(event.get("tap_at", event["at"]))


def _ahead(tsn: int, of: int) -> int:
    return (tsn - of + 2**31) % 2**32 - 2**31


def _number(chunk: int | dict[str, Any]) -> int:
    return int(chunk if isinstance(chunk, int) else chunk["tsn"])


def _data(chunk: int | dict[str, Any]) -> bytes:
    said = {"tsn": chunk} if isinstance(chunk, int) else chunk
    flags = 3 | (I_BIT if said.get("i") else 0)
    payload = bytes(said.get("bytes", 1000))
    return sctp.chunk(sctp.DATA, flags, struct.pack(">IHHI", said["tsn"], 1, 2, 51) + payload)


def _feedback(event: dict[str, Any]) -> bytes:
    cum, a_rwnd = event["sack"], event.get("a_rwnd", 1 << 20)
    kind = event.get("kind", "sack")
    if kind == "shutdown":
        return shutdown(cum)
    gaps, nr_gaps = (
        [((first - cum) % 2**32, (last - cum) % 2**32) for first, last in event.get(name, [])]
        for name in ("gaps", "nr_gaps")
    )
    dups = event.get("dups", [])
    blocks = b"".join(struct.pack(">HH", *block) for block in [*gaps, *nr_gaps])
    tail = blocks + struct.pack(f">{len(dups)}I", *dups)
    if kind == "nr_sack":
        fixed = struct.pack(">IIHHHH", cum, a_rwnd, len(gaps), len(nr_gaps), len(dups), 0)
        flags = sctp.NR_SACK_ALL if event.get("all_non_renegable") else 0
        return sctp.chunk(sctp.NR_SACK, flags, fixed + tail)
    return sctp.chunk(sctp.SACK, 0, struct.pack(">IIHH", cum, a_rwnd, len(gaps), len(dups)) + tail)
