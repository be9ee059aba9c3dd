# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.generate [NAME…] [--to FOLDER]: makes sample captures from scenarios, or
with --random N --seed S the first N random runs of a set."""

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from .build import MissingError, program
from .catalogue import COMMITTED, SCENARIOS
from .make import make
from .random.draw import stacks_of
from .random.many import make_many, numbers_of
from .random.seeds import range_of
from .scenario import Scenario, Stack

HERE = Path(__file__).resolve().parent


def main() -> int:
    """Makes what is asked for; names everything that a run brought."""
    parser = argparse.ArgumentParser(prog="sample_pcaps.generate", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios")
    parser.add_argument("--all", action="store_true", help="every scenario")
    parser.add_argument("--committed", action="store_true", help="those in sample_pcaps/")
    parser.add_argument(
        "--knowable",
        nargs="?",
        type=float,
        const=1.0,
        default=0.0,
        metavar="SHARE",
        help="find out what taps can know, of all or of a share of what is sent again",
    )
    parser.add_argument("--seeds", type=int, default=1, help="each so often: NAME, NAME-2, …")
    parser.add_argument("--list", action="store_true", help="say what there is")
    parser.add_argument("--random", type=int, metavar="N", help="N random runs")
    parser.add_argument("--seed", type=int, default=0, help="of random runs")
    parser.add_argument("--stacks", help="random runs with no others: usrsctp,pion,pion_no_rack,…")
    parser.add_argument("--jobs", type=int, default=2, help="random runs at a time")
    parser.add_argument("--to", type=Path, default=HERE.parent.parent / "build" / "samples")
    arguments = parser.parse_args()
    if arguments.list:
        for scenario in SCENARIOS.values():
            print(f"{scenario.name:34} {scenario.about}")
        return 0
    unknown = sorted(set(arguments.names) - set(SCENARIOS))
    if unknown:
        parser.error(f"no scenario {', '.join(unknown)}; --list names them")
    arguments.to.mkdir(parents=True, exist_ok=True)
    if arguments.random is not None:
        stacks = _stacks(parser, arguments.stacks)
        try:
            numbers = list(numbers_of(arguments.seed, arguments.random, stacks))
        except ValueError as none:
            parser.error(str(none))
        return _random_runs(arguments, numbers)
    names = [*arguments.names, *(COMMITTED if arguments.committed else ())]
    scenarios = [SCENARIOS[name] for name in (SCENARIOS if arguments.all else names)]
    if _are_missing({one.stack_of(side) for one in scenarios for side in "ab"}):
        return 1
    for named in scenarios:
        for scenario in _with_seeds(named, arguments.seeds):
            print(_summary(make(scenario, arguments.to, knowable=arguments.knowable)))
    return 0


def _are_missing(stacks: Collection[Stack]) -> bool:
    """Whether stacks cannot be built; says of each what it needs."""
    needs: set[str] = set()
    for stack in stacks:
        try:
            program(stack)
        except MissingError as missing:
            needs.add(f"{stack.value[0]}: {missing}")
    for need in sorted(needs):
        print(need, file=sys.stderr)
    return bool(needs)


def _stacks(parser: argparse.ArgumentParser, named: str | None) -> frozenset[Stack]:
    """Those that are named; all where none is."""
    known = {stack.name.lower(): stack for stack in Stack}
    names = known if named is None else named.split(",")
    if unknown := sorted(set(names) - set(known)):
        parser.error(f"no stack {', '.join(unknown)}; there are {', '.join(known)}")
    return frozenset(known[name] for name in names)


def _random_runs(arguments: argparse.Namespace, numbers: Sequence[int]) -> int:
    """Exit status 1 where a run failed, which is named; the others are made."""
    seed, found = arguments.seed, Counter[str]()
    print(f"seed {seed} is to {range_of(seed) or 'nothing of the three ranges'}")
    if _are_missing({stack for number in numbers for stack in stacks_of(seed, number)}):
        return 1
    for name, truth in make_many(
        seed, numbers, arguments.to, knowable=arguments.knowable, jobs=arguments.jobs
    ):
        if isinstance(truth, Exception):
            print(f"{name}: {truth}", file=sys.stderr)
            found["failed"] += 1
            continue
        print(_summary(truth))
        counts = truth["counts"]
        assert isinstance(counts, dict)
        found.update(counts)
    print(", ".join(f"{count} {what}" for what, count in found.items()))
    return int(found["failed"] > 0)


def _with_seeds(scenario: Scenario, count: int) -> Iterator[Scenario]:
    """The scenario, and the same with other seeds."""
    yield scenario
    for number in range(2, count + 1):
        seed = scenario.seed + 1000 * number
        yield replace(scenario, name=f"{scenario.name}-{number}", seed=seed)


def _summary(truth: dict[str, object]) -> str:
    transmissions = truth["transmissions"]
    assert isinstance(transmissions, list)
    causes = Counter(record["cause"] or "?" for record in transmissions if record["retransmission"])
    fates = Counter(record["fate"] for record in transmissions)
    spurious = sum(record["spurious"] is True for record in transmissions)
    named = ", ".join(f"{count} {cause}" for cause, count in sorted(causes.items())) or "none"
    met = ", ".join(f"{count} {fate}" for fate, count in sorted(fates.items()))
    return f"{truth['name']}: sent {met}; retransmissions {named}; spurious {spurious}"


if __name__ == "__main__":
    sys.exit(main())
