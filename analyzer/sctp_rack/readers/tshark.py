# SPDX-License-Identifier: BSD-2-Clause
"""SCTP in whatever Wireshark reads and decrypts: the raw bytes of each SCTP layer, by tshark."""

import contextlib
import itertools
import json
import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from sctp_rack.binding.source import STANDARD_INPUT
from sctp_rack.errors import CaptureError, CutCaptureError, InputError
from sctp_rack.readers.packet import Frame
from sctp_rack.readers.tshark_layers import Layer, Layers
from sctp_rack.readers.tshark_process import output_of

#: JSON because only it keeps the order of layers and the bytes of decrypted ones. The filter leaves
#: out every field but those of the frame and of UDP; the bytes of each layer are there in any case.
OUTPUT = (
    *("-n", "-T", "json", "-x", "-j", "frame udp"),
    *("-o", "ip.defragment:TRUE"),
    *("-o", "ipv6.defragment:TRUE"),
    *("-o", "ipv6.tso_support:TRUE"),
    *("-o", "sctp.ulp_dissection:FALSE"),
)

#: tshark splits a packet with DATA into several SCTP layers that lack the user data. With its SCTP
#: dissector off each packet is one layer of `data`; a display filter cannot speak of SCTP then.
WITHOUT_SCTP = ("--disable-protocol", "sctp")

#: A tshark that reads a file and prints nothing for so long hangs.
SILENCE_S = 60.0

#: Longest text of one frame: eight characters for each of the 262144 bytes that it may have.
_LONGEST_RECORD = 8 << 20


class TsharkSource:
    """A file, or "-" for standard input, in any format and encapsulation that tshark knows.

    `keylog` is a TLS key log file for DTLS; keys inside the file are used without. `udp_ports`
    carry SCTP beside 9899. Raises `InputError` where a file cannot be read.
    """

    format = "tshark"

    def __init__(
        self,
        path: str,
        *,
        keylog: str | None = None,
        udp_ports: Iterable[int] = (),
        silence_s: float = SILENCE_S,
    ) -> None:
        self._path = path
        self._silence_s = silence_s
        for name in (path, keylog):  # tshark takes a key log that is not there for an empty one
            if name is not None and name != STANDARD_INPUT:
                _check_readable(name)
        self._options = ["-r", path]
        if keylog is not None:
            self._options += ["-o", f"tls.keylog_file:{keylog}"]
        self._udp_ports = tuple(udp_ports)

    def frames(self) -> Generator[Frame, None, None]:
        if self._path != STANDARD_INPUT:
            command = ["tshark", *self._options, *WITHOUT_SCTP]
            yield from frames_of(self._path, command, Layers(self._udp_ports), self._silence_s)
        elif sys.stdin is None:
            raise CaptureError(f"{STANDARD_INPUT}: standard input is closed")
        else:
            command = ["tshark", "-l", *self._options, *WITHOUT_SCTP]
            stdin = sys.stdin.fileno()
            yield from frames_of(self._path, command, Layers(self._udp_ports), None, stdin)


def frames_of(
    name: str,
    command: Sequence[str],
    layers: Layers,
    silence_s: float | None,
    stdin: int | None = None,
) -> Generator[Frame, None, None]:
    """Frames of the input called `name`, which `command` reads; `OUTPUT` is added to it."""
    frame = None
    try:
        with contextlib.closing(output_of([*command, *OUTPUT], silence_s, stdin)) as output:
            for record in _records(output):
                frame = _parse(record, layers)
                yield frame
    except CaptureError as error:
        where = f"after frame {frame.number}: " if frame else ""
        raise type(error)(f"{name}: {where}{error}") from error


def _check_readable(path: str) -> None:
    try:
        with Path(path).open("rb"):
            pass
    except OSError as error:
        raise InputError(f"{path}: {os.strerror(error.errno or 0)}") from error


def _records(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The JSON object of each frame: it ends with the only closing brace indented by two."""
    rest, begun = b"", False
    for piece in pieces:
        if not begun and not piece.startswith(b"["):
            break
        begun = True
        *whole, rest = (rest + piece).split(b"\n  }")
        for text in whole:
            yield text[max(text.find(b"{"), 0) :] + b"}"
        if len(rest) > _LONGEST_RECORD:
            break
    else:
        if b"{" in rest:
            raise CutCaptureError("tshark ended inside a frame")
        if not begun:
            raise CaptureError("tshark printed nothing")
        return
    raise CaptureError("tshark printed something that is not JSON")


def _parse(record: bytes, layers: Layers) -> Frame:
    try:
        text = record.decode(errors="replace")
        source = dict(json.loads(text, object_pairs_hook=list))["_source"]
        pairs = dict(source)["layers"]
        return layers.frame(dict(dict(pairs)["frame"]), layers_of(pairs))
    except CaptureError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise CaptureError("tshark printed something that is not a frame in JSON") from error


def layers_of(pairs: Iterable[tuple[str, Any]]) -> Iterator[Layer]:
    """The layers: `NAME_raw: [hex, position, length, …]`, then `NAME` with its fields."""
    for (name, value), (_, fields) in itertools.pairwise(itertools.chain(pairs, [("", [])])):
        if name.endswith("_raw"):
            payload = dict(fields).get("udp.payload_raw", [""]) if name == "udp_raw" else [""]
            yield Layer(
                name.removesuffix("_raw"), _bytes(value[0]), int(value[1]), _bytes(payload[0])
            )


def _bytes(digits: str) -> bytes:
    """None where tshark says `field length invalid!` instead."""
    return bytes.fromhex(digits) if digits[-1:] != "!" else b""
