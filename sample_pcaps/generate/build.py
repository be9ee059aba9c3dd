# SPDX-License-Identifier: BSD-2-Clause
"""Builds the programs that are hosts, and says with which arguments they run."""

import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .aiortc.build import command as aiortc_command
from .aiortc.build import library as aiortc
from .encapsulation import Encapsulation
from .host import Command
from .linux.build import kernel
from .linux.command import command as linux_command
from .missing import MissingError as MissingError
from .node.build import command as node_command
from .node.build import packages as node
from .scenario import Scenario, Stack

HERE = Path(__file__).resolve().parent
OUT = HERE.parent.parent / "build" / "samples"
PORTS = {"a": 5000, "b": 5001}
_PIONS = (Stack.PION, Stack.PION_NO_RACK)
#: Of a stack in Rust, where its crate is not called as it is.
_CRATES = {Stack.WEBRTC_RS: "webrtc-sctp"}


@cache
def program(stack: Stack) -> Path:
    """The program for a stack, built."""
    OUT.mkdir(parents=True, exist_ok=True)
    match stack:
        case Stack.USRSCTP:
            return _usrsctp()
        case Stack.DCSCTP | Stack.SCTP_PROTO | Stack.WEBRTC_RS:
            return _rust(stack)
        case Stack.LINUX:
            return kernel()
        case Stack.AIORTC:
            return aiortc(OUT, stack.value[1])
        case Stack.NPM_SCTP | Stack.WERIFT:
            return node(OUT)
    return _pion(stack)


def command(scenario: Scenario, side: str, own: Sequence[str], peer: Sequence[str]) -> Command:
    """How the host at `side` is started; its addresses and the other's matter with two each."""
    stack = scenario.stack_of(side)
    if scenario.encapsulation is Encapsulation.DTLS and stack is not Stack.PION:
        raise ValueError(f"{stack.value[0]} {stack.value[1]} has no DTLS here")
    if stack is Stack.LINUX:
        ports = _ports(scenario)
        ends = ports[side], ports["a" if side == "b" else "b"]
        return linux_command(scenario, side, {"own": own, "peer": peer}, ends)
    settings = {
        "active": int(side == "a"),
        "seed": 2 * scenario.seed + (side == "b"),
        "mtu": scenario.mtu,
        "rcvbuf": scenario.rcvbuf,
        "interleaving": int(scenario.lists_i_data(side)),
        "initial_tsn": scenario.initial_tsn if side == scenario.main else 0,
    }
    if stack not in _PIONS:
        ports = _ports(scenario)
        settings["port"], settings["peer_port"] = ports[side], ports["a" if side == "b" else "b"]
    if stack is Stack.AIORTC:
        return aiortc_command(program(stack), _words(settings))
    if stack in (Stack.NPM_SCTP, Stack.WERIFT):
        return node_command(program(stack), stack.value[0], _words(settings))
    if stack in (Stack.SCTP_PROTO, Stack.WEBRTC_RS):
        return [str(program(stack)), *_words(settings)], {}
    if stack in (Stack.USRSCTP, Stack.DCSCTP):
        settings["rto_min"] = scenario.rto_min_ms
        settings["sndbuf"] = scenario.sndbuf
        settings["max_burst"] = scenario.max_burst
    if stack is not Stack.USRSCTP:
        settings["undelivered"] = scenario.undelivered
        settings["undelivered_low"] = scenario.undelivered_low
    if stack is Stack.USRSCTP:
        settings["streams"], settings["nr_sack"] = scenario.streams, int(scenario.nr_sack)
        settings["rto_initial"], settings["rto_max"] = scenario.rto_initial_ms, scenario.rto_max_ms
        settings["sack_delay"], settings["sack_every"] = scenario.sack_delay_ms, scenario.sack_every
        settings["nagle"] = int(scenario.nagle)
        settings["drops"] = int(scenario.drops)
        settings["cmt"] = int(scenario.cmt)
        settings["strict_burst"] = int(scenario.strict_burst)
    elif stack is not Stack.DCSCTP:
        settings["dtls"] = int(scenario.encapsulation is Encapsulation.DTLS)
    words = _words(settings)
    path = str(program(stack))
    if stack is Stack.DCSCTP:
        return [path, *words], {}
    if stack is Stack.USRSCTP:
        addresses = [",".join(ends) if scenario.second else "" for ends in (own, peer)]
        return [path, *words, f"own={addresses[0]}", f"peer={addresses[1]}"], {}
    one_goroutine_at_a_time = ["-test.run=TestHost", "-test.cpu=1", "-test.timeout=0"]
    return [path, *one_goroutine_at_a_time], {"HOST": " ".join(words)}


def _words(settings: dict[str, int]) -> list[str]:
    return [f"{name}={value}" for name, value in settings.items()]


def _ports(scenario: Scenario) -> dict[str, int]:
    """pion has one port for both ends and no choice."""
    if any(scenario.stack_of(side) in _PIONS for side in "ab"):
        return dict.fromkeys("ab", PORTS["a"])
    return PORTS


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


def _rust(stack: Stack) -> Path:
    if _rust_version() < (1, 91):
        raise MissingError("Rust 1.91 or later is missing")
    if shutil.which("patch") is None:
        raise MissingError("patch is missing")
    name = stack.value[0]
    folder = HERE / name.replace("-", "_")
    sources = [folder / "Cargo.lock", folder / "decisions.patch"]
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:12]
    crates = OUT / f"{name}-crates-{digest}"  # cargo does not look for changes in a crate
    if not crates.exists():
        _take_crates(stack, folder, crates)
    target = OUT / f"{name}-target-{digest}"
    crates_io = ["--config", 'source.crates-io.replace-with="patched"']
    patched = ["--config", f"source.patched.directory={json.dumps(str(crates))}"]
    build = ["cargo", "build", "--release", "--locked", "--offline", "--target-dir", str(target)]
    _run([*build, *crates_io, *patched], folder)
    return target / "release" / f"{name}-host"


def _rust_version() -> tuple[int, ...]:
    """Of cargo, which comes with its compiler; empty where there is none."""
    if shutil.which("cargo") is None:
        return ()
    said = subprocess.run(["cargo", "--version"], capture_output=True, text=True, check=True)
    return tuple(map(int, said.stdout.split()[1].split(".")[:2]))


def _take_crates(stack: Stack, folder: Path, crates: Path) -> None:
    """The crates of Cargo.lock, whose checksums cargo checks, with the patch of the stack."""
    with tempfile.TemporaryDirectory(dir=crates.parent) as taken:
        new = Path(taken) / "crates"
        vendor = ["cargo", "vendor", "--locked", "--versioned-dirs", str(new)]
        done = subprocess.run(vendor, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise MissingError(f"{stack.value[0]} cannot be had: {done.stderr.strip()}")
        name, version = stack.value
        patched = new / f"{_CRATES.get(stack, name)}-{version}"
        _run(["patch", "--strip=1", f"--input={folder / 'decisions.patch'}"], patched)
        checksums = json.loads((patched / ".cargo-checksum.json").read_text())
        (patched / ".cargo-checksum.json").write_text(json.dumps(checksums | {"files": {}}))
        try:
            new.rename(crates)
        except OSError:
            if not crates.exists():  # else somebody else was faster
                raise


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
