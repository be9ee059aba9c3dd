# SPDX-License-Identifier: BSD-2-Clause
"""The cases of pion's own harness (github.com/pion/scp) by name, each with and without RACK.

Delays, jitter, payloads and faults are the harness's; loss is what pion's article on RACK says
(2 % for congestion, 5 % for retransmission). Bursts and video are smaller: so are the captures.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .fault import Damage, Fault
from .link import MS, Path
from .loss import Independent, Loss
from .scenario import Scenario, Stack
from .workload import Message, bulk, media

_BURST = bulk(90, 450) + bulk(90, 450, side="b")
_UNORDERED = bulk(90, 450, unordered=True) + bulk(90, 450, side="b", unordered=True)
_LARGE = bulk(6, 8192) + bulk(6, 8192, side="b")
_ODD = bulk(40, 1201) + bulk(40, 1201, side="b")
_NO_DELAY = Path(delay_ns=1 * MS, bits_per_s=400_000_000)


def _path(delay_ms: int, jitter_ms: int, loss: float = 0.0, *, reorders: bool = False) -> Path:
    losses: tuple[Loss, ...] = (Independent(loss),) if loss else ()
    return Path(delay_ms * MS, jitter_ms * MS, reorders, losses, bits_per_s=100_000_000)


@dataclass(frozen=True)
class _Case:
    name: str
    about: str
    path: Path
    messages: tuple[Message, ...]
    mtu: int = 600
    interleaving: bool = False
    back: Path | None = None


def _fault(damage: Damage) -> Path:
    return replace(_NO_DELAY, fault=Fault(damage, every=7))


_CASES = (
    _Case("max-burst", "bursts both ways, no loss, as little delay as there is", _NO_DELAY, _BURST),
    _Case(
        "handshake",
        "one small burst: handshake and shutdown are most of it",
        _NO_DELAY,
        bulk(15, 450) + bulk(15, 450, side="b"),
    ),
    _Case(
        "unordered-late-low-rtt",
        "10 ms and 10 ms of jitter that reorders",
        _path(10, 10, reorders=True),
        _UNORDERED,
    ),
    _Case(
        "unordered-late-high-rtt",
        "180 ms and 60 ms of jitter that reorders",
        _path(180, 60, reorders=True),
        _UNORDERED,
    ),
    _Case(
        "unordered-late-dynamic-rtt",
        "40 ms and 180 ms of jitter that reorders",
        _path(40, 180, reorders=True),
        _UNORDERED,
    ),
    _Case("congestion", "60 ms, 40 ms of jitter, 2 % loss", _path(60, 40, 0.02), _BURST),
    _Case("retransmission", "40 ms, 20 ms of jitter, 5 % loss", _path(40, 20, 0.05), _BURST),
    _Case(
        "reorder-low",
        "15 ms, 25 ms of jitter that reorders, 1.5 % loss",
        _path(15, 25, 0.015, reorders=True),
        _UNORDERED,
    ),
    _Case(
        "reorder-high",
        "140 ms, 120 ms of jitter that reorders, 2.5 % loss",
        _path(140, 120, 0.025, reorders=True),
        _UNORDERED,
    ),
    _Case(
        "burst-loss",
        "50 ms, 50 ms of jitter that reorders, 4 % loss",
        _path(50, 50, 0.04, reorders=True),
        _UNORDERED,
    ),
    _Case("fragmentation", "messages of 8192 bytes", _NO_DELAY, _LARGE, mtu=1191),
    _Case(
        "interleaving",
        "messages of 8192 bytes as I-DATA (DATA without RACK: that pion knows no I-DATA)",
        _NO_DELAY,
        _LARGE,
        mtu=1191,
        interleaving=True,
    ),
    _Case(
        "media-hevc",
        "video at 25 frames a second on four streams, 10 ms, 3 % loss",
        _path(10, 5, 0.03, reorders=True),
        media(20, [12_000, *[4_500] * 9], payload=1200, streams=4),
        mtu=1300,
        back=_path(10, 5),
    ),
    _Case(
        "fault-checksum",
        "every seventh packet has a wrong checksum",
        _fault(Damage.CHECKSUM),
        _BURST,
    ),
    _Case(
        "fault-bad-chunk-len",
        "the first chunk of every seventh packet has an impossible length",
        _fault(Damage.CHUNK_LENGTH),
        _BURST,
    ),
    _Case(
        "fault-nonzero-padding",
        "every seventh packet has padding that is not zero",
        _fault(Damage.PADDING),
        _ODD,
        mtu=1300,
    ),
)


def _scenarios() -> Iterator[Scenario]:
    for number, case in enumerate(_CASES):
        for stack, suffix in ((Stack.PION, ""), (Stack.PION_NO_RACK, "-no-rack")):
            yield Scenario(
                f"pion-{case.name}{suffix}",
                f"{case.about}; {'RACK' if stack is Stack.PION else 'no RACK'}",
                stack,
                300 + number,
                case.messages,
                case.path,
                case.path if case.back is None else case.back,
                mtu=case.mtu,
                interleaving=case.interleaving,
            )


SCENARIOS = tuple(_scenarios())
