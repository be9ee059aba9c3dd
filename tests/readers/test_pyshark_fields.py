# SPDX-License-Identifier: BSD-2-Clause
"""pyshark shows the plugin's fields of each packet: what docs/readers.md says of `sctp_rack`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyshark
import pytest
from sctp_rack.readers.pyshark import PysharkSource

from tests.captures import BUNDLED, ROOT, SAMPLE
from tests.readers.rows import Rows, rows_of

if not (ROOT / "dissector").is_dir():
    pytest.skip("the Wireshark plugin is not in this tree", allow_module_level=True)
plugin = pytest.importorskip("tests.plugin.wireshark")

Options = dict[str, Any]

#: Columns of a row that are fields of a chunk, and what pyshark calls them.
FIELDS = {
    "tsn": "data_tsn",
    "kind": "sctp_analysis_kind_str",
    "cause": "sctp_analysis_cause_str",
    "verdict": "sctp_analysis_verdict_str",
    "outcome": "sctp_analysis_outcome_str",
}


@pytest.fixture(scope="module")
def with_plugin() -> Iterator[Options]:
    """Options of pyshark for a tshark with the plugin, which reads twice, as the verdicts need."""
    wireshark = plugin.Wireshark(plugin.build())
    script = wireshark.home / "tshark"
    as_anybody = " ".join(plugin.NOBODY)  # root loads no personal plugins
    script.write_text(
        f"#!/bin/sh\nexport HOME={wireshark.home}\n"
        f'[ "$(id -u)" = 0 ] && exec {as_anybody} tshark "$@"\nexec tshark "$@"\n'
    )
    script.chmod(0o755)
    yield {"tshark_path": str(script), "custom_parameters": ["-2"]}
    wireshark.close()


def readable(path: Path, options: Options) -> str:
    """A copy in the home folder of that tshark."""
    copy = Path(options["tshark_path"]).with_name(path.name)
    copy.write_bytes(path.read_bytes())
    copy.chmod(0o644)
    return str(copy)


def shown(path: Path, options: Options, **more: Any) -> dict[int, list[dict[str, str]]]:
    """By frame, the fields of its first chunk."""
    capture = pyshark.FileCapture(readable(path, options), **options, **more)
    found = {}
    for packet in capture:
        layer = packet.sctp_rack
        fields = {column: layer.get(name) for column, name in FIELDS.items()}
        found[int(packet.number)] = [{k: str(v) for k, v in fields.items() if v is not None}]
    capture.close()
    return found


@pytest.mark.parametrize(
    "path", [SAMPLE, BUNDLED / "pion-tail-loss.sender.pcap"], ids=lambda p: p.name
)
def test_a_packet_has_the_fields_of_its_row(path: Path, with_plugin: Options) -> None:
    told = {
        row["frame"]: [{column: str(row[column]) for column in FIELDS if row[column] is not None}]
        for row in rows_of(path)["transmissions"]
    }

    assert shown(path, with_plugin, display_filter="sctp_rack.data.tsn") == told


def test_fields_of_the_plugin_filter_packets(with_plugin: Options) -> None:
    spurious = {
        row["frame"] for row in rows_of(SAMPLE)["transmissions"] if row["verdict"] == "spurious"
    }

    packets = shown(SAMPLE, with_plugin, display_filter='sctp.analysis.verdict == "spurious"')

    assert len(spurious) == 9
    assert set(packets) == spurious


def test_the_plugin_changes_nothing_for_our_reader(with_plugin: Options) -> None:
    capture = pyshark.FileCapture(readable(SAMPLE, with_plugin), **with_plugin)
    rows: Rows = rows_of(SAMPLE, PysharkSource(capture))

    assert rows == rows_of(SAMPLE)
