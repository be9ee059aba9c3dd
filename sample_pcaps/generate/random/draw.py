# SPDX-License-Identifier: BSD-2-Clause
"""Draws the scenario of a random run: number N of the set with seed S, whatever else is drawn."""

from dataclasses import replace
from random import Random

from ..capture_file import LONGEST
from ..encapsulation import Encapsulation
from ..link import MS
from ..run import TAPS
from ..scenario import Scenario, Stack
from ..tap import TapOptions
from . import mix
from .distribution import Choice
from .load import Frame, Load, draw_load, with_options
from .mix import SIGNALLING, Can, Kind
from .seeds import sends_unfamiliar
from .way import draw_delays, draw_quiet_ways, draw_ways, with_second

#: In these a packet has no IPv4 of its own with a raw socket behind it, as two addresses need.
_NOT_WITH_TWO_ADDRESSES = (Encapsulation.IP6, Encapsulation.UDP, Encapsulation.DTLS)

#: Of a link (RFC 8200 section 5), and what of it is no SCTP; the other stacks do not know of links.
IPV6_LEAST_MTU, IPV6_HEADER = 1280, 40


def name_of(seed: int, number: int) -> str:
    """Of a run, and of its files."""
    return f"random-{seed}-{number}"


def pairs_of(seed: int) -> Choice[tuple[Stack, Stack]]:
    """What `stacks_of` draws from."""
    pairs = {
        None: mix.PAIRS,
        True: mix.PAIRS_FROM_UNFAMILIAR,
        False: mix.PAIRS_TO_UNFAMILIAR,
    }
    return pairs[sends_unfamiliar(seed)]


def stacks_of(seed: int, number: int) -> tuple[Stack, Stack]:
    """Of the host of the main data flow, and of the other."""
    return pairs_of(seed).draw(_dice(seed, number, "stacks"))


def draw(seed: int, number: int) -> Scenario:
    """Each aspect has dice of its own, so that a new stack or loss does not change the others."""
    pair = stacks_of(seed, number)
    both = mix.ABILITIES[pair[0]] & mix.ABILITIES[pair[1]]
    either = mix.ABILITIES[pair[0]] | mix.ABILITIES[pair[1]]
    kind = mix.KIND.draw(_dice(seed, number, "kind"))
    host_dice = _dice(seed, number, "hosts")
    main, mtu = mix.MAIN.draw(host_dice), mix.MTU.draw(host_dice)
    delays_ns = draw_delays(_dice(seed, number, "delays"))
    cut_off_ns = _cut_off(kind, delays_ns)
    load_dice = _dice(seed, number, "load")
    load = draw_load(kind, Frame(main, mtu, sum(delays_ns), cut_off_ns // 2), load_dice)
    load = with_options(load, _dice(seed, number, "options"), i_bit=Can.I_BIT in either)
    path_dice = _dice(seed, number, "paths")
    if kind in SIGNALLING:
        ways = draw_quiet_ways(delays_ns, path_dice)
    else:
        ways = draw_ways(delays_ns, main, load, path_dice)
    two_addresses = mix.TWO_ADDRESSES.draw(path_dice) and Can.TWO_ADDRESSES in both
    if two_addresses:
        ways = with_second(ways, load.lasts_ns, path_dice)
    scenario = Scenario(
        name_of(seed, number),
        kind.value,
        pair[0],
        _dice(seed, number, "run").getrandbits(40),
        load.messages,
        ways.forth,
        ways.back,
        ways.second,
        peer_stack=None if pair[0] is pair[1] else pair[1],
        main=main,
        answer=load.answer,
        dialogue=load.dialogue,
        pauses=load.pauses,
        mtu=mtu,
        patience_ns=_patience(load),
        cut_off_ns=cut_off_ns,
    )
    scenario = _with_hosts(scenario, kind, both, either, host_dice)
    tap_dice = _dice(seed, number, "taps")
    return _with_taps(scenario, load, tap_dice, dtls=Can.DTLS in both)


def _dice(seed: int, number: int, aspect: str) -> Random:
    return Random(f"{seed} {number} {aspect}")


def _cut_off(kind: Kind, delays_ns: tuple[int, int]) -> int:
    steps = mix.SIGNALLING_STEPS if kind in SIGNALLING else mix.STEPS
    return min(mix.LONGEST * MS, steps * min(delays_ns))


def _patience(load: Load) -> int:
    """Where messages may be abandoned, nobody waits long for the last."""
    abandons = any(one.rtx_limit >= 0 or one.lifetime_ms >= 0 for one in load.messages)
    return (2000 if abandons else 20_000) * MS


def _with_hosts(
    scenario: Scenario, kind: Kind, both: frozenset[Can], either: frozenset[Can], random: Random
) -> Scenario:
    rcvbuf = mix.SMALL_BUFFER.draw(random)
    if kind is Kind.SLOW_READER:
        rcvbuf = mix.READER_BUFFER.draw(random)
    largest = max((one.size for one in scenario.messages), default=0)
    if scenario.answer is not None:
        largest = max(largest, scenario.answer.size)
    scenario = replace(
        scenario,
        rcvbuf=0 if rcvbuf is None else max(int(rcvbuf), 3 * largest),
        streams=max((one.stream + 1 for one in scenario.messages), default=1),
        initial_tsn=_initial_tsn(random, turns=Can.TURN in both),
    )
    scenario = replace(
        _with_i_data(scenario, both, random),
        nr_sack=mix.NR_SACK.draw(random) and Can.NR_SACK in both,
        nagle=mix.NAGLE.draw(random) and Can.NAGLE in either,
        host_jitter_ns=int((mix.HOST_TAKES.draw(random) or 0) * MS),
        hop_limits=(mix.HOP_LIMIT.draw(random), mix.HOP_LIMIT.draw(random)),
    )
    if Can.TIMERS in either:
        scenario = _with_timers(scenario, random)
    every = int(mix.SACK_EVERY.draw(random) or 0)
    return replace(scenario, sack_every=every) if Can.SACK_EVERY in either else scenario


def _with_i_data(scenario: Scenario, both: frozenset[Can], random: Random) -> Scenario:
    pions = sum(scenario.stack_of(side) is Stack.PION for side in "ab")
    who = (mix.I_DATA_WITH_PION if pions else mix.I_DATA).draw(random)
    listed_by_both = who == "both" or (who == "pion" and pions == 2)
    return replace(
        scenario,
        interleaving=listed_by_both and Can.I_DATA in both,
        pion_interleaving=who == "pion" and pions == 1,
    )


def _with_timers(scenario: Scenario, random: Random) -> Scenario:
    """What is not drawn is as RFC 9260 section 16 says; all are left alone where none is."""
    drawn = [one.draw(random) for one in (mix.RTO_MIN, mix.RTO_INITIAL, mix.RTO_MAX)]
    rto_ms = [int(one or rfc) for one, rfc in zip(drawn, (1000, 1000, 60_000), strict=True)]
    least_ms, initial_ms, most_ms = sorted(rto_ms) if any(drawn) else (0, 0, 0)
    return replace(
        scenario,
        rto_min_ms=least_ms,
        rto_initial_ms=initial_ms,
        rto_max_ms=most_ms,
        sack_delay_ms=int(mix.SACK_DELAY.draw(random) or 0),
    )


def _initial_tsn(random: Random, *, turns: bool) -> int:
    before = mix.BEFORE_THE_TURN.draw(random)
    match mix.INITIAL_TSN.draw(random):
        case "above 2^31":
            return mix.ABOVE_THE_HALF.draw(random)
        case "around 2^31":
            return 2**31 - before
        case "around 2^32" if turns:
            return 2**32 - before
    return mix.ANY_TSN.draw(random)


def _with_taps(scenario: Scenario, load: Load, random: Random, *, dtls: bool) -> Scenario:
    encapsulation = mix.ENCAPSULATION.draw(random)
    if encapsulation is Encapsulation.DTLS and not dtls:
        encapsulation = Encapsulation.UDP
    if scenario.second and encapsulation in _NOT_WITH_TWO_ADDRESSES:
        encapsulation = Encapsulation.IP
    small = scenario.mtu + IPV6_HEADER < IPV6_LEAST_MTU
    if encapsulation is Encapsulation.IP6 and small and scenario.stack is Stack.LINUX:
        encapsulation = Encapsulation.IP  # the kernel refuses such a link
    ip_id = mix.IP_ID.draw(random)
    other_flows = mix.OTHER_FLOWS.draw(random)
    begins, snaplen = mix.TAP_BEGINS.draw(random), mix.SNAPLEN.draw(random)
    misses = mix.TAP_MISSES.draw(random)
    if (
        encapsulation is Encapsulation.DTLS
    ):  # its handshake is needed to see into it, and whole records
        begins = snaplen = misses = None
    lasts_ns = max(load.lasts_ns, 6 * (scenario.forth.delay_ns + scenario.back.delay_ns))
    return replace(
        scenario,
        encapsulation=encapsulation,
        pcapng=mix.PCAPNG.draw(random),
        middle=mix.MIDDLE.draw(random),
        hops=(mix.HOPS.draw(random), mix.HOPS.draw(random)),
        ip_id_zero=ip_id == "zero",
        ip_id_random=ip_id == "random",
        other_flows=other_flows if ip_id == "host" else 0.0,
        clock_offset_ns={tap: int((mix.CLOCK_OFF.draw(random) or 0) * MS) for tap in TAPS},
        tap=TapOptions(
            loss=misses or 0.0,
            duplicate=mix.TAP_DOUBLES.draw(random) or 0.0,
            clock_ns=mix.CLOCK_NS.draw(random),
            begins_ns=int((begins or 0) * lasts_ns),
            snaplen=snaplen or LONGEST,
        ),
    )
