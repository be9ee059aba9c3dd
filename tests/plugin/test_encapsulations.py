# SPDX-License-Identifier: BSD-2-Clause
"""Whatever carries SCTP, the plugin shows the packets that tshark finds: those of our own reader,
but for the frames of the cases that say why tshark differs."""

from collections import defaultdict
from pathlib import Path

import pytest

from tests.builder.case import Case
from tests.builder.files import pcap
from tests.builder.layers import SCTP, ipv4
from tests.differential.test_encapsulations import (
    BEFORE,
    CASES,
    DROPPED,
    NAMED_PORT,
    TSHARK_OPTIONS,
    cases,
    write,
)
from tests.plugin.painted_rows import Tables, exported, painted
from tests.plugin.wireshark import Wireshark

RAW = 101
CHUNKS = {
    "transmissions": ("chunk", "tsn", "bytes", "crc", "path"),
    "sacks": ("chunk", "cum_tsn", "gaps", "nr_gaps", "dups", "a_rwnd", "path"),
}

Chunks = dict[int, list[tuple[object, ...]]]


def by_frame(rows: Tables) -> Chunks:
    """What each frame holds."""
    frames: Chunks = defaultdict(list)
    for table, columns in CHUNKS.items():
        for row in rows[table]:
            frames[row["frame"]].append((table, *(row[column] for column in columns)))
    return frames


def data(chunks: Chunks, frame: int) -> list[object]:
    """TSNs of a frame's DATA."""
    return [chunk[2] for chunk in chunks.get(frame, []) if chunk[0] == "transmissions"]


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory, wireshark: Wireshark) -> tuple[Chunks, Chunks]:
    """The plugin's and ours of a file with all cases."""
    path = write(tmp_path_factory.mktemp("encapsulations") / "all.pcapng", CASES)
    return (
        by_frame(painted(wireshark, path, "-2", *TSHARK_OPTIONS)),
        by_frame(exported(path, udp_ports=(NAMED_PORT,))),
    )


def frames_of(case: Case) -> range:
    first = BEFORE[case.name] + 1
    return range(first, first + len(case.frames))


@cases(differing=False)
def test_frames_hold_the_same_chunks(case: Case, views: tuple[Chunks, Chunks]) -> None:
    shown, ours = views
    for frame in frames_of(case):
        assert shown.get(frame) == ours.get(frame)


@cases(differing=True)
def test_the_plugin_shows_what_tshark_finds(case: Case, views: tuple[Chunks, Chunks]) -> None:
    assert case.theirs is not None
    for number, frame in enumerate(frames_of(case), 1):
        assert data(views[0], frame) == list(case.theirs.get(number, []))


def test_the_copy_in_a_packet_drop_chunk_is_not_taken(tmp_path: Path, wireshark: Wireshark) -> None:
    path = tmp_path / "dropped.pcap"
    path.write_bytes(pcap([ipv4(SCTP, DROPPED)], RAW))
    shown = by_frame(painted(wireshark, path, "-2"))
    assert data(shown, 1) == [200]
    assert shown == by_frame(exported(path))
