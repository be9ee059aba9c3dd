# SPDX-License-Identifier: BSD-2-Clause
"""An event loop of asyncio whose clock only moves when it is told to."""

import asyncio
import heapq
import itertools
from collections import deque
from collections.abc import Callable
from typing import Any

SECOND = 1_000_000_000
#: What time.time() says when the clock begins.
_EPOCH_S = 1_767_225_600


class VirtualLoop(asyncio.AbstractEventLoop):
    """What tasks and timers need, and no more: nothing here waits for the machine."""

    def __init__(self) -> None:
        self.now_ns = 0
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[int, int, asyncio.TimerHandle]] = []
        self._order = itertools.count()

    def settle(self) -> None:
        """Until nothing is left to do at this time."""
        while self._ready:
            handle = self._ready.popleft()
            if not handle.cancelled():
                handle._run()

    def run_until(self, to_ns: int, told: Callable[[], bool]) -> None:
        """One timer after the other, until it is that late or there is something to tell."""
        self.settle()
        while not told():
            due_ns = self._due_ns()
            if due_ns is None or due_ns > to_ns:
                self.now_ns = to_ns
                return
            self.now_ns = max(self.now_ns, due_ns)
            self._ready.append(heapq.heappop(self._timers)[2])
            self.settle()

    def _due_ns(self) -> int | None:
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def time(self) -> float:
        return self.now_ns / SECOND

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        due_ns = self.now_ns + round(delay * SECOND)
        handle = asyncio.TimerHandle(due_ns / SECOND, callback, args, self, context)
        heapq.heappush(self._timers, (due_ns, next(self._order), handle))
        return handle

    def create_task(self, coro: Any, **_: Any) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self)
        task.add_done_callback(asyncio.Task.result)
        return task

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """What fails in aiortc ends the host: a run of a broken stack is none."""
        raise RuntimeError(context.get("message")) from context.get("exception")

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It is left out when it is due."""


class Time:
    """In place of the module that aiortc asks."""

    def __init__(self, loop: VirtualLoop) -> None:
        self._loop = loop

    def time(self) -> float:
        return _EPOCH_S + self._loop.time()
