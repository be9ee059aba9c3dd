# SPDX-License-Identifier: BSD-2-Clause
"""Builds the programs that are hosts, and says with which arguments they run."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .encapsulation import Encapsulation
from .host import Command
from .linux.build import kernel
from .linux.command import command as linux_command
from .missing import MissingError as MissingError
from .scenario import Scenario, Stack

HERE = Path(__file__).resolve().parent
OUT = HERE.parent.parent / "build" / "samples"
PORTS = {"a": 5000, "b": 5001}


@cache
def program(stack: Stack) -> Path:
    """The program for a stack, built."""
    OUT.mkdir(parents=True, exist_ok=True)
    if stack is Stack.LINUX:
        return kernel()
    return _usrsctp() if stack is Stack.USRSCTP else _pion(stack)


def command(scenario: Scenario, side: str, own: Sequence[str], peer: Sequence[str]) -> Command:
    """How the host at `side` is started; its addresses and the other's matter with two each."""
    if scenario.stack is Stack.LINUX:
        ports = PORTS[side], PORTS["a" if side == "b" else "b"]
        return linux_command(scenario, side, {"own": own, "peer": peer}, ports)
    settings = {
        "active": int(side == "a"),
        "seed": 2 * scenario.seed + (side == "b"),
        "mtu": scenario.mtu,
        "rcvbuf": scenario.rcvbuf,
        "interleaving": int(scenario.interleaving),
        "initial_tsn": scenario.initial_tsn if side == scenario.main else 0,
    }
    if scenario.stack is Stack.USRSCTP:
        settings["port"], settings["peer_port"] = PORTS[side], PORTS["a" if side == "b" else "b"]
        settings["streams"], settings["nr_sack"] = scenario.streams, int(scenario.nr_sack)
        settings["rto_min"] = scenario.rto_min_ms
    else:
        settings["dtls"] = int(scenario.encapsulation is Encapsulation.DTLS)
    words = [f"{name}={value}" for name, value in settings.items()]
    path = str(program(scenario.stack))
    if scenario.stack is Stack.USRSCTP:
        addresses = [",".join(ends) if scenario.second else "" for ends in (own, peer)]
        return [path, *words, f"own={addresses[0]}", f"peer={addresses[1]}"], {}
    one_goroutine_at_a_time = ["-test.run=TestHost", "-test.cpu=1", "-test.timeout=0"]
    return [path, *one_goroutine_at_a_time], {"HOST": " ".join(words)}


def _usrsctp() -> Path:
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        raise MissingError("a C compiler is missing")
    if not Path("/usr/include/usrsctp.h").exists():
        raise MissingError("libusrsctp-dev is missing")
    out = OUT / "usrsctp-host"
    flags = ["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror"]
    interpose = ["-rdynamic", "-lusrsctp"]  # the library shall find our clock in the program
    sources = sorted(map(str, (HERE / "usrsctp").glob("*.c")))
    _run([compiler, *flags, *sources, *interpose, "-o", str(out)])
    return out


def _pion(stack: Stack) -> Path:
    if shutil.which("go") is None:
        raise MissingError("Go 1.26 or later is missing")
    out = OUT / f"pion-{stack.value[1]}-host"
    module, tags = "go.mod", ""
    if stack is Stack.PION_NO_RACK:
        module, tags = "norack.mod", "norack"
    download = ["go", "mod", "download", f"-modfile={module}"]
    done = subprocess.run(download, cwd=HERE / "pion", capture_output=True, text=True)
    if done.returncode:
        raise MissingError(f"Go 1.26 and pion's modules cannot be had: {done.stderr.strip()}")
    _run(["go", "test", "-c", f"-modfile={module}", f"-tags={tags}", "-o", str(out)], HERE / "pion")
    return out


def _run(arguments: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(arguments, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{arguments[0]} failed: {done.stdout}{done.stderr}")
