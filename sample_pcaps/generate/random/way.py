# SPDX-License-Identifier: BSD-2-Clause
"""The paths of a random run."""

from dataclasses import dataclass, replace
from random import Random

from ..link import MS, Path
from ..loss import Bursts, Independent, Loss, Tail
from . import mix
from .load import Load

_LEAST_DELAY_NS = 3 * MS // 10


@dataclass(frozen=True)
class Ways:
    """Forth and back, and the same between second addresses."""

    forth: Path
    back: Path
    second: tuple[Path, Path] | None = None


def draw_delays(random: Random) -> tuple[int, int]:
    """Nanoseconds forth and back; the least round trip of all runs is a millisecond."""
    round_trip_ns = mix.ROUND_TRIP.draw(random) * MS
    share = mix.SHARE_FORTH.draw(random)
    return int(round_trip_ns * share), int(round_trip_ns * (1 - share))


def draw_ways(delays_ns: tuple[int, int], main: str, load: Load, random: Random) -> Ways:
    """Paths for transfers: data goes forth from `main`, mostly acknowledgements come back."""
    forth = replace(_path(delays_ns[main == "b"], random), losses=_losses(load, random))
    back_losses: list[Loss] = []
    if (probability := mix.LOSS_BACK.draw(random)) is not None:
        back_losses.append(Independent(probability))
    if (probability := mix.SACK_LOSS.draw(random)) is not None:
        back_losses.append(Independent(probability, sacks_only=True))
    back = replace(_path(delays_ns[main == "a"], random), losses=tuple(back_losses))
    forth = _troubled(forth, load, random)
    return Ways(forth, back) if main == "a" else Ways(back, forth)


def draw_quiet_ways(delays_ns: tuple[int, int], random: Random) -> Ways:
    """Paths for signalling: no loss, or one packet in hundreds."""
    probability = mix.SIGNAL_LOSS.draw(random)
    losses = () if probability is None else (Independent(probability),)
    forth, back = (replace(_path(delay_ns, random), losses=losses) for delay_ns in delays_ns)
    return Ways(forth, back)


def with_second(ways: Ways, lasts_ns: int, random: Random) -> Ways:
    """The same with a second pair of addresses; the first path fails for a while."""
    from_ns = int(mix.PATH_FAILS_AFTER.draw(random) * max(lasts_ns, MS * 1000))
    fails = ((from_ns, from_ns + int(mix.PATH_FAILS.draw(random) * MS)),)
    forth_ns, back_ns = draw_delays(random)
    return Ways(
        replace(ways.forth, outages=fails),
        replace(ways.back, outages=fails),
        (_path(forth_ns, random), _path(back_ns, random)),
    )


def _path(delay_ns: int, random: Random) -> Path:
    delay_ns = max(delay_ns, _LEAST_DELAY_NS)
    jitter = mix.JITTER.draw(random) or 0.0
    late = mix.LATE.draw(random) or 0.0
    after_ns = sorted(int(mix.DUPLICATE_AFTER.draw(random) * MS) for _ in range(2))
    slow = mix.SLOW_LINK.draw(random)
    return Path(
        delay_ns=delay_ns,
        jitter_ns=int(jitter * delay_ns),
        jitter_reorders=mix.JITTER_REORDERS.draw(random),
        late=late,
        late_ns=int(mix.LATE_BY.draw(random) * MS),
        duplicate=mix.DUPLICATE.draw(random) or 0.0,
        duplicate_after_ns=(after_ns[0], after_ns[1]),
        bits_per_s=int(slow or mix.FAST_BITS.draw(random)),
        queue=mix.SHORT_QUEUE.draw(random) if slow else 1000,
    )


def _losses(load: Load, random: Random) -> tuple[Loss, ...]:
    losses: list[Loss] = []
    match mix.LOSS.draw(random):
        case "independent":
            losses.append(Independent(mix.INDEPENDENT.draw(random)))
        case "bursts":
            losses.append(Bursts(mix.BURST_BEGINS.draw(random), mix.BURST_ENDS.draw(random)))
    if load.burst and (probability := mix.TAIL_LOSS.draw(random)) is not None:
        losses.append(Tail(load.burst, min(mix.TAIL.draw(random), load.burst), probability))
    return tuple(losses)


def _troubled(path: Path, load: Load, random: Random) -> Path:
    kind = mix.TROUBLE.draw(random)
    spells: list[tuple[int, int]] = []
    steps: list[tuple[int, int]] = []
    lasts_ns = max(load.lasts_ns, 20 * path.delay_ns, 300 * MS)
    for _ in range(mix.TROUBLES.draw(random) if kind != "none" else 0):
        from_ns = int(mix.TROUBLE_AFTER.draw(random) * lasts_ns) + 4 * path.delay_ns
        takes = mix.OUTAGE if kind == "outage" else mix.SPIKE
        spells.append((from_ns, from_ns + int(takes.draw(random) * MS)))
        steps.append((from_ns, max(_LEAST_DELAY_NS, int(mix.STEP.draw(random) * path.delay_ns))))
    match kind:
        case "spike":
            return replace(path, holds=tuple(sorted(spells)))
        case "outage":
            return replace(path, outages=tuple(sorted(spells)))
        case "step":
            return replace(path, delay_steps=tuple(sorted(steps)))
    return path
