# SPDX-License-Identifier: BSD-2-Clause
"""Rows to be counted: those of the package, and what plain Wireshark says by itself."""

import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator

import sctp_rack

from bench.accuracy.count import Row
from bench.accuracy.truths import Run

#: Without it Wireshark's relative TSNs keep it from seeing most acknowledgements.
_TSHARK = ["tshark", "-n", "-o", "sctp.relative_tsns:FALSE"]
#: Packets with DATA and of them what SCTP has: a quarter of all.
_SHORT = ["-T", "pdml", "-J", "sctp", "-Y", "sctp.data_tsn_raw"]


def by_package(
    run: Run, tap: str, without: Iterable[str] = ()
) -> tuple[list[Row], list[Row], list[Row]]:
    """Rows of `transmissions`, `rack_marks` and `paths`, as if some profiles were not known."""
    tables = ["transmissions", "rack_marks", "paths"]
    capture = sctp_rack.read(
        run.capture(tap), tables=tables, keylog=run.keylog, without_profiles=without
    )
    transmissions, marks, paths = (list(capture.table(name)) for name in tables)
    return transmissions, marks, paths


def by_wireshark(run: Run, tap: str) -> Iterator[Row]:
    """`sctp.retransmission` read as retransmission, `sctp.retransmitted_after_ack` as spurious.

    It claims nothing of probes, causes and losses. Raises `CalledProcessError` where tshark fails.
    """
    command = [*_TSHARK, "-r", str(run.capture(tap)), *_SHORT]
    if run.keylog:
        command += ["-o", f"tls.keylog_file:{run.keylog}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    for _, element in ET.iterparse(process.stdout):
        if element.tag != "packet":
            continue
        frame = 0
        for proto in element.iter("proto"):
            if proto.get("name") == "geninfo":
                frame = _number_of(proto)
            for chunk in proto if proto.get("name") == "sctp" else ():
                names = {one.get("name"): one.get("show", "") for one in chunk.iter("field")}
                if "sctp.data_tsn_raw" in names:
                    yield _row(frame, int(names["sctp.data_tsn_raw"]), set(names))
        element.clear()
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, command)


def _number_of(general: ET.Element) -> int:
    return next(int(one.get("show", 0)) for one in general if one.get("name") == "num")


def _row(frame: int, tsn: int, names: set[str | None]) -> Row:
    again = "sctp.retransmission" in names
    spurious = "sctp.retransmitted_after_ack" in names
    verdict = "spurious" if spurious else "undetermined"
    return {
        "frame": frame,
        "tsn": tsn,
        "kind": "retransmission" if again else "original",
        "cause": None,
        "probe": None,
        "verdict": verdict if again else None,
        "verdict_class": None,
        "evidence": [],
        "outcome": "unresolved",
    }
