# SPDX-License-Identifier: BSD-2-Clause
"""Every command against bad input, bad output, signals and little memory: how each call ended.

`tried()` is the list that documents print, and `python -m tests.commands.matrix` prints it.
"""

import contextlib
import gzip
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sctp_rack.columns.layout import LAYOUTS

from tests.builder.files import pcap
from tests.captures import ROOT, SAMPLE
from tests.commands.called import called

TSN = "1097975504"

#: What follows the name of the command; CAPTURE and OUTPUT are put in.
COMMANDS = {
    "analyze": "analyze CAPTURE",
    "analyze --json": "analyze --json CAPTURE",
    "explain": f"explain --tsn {TSN} CAPTURE",
    "limits": "limits CAPTURE",
    "limits --json": "limits --json CAPTURE",
    "whatif": "whatif CAPTURE",
    "whatif --json": "whatif --json CAPTURE",
    "compare": f"compare {SAMPLE} CAPTURE",
    "compare -o": f"compare {SAMPLE} CAPTURE -o OUTPUT.html",
    "report": "report CAPTURE -o OUTPUT.html",
    "export": "export --table sacks CAPTURE",
    "export -o": "export --table transmissions --format csv CAPTURE -o OUTPUT.csv",
    "export --format parquet": "export --table sacks --format parquet CAPTURE -o OUTPUT.parquet",
    "export --table all": "export --table all CAPTURE -o OUTPUT",
    "plot": "plot CAPTURE -o OUTPUT.html",
    "plot .xpl": "plot CAPTURE -o OUTPUT.xpl",
    "annotate": "annotate CAPTURE -o OUTPUT.pcapng",
    "batch": "batch CAPTURE -o OUTPUT",
    "batch --jobs": f"batch CAPTURE {SAMPLE} -o OUTPUT --jobs 2",
    "query": "query CAPTURE --named worst",
    "query -o": "query CAPTURE --named worst -o OUTPUT.csv",
    "watch": "watch CAPTURE -o OUTPUT --every 0.01 --quiet 0",
}

#: With a word for each idea: the report and its like are read in memory, as `explain`.
FEW = ("analyze", "explain", "export --table all", "annotate")

#: What stands for CAPTURE where nothing is wrong with it, below the folder of all calls.
RING, DATASET = "ring", "dataset"

#: Commands that say of a capture without DATA that there is nothing to tell.
ABOUT_DATA = ("explain", "compare", "compare -o", "plot", "plot .xpl")

OK, USAGE, FAILED = 0, 2, 3


class Tried(NamedTuple):
    """A call: what was done to it, its exit status, what it said on standard error, and what of
    that is wrong ("": nothing)."""

    command: str
    condition: str
    status: int
    line: str
    wrong: str


@dataclass(frozen=True)
class Condition:
    """What is done to a call, and with which status it may end."""

    name: str
    statuses: Callable[[str], Sequence[int]]
    capture: Path | None = None  # instead of one with which all goes well
    output: Path | None = None  # instead of one in a folder that is empty
    standard_output: str = "/dev/null"
    how: dict[str, Any] | None = None
    writer: bytes | None = None  # what is written into a capture that is a FIFO
    silent: bool = False  # nothing need be said
    partial: bool = False  # what came before the broken place is written
    whole: Sequence[list[str]] = ()  # what is left where all was done before it ended


def tried(whole: bool = False, seed: int = 1) -> list[Tried]:
    """Makes the calls; `whole`: every command, and signals at more moments."""
    if not whole:
        return _tried(FEW, seed, rounds=3)
    asks = [command for command in COMMANDS if command.startswith("query")]
    others = [command for command in COMMANDS if command not in asks]
    return [*_tried(others, seed, 6), *_tried(asks, seed, 6, "sctp_rack.fleet.query")]


def _tried(commands: Sequence[str], seed: int, rounds: int, *imported: str) -> list[Tried]:
    with (
        tempfile.TemporaryDirectory(prefix="sctp-rack-matrix-") as name,
        _launcher(*imported) as launch,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        _make_dataset(folder)
        inputs = list(_inputs(folder))
        done = [
            _try(launch, folder, command, condition)
            for command in commands
            for condition in (
                *(_others(folder, command) or inputs),
                *_outputs(folder, command),
                *_limits(command),
            )
        ]
        moments = random.Random(seed)
        for _ in range(rounds):
            for command in commands:
                done += [_try(launch, folder, command, one) for one in _signals(moments, command)]
        return done


def tried_with(command: str, mebibytes: Sequence[float]) -> list[Tried]:
    """Calls of one command with little memory."""
    with tempfile.TemporaryDirectory(prefix="sctp-rack-matrix-") as name, _launcher() as launch:
        return [_try(launch, Path(name), command, _memory(left)) for left in mebibytes]


Launch = Callable[[dict[str, Any]], dict[str, Any]]


@contextlib.contextmanager
def _launcher(*imported: str) -> Iterator[Launch]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.commands.launch", *imported],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout

        def launch(call: dict[str, Any]) -> dict[str, Any]:
            assert process.stdin and process.stdout
            process.stdin.write(json.dumps(call) + "\n")
            process.stdin.flush()
            result: dict[str, Any] = json.loads(process.stdout.readline())
            return result

        yield launch
        process.stdin.close()


def _try(launch: Launch, folder: Path, command: str, condition: Condition) -> Tried:
    with (
        tempfile.TemporaryDirectory(dir=folder) as outputs,
        tempfile.TemporaryDirectory(dir=folder) as temporary,
    ):
        for one in (outputs, temporary):
            Path(one).chmod(0o777)
        output = condition.output or Path(outputs, "result")
        words = COMMANDS[command].split()
        capture = condition.capture or _usual(folder, command)
        call = {
            "arguments": [
                word.replace("CAPTURE", str(capture)).replace("OUTPUT", str(output))
                for word in words
            ],
            "stdin": "/dev/null",
            "stdout": condition.standard_output,
            "tmpdir": temporary,
            **(condition.how or {}),
        }
        with _written(condition):
            ended = launch(call)
        wrong = list(_wrong(command, condition, ended))
        left = [name for name in _names(outputs) if not _of_dataset(command, name)]
        if ended["status"] != OK and not condition.partial and left not in ([], *condition.whole):
            wrong.append(f"left {left}")
        if left := _names(temporary):
            wrong.append(f"left {left} in TMPDIR")
        line = ended["stderr"].strip().replace(str(outputs), "OUT").replace(str(folder), "IN")
        return Tried(command, condition.name, ended["status"], line, "; ".join(wrong))


def _make_dataset(folder: Path) -> None:
    (folder / RING).mkdir()
    shutil.copy(SAMPLE, folder / RING)
    assert called("batch", folder / RING, "-o", folder / DATASET).returncode == 0


def _usual(folder: Path, command: str) -> Path:
    name = {"query": DATASET, "watch": RING}.get(command.split()[0])
    return folder / name if name else SAMPLE


def _of_dataset(command: str, name: str) -> bool:
    """A dataset has a row of what cannot be read, and what was done before all ended."""
    of_it = name == "result" or name.startswith(("result/table=", "result/_lock"))
    return command.startswith(("batch", "watch")) and of_it


def _names(folder: str) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*"))


def _wrong(command: str, condition: Condition, ended: dict[str, Any]) -> Iterator[str]:
    said = ended["stderr"].splitlines()
    if condition.silent and said == [""]:  # click ends the line where a terminal shows ^C
        said = []
    if ended["status"] not in condition.statuses(command):
        yield f"status {ended['status']}, not {condition.statuses(command)}"
    if len(said) > 1 or any(not line.startswith("sctp-rack: ") for line in said):
        yield f"{len(said)} lines"
    if ended["status"] != OK and not said and not condition.silent:
        yield "nothing said"


@contextlib.contextmanager
def _written(condition: Condition) -> Iterator[None]:
    if condition.writer is None or condition.capture is None:
        yield
        return
    content, name = condition.writer, condition.capture

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), name.open("wb") as fifo:
            fifo.write(content)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield
    finally:  # who waits for a reader waits no longer
        os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK))
        writer.join()


def _always(*statuses: int) -> Callable[[str], Sequence[int]]:
    return lambda _command: statuses


def _without_data(command: str) -> Sequence[int]:
    return (USAGE,) if command in ABOUT_DATA else (OK,)


def _no_capture(command: str) -> Sequence[int]:
    """Some other files can be read, but only captures be annotated."""
    return (USAGE,) if command == "annotate" else (FAILED,)


def _of_folder(command: str) -> Sequence[int]:
    """A folder is many captures, of which there is one table only in a folder of its own."""
    return (USAGE,) if command in ("export -o", "export --format parquet") else (FAILED,)


def _inputs(folder: Path) -> Iterator[Condition]:
    """Captures that cannot be read, or hold nothing, or only a part."""
    sample = SAMPLE.read_bytes()
    header = pcap([])
    contents: dict[str, tuple[bytes, Callable[[str], Sequence[int]]]] = {
        "empty": (b"", _always(FAILED)),
        "one byte": (sample[:1], _no_capture),
        "text": (b"Frame 1: 66 bytes on wire\n" * 99, _no_capture),
        "cut in the file header": (sample[:20], _always(FAILED)),
        "a file header alone": (header, _without_data),
        "cut in a packet": (sample[:-1000], _always(OK)),
        "a broken block": (sample[:100_000] + b"\xff" * 400 + sample[100_400:], _always(FAILED)),
        "an unknown link type": (pcap([bytes(60)], link_type=147), _without_data),
        "without SCTP": (pcap([bytes(60)]), _without_data),
        "gzip cut": (gzip.compress(sample)[:-2000], _always(OK)),
        "gzip of nothing": (gzip.compress(b""), _always(FAILED)),
        "gzip header alone": (gzip.compress(sample)[:12], _always(FAILED)),
    }
    yield Condition("missing", _always(FAILED), folder / "missing.pcap")
    nothing = folder / "nothing"
    nothing.mkdir()
    yield Condition("a directory", _of_folder, nothing)
    for number, (name, (content, statuses)) in enumerate(contents.items()):
        path = folder / f"input-{number}.pcap"
        path.write_bytes(content)
        yield Condition(name, statuses, path, partial=name == "a broken block")
    secret = folder / "secret.pcap"
    secret.write_bytes(sample)
    secret.chmod(0)
    yield Condition("not permitted", _always(FAILED), secret, how={"nobody": True})
    for name, content, statuses in (
        ("a FIFO", sample, _always(OK)),
        ("a FIFO of nothing", b"", _always(FAILED)),
    ):
        fifo = folder / name.replace(" ", "-")
        os.mkfifo(fifo)
        yield Condition(name, statuses, fifo, writer=content)


def _others(folder: Path, command: str) -> Sequence[Condition]:
    """What cannot be asked, and cannot be watched; () of commands that read captures."""
    name = command.split()[0]
    if name not in ("query", "watch"):
        return ()
    empty, secret, broken = (folder / f"{name}-{what}" for what in ("nothing", "secret", "broken"))
    for made in (empty, secret):
        made.mkdir(exist_ok=True)
    secret.chmod(0)
    statuses = _always(FAILED if name == "query" else USAGE)
    found = [
        Condition("missing", statuses, folder / "missing"),
        Condition("a file", statuses, SAMPLE),
        Condition("not permitted", statuses, secret, how={"nobody": True}),
    ]
    if name == "watch":
        return found  # an empty folder is watched until a file comes
    shutil.copytree(folder / DATASET, broken, dirs_exist_ok=True)
    for file in broken.glob("table=transmissions/*"):
        file.write_bytes(file.read_bytes()[:-100])
    return [
        *found,
        Condition("an empty folder", statuses, empty),
        Condition("a cut file", statuses, broken),
    ]


def _outputs(folder: Path, command: str) -> Iterator[Condition]:
    """Outputs that cannot be written."""
    if "OUTPUT" not in COMMANDS[command]:
        yield Condition("a full disk", _always(FAILED), standard_output="/dev/full")
        yield Condition(
            "too large a file", _always(FAILED), standard_output=str(folder / "limited"), how=SMALL
        )
        return
    yield Condition("no such folder", _always(USAGE), output=folder / "no" / "folder" / "x")
    locked = folder / "locked"
    locked.mkdir(exist_ok=True, mode=0o755)
    yield Condition(
        "a folder that is not ours", _always(USAGE), output=locked / "x", how={"nobody": True}
    )
    yield Condition("too large a file", _always(FAILED), how=SMALL)
    if "OUTPUT." in COMMANDS[command]:
        device = folder / f"full.{COMMANDS[command].rpartition('.')[2]}"
        if not device.is_symlink():
            device.symlink_to("/dev/full")
        yield Condition("a full disk", _always(FAILED), output=device.with_suffix(""))


#: Bytes that a file may have.
SMALL = {"limits": {"RLIMIT_FSIZE": 128}}


def _limits(command: str) -> Iterator[Condition]:
    """Memory that may be enough, and may not; Arrow and DuckDB abort where there is little."""
    if command.startswith(("batch", "query", "watch")):
        return
    yield from map(_memory, (0, 2, 8, 24))


def _memory(mebibytes: float) -> Condition:
    return Condition(
        f"{mebibytes:g} MiB of memory left",
        _always(OK, FAILED),
        how={"limits": {"RLIMIT_AS": int(mebibytes * 2**20)}},
    )


#: What a call leaves that ends well.
_WHOLE = {
    "OUTPUT": sorted(["result", *(f"result/{table}.ndjson" for table in LAYOUTS)]),
    **{f"OUTPUT.{end}": [f"result.{end}"] for end in ("html", "csv", "parquet", "xpl", "pcapng")},
}


def _signals(moments: random.Random, command: str) -> Iterator[Condition]:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        after_s = moments.uniform(0, 0.15)
        yield Condition(
            f"{number.name}",
            _always(OK, 128 + number),
            how={"signal": number, "after_s": after_s},
            silent=True,
            whole=[_WHOLE[word] for word in COMMANDS[command].split() if word in _WHOLE],
        )


def main() -> int:
    done = tried(whole="--whole" in sys.argv[1:])
    for one in done:
        print(*one, sep="\t")
    return any(one.wrong for one in done)


if __name__ == "__main__":
    sys.exit(main())
