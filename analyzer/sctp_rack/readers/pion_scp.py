# SPDX-License-Identifier: BSD-2-Clause
"""SCTP packets as pion/scp writes them: one JSON object per line, `packets/CASE/PAIR_iter_N.jsonl`.

Of each object `timestamp` (RFC 3339), `source` and `destination` (address:port of the UDP datagram)
and `data_hex` are read (harness/wire_capture.go of github.com/pion/scp).
"""

import json
from collections.abc import Generator
from datetime import UTC, datetime
from ipaddress import ip_address

from sctp_rack.binding.source import Readable, read_lines
from sctp_rack.errors import CaptureError
from sctp_rack.names import Encapsulation
from sctp_rack.readers.packet import Frame, Packet, address, saturated

#: What the first line has in any case.
MARK = b'"data_hex"'

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class PionScpSource:
    """A packet log of pion/scp; frames are its lines, numbered from 1."""

    format = "pion/scp"

    def __init__(self, path: str, lines: Readable) -> None:
        self._path = path
        self._source = lines

    def frames(self) -> Generator[Frame, None, None]:
        number = 0
        for line_number, line in enumerate(read_lines(self._source), 1):
            if not line.strip():
                continue
            number += 1
            try:
                yield _frame(number, json.loads(line))
            except (ValueError, OverflowError, RecursionError) as error:
                raise CaptureError(
                    f"{self._path}: line {line_number} (frame {number}): not a packet of pion/scp: "
                    f"{error}"
                ) from error


def _frame(number: int, record: object) -> Frame:
    data = bytes.fromhex(_text(record, "data_hex"))
    src, dst = (_address(_text(record, name)) for name in ("source", "destination"))
    packet = Packet(src, dst, data, len(data), Encapsulation.UDP)
    return Frame(number, _time_ns(_text(record, "timestamp")), [packet])


def _text(record: object, name: str) -> str:
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise ValueError(f"no {name}")
    return value


def _address(host_and_port: str) -> bytes:
    return address(ip_address(host_and_port.rpartition(":")[0].strip("[]")))


def _time_ns(text: str) -> int:
    """Go writes up to nine digits of a fraction, Python reads six."""
    date, _, rest = text.partition(".")
    digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
    whole = datetime.fromisoformat(date + rest[len(digits) :]) - _EPOCH
    fraction = int(digits[:9].ljust(9, "0"))
    return saturated((whole.days * 86400 + whole.seconds) * 10**9 + fraction)
