# SPDX-License-Identifier: BSD-2-Clause
"""Runs whose applications have more to send than a send buffer takes, of many sizes."""

from collections.abc import Iterator
from random import Random

from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.loss import Independent
from sample_pcaps.generate.scenario import Scenario, Stack
from sample_pcaps.generate.workload import bulk

#: Of what chooses the runs: those that the rules were made on, and those that are only reported.
LOOKED_AT, REPORTED = 4721, 4722

_EACH = (*("" for _ in range(4)), "-slow-hosts", "-losses")
_LOSS = 0.002
_ROUND_TRIPS = 60
_PACKET = 1100  #: bytes
_LINK = 100_000_000
_JITTER_NS = 6 * MS


def send_buffers(seed: int = REPORTED) -> Iterator[Scenario]:
    """SO_SNDBUF of usrsctp and Linux; applications of pion that wait for bufferedAmount to fall,
    and of dcSCTP for messages to be delivered: its send buffer is of what was not sent."""
    dice = Random(seed)
    for stack in (Stack.USRSCTP, Stack.PION, Stack.DCSCTP, Stack.LINUX):
        for at, kind in enumerate(_EACH):
            losses = (Independent(_LOSS),) if kind == "-losses" else ()
            delay_ns = dice.randint(5, 100) * MS
            buffer = dice.randint(3, 30) * _PACKET
            size = dice.choice((300, _PACKET, _PACKET, 2500))
            low = buffer - size if dice.random() < 0.5 else buffer // 2
            has_one = stack in (Stack.USRSCTP, Stack.LINUX)
            yield Scenario(
                f"{stack.value[0]}-send-buffer-{at + 1}{kind}",
                "an application with more to send than its send buffer takes",
                stack,
                9400 + seed % 100 * 20 + at,
                bulk(_ROUND_TRIPS * buffer // size, size),
                forth=Path(delay_ns=delay_ns, bits_per_s=_LINK, losses=losses),
                back=Path(delay_ns=delay_ns, bits_per_s=_LINK),
                mtu=1200,
                host_jitter_ns=_JITTER_NS if kind == "-slow-hosts" else 0,
                rcvbuf=1_000_000,
                sndbuf=buffer if has_one else 0,
                undelivered=0 if has_one else buffer,
                undelivered_low=0 if has_one else max(0, low),
            )
