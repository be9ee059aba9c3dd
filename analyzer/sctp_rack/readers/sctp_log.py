# SPDX-License-Identifier: BSD-2-Clause
"""SCTP packets in a program's log: lines with `# SCTP_PACKET` as for text2pcap, by usrsctp, dcSCTP.

    O 12:34:56.123456 0000 13 88 13 88 … # SCTP_PACKET
    [verbose-logging prefix] I 12:34:56.123 0000 13 88 … # SCTP_PACKET DcSctpTransport0

O is what the logging side sent, I what it received. Formats: usrsctp_dumppacket() of usrsctp,
TextPcapPacketObserver and Text2Pcap of WebRTC, log_packet() of dcsctp in Rust.
"""

import re
from collections.abc import Generator

from sctp_rack.binding.source import Readable, read_lines
from sctp_rack.errors import CaptureError
from sctp_rack.names import Encapsulation
from sctp_rack.readers.packet import Frame, Packet

#: What every line with a packet has.
MARK = b"# SCTP_PACKET"

_LINE = re.compile(
    rb"\b([IO]) (\d\d):(\d\d):(\d\d)\.(\d{1,9}) 0000((?: [0-9A-Fa-f]{2})+) # SCTP_PACKET ?(.*)"
)

_MINUTE, _DAY = 60 * 10**9, 86400 * 10**9  # ns

#: Nobody's addresses: without an IP header they only tell the ends apart (`Packet.src`).
_HERE, _THERE = bytes(17), b"\1" + bytes(16)


class SctpLogSource:
    """A log of one process; frames are its packets, numbered from 1.

    There is no date: days count from 1970-01-01, and a time that steps back by more than half a
    minute begins a new one. A writer that leaves hours and minutes at 00:00 (WebRTC of 2026) begins
    a new minute instead, so that silence of more than a minute is not seen.

    Each name behind the mark is a socket, which is an interface here: where both ends of an
    association log into one file it is captured at both.
    """

    format = "SCTP log"

    def __init__(self, path: str, lines: Readable) -> None:
        self._path = path
        self._source = lines

    def frames(self) -> Generator[Frame, None, None]:
        clock, interfaces = _Clock(), dict[bytes, int]()
        number = 0
        for line_number, line in enumerate(read_lines(self._source), 1):
            if MARK not in line:
                continue
            match = _LINE.search(line)
            if match is None:
                raise CaptureError(
                    f"{self._path}: line {line_number} (frame {number + 1}): no packet before "
                    f"`{MARK.decode()}`"
                )
            way, *time, digits, name = match.groups()
            number += 1
            data = bytes.fromhex(digits.decode())
            src, dst = (_HERE, _THERE) if way == b"O" else (_THERE, _HERE)
            packet = Packet(src, dst, data, len(data), Encapsulation.LOG)
            interface = interfaces.setdefault(name.strip(), len(interfaces))
            yield Frame(number, clock.time_ns(*time), [packet], interface)
        if number == 0:
            raise CaptureError(f"{self._path}: no line with `{MARK.decode()}`")


class _Clock:
    """Times of day, made to go on at midnight."""

    def __init__(self) -> None:
        self._before = self._base = 0

    def time_ns(self, hour: bytes, minute: bytes, second: bytes, fraction: bytes) -> int:
        """Nanoseconds since the beginning of the first day."""
        seconds = int(hour) * 3600 + int(minute) * 60 + int(second)
        time = self._base + seconds * 10**9 + int(fraction.ljust(9, b"0"))
        if time < self._before - _MINUTE // 2:
            turn = _MINUTE if self._before < self._base + _MINUTE else _DAY
            self._base += turn
            time += turn
        self._before = time
        return time
