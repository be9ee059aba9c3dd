# SPDX-License-Identifier: BSD-2-Clause
"""Which captures the tests read: the bundled ones, and a larger collection where it is present."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUNDLED = ROOT / "sample_pcaps"
SAMPLE = BUNDLED / "usr_ge_nrsack.sender.pcapng"

#: A run whose SCTP is inside DTLS, and the same run in clear.
IN_DTLS, IN_CLEAR = "pion-tail-loss-dtls", "pion-tail-loss"

#: A run whose receiver throws DATA away without an answer.
SILENT_DISCARDS = "dcsctp-zero-window"

#: Real captures from public projects and captures with ground truth; not part of the project.
COLLECTION = ROOT.parent / "shared" / "captures"

needs_collection = pytest.mark.skipif(
    not COLLECTION.is_dir(), reason="the collection of captures is not present beside the project"
)

#: Enough for what must hold of any rows: each table has some in one of them, both families of
#: stacks, IPv4, IPv6 and UDP, all kinds of acknowledgements, odd chunks.
_REPRESENTATIVE = {
    SAMPLE.name,
    "pion-delay-spike.sender.pcap",
    "pion-tail-loss.sender.pcap",
    "usrsctp-both-ways.middle.pcap",
    "usrsctp-hosts-and-taps.receiver.pcapng",
    "usrsctp-i-data-pr-sctp.sender.pcap",
    "pcapplusplus_SctpAllPackets.pcap",
}

#: One of each kind: bundles, cut packets, VLAN, IPv6 over UDP, SLL2, big-endian, many interfaces,
#: loopback, ICMP quotes.
CHOSEN = {
    "zeek_communityid_sctp.pcap",
    "spindump_sctp_snap128.pcap",
    "usr_reorder.sender.pcap",
    "pion_spike.receiver.pcap",
    "usr_bidir.middle.pcapng",
    "tcpdump_isup_bigendian.pcap",
    "magma_gx_gy_combined_03_9if.pcapng",
    "spindump_sctp_short_lo.pcap",
    "freediameter_capture.cap",
    "pcapflowlab_mpls.pcap",
}

_SUFFIXES = {".pcap", ".pcapng", ".cap"}


def bundled() -> list[Path]:
    """Captures in clear that the project carries."""
    return [path for path in _captures(BUNDLED) if not path.name.startswith(IN_DTLS)]


def collection(folder: str) -> list[Path]:
    """Captures of one folder of the collection, `wild` or `truth`; none where it is absent."""
    return _captures(COLLECTION / folder)


def any_capture() -> list[Any]:
    """Parameters of a test of every capture: few of them, the others take long."""
    return long_but(_REPRESENTATIVE, [*bundled(), *collection("wild")])


def any_of(paths: list[Path]) -> list[Any]:
    """Parameters of a test that asks tshark of each: one of each kind, the others take long."""
    return long_but(_REPRESENTATIVE | CHOSEN, paths)


def with_rows_of(table: str) -> Path:
    """A capture that has some in that table."""
    others = {"probes": "pion-tail-loss", "storms": "pion-delay-spike"}
    return BUNDLED / f"{others[table]}.sender.pcap" if table in others else SAMPLE


def long_but(few: set[str], paths: list[Path]) -> list[Any]:
    """Parameters of a test of each: those of few names, the others take long."""
    return [pytest.param(p, marks=() if p.name in few else pytest.mark.long) for p in paths]


def one_in(step: int, all_of_them: Iterable[Any]) -> list[Any]:
    """Parameters of a test of each: one of so many, the others take long."""
    return [
        pytest.param(one, marks=pytest.mark.long if at % step else ())
        for at, one in enumerate(all_of_them)
    ]


def _captures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in _SUFFIXES)


def name_of(path: Path) -> str:
    """For test ids."""
    return path.name
