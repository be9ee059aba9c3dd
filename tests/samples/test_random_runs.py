# SPDX-License-Identifier: BSD-2-Clause
"""Random runs: the same seed makes the same, and the whole mix is drawn."""

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from math import ceil, log
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sample_pcaps.generate.build import MissingError
from sample_pcaps.generate.check.__main__ import check
from sample_pcaps.generate.encapsulation import Encapsulation
from sample_pcaps.generate.random import mix
from sample_pcaps.generate.random.distribution import Choice, Log, Sometimes, Uniform, Whole
from sample_pcaps.generate.random.draw import IPV6_HEADER, IPV6_LEAST_MTU, draw, stacks_of
from sample_pcaps.generate.random.many import make_many, numbers_of
from sample_pcaps.generate.random.mix import ABILITIES, Can, Kind
from sample_pcaps.generate.random.seeds import RANGES, range_of
from sample_pcaps.generate.scenario import Scenario, Stack

SEED = 0  # of the range to look at
DRAWS = 700
UNFAMILIAR = (900, 950)  # of seeds whose sender, and whose receiver, is a stack of its own
KINDS = (Uniform, Log, Whole, Choice, Sometimes)
DISTRIBUTIONS = {name: one for name, one in vars(mix).items() if isinstance(one, KINDS)}


@pytest.fixture(scope="module")
def drawn() -> list[Scenario]:
    return [draw(SEED, number) for number in range(DRAWS)]


@pytest.fixture(scope="module")
def values() -> dict[int, list[Any]]:
    """What each distribution gave, by its identity, while scenarios were drawn."""
    given: dict[int, list[Any]] = defaultdict(list)
    with pytest.MonkeyPatch.context() as patch:
        for kind in KINDS:
            patch.setattr(kind, "draw", _remembering(kind, given))
        for seed, draws in ((SEED, DRAWS), *((seed, 300) for seed in UNFAMILIAR)):
            for number in range(draws):
                draw(seed, number)
    return given


def _remembering(kind: Any, given: dict[int, list[Any]]) -> Any:
    original = kind.draw

    def remember(self: Any, random: Random) -> Any:
        value = original(self, random)
        given[id(self)].append(value)
        return value

    return remember


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_whole_of_each_distribution_is_drawn(name: str, values: dict[int, list[Any]]) -> None:
    distribution: Any = DISTRIBUTIONS[name]
    given = values[id(distribution)]
    if isinstance(distribution, Sometimes):
        assert {value is None for value in given} == {True, False}
        distribution = distribution.then
        given = values[id(distribution)]
    if isinstance(distribution, Choice):
        assert set(given) == set(distribution.weights)
        return
    low, high = distribution.low, distribution.high
    assert all(low <= value <= high for value in given)
    if isinstance(distribution, Log):
        low, high, given = *map(log, (low, high)), [log(value) for value in given]
    for share in range(4):  # each quarter of it
        begins, ends = low + (high - low) * share / 4, low + (high - low) * (share + 1) / 4
        if isinstance(distribution, Whole) and ceil(begins) > ends:
            continue  # no whole number is in it
        assert any(begins <= value <= ends for value in given)


def test_nothing_is_drawn_that_the_mix_does_not_name() -> None:
    folder = Path(mix.__file__).parent
    sources = [(folder / f"{name}.py").read_text() for name in ("draw", "load", "way")]
    own_dice = r"random\.(?:uniform|choices?|randint|randrange)\(|random\(\) < \d"

    assert [found for source in sources for found in re.findall(own_dice, source)] == []


def test_each_draw_can_be_run(drawn: list[Scenario]) -> None:
    assert [problem for scenario in drawn for problem in _problems(scenario)] == []


def _problems(scenario: Scenario) -> Iterator[str]:
    can = [ABILITIES[scenario.stack_of(side)] for side in "ab"]
    both, either = can[0] & can[1], can[0] | can[1]
    timers = (scenario.rto_min_ms, scenario.rto_initial_ms, scenario.rto_max_ms)
    asked = {
        Can.NR_SACK: (scenario.nr_sack, both),
        Can.I_DATA: (scenario.interleaving, both),
        Can.TWO_ADDRESSES: (scenario.second is not None, both),
        Can.DTLS: (scenario.encapsulation is Encapsulation.DTLS, both),
        Can.NAGLE: (scenario.nagle, either),
        Can.TIMERS: (any((*timers, scenario.sack_delay_ms)), either),
        Can.SACK_EVERY: (scenario.sack_every > 0, either),
        Can.I_BIT: (any(message.immediate for message in scenario.messages), either),
    }
    for what, (wanted, able) in asked.items():
        if wanted and what not in able:
            yield f"{scenario.name}: {what}"
    if scenario.pion_interleaving and Stack.PION not in (scenario.stack, scenario.peer_stack):
        yield f"{scenario.name}: no pion lists I-DATA"
    if not (scenario.messages or scenario.dialogue):
        yield f"{scenario.name} has nothing to say"
    if any(timers) and sorted(filter(None, timers)) != list(filter(None, timers)):
        yield f"{scenario.name}: timers {timers}"
    for ways in scenario.ways.values():
        for way in ways:
            times = (*way.holds, *way.outages)
            if way.least_delay_ns() <= 0 or any(start >= end for start, end in times):
                yield f"{scenario.name}: {way}"
    if scenario.rcvbuf and any(message.size > scenario.rcvbuf for message in scenario.messages):
        yield f"{scenario.name}: a message that the buffer never holds"
    if scenario.encapsulation is Encapsulation.DTLS and scenario.tap.is_partial:
        yield f"{scenario.name}: DTLS that nobody can decrypt"
    if not 0 < scenario.middle < 1 or min(scenario.hop_limits) <= sum(scenario.hops):
        yield f"{scenario.name}: {scenario.middle}, {scenario.hop_limits}, {scenario.hops}"


def test_signalling_loses_nothing_or_one_in_hundreds(drawn: list[Scenario]) -> None:
    quiet = {Kind.DIALOGUE.value, Kind.REPORTS.value, Kind.NEAR_TIMERS.value}
    losses = [one.forth.losses for one in drawn if one.about in quiet]

    assert any(not one for one in losses) and any(losses)
    assert all(loss.probability <= 0.01 for one in losses for loss in one)  # type: ignore[attr-defined]


def test_a_run_does_not_depend_on_what_else_is_drawn(drawn: list[Scenario]) -> None:
    assert draw(SEED, 31) == drawn[31]
    assert draw(SEED + 1, 31) != drawn[31]


def test_stacks_may_be_chosen_and_runs_keep_their_numbers() -> None:
    alone = list(numbers_of(SEED, 10, frozenset({Stack.PION})))
    every = list(numbers_of(SEED, 50, frozenset(Stack)))

    assert every == list(range(50))
    assert len(alone) == 10
    assert {stacks_of(SEED, number) for number in alone} == {(Stack.PION, Stack.PION)}


def test_stacks_that_no_run_of_a_seed_has_alone_are_an_error() -> None:
    """It looked for such runs without an end."""
    with pytest.raises(ValueError, match=f"no run of seed {SEED} has these stacks alone"):
        numbers_of(SEED, 1, frozenset({Stack.NPM_SCTP, Stack.WERIFT}))
    assert list(numbers_of(UNFAMILIAR[0], 1, frozenset({Stack.NPM_SCTP, Stack.WERIFT})))


def test_ranges_of_seeds_never_mix() -> None:
    for name, seeds in RANGES.items():
        assert {range_of(seed) for seed in (seeds[0], seeds[-1])} == {name}
    assert sum(map(len, RANGES.values())) == len(set().union(*RANGES.values()))
    assert range_of(-1) is None


@pytest.mark.long
def test_the_same_seed_makes_the_same_bytes_in_any_order_and_the_checks_pass(
    tmp_path: Path,
) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    numbers = [2, 15, 24]
    for folder, jobs, order in zip(folders, (1, 2), (numbers, numbers[::-1]), strict=True):
        folder.mkdir()
        try:
            made = dict(make_many(SEED, order, folder, knowable=False, jobs=jobs))
        except MissingError as missing:
            pytest.skip(str(missing))
        assert [name for name, truth in made.items() if isinstance(truth, Exception)] == []
    one, other = ({file.name: file.read_bytes() for file in path.iterdir()} for path in folders)

    assert one == other
    assert [fault for path in folders[0].glob("*.truth.ndjson") for fault in check(path)] == []


def test_a_run_that_fails_is_named_and_the_others_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(scenario: Scenario, *_: Any, **__: Any) -> dict[str, object]:
        if scenario.name.endswith("-2"):
            raise RuntimeError("the host ended")
        return {}

    monkeypatch.setattr("sample_pcaps.generate.random.many.make", fail)
    monkeypatch.setattr("sample_pcaps.generate.random.many.program", lambda stack: None)
    made = dict(make_many(SEED, [1, 2, 3], tmp_path, knowable=False, jobs=1))

    assert "the host ended" in str(made[f"random-{SEED}-2"])
    assert made[f"random-{SEED}-1"] == made[f"random-{SEED}-3"] == {}


def test_the_command_makes_runs_and_says_what_the_seed_is_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sample_pcaps.generate", "--random", "1", "--seed", "7"]
    done = subprocess.run(
        [*command, "--stacks", "usrsctp", "--to", str(tmp_path)], capture_output=True, text=True
    )
    if "is missing" in done.stderr:
        pytest.skip(done.stderr)

    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("seed 7 is to look\nrandom-7-")
    assert len(list(tmp_path.glob("random-7-*"))) == 5


def test_a_stack_that_is_not_there_is_named() -> None:
    command = [sys.executable, "-m", "sample_pcaps.generate", "--random", "1", "--stacks", "quic"]
    done = subprocess.run(command, capture_output=True, text=True)

    assert done.returncode == 2
    assert "no stack quic; there are usrsctp" in done.stderr


def test_linux_has_no_ipv6_on_links_that_are_too_small_for_it(drawn: list[Scenario]) -> None:
    of_linux = [one for one in drawn if one.stack is Stack.LINUX]
    over_ipv6 = [one for one in of_linux if one.encapsulation is Encapsulation.IP6]

    assert over_ipv6
    assert all(one.mtu + IPV6_HEADER >= IPV6_LEAST_MTU for one in over_ipv6)
