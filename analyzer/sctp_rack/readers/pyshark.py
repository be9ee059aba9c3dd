# SPDX-License-Identifier: BSD-2-Clause
"""What a pyshark capture would read, read as raw bytes: nothing of pyshark's own packets is needed.

pyshark keeps only one chunk of a bundle in some of its modes, and cannot run in Jupyter's event
loop: so its captures are taken for what to read, and tshark is run on that again.
"""

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from sctp_rack.errors import CaptureError
from sctp_rack.readers.packet import Frame
from sctp_rack.readers.tshark import SILENCE_S, WITHOUT_SCTP, frames_of, layers_of
from sctp_rack.readers.tshark_layers import Layers

#: Options with a value by which pyshark says what it reads and writes; ours say it anew.
_INPUT_AND_OUTPUT = {"-r", "-i", "-w"}


class PysharkSource:
    """A `pyshark.FileCapture`, a `pyshark.LiveCapture`, or packets that one of them gave.

    A file capture is read again from its file and a live capture that holds no packets yet is
    started, both with the capture's own filters, preferences, decode-as rules and custom
    parameters; an `output_file` is not written. A live capture ends by interrupt, or by
    `custom_parameters=["-c", "1000"]` or `["-a", "duration:10"]`. Packets, and a live capture that
    holds some, need `use_json=True, include_raw=True`.
    """

    format = "pyshark"

    def __init__(self, capture: Any) -> None:
        self._capture = capture

    def frames(self) -> Generator[Frame, None, None]:
        capture = self._capture
        if hasattr(capture, "input_filepath"):
            path = str(capture.input_filepath)
            yield from self._read(path, ["-r", path], SILENCE_S)
        elif hasattr(capture, "interfaces") and not len(capture):
            options = ["-l"]
            for interface in capture.interfaces:
                options += ["-i", interface]
            if capture.bpf_filter:
                options += ["-f", capture.bpf_filter]
            if capture.monitor_mode:
                options += ["-I"]
            yield from self._read(", ".join(capture.interfaces), options, None)
        elif hasattr(capture, "get_parameters"):  # its iterator would read on
            yield from _frames(capture[index] for index in range(len(capture)))
        else:
            yield from _frames(capture)

    def _read(
        self, name: str, options: list[str], silence_s: float | None
    ) -> Generator[Frame, None, None]:
        command = [self._capture.tshark_path or "tshark", *options]
        given = iter(self._capture.get_parameters())
        for option in given:
            if option in _INPUT_AND_OUTPUT:
                next(given, None)
            elif option != "-x":
                command.append(option)
        filtered = "-Y" in command
        if not filtered:
            command += WITHOUT_SCTP
        ports = _udp_ports(self._capture)
        yield from frames_of(name, command, Layers(ports), None if filtered else silence_s)


def _udp_ports(capture: Any) -> Iterator[int]:
    """Of its decode-as rules `{"udp.port==7777": "sctp"}`."""
    for rule, protocol in (capture._decode_as or {}).items():
        port = rule.replace(" ", "").removeprefix("udp.port==")
        if protocol.strip() == "sctp" and port.isdecimal():
            yield int(port)


def _frames(packets: Iterable[Any]) -> Generator[Frame, None, None]:
    layers = Layers()
    for packet in packets:
        if "frame_raw" not in packet:
            raise CaptureError(
                "pyshark's packets come without their bytes: make the capture with "
                "use_json=True, include_raw=True"
            )
        try:
            yield layers.frame(packet.frame_info._all_fields, layers_of(_pairs(packet)))
        except CaptureError as error:
            raise CaptureError(f"pyshark: frame {packet.number}: {error}") from error


def _pairs(packet: Any) -> Iterator[tuple[str, Any]]:
    """The layers as tshark's JSON has them. pyshark merges those of the same name into one."""
    fields = {layer.layer_name: layer._all_fields for layer in packet.layers}
    for raw in packet.layers:
        if raw.layer_name.endswith("_raw"):
            name = raw.layer_name.removesuffix("_raw")
            several = isinstance(raw.value, list)
            others = [_list_of(other) for other in raw.duplicate_layers] if several else []
            for value in [raw.value if several else _list_of(raw), *others]:
                yield raw.layer_name, value
                yield name, fields.get(name, {})


def _list_of(layer: Any) -> list[Any]:
    """What a list in JSON was before pyshark took its elements for layers of the same name."""
    return [layer.value, *(element.value for element in layer.duplicate_layers)]
