# SPDX-License-Identifier: BSD-2-Clause
"""What `sctp_rack.read()` gives to Python code."""

import gc
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sctp_rack
from sctp_rack import Capture, CaptureError, InputError
from sctp_rack._core import ffi, lib
from sctp_rack.binding.session import Session
from sctp_rack.binding.source import open_source
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.errors import UsageError

from tests.builder.talk import A, B, Talk
from tests.captures import ROOT, SAMPLE, any_capture, name_of


@pytest.fixture(scope="module")
def sample() -> Capture:
    return sctp_rack.read()


def test_without_a_path_the_bundled_sample_is_read(sample: Capture) -> None:
    assert Path(sample.path).read_bytes() == SAMPLE.read_bytes()
    assert ROOT / "analyzer" in Path(sample.path).parents
    assert repr(sample) == (
        "<Capture sample.pcapng: 673 frames, 1 association, 390 DATA chunks, 30 retransmissions>"
    )
    assert [finding.code for finding in sample.findings] == ["resent_under_way"]


def test_without_a_path_every_option_counts() -> None:
    told: list[tuple[int, int]] = []
    capture = sctp_rack.read(
        tables=["transmissions"],
        progress=lambda done, size: told.append((done, size)),
        fields={"transmissions": ["frame", "tsn"]},
    )
    size = SAMPLE.stat().st_size

    assert told[-1] == (size, size)
    with pytest.raises(ValueError, match="bytes"):
        capture.transmissions["bytes"]
    with pytest.raises(UsageError):
        sctp_rack.read(reader="core", keylog="keys")


def test_associations_and_directions_tell_what_analyze_tells(sample: Capture) -> None:
    (association,) = sample.associations
    there, back = association.directions

    assert repr(association) == (
        "<Association 0: 10.94.1.10:5000 - 192.168.68.20:5001, 673 packets>"
    )
    assert repr(there) == (
        "<Direction a2b of association 0: 390 DATA chunks, 30 retransmissions, "
        "360 of 360 TSNs acknowledged>"
    )
    assert repr(back) == "<Direction b2a of association 0: no data>"
    assert (association.a.port, association.b.port) == (5000, 5001)
    assert (association.how_started, association.how_ended) == ("handshake", "shutdown")
    assert there.data and there.data.tsns == 360
    assert there.acknowledgements and there.acknowledgements.dups == 9
    assert back.data is None and back.retransmissions == 0


def test_tables_have_the_rows_of_their_association_and_direction(sample: Capture) -> None:
    (association,) = sample.associations

    assert sample.tables == list(LAYOUTS)
    assert [len(sample.table(name)) for name in ("transmissions", "sacks", "chunks")] == [
        390,
        277,
        673,
    ]
    assert len(association.table("chunks")) == 673
    assert len(association.a2b.transmissions) == 390
    assert len(association.b2a.transmissions) == 0
    assert len(association.a2b.sacks) + len(association.b2a.sacks) == 277


def test_columns_are_arrays_and_masked_where_they_are_null(sample: Capture) -> None:
    table = sample.transmissions

    assert table["tsn"].dtype == np.uint32 and table["tsn"].shape == (390,)
    assert table["time_ns"].dtype == np.int64
    assert not isinstance(table["tsn"], np.ma.MaskedArray)
    again = table["kind"] == "retransmission"
    previous = table["prev_frame"]
    assert isinstance(previous, np.ma.MaskedArray)
    assert (previous.mask == ~again).all()
    assert (previous[again] < table["frame"][again]).all()
    assert (np.ma.getmaskarray(table["cause"]) == ~again).all()
    assert table["acked_time_ns"].dtype == np.int64
    blocks = sample.sacks["nr_gaps"]
    assert sum(len(spans) for spans in blocks) == 271
    assert all(spans.shape[1:] == (2,) for spans in blocks)


def test_rows_can_be_chosen_by_place_and_by_value(sample: Capture) -> None:
    table = sample.transmissions
    again = table.where(kind="retransmission", dir="a2b")

    assert len(again) == 30
    assert (again["copy"] >= 2).all()
    assert [row["frame"] for row in table[5:8]] == table["frame"][5:8].tolist()
    assert [len(part) for part in (table[:0], table[-3:], table[:9999], table[9:3])] == [
        0,
        3,
        390,
        0,
    ]
    assert len(table.where(cause="rack")) == 0  # null equals nothing
    with pytest.raises(KeyError, match="no column 'colour': it has frame, "):
        table["colour"]
    with pytest.raises(ValueError, match="verdict is never 'needless': it is spurious, needed or"):
        table.where(verdict="needless")
    with pytest.raises(TypeError, match="evidence holds no single values"):
        table.where(evidence="S1")
    with pytest.raises(ValueError, match="no step"):
        table[::2]


@pytest.mark.parametrize("capture", any_capture(), ids=name_of)
def test_pandas_polars_and_arrow_hold_the_same(capture: Path) -> None:
    read = sctp_rack.read(capture, partial=True)
    for name in read.tables:
        table = read.table(name)
        arrow = table.to_arrow()
        frame = table.to_pandas()
        polar = pl.DataFrame(table)

        arrow.validate(full=True)
        assert len(arrow) == len(frame) == len(polar) == len(table)
        assert list(frame.columns) == polar.columns == table.columns
        for column in {"frame", "time_ns", "path"} & set(table.columns):
            expected = [row[column] for row in table]
            assert arrow[column].to_pylist() == expected
            assert polar[column].to_list() == expected
            assert frame[column].astype(object).where(frame[column].notna(), None).tolist() == (
                expected
            )


def test_pandas_keeps_integers_with_nulls_and_has_words_as_categories(sample: Capture) -> None:
    frame = sample.transmissions.to_pandas()

    assert frame["prev_frame"].dtype == pd.ArrowDtype(pa.uint32())
    assert frame["kind"].value_counts()["retransmission"] == 30
    assert frame.groupby("kind", observed=True)["bytes"].sum().to_dict() == {
        "original": 180_000,
        "retransmission": 15_000,
    }


def test_polars_takes_the_arrow_stream_without_knowing_of_it(sample: Capture) -> None:
    counted = pl.DataFrame(sample.transmissions)["kind"].value_counts()

    assert dict(counted.iter_rows()) == {"original": 360, "retransmission": 30}
    spans = pl.DataFrame(sample.sacks)["nr_gaps"].explode().drop_nulls()
    assert spans.struct.fields == ["first_tsn", "last_tsn"]
    assert len(spans) == 271


def test_numbers_are_not_copied_from_arrow_to_polars_and_pandas(sample: Capture) -> None:
    arrow = sample.transmissions.to_arrow()
    frame = arrow.to_pandas(types_mapper=pd.ArrowDtype)

    def address(array: Any) -> int:
        place: int = array.buffers()[1].address
        return place

    for name in ("frame", "time_ns", "tsn", "prev_frame"):
        there = address(arrow[name].chunk(0))
        assert address(pl.DataFrame(arrow)[name].to_arrow()) == there
        assert address(frame[name].array.__arrow_array__().chunk(0)) == there


def test_any_reader_of_the_command_line_can_be_asked_for(sample: Capture) -> None:
    by_tshark = sctp_rack.read(SAMPLE, reader="tshark", tables=["transmissions"])

    assert list(by_tshark.transmissions) == list(sample.transmissions)
    with pytest.raises(InputError, match=r"keys\.log: No such file"):
        sctp_rack.read(SAMPLE, reader="native", keylog="keys.log")


def test_only_the_tables_asked_for_are_kept() -> None:
    read = sctp_rack.read(SAMPLE, tables=["sacks"])

    assert read.tables == ["sacks"]
    with pytest.raises(KeyError):
        _ = read.transmissions
    assert sctp_rack.read(SAMPLE, tables=[]).associations[0].packets == 673
    with pytest.raises(ValueError, match="no table 'sack': there are transmissions, sacks"):
        sctp_rack.read(SAMPLE, tables=["sack"])


def test_of_marks_those_of_the_profiles_asked_for_are_kept(sample: Capture) -> None:
    few = sctp_rack.read(tables="rack_marks", marks_of=["rfc8985"]).associations[0].a2b
    every = sample.associations[0].a2b.table("rack_marks")
    assert list(few.table("rack_marks")) == list(every.where(profile="rfc8985"))
    assert 0 < len(few.table("rack_marks")) < len(every)
    with pytest.raises(ValueError, match="no profile 'rfc8958': there are rfc8985, "):
        sctp_rack.read(marks_of=["rfc8958"])


def test_what_is_kept_of_a_capture_outlives_it() -> None:
    table = sctp_rack.read().transmissions
    gc.collect()

    assert table["tsn"][0] == 1097975455


def test_a_broken_capture_raises_with_file_byte_and_frame(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pcapng"
    data = SAMPLE.read_bytes()
    broken.write_bytes(data[:20_000] + b"\xff" * 400 + data[20_400:])

    with pytest.raises(CaptureError, match=r"broken.pcapng: byte \d+ \(frame \d+\): "):
        sctp_rack.read(broken)
    partial = sctp_rack.read(broken, partial=True)
    assert 10 < len(partial.transmissions) < 390
    assert [finding.code for finding in partial.findings] == ["broken_input"]


def test_an_interrupt_is_not_taken_for_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    source = open_source(str(SAMPLE))
    monkeypatch.setattr("sctp_rack.readers.choose.open_source", lambda *_: source)
    monkeypatch.setattr(source, "readinto1", interrupted, raising=False)

    with pytest.raises(KeyboardInterrupt):
        sctp_rack.read(SAMPLE)


def test_a_capture_that_ends_early_is_read_up_to_there(tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcapng"
    cut.write_bytes(SAMPLE.read_bytes()[:-1000])

    read = sctp_rack.read(cut)

    assert len(read.transmissions) > 380
    assert [finding.code for finding in read.findings][:1] == ["cut_input"]


def test_a_file_that_is_not_there_or_no_capture_raises(tmp_path: Path) -> None:
    text = tmp_path / "text.pcap"
    text.write_text("Frame 1")

    with pytest.raises(InputError, match=r"nothing\.pcap: No such file or directory"):
        sctp_rack.read(tmp_path / "nothing.pcap")
    for partial in (False, True):
        with pytest.raises(CaptureError, match=r"byte 0 \(frame 1\): not a pcap or pcapng capture"):
            sctp_rack.read(text, partial=partial)


@pytest.mark.parametrize("capture", any_capture(), ids=name_of)
def test_everything_draws_itself(capture: Path) -> None:
    read = sctp_rack.read(capture, partial=True)
    things: list[Any] = [read, *(read.table(name) for name in read.tables), *read.associations]
    for thing in [*things, *(one for each in read.associations for one in each.directions)]:
        drawn = thing._repr_html_()

        assert drawn.count("<div") == drawn.count("</div>")
        assert len(drawn) < 200_000
        assert "<script" not in drawn and "color:#000" not in drawn and "background" not in drawn
        assert "\n" not in repr(thing)


def test_a_drawing_escapes_what_a_file_is_called(tmp_path: Path) -> None:
    named = tmp_path / "<script>.pcapng"
    named.write_bytes(SAMPLE.read_bytes())

    assert "<script" not in sctp_rack.read(named)._repr_html_()


def test_a_direction_draws_what_was_sent_again_in_red(sample: Capture) -> None:
    drawn = sample.associations[0].a2b._repr_html_()

    assert drawn.count("<svg") == 1
    crosses = drawn.rpartition('<path d="')[2].partition('"')[0]
    assert 0 < crosses.count("M") <= 30


def test_a_drawing_of_tsns_that_wrap_rises_from_left_to_right(tmp_path: Path) -> None:
    from tests.builder import sctp

    talk = Talk()
    talk.handshake()
    for step in range(8):
        talk.say(A, B, sctp.data((2**32 - 4 + step) % 2**32))
    drawn = sctp_rack.read(talk.write(tmp_path)).associations[0].a2b._repr_html_()

    dots = drawn.partition('stroke-width="2"')[0].rpartition('d="M')[2].rstrip('" ').split("M")
    heights = [int(dot.split()[1].partition("h")[0]) for dot in dots]
    assert len(heights) == 8 and heights == sorted(heights, reverse=True)


def test_other_threads_run_while_the_core_reads() -> None:
    """Setup: Python never takes the interpreter from a thread, and this one calls nothing that
    gives it away but the core, for up to a minute. Expectation: another thread runs all the
    same."""
    data = SAMPLE.read_bytes()
    session = Session(str(SAMPLE))
    room = ffi.new("size_t *")
    count, stop = 0, False

    def other() -> None:
        nonlocal count
        while not stop:
            count += 1
            time.sleep(0)

    interval = sys.getswitchinterval()
    thread = threading.Thread(target=other)
    try:
        sys.setswitchinterval(1000)
        thread.start()
        before, until = count, time.monotonic() + 60
        while count == before and time.monotonic() < until:
            space = lib.sr_session_space(session.handle, room)
            taken = min(room[0], len(data))
            ffi.memmove(space, data[:taken], taken)
            lib.sr_session_filled(session.handle, taken)
            lib.sr_session_read(session.handle, 1 << 30)
        after = count
    finally:
        sys.setswitchinterval(interval)
        stop = True
        thread.join()

    assert after > before
