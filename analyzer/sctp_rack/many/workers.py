# SPDX-License-Identifier: BSD-2-Clause
"""Processes that share captures among them, and hand back what each came to in its order.

What a worker writes goes into a temporary file that the parent can read, so that neither keeps it
in memory while captures before it are still being read.
"""

import contextlib
import ctypes
import gc
import os
import signal
import tempfile
import traceback
from collections.abc import Callable, Generator, Sequence
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from typing import BinaryIO, Generic, NamedTuple, TextIO, TypeVar, cast

from sctp_rack.commands import signals
from sctp_rack.commands.signals import ENDING
from sctp_rack.errors import SctpRackError

Result = TypeVar("Result")

#: What is done for a capture: what it writes, and what it comes to.
Work = Callable[[str, BinaryIO], Result]

#: Seconds until a worker that was told to end is killed.
_PATIENCE = 5.0

_PIECE = 1 << 20  # bytes

#: Of prctl(2).
_PR_SET_PDEATHSIG = 1

_FORK = get_context("fork")


class Output:
    """What a worker wrote for a capture."""

    def __init__(self, file: BinaryIO, begin: int, end: int) -> None:
        self._file, self._begin, self._end = file, begin, end

    def copy(self, to: TextIO) -> None:
        """Writes it there, as it is."""
        to.flush()
        at = self._begin
        while at < self._end:
            piece = os.pread(self._file.fileno(), min(_PIECE, self._end - at), at)
            if not piece:
                raise OSError("a temporary file is shorter than what was written to it")
            to.buffer.write(piece)
            at += len(piece)


class _Raised(NamedTuple):
    """What the work raised."""

    error: Exception


class _Worker(Generic[Result]):
    def __init__(self, work: Work[Result]) -> None:
        self.capture: int | None = None
        try:
            self._begin(work)
        except OSError as error:
            why = f"no process for --jobs can be started: {error.strerror}"
            raise SctpRackError(why) from error

    def _begin(self, work: Work[Result]) -> None:
        self._output = cast(BinaryIO, tempfile.TemporaryFile())  # noqa: SIM115, it lives as long
        self.ours, theirs = _FORK.Pipe()
        self.process = _FORK.Process(
            target=_serve, args=(work, theirs, self._output, os.getpid()), daemon=True
        )
        gc.freeze()  # what is there stays shared: a collection would copy it
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)  # until it can be told apart
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            gc.unfreeze()
            theirs.close()

    def begin(self, number: int, capture: str) -> None:
        self.capture = number
        self.ours.send(capture)

    def result(self) -> tuple[Result, Output]:
        """Raises `EOFError` where the worker is no more, and what the work raised."""
        result, begin, end = self.ours.recv()
        self.capture = None
        if isinstance(result, _Raised):
            raise result.error
        return result, Output(self._output, begin, end)

    def ended(self) -> str:
        """How it ended that was not told to."""
        self.process.join()
        code = self.process.exitcode or 0
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with status {code}"
        return f"the process that read it ended {how}"

    def close(self) -> None:
        """It has nothing more to do, or is to leave what it does."""
        self.process.terminate()

    def wait(self) -> None:
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.ours.close()
        self.process.close()


def in_order(
    work: Work[Result],
    captures: Sequence[str],
    jobs: int,
    lost: Callable[[str, str], Result],
) -> Generator[tuple[Result, Output | None]]:
    """The results of `work` in the order of `captures`, from at most `jobs` processes.

    A process that ends of itself takes only its capture with it: `lost` makes a result of that and
    of the reason. All are ended when the iterator is closed. Raises what the work raises.
    """
    workers: list[_Worker[Result]] = []
    ready: dict[int, tuple[Result, Output | None]] = {}
    begun = told = 0
    try:
        while told < len(captures):
            while begun < len(captures) and (worker := _idle(workers, work, jobs)):
                worker.begin(begun, captures[begun])
                begun += 1
            busy = {one.ours: one for one in workers if one.capture is not None}
            for pipe in connection.wait(list(busy)):
                worker = busy[cast(Connection, pipe)]
                number = cast(int, worker.capture)
                try:
                    ready[number] = worker.result()
                except EOFError:
                    workers.remove(worker)
                    ready[number] = lost(captures[number], worker.ended()), None
                    worker.wait()
            while told in ready:
                yield ready.pop(told)
                told += 1
    finally:
        for one in workers:
            one.close()
        for one in workers:
            one.wait()


def _idle(workers: list[_Worker[Result]], work: Work[Result], jobs: int) -> _Worker[Result] | None:
    for one in workers:
        if one.capture is None:
            return one
    if len(workers) == jobs:
        return None
    workers.append(_Worker(work))
    return workers[-1]


def _serve(work: Work[Result], pipe: Connection, output: BinaryIO, parent: int) -> None:
    """Until there is nothing more to do: an interrupt is for the parent, which then ends us."""
    signals.forget()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    with contextlib.suppress(AttributeError):  # of Linux: ended with the parent, however that ends
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    with contextlib.suppress(EOFError, BrokenPipeError):
        while os.getppid() == parent:
            capture = pipe.recv()
            begin = output.tell()
            try:
                result: Result | _Raised = work(capture, output)
                output.flush()
            except Exception as error:
                if signals.raised():  # libraries in C may raise something else in its place
                    return
                error.add_note(traceback.format_exc())
                result = _Raised(error)
            pipe.send((result, begin, begin if isinstance(result, _Raised) else output.tell()))
