# SPDX-License-Identifier: BSD-2-Clause
"""Statistics of a live capture that goes over several files are sums of what each file says.

The capture comes through a pipe, as from `tcpdump -w -`: dumpcap writes the files as for an
interface, and nobody needs a right for it.
"""

import re
import tempfile
from collections import Counter
from pathlib import Path

import pytest

from tests.captures import BUNDLED
from tests.plugin.painted_rows import exported
from tests.plugin.test_statistics import counted
from tests.plugin.wireshark import Wireshark

CAPTURE = BUNDLED / "pion-tail-loss.sender.pcap"
ENDS = "192.0.2.84:5000 > 198.51.100.108:5000"


def ring(wireshark: Wireshark, packets: int, *options: str) -> tuple[str, list[Path]]:
    """What tshark prints at the end, and the files that it wrote."""
    folder = Path(tempfile.mkdtemp(prefix="ring-", dir=wireshark.home))
    folder.chmod(0o777)
    live = f"tshark -i - -b packets:{packets} -w {folder}/ring.pcapng -q"
    printed = wireshark.run(
        "sh", "-c", f"cat {wireshark.capture(CAPTURE)} | {live} {' '.join(options)}"
    )
    return printed, sorted(folder.iterdir())


def of_files(files: list[Path]) -> Counter[tuple[str, ...]]:
    """Transmissions by what and word."""
    counts = Counter[tuple[str, ...]]()
    for path in files:
        path.chmod(0o644)
        for (_, _, *what), number in counted(exported(path)).items():
            counts[tuple(what)] += number
    return counts


@pytest.mark.parametrize("packets", [25, 50])
def test_the_table_sums_up_what_each_file_says(packets: int, wireshark: Wireshark) -> None:
    printed, files = ring(wireshark, packets, "-z", "sctp_rack,stat")
    assert len(files) > 4
    assert f"The sum of {len(files)} files" in printed
    assert re.search(rf"^ +\*  \* +{re.escape(ENDS)}$", printed, re.M)
    lines = re.findall(r"^ +\*  \* +(\S.*?\S) {2,}(\w+) +(\d+)$", printed, re.M)
    assert Counter({(what, word): int(number) for what, word, number in lines}) == of_files(files)


def test_the_tree_names_the_ends_of_what_it_sums_up(wireshark: Wireshark) -> None:
    printed, files = ring(wireshark, 50, "-z", "sctp_rack,tree")
    seen = re.findall(r"^Association 0, (?:a2b|b2a): (\S+ > \S+) +(\d+) ", printed, re.M)
    kinds = (number for (what, _), number in of_files(files).items() if what == "Kind")
    assert {ends for ends, _ in seen} == {ENDS}
    assert sum(int(number) for _, number in seen) == sum(kinds)


def test_sessions_of_one_file_are_summed_up_likewise(wireshark: Wireshark) -> None:
    printed = wireshark.tshark(CAPTURE, "-M", "50", "-q", "-z", "sctp_rack,stat")
    assert "The sum of 5 files (or sessions of -M)" in printed
    kinds = re.findall(r"^ +\*  \* +Kind +\w+ +(\d+)$", printed, re.M)
    assert sum(map(int, kinds)) == len(exported(CAPTURE)["transmissions"])


def test_one_file_is_named_by_its_associations(wireshark: Wireshark) -> None:
    printed, files = ring(wireshark, 10000, "-z", "sctp_rack,stat")
    assert len(files) == 1
    assert "The sum of" not in printed
    assert re.search(rf"^ +0  a2b +{re.escape(ENDS)}$", printed, re.M)


def test_texts_tell_of_each_file_by_itself(wireshark: Wireshark) -> None:
    printed, files = ring(wireshark, 50, "-z", "sctp_rack,findings", "-z", "sctp_rack,limits")
    for title in ("what a person should know", "what senders waited for"):
        said = printed.split(f"SCTP: {title}")[1].split("=" * 80)[0]
        heads = re.findall(r"^File (\d+), by itself:$", said, re.M)
        assert heads == [str(number + 1) for number in range(len(files))]
    for number, path in enumerate(files, 1):
        alone = wireshark.run("tshark", "-r", str(path), "-q", "-z", "sctp_rack,limits")
        rows = re.findall(r"^ +\d+  \w+  \w+ .*$", alone, re.M)
        part = printed.split("SCTP: what senders waited for")[1].split(f"File {number}, by")[1]
        assert re.findall(r"^ +\d+  \w+  \w+ .*$", part.split("File ")[0], re.M) == rows
