# SPDX-License-Identifier: BSD-2-Clause
"""Whatever carries SCTP, we see in it what tshark sees, frame by frame."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from sctp_rack._core import lib
from sctp_rack.binding.session import Session
from sctp_rack.names import ENUMS

from tests.builder import sctp
from tests.builder.case import PACKET, Case, Packets, expected, within
from tests.builder.files import Pcapng, pcap
from tests.builder.ip_cases import IP_CASES
from tests.builder.layers import SCTP, UDP, ipv4, udp
from tests.builder.link_cases import LINK_CASES
from tests.builder.tunnel_cases import TUNNEL_CASES
from tests.differential.our_rows import by_us
from tests.differential.tshark_oracle import Seen, by_tshark

CASES = [*LINK_CASES, *IP_CASES, *TUNNEL_CASES]
NAMED_PORT, FOUND_PORTS = 40000, range(40001, 40010)
TSHARK_OPTIONS = [
    *("-o", "ipv6.tso_support:TRUE"),
    *(word for port in (NAMED_PORT, *FOUND_PORTS) for word in ("-d", f"udp.port=={port},sctp")),
]


def write(path: Path, cases: Sequence[Case]) -> Path:
    """All frames of `cases` in one file with an interface for each link type."""
    links = sorted({case.link_type for case in cases})
    capture = Pcapng()
    for link in links:
        capture.interface(link)
    for case in cases:
        for frame in case.frames:
            capture.packet(frame, links.index(case.link_type))
    path.write_bytes(bytes(capture))
    return path


@dataclass(frozen=True)
class Views:
    """What both see of the file with all cases."""

    ours: Seen
    theirs: Seen


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> Views:
    path = write(tmp_path_factory.mktemp("encapsulations") / "all.pcapng", CASES)
    return Views(by_us(path, (NAMED_PORT,)), by_tshark(path, *TSHARK_OPTIONS))


NAMES = [case.name for case in CASES]
BEFORE = {  # frames of the cases before
    name: sum(len(case.frames) for case in CASES[:index]) for index, name in enumerate(NAMES)
}


def cases(*, differing: bool | None = None) -> pytest.MarkDecorator:
    """Parametrises a test by all cases, or by those where tshark does or does not differ."""
    chosen = [c for c in CASES if differing is None or (c.theirs is not None) is differing]
    return pytest.mark.parametrize("case", chosen, ids=lambda case: case.name)


@pytest.mark.parametrize(
    ("name", "fragments"),
    [
        ("IPv4 fragments with a lost one", 2),
        ("IPv6 fragments with a lost first one", 2),
        ("IPv4 fragments overlapping with other bytes", 2),
        ("IPv4 fragments repeated after their datagram is complete", 1),
        ("IPv4 fragments duplicated", 0),
    ],
)
def test_fragments_that_made_no_datagram_are_counted(
    name: str, fragments: int, tmp_path: Path
) -> None:
    session = Session(str(write(tmp_path / "one.pcapng", [CASES[NAMES.index(name)]])))
    session.read_all()
    assert session.totals.fragments_left_over == fragments


DROPPED = sctp.packet(sctp.packet_drop(PACKET), sctp.data(200), sctp.sack(200, [(2, 3)], [200]))


def test_the_copy_in_a_packet_drop_chunk_is_not_descended_into(tmp_path: Path) -> None:
    path = tmp_path / "dropped.pcap"
    path.write_bytes(pcap([ipv4(SCTP, DROPPED)], 101))
    wanted = expected({1: [200]})
    wanted.chunks[1, sctp.PACKET_DROP] += 1
    assert by_us(path) == by_tshark(path) == wanted


@pytest.mark.parametrize(
    ("tap", "exported"),
    [
        ("IP", {1: [100], 2: [101], 3: [102]}),  # RAW IP of every frame
        ("OSI layer 4", {1: [101], 2: [102]}),  # SCTP over UDP, in the table udp.port
    ],
)
def test_what_tshark_exports_reads_as_tshark_reads_it(
    tap: str, exported: Packets, tmp_path: Path
) -> None:
    source, target = tmp_path / "source.pcap", tmp_path / "exported.pcapng"
    over_udp = [udp(5, 9899, sctp.both(101)), udp(9899, 5, sctp.both(102))]
    frames = [ipv4(SCTP, sctp.both(100)), *(ipv4(UDP, datagram) for datagram in over_udp)]
    source.write_bytes(pcap(frames, 101))
    subprocess.run(["tshark", "-r", source, "-U", tap, "-w", target], check=True)
    assert by_us(target) == by_tshark(target) == expected(exported)


def test_no_two_cases_share_a_name() -> None:
    assert len(BEFORE) == len(CASES)


@cases()
def test_we_see_the_packets_that_the_frames_hold(case: Case, views: Views) -> None:
    first = BEFORE[case.name] + 1
    seen = within(views.ours, first, BEFORE[case.name] + len(case.frames))
    assert seen == expected(case.ours, BEFORE[case.name])


@cases(differing=False)
def test_tshark_sees_the_same(case: Case, views: Views) -> None:
    first = BEFORE[case.name] + 1
    seen = within(views.theirs, first, BEFORE[case.name] + len(case.frames))
    assert seen == expected(case.ours, BEFORE[case.name])


@cases(differing=True)
def test_tshark_differs_for_a_known_reason(case: Case, views: Views) -> None:
    first = BEFORE[case.name] + 1
    seen = within(views.theirs, first, BEFORE[case.name] + len(case.frames))
    assert case.theirs is not None and case.reason
    assert case.theirs != case.ours
    assert seen == expected(case.theirs, BEFORE[case.name])


@cases()
def test_every_other_frame_is_counted_with_its_reason(case: Case, tmp_path: Path) -> None:
    session = Session(str(write(tmp_path / "one.pcapng", [case])), udp_ports=(NAMED_PORT,))
    session.read_all()
    totals = session.totals
    words = [member.value for member in ENUMS["skip"]]
    skips = {words[i]: totals.skipped[i] for i in range(lib.SR_SKIP_COUNT) if totals.skipped[i]}
    assert skips == case.skips
    assert session.engine_totals.packets + sum(skips.values()) == len(case.frames)
