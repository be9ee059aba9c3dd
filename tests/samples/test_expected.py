# SPDX-License-Identifier: BSD-2-Clause
"""The engine gives the golden rows of each sample, and where these are not the truth the sample's
story says so."""

import pytest

from sample_pcaps.generate.expected import (
    COLUMNS,
    Row,
    differences,
    golden_of,
    rows_of,
    runs,
    section,
    story,
)
from tests.captures import BUNDLED

RUNS = runs()
each_sample = pytest.mark.parametrize("name", RUNS)
AGAIN = "If they are right, and the stories still are: make samples-expected"


@each_sample
def test_the_engine_gives_the_golden_rows(name: str) -> None:
    changed = differences(golden_of(name), rows_of(RUNS[name]))

    shown = "\n  ".join(changed[:20])
    more = f"\n  and {len(changed) - 20} more" if len(changed) > 20 else ""
    assert not changed, f"{len(changed)} rows of {name} are new:\n  {shown}{more}\n{AGAIN}"


@each_sample
def test_the_story_lists_where_the_golden_rows_are_not_the_truth(name: str) -> None:
    text = (BUNDLED / f"{name}.md").read_text()

    assert story(text, section(RUNS[name], golden_of(name))) == text, AGAIN


@each_sample
def test_every_chunk_that_the_tap_has_is_in_the_golden_rows_once(name: str) -> None:
    document = RUNS[name].document
    there = [
        (record["frames"]["sender"], record["tsn"])
        for kind in ("transmissions", "network_duplicates", "capture_duplicates")
        for record in document.get(kind, ())
        if record["frames"].get("sender")
    ]

    assert sorted((row["frame"], row["tsn"]) for row in golden_of(name)) == sorted(there)


def test_a_golden_file_is_small() -> None:
    for name in RUNS:
        assert (BUNDLED / f"{name}.expected.ndjson").stat().st_size < 50_000
        assert all(set(row) <= set(COLUMNS) for row in golden_of(name))


def test_a_difference_names_the_chunk_and_both_words() -> None:
    golden: list[Row] = [{"frame": 4, "tsn": 9, "cause": "t3"}, {"frame": 5, "tsn": 10}]
    rows: list[Row] = [{"frame": 4, "tsn": 9, "cause": "t3_gbn"}, {"frame": 6, "tsn": 11}]

    assert differences(golden, rows) == [
        "frame 4, TSN 9: cause t3_gbn, was t3",
        "frame 5, TSN 10: no row",
        "frame 6, TSN 11: a row more",
    ]


def test_a_wrong_golden_row_is_found_in_the_truth() -> None:
    name = "usrsctp-reorder"
    rows = [dict(row) for row in golden_of(name)]
    spurious = next(row for row in rows if row.get("verdict") == "spurious")
    spurious["verdict"] = "needed"

    told = section(RUNS[name], rows)

    assert f"| {spurious['frame']} | {spurious['tsn']} | verdict | needed (" in told
    assert told not in section(RUNS[name], golden_of(name))
