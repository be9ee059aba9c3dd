# SPDX-License-Identifier: BSD-2-Clause
"""Which runs there are: delays, stacks, and how large the buffers are."""

from collections.abc import Iterator
from dataclasses import dataclass

from bench.buffers.tuned_run import Tuning
from bench.nrsack.greedy_run import Greedy
from sample_pcaps.generate.link import MS, Path
from sample_pcaps.generate.scenario import SECOND, Scenario, Stack

#: The text's.
DELAYS_MS = (0, 10, 100)
FIXED, LARGEST = 122_880, 3_989_504
_SEND_AT_FIRST, _RECEIVE_AT_FIRST = 16_384, 349_500

#: Ours: the package has the reasons.
BITS_PER_S, QUEUE, LASTS_S = 200_000_000, 1000, 5
_SWITCH_NS = MS // 10
CHUNK, MTU = 1440, 1480

#: More than the link takes.
_MESSAGES = 1 + BITS_PER_S * LASTS_S // (8 * CHUNK)

#: More chunks than the largest buffer has room for.
_ANY_CHUNKS = 100_000

#: By the name of what grows how.
TUNINGS = {
    "tuned, ssthresh as it is": Tuning(
        _SEND_AT_FIRST, _RECEIVE_AT_FIRST, LARGEST, ssthresh=False, chunks=_ANY_CHUNKS
    ),
    "tuned, 512 chunks": Tuning(_SEND_AT_FIRST, _RECEIVE_AT_FIRST, LARGEST),
    "tuned": Tuning(_SEND_AT_FIRST, _RECEIVE_AT_FIRST, LARGEST, chunks=_ANY_CHUNKS),
}


GREEDY = Greedy(CHUNK, _MESSAGES, unordered=False)


@dataclass(frozen=True)
class Case:
    """One run."""

    stack: Stack
    delay_ms: int
    #: fixed, twice, advised: what the name says of a buffer that stays; or one of `TUNINGS`.
    kind: str
    #: Of both buffers, where they stay.
    bytes: int = FIXED
    #: Bytes of user data that its rate is of, from the first on; 0: all.
    amount: int = 0

    @property
    def tuning(self) -> Tuning | None:
        """Where they grow."""
        return TUNINGS.get(self.kind)

    @property
    def scenario(self) -> Scenario:
        """What is run, with the application that is `GREEDY`."""
        tuning = self.tuning
        own = self.stack is Stack.USRSCTP
        return Scenario(
            f"buffers-{self.stack.value[0]}-{self.delay_ms}-{self.kind}-{self.bytes}",
            "an application that always has data",
            self.stack,
            7100 + self.delay_ms,
            (),
            forth=Path(
                delay_ns=_SWITCH_NS + self.delay_ms * MS, bits_per_s=BITS_PER_S, queue=QUEUE
            ),
            back=Path(delay_ns=_SWITCH_NS, bits_per_s=BITS_PER_S, queue=QUEUE),
            mtu=MTU,
            streams=1,
            rcvbuf=tuning.told_at_first if tuning else self.bytes,
            sndbuf=(tuning.send if tuning else self.bytes) if own else 0,
            undelivered=0 if own else self.bytes,
            undelivered_low=0 if own else self.bytes - CHUNK,
            cut_off_ns=LASTS_S * SECOND,
        )


def cases() -> Iterator[Case]:
    """Those that hang on no other run."""
    for delay_ms in DELAYS_MS:
        for kind in ("fixed", *TUNINGS):
            yield Case(Stack.USRSCTP, delay_ms, kind)
        for stack in (Stack.PION, Stack.DCSCTP):
            yield Case(stack, delay_ms, "fixed")
