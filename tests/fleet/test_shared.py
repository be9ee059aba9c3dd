# SPDX-License-Identifier: BSD-2-Clause
"""A huge capture that processes share by its associations: the same rows as by one process."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.fleet import batch, merge, shared
from sctp_rack.fleet.dataset import Dataset
from sctp_rack.fleet.found import found
from sctp_rack.fleet.one import Reading, read_to

from tests.captures import BUNDLED
from tests.commands.called import called
from tests.fleet.interleaved import NAMES, interleaved
from tests.fleet.rows import left_over, row_sets

_ONE = BUNDLED / "pion-tail-loss.sender.pcap"


@pytest.fixture(autouse=True)
def _small_ones_are_huge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_HUGE", 1)


def shares_of(out: Path) -> set[str]:
    """Numbers of those whose files are there."""
    names = {file.stem for file in out.glob("table=*/*.parquet")}
    return {name.partition("-")[2] for name in names} - {""}


@pytest.mark.parametrize(
    ("names", "without"),
    [
        (NAMES, 0),
        pytest.param(NAMES, 5, marks=pytest.mark.long),  # they begin in the middle
        pytest.param(NAMES[2:4], 0, marks=pytest.mark.long),
        pytest.param((*NAMES, *NAMES[:3]), 0, marks=pytest.mark.long),  # some packets come twice
    ],
)
@pytest.mark.parametrize("jobs", [2, pytest.param(3, marks=pytest.mark.long)])
def test_shared_or_not_the_rows_are_the_same(
    tmp_path: Path, names: Sequence[str], without: int, jobs: int
) -> None:
    capture = interleaved(tmp_path / "many.pcap", names, without)
    one, several = tmp_path / "one", tmp_path / "several"
    called("batch", capture, "-o", one)
    result = called("batch", capture, "-o", several, "--jobs", jobs)
    again = called("batch", capture, "-o", several)

    assert (result.returncode, result.stderr) == (0, b"")
    assert shares_of(one) == set()
    assert shares_of(several) == {str(at) for at in range(min(jobs, len(names)))}
    assert row_sets(several) == row_sets(one)
    assert left_over(several) == []
    assert again.stdout.startswith(b"0 captures read, 1 there already")


def test_shares_are_merged_and_go_with_their_capture(tmp_path: Path) -> None:
    capture, out, plain = interleaved(tmp_path / "many.pcap"), tmp_path / "out", tmp_path / "plain"
    called("batch", capture, "-o", out, "--jobs", 2)
    before = row_sets(out)
    dataset = Dataset(str(out))
    merge.merge(dataset, dataset.segments())
    merged = row_sets(out)
    left = shares_of(out)
    called("batch", interleaved(capture, NAMES[:3]), "-o", out, "--jobs", 2)
    called("batch", capture, "-o", plain)
    changed = row_sets(out)
    interleaved(capture, NAMES[:4])
    called("batch", capture, "-o", out)

    assert merged == before and left == set()
    assert changed == row_sets(plain)
    assert shares_of(out) == set()


def test_where_a_process_is_killed_one_reads_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*arguments: Any) -> Any:
        if arguments[3][0] == 1:
            os.kill(os.getpid(), 9)
        return real(*arguments)

    real = shared.read_share
    monkeypatch.setattr("sctp_rack.fleet.task.read_share", dies)
    capture, out, plain = interleaved(tmp_path / "many.pcap"), tmp_path / "out", tmp_path / "plain"
    result = called("batch", capture, "-o", out, "--jobs", 2)
    called("batch", capture, "-o", plain)

    assert (result.returncode, result.stderr) == (0, b"")
    assert row_sets(out) == row_sets(plain)
    assert (shares_of(out), left_over(out)) == (set(), [])


def test_where_processes_do_not_see_the_same_one_reads_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the capture grows meanwhile."""

    def grows(*arguments: Any) -> Any:
        row = read_to(*arguments)
        return row._replace(frames=row.frames + arguments[3][0])

    monkeypatch.setattr(shared, "read_to", grows)
    capture, out, plain = interleaved(tmp_path / "many.pcap"), tmp_path / "out", tmp_path / "plain"
    called("batch", capture, "-o", out, "--jobs", 2)
    called("batch", capture, "-o", plain)

    assert row_sets(out) == row_sets(plain)
    assert (shares_of(out), left_over(out)) == (set(), [])


def test_a_broken_capture_that_is_shared_says_so_once(tmp_path: Path) -> None:
    capture, out, plain = interleaved(tmp_path / "many.pcap"), tmp_path / "out", tmp_path / "plain"
    with capture.open("ab") as file:
        file.write(b"\xff" * 16)
    result = called("batch", capture, "-o", out, "--jobs", 2)
    called("batch", capture, "-o", plain)

    assert result.returncode == 3 and result.stderr.count(b"\n") == 1
    assert row_sets(out) == row_sets(plain)
    assert shares_of(out) == {"0", "1"}


def reading() -> Reading:
    return Reading(["sacks"], {"reader": "auto", "keylog": None, "udp_ports": ()})


def test_what_is_shared_is_huge_has_several_associations_and_keeps_the_others_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many, one = found(str(interleaved(tmp_path / "many.pcap"))), found(str(_ONE))
    (tmp_path / "no.pcap").write_bytes(b"no capture")
    bytes_ = many.bytes or 0

    assert shared.shares(many, 2, bytes_, reading()) == 2
    assert shared.shares(many, 3, 2 * bytes_, reading()) == 3
    assert shared.shares(many, 1, bytes_, reading()) == 1
    assert shared.shares(many, 2, 2 * bytes_, reading()) == 1
    assert shared.shares(one, 2, one.bytes or 0, reading()) == 1
    assert shared.shares(found(str(tmp_path / "no.pcap")), 2, 10, reading()) == 1
    assert shared.shares(found(str(tmp_path / "none")), 2, 10, reading()) == 1
    monkeypatch.setattr(shared, "_LOOKED_AT", 100)  # only the first packet of the first of them
    assert shared.shares(many, 2, bytes_, reading()) == 1
    monkeypatch.setattr(shared, "_HUGE", bytes_ + 1)
    assert shared.shares(many, 2, bytes_, reading()) == 1


def test_shares_of_a_capture_are_done_before_small_ones_are_merged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(3):
        interleaved(tmp_path / f"{at}.pcap", NAMES[at : at + 4])
    monkeypatch.setattr(batch, "MERGED", 1)
    monkeypatch.setattr(batch, "_LARGE", 1)
    out, plain = tmp_path / "out", tmp_path / "plain"
    called("batch", tmp_path, "-o", out, "--jobs", 2)
    called("batch", tmp_path, "-o", plain)

    assert row_sets(out) == row_sets(plain)
