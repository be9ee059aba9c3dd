# SPDX-License-Identifier: BSD-2-Clause
"""How SIGINT, SIGTERM and SIGHUP end the command: by an exception, so that nothing is left behind.

The exit status is that of a shell's command which a signal ended: 128 and its number.
"""

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

#: Seconds until an interrupt that fell on a deaf ear comes again.
_AGAIN_S = 0.01

_holding = 0
_waiting: list[int] = []
_raised: list[int] = []


class Ended(SystemExit):
    """A signal other than SIGINT, which is KeyboardInterrupt, ends the command."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number
        self.name = signal.Signals(number).name


def take_signals() -> None:
    """From now on each of them raises. One that is ignored, as under nohup, stays so."""
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)
    sys.unraisablehook = _again


def ignore_signals() -> None:
    """All is done and told: one that comes now comes too late to end anything."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """What is done here is done as a whole: a signal raises behind it."""
    global _holding
    _holding += 1
    try:
        yield
    finally:
        _holding -= 1
        if _waiting and not _holding:
            _end(_waiting.pop(), None)


def raised() -> int | None:
    """The last signal that raised: libraries in C may raise something else in place of that."""
    return _raised[-1] if _raised else None


def raise_lost() -> None:
    """Raises anew what a library in C swallowed: who works on and on would never end."""
    if _raised:
        _end(_raised.pop(), None)


def forget() -> None:
    """What raised before this process was forked."""
    _raised.clear()


def _end(number: int, _frame: FrameType | None) -> None:
    if _holding:
        _waiting[:] = [number]
        return
    _raised.append(number)
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Ended(number)


def _again(lost: Any) -> None:
    """An exception of ours that fell into a finalizer, which cannot raise, comes a moment later."""
    if not isinstance(lost.exc_value, KeyboardInterrupt | Ended):
        sys.__unraisablehook__(lost)
        return
    number = getattr(lost.exc_value, "number", signal.SIGINT)
    signal.signal(signal.SIGALRM, lambda _alarm, frame: _end(number, frame))
    signal.setitimer(signal.ITIMER_REAL, _AGAIN_S)
