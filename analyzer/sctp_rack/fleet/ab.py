# SPDX-License-Identifier: BSD-2-Clause
"""Before and after: captures of two kinds, per so much data, and how sure a change is.

The figures are those of the A/B test of RACK-TLP at IETF 97 (recoveries by timeouts, time in
recovery, data packets, spurious probes). Captures differ in length, so counts are for each 100,000
chunks that were sent the first time.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from fnmatch import translate
from pathlib import PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack.errors import UsageError
from sctp_rack.fleet.arrays import table_of
from sctp_rack.fleet.query import told
from sctp_rack.fleet.rows import SUMMED

import pyarrow as pa  # isort: skip, behind what says how to install it

Numbers = npt.NDArray[np.float64]

#: Chunks sent the first time, by which counts are divided.
PER = 100_000

#: Below so many captures of a side nothing is said of how sure a change is.
_FEW = 10
#: Most that are drawn of a side: more captures are drawn in groups.
_DRAWN = 500
#: Captures that an error names.
_NAMED = 4
#: Times that captures are drawn again, and the seed, so that an answer is always the same.
_DRAWS, _SEED = 2000, 1
#: Of them, what lies between is said: 95 %.
_BETWEEN = (2.5, 97.5)


@dataclass(frozen=True)
class Line:
    """A figure before (a) and after (b); of a relative change, 95 % lies between low and high."""

    figure: str
    a: float | None
    b: float | None
    change: float | None = None
    low: float | None = None
    high: float | None = None


#: By name: of each capture, of a side, or of each draw.
_Columns = dict[str, Any]

#: What is divided by what, from sums of columns of `captures`, and for how many of it.
_Ratio = tuple[Callable[[_Columns], Any], Callable[[_Columns], Any], float]


def _first(of: _Columns) -> Any:
    return of["chunks"] - of["retransmissions"]


FIGURES: dict[str, _Ratio] = {
    "recoveries by timeouts, per 100,000 chunks": (lambda of: of["by_timeout"], _first, PER),
    "recoveries by acknowledgements, per 100,000 chunks": (
        lambda of: of["recoveries"] - of["by_timeout"],
        _first,
        PER,
    ),
    "seconds in recovery, per 100,000 chunks": (lambda of: of["recovery_s"], _first, PER),
    "chunks sent for each first one": (lambda of: of["chunks"], _first, 1),
    "tail loss probes, per 100,000 chunks": (lambda of: of["probes"], _first, PER),
    "share of probes that were spurious": (
        lambda of: of["spurious_probes"],
        lambda of: of["probes_judged"],
        1,
    ),
    "share of retransmissions that were spurious": (
        lambda of: of["spurious"],
        lambda of: of["needed"] + of["spurious"],
        1,
    ),
    "share of chunks that were lost": (lambda of: of["lost"], lambda of: of["chunks"], 1),
}

_SCHEMA = pa.schema(
    [
        ("figure", pa.string()),
        *((name, pa.float64()) for name in ("a", "b", "change", "low", "high")),
    ]
)


def before_after(
    connection: Any,
    *,
    split: str | None = None,
    before: Sequence[str] = (),
    after: Sequence[str] = (),
) -> list[Line]:
    """Captures that begin before the moment `split`, and those from then on; or those whose path or
    name fits a pattern. Raises `UsageError` where a side is empty, and where one fits both."""
    if split is None and not before:
        raise UsageError("ab takes --split WHEN, or --before PATTERN and --after PATTERN")
    if split is not None:
        sums = _summed(connection, "first_ns", "first_ns IS NOT NULL")
        begins = sums.pop("first_ns")
        late = begins >= _moment(split)
        two = [~late, late]
    else:
        sums = _summed(connection, "capture", "true")
        names = sums.pop("capture")
        two = [_fitting(names, side) for side in (before, after)]
        if (both := two[0] & two[1]).any():
            raise UsageError(f"{min(names[both])} fits both --before and --after")
    for side, name in zip(two, ("before", "after"), strict=True):
        if not side.any():
            there = _begin(begins) if split is not None else _called(names)
            raise UsageError(f"no capture is {name}: {there}")
    one, other = ({name: column[side] for name, column in sums.items()} for side in two)
    return lines(one, other)


def _called(captures: Iterable[str]) -> str:
    """What could have been asked for by name."""
    names = sorted(PurePath(one).name for one in captures)
    return f"they are called {', '.join(names[:_NAMED])}{', …' if len(names) > _NAMED else ''}"


def _begin(begins: Any) -> str:
    """What could have been asked for by time."""
    if not len(begins):
        return "none has a time"
    first, last = (
        datetime.fromtimestamp(int(one) // 10**9, UTC).replace(tzinfo=None).isoformat()
        for one in (begins.min(), begins.max())
    )
    return f"they begin from {first} to {last}"


def _summed(connection: Any, what: str, where: str) -> _Columns:
    """What there is of each capture, in the order of their names."""
    sql = f"SELECT {what}, {', '.join(SUMMED)} FROM captures WHERE frames IS NOT NULL AND {where}"
    with told():
        # Not through Arrow, whose `to_numpy()` imports pandas where it is installed.
        return dict(connection.sql(f"{sql} ORDER BY capture").fetchnumpy())


def as_table(told: Sequence[Line]) -> Any:
    """As a `pyarrow.RecordBatchReader`."""
    return table_of([asdict(one) for one in told], _SCHEMA).to_reader()


def lines(before: _Columns, after: _Columns) -> list[Line]:
    """Of both sides, columns of `captures` that add up."""
    counts = [len(side[SUMMED[0]]) for side in (before, after)]
    columns, drawn = [], []
    for at, side in enumerate((before, after)):
        random = np.random.default_rng((_SEED, at))
        columns.append(_grouped(side, counts[at], random))
        drawn.append(_drawn(len(columns[-1][SUMMED[0]]), random))
    told = [Line("captures", *counts)]
    told += [
        Line(name, *(float(column[name].sum()) for column in columns))
        for name in ("chunks", "recoveries")
    ]
    sums = _each(columns, None)
    sums_drawn = _each(columns, drawn) if min(counts) >= _FEW else None
    for name, ratio in FIGURES.items():
        a, b = (_of(ratio, one) for one in sums)
        change = low = high = None
        if a and b is not None:
            change = float(b / a - 1)
            if sums_drawn:
                low, high = _between(*(_of(ratio, one) for one in sums_drawn))
        told.append(Line(name, _plain(a), _plain(b), change, low, high))
    return told


def _each(columns: Sequence[_Columns], drawn: Sequence[Numbers] | None) -> list[_Columns]:
    """Sums of both sides, of each draw where they are `drawn`."""
    if drawn is None:
        return [{name: one.sum() for name, one in column.items()} for column in columns]
    return [
        {name: draws @ one for name, one in column.items()}
        for column, draws in zip(columns, drawn, strict=True)
    ]


def _of(ratio: _Ratio, sums: _Columns) -> Any:
    """None where a single sum is divided by nothing."""
    above, below, per = ratio
    divisor = below(sums)
    if np.ndim(divisor) == 0:
        return per * above(sums) / divisor if divisor else None
    with np.errstate(divide="ignore", invalid="ignore"):
        return per * above(sums) / divisor


def _between(a: Numbers, b: Numbers) -> tuple[float | None, float | None]:
    with np.errstate(divide="ignore", invalid="ignore"):
        changes = b / a - 1
    known = changes[np.isfinite(changes)]
    if len(known) < _DRAWS:  # in some draws there was nothing to divide by
        return None, None
    low, high = np.percentile(known, _BETWEEN)
    return float(low), float(high)


def _grouped(columns: _Columns, count: int, random: np.random.Generator) -> _Columns:
    """Sums of each capture; of many, of so many groups of them that were drawn by lot."""
    if count <= _DRAWN:
        return columns
    groups = random.permutation(count) % _DRAWN
    return {name: np.bincount(groups, one, _DRAWN) for name, one in columns.items()}


def _drawn(count: int, random: np.random.Generator) -> Numbers:
    """How often each is in each draw: the bootstrap."""
    return random.poisson(1.0, (_DRAWS, count)).astype(np.float64)


def _plain(value: Any) -> float | None:
    return None if value is None else float(value)


def _fitting(names: Iterable[str], patterns: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Those whose path or name fits one of the patterns."""
    fits = re.compile("|".join(map(translate, patterns))).match
    if all(pattern.startswith("*") for pattern in patterns):  # which stands for its folders as well
        found = (fits(name) is not None for name in names)
    else:
        found = (bool(fits(name) or fits(name.rpartition("/")[2])) for name in names)
    return np.fromiter(found, np.bool_)


def _moment(text: str) -> int:
    """Nanoseconds; UTC unless it says otherwise."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"--split {text}: no date as 2026-05-10 or 2026-05-10T08:30") from error
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return int(when.timestamp()) * 1_000_000_000 + when.microsecond * 1000
