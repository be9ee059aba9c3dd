# SPDX-License-Identifier: BSD-2-Clause
"""Runs the command many times in little time: a process that has imported it forks for each call.

One JSON object a line comes in, and one goes out. It imports more where it is called with names:
DuckDB takes address space that the other commands have without it.
"""

import contextlib
import difflib  # noqa: F401, click imports it when a call is wrong
import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

import sctp_rack.columns.arrow
import sctp_rack.fleet.batch
import sctp_rack.fleet.found
import sctp_rack.plots.web
import sctp_rack.report.compared
import sctp_rack.report.contents
import sctp_rack.report.page  # noqa: F401, each call would import them again
from sctp_rack import command
from sctp_rack.commands import cli

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_NOBODY = 65534

#: Seconds until a call hangs.
_PATIENCE = 30.0


def main() -> None:
    for name in cli.cli.commands:
        cli.load([name])
    for name in sys.argv[1:]:
        import_module(name)
    for line in sys.stdin:
        print(json.dumps(_run(json.loads(line))), flush=True)


def _run(call: dict[str, Any]) -> dict[str, Any]:
    with tempfile.TemporaryFile() as errors:
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        child = os.fork()
        if child == 0:
            _call(call, errors.fileno())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        if "signal" in call:
            time.sleep(call["after_s"])
            os.kill(child, call["signal"])
        return {"status": _status(child), "stderr": _text(errors.fileno())}


def _status(child: int) -> int:
    """As a shell has it; -1 where it hangs."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -1


def _text(file: int) -> str:
    return os.pread(file, 1 << 16, 0).decode(errors="replace")


def _call(call: dict[str, Any], errors: int) -> NoReturn:
    """In the child: never returns."""
    code = 70
    try:
        os.dup2(os.open(call["stdin"], os.O_RDONLY), 0)
        os.dup2(os.open(call["stdout"], os.O_WRONLY | os.O_CREAT, 0o666), 1)
        os.dup2(errors, 2)
        os.environ["TMPDIR"] = tempfile.tempdir = call["tmpdir"]
        if call.get("nobody") and os.geteuid() == 0:
            os.setgroups([])
            os.setgid(_NOBODY)
            os.setuid(_NOBODY)
        for name, limit in call.get("limits", {}).items():
            more = _address_space() if name == "RLIMIT_AS" else 0
            resource.setrlimit(getattr(resource, name), (limit + more, limit + more))
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(fd, "w" if fd else "r") for fd in range(3))
        sys.argv = ["sctp-rack", *call["arguments"]]
        for number in _SIGNALS:
            signal.signal(number, lambda number, _frame: os._exit(128 + number))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        command.main()
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)


def _address_space() -> int:
    """What is taken already, bytes."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


if __name__ == "__main__":
    main()
