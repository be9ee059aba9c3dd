# SPDX-License-Identifier: BSD-2-Clause
"""Runs whose senders let so many packets leave at once, and whose windows have room for more."""

from collections.abc import Iterator
from random import Random

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Independent
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack
from sample_pcaps.generate.workload import Message, bulk

#: Of what chooses the runs: those that the rules were made on, those that constants were chosen on,
#: and those that are only reported.
LOOKED_AT, CHOSEN_ON, REPORTED = 4731, 4732, 4733

_EACH = (*("" for _ in range(4)), "-slow-hosts", "-losses")
_LOSS = 0.002
_PACKET = 1100  #: bytes
_LINK = 100_000_000
_JITTER_NS = 6 * MS
_MESSAGES = 8


def burst_limits(seed: int = REPORTED) -> Iterator[Scenario]:
    """A stream widens the congestion window; then comes a large message now and then."""
    dice = Random(seed)
    for stack in (Stack.USRSCTP, Stack.DCSCTP, Stack.LINUX):
        for at, kind in enumerate(_EACH):
            losses = (Independent(_LOSS),) if kind == "-losses" else ()
            delay_ns = dice.randint(10, 100) * MS
            every_ns = dice.randint(12, 20) * delay_ns
            large = dice.randint(20, 70) * _PACKET
            most = dice.choice((0, 0, 2, 3, 4, 6))
            strict = stack is Stack.USRSCTP and dice.random() < 0.7
            begin_ns = 2 * SECOND
            messages = (
                *bulk(dice.randint(60, 400), _PACKET),
                *(
                    Message("a", begin_ns + n * every_ns + dice.randint(0, 30) * MS, large)
                    for n in range(_MESSAGES)
                ),
            )
            yield Scenario(
                f"{stack.value[0]}-burst-limit-{at + 1}{kind}",
                "a stream, then large messages; few packets may leave at once",
                stack,
                9500 + seed % 100 * 20 + at,
                messages,
                forth=Path(delay_ns=delay_ns, bits_per_s=_LINK, losses=losses),
                back=Path(delay_ns=delay_ns, bits_per_s=_LINK),
                mtu=1200,
                host_jitter_ns=_JITTER_NS if kind == "-slow-hosts" else 0,
                rcvbuf=1_000_000,
                max_burst=most,
                strict_burst=strict,
            )
