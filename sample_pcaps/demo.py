# SPDX-License-Identifier: BSD-2-Clause
"""python -m sample_pcaps.demo [NAME]: what Wireshark says, what we say, what really happened.

One line for each retransmission at the sender's tap of a sample that has its truth; then what
`sctp-rack analyze` prints. Without tshark its column says so.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sctp_rack
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sctp_rack.names import Verdict
from sctp_rack.summary.direction_lines import VERDICT

from sample_pcaps.generate import truth

FOLDER = Path(__file__).resolve().parent
DEFAULT = "usr_ge_nrsack"

#: Where a DATA chunk is: frame and TSN.
Place = tuple[int, int]
Record = dict[str, Any]

_COLUMNS = ("frame", "TSN", "copy", "Wireshark", "sctp-rack", "what really happened")
_STYLE = {"needed": "green", "spurious": "red", "undetermined": "yellow"}
_WIDTH = 126  #: where the output is no terminal


def main(arguments: list[str]) -> int:
    """Prints both for the named sample."""
    document = document_of(arguments[0] if arguments else DEFAULT)
    capture, keylog = FOLDER / document["captures"]["sender"], keys_of(document)
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH)
    table, agreeing, rows = compared(document, capture)
    console.print(
        Text(f"{capture.relative_to(FOLDER.parent)}: {document['about']}\n"), soft_wrap=True
    )
    console.print(table)
    console.print(Text(f"sctp-rack and the truth agree on {agreeing} of {rows} verdicts.\n"))
    sys.stdout.flush()
    analyze: list[str | Path] = [
        Path(sys.executable).with_name("sctp-rack"),
        "analyze",
        capture.name,
    ]
    options = ["--keylog", keylog.name] if keylog else []
    return subprocess.run([*analyze, *options], cwd=FOLDER, check=False).returncode


def keys_of(document: Record) -> Path | None:
    """The key log of a sample inside DTLS."""
    name = document["keylog"]
    return FOLDER / name if name else None


def document_of(name: str) -> Record:
    """The truth of a sample. Raises `SystemExit` with its name where there is none."""
    single, lines = FOLDER / f"{name}.truth.json", FOLDER / f"{name}.truth.ndjson"
    if single.exists():
        document: Record = json.loads(single.read_text())
        return document
    if not lines.exists():
        raise SystemExit(f"there is no sample {name!r}: see {FOLDER / 'README.md'}")
    return truth.read(lines)


def compared(document: Record, capture: Path) -> tuple[Table, int, int]:
    """The three columns, how many verdicts are those of the truth, and how many rows there are."""
    table = Table(*_COLUMNS, box=None, pad_edge=False)
    wireshark = said_by_tshark(capture, keys_of(document))
    ours = said_by_us(capture, keys_of(document))
    transmissions = document["transmissions"]
    again = [one for one in transmissions if one["retransmission"] and one["frames"]["sender"]]
    again.sort(key=lambda one: int(one["frames"]["sender"]))
    agreeing = 0
    for one in again:
        frame, tsn = one["frames"]["sender"], one["tsn"]
        verdict, text = ours.get((frame, tsn), ("undetermined", "no retransmission"))
        happened = "spurious" if one["spurious"] else "needed"
        agreeing += verdict == happened
        told = f"{happened}, {one['cause'] or 'cause not told'}: {_why(one, transmissions)}"
        table.add_row(
            str(frame),
            str(tsn),
            str(one["copy"]),
            wireshark.get(frame, "nothing") if wireshark is not None else "(needs tshark)",
            Text(text, style=_STYLE[verdict]),
            Text(told, style=_STYLE[happened]),
        )
    return table, agreeing, len(again)


def said_by_tshark(capture: Path, keylog: Path | None = None) -> dict[int, str] | None:
    """Its expert messages on retransmissions, by frame; None where it is not installed."""
    if not shutil.which("tshark"):
        return None
    fields = ["-e", "frame.number", "-e", "_ws.expert.message", "-e", "sctp.retransmission"]
    command: list[str | Path] = [
        "tshark",
        "-n",
        "-r",
        capture,
        "-Y",
        "sctp.retransmission",
        "-T",
        "fields",
        *fields,
    ]
    if keylog is not None:
        command += ["-o", f"tls.keylog_file:{keylog}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = {}
    for line in done.stdout.splitlines():
        frame, message, original = line.split("\t")
        found[int(frame)] = f"{message} ({original})"
    return found


def said_by_us(capture: Path, keylog: Path | None = None) -> dict[Place, tuple[str, str]]:
    """Verdict and text of each retransmission."""
    return dict(_ours(capture, keylog))


def _ours(capture: Path, keylog: Path | None) -> Iterator[tuple[Place, tuple[str, str]]]:
    held = sctp_rack.read(capture, tables=["transmissions"], keylog=keylog)
    for row in held.transmissions.where(kind="retransmission"):
        verdict = VERDICT[Verdict(row["verdict"] or Verdict.UNDETERMINED)]
        text = f"{verdict} (class {row['verdict_class']}), {row['cause']}"
        yield (row["frame"], row["tsn"]), (verdict, text)


def _why(one: Record, transmissions: list[Record]) -> str:
    """Which copies before it arrived, or that none did."""
    before = [
        other
        for other in transmissions
        if (other["dir"], other["tsn"]) == (one["dir"], one["tsn"]) and other["copy"] < one["copy"]
    ]
    if not one["spurious"]:
        return f"{_copies([other['copy'] for other in before])} lost"
    arrived = [other["copy"] for other in before if other["fate"] == "delivered"]
    return f"{_copies(arrived)} arrived"


def _copies(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"copy {numbers[0]}"
    return f"copies {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
