# SPDX-License-Identifier: BSD-2-Clause
"""A graph has every row that its tables have, under the words of docs/tables.md."""

from collections import Counter

import numpy as np
import pytest
import sctp_rack
from sctp_rack import plots
from sctp_rack.association import Direction
from sctp_rack.errors import UsageError
from sctp_rack.names import Cause
from sctp_rack.plots import style
from sctp_rack.plots.data import FIELDS, OF_MESSAGES, TABLES
from sctp_rack.plots.graph import Layer
from sctp_rack.plots.kinds import graph_of
from sctp_rack.plots.marks import DRAWN
from sctp_rack.wording.causes import NOUN

from tests.captures import BUNDLED
from tests.plots.transfers import sample

#: Reordering, timeouts with a storm, probes, a closed window, abandoned chunks, a TSN that wraps.
SAMPLES = (
    None,
    "pion-reorder-low",
    "usrsctp-delay-spike",
    "pion-tail-loss",
    "usrsctp-zero-window",
    "usrsctp-i-data-pr-sctp",
    "pion-tsn-wrap",
)


def layers(direction: Direction, kind: str = "tsn") -> dict[str, Layer]:
    return {layer.name: layer for layer in graph_of(direction, kind).panels[0]().layers}


@pytest.mark.parametrize("name", SAMPLES)
def test_each_retransmission_has_the_letter_of_its_cause_and_its_verdict(name: str | None) -> None:
    direction = sample(name)
    rows = direction.transmissions.where(kind="retransmission")
    expected = Counter(
        f"{verdict.capitalize()}, sent again {NOUN[Cause(cause)]} ({style.LETTERS[Cause(cause)]})"
        for cause, verdict in zip(rows["cause"].tolist(), rows["verdict"].tolist(), strict=True)
    )

    drawn = {one: len(layer) for one, layer in layers(direction).items() if layer.look.letter}

    drawn.pop("Late: a higher TSN overtook it (O)", None)
    assert drawn == dict(expected)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_transmission_and_loss_and_mark_is_there(name: str | None) -> None:
    direction = sample(name)
    rows, marks = direction.transmissions, direction.table("rack_marks")

    found = layers(direction)

    sent = [layer for one, layer in found.items() if layer.group in ("sent", "sent again")]
    repeats = np.isin(rows["kind"], ["network_duplicate", "capture_duplicate"]).sum()
    assert sum(map(len, sent)) == len(rows) - repeats
    lost = sum(len(layer) for layer in found.values() if layer.group == "lost")
    assert lost == len(rows.where(outcome="lost"))
    rack = [layer for one, layer in found.items() if one.startswith("RACK-TLP would mark")]
    assert not any(layer.shown for layer in rack)
    assert sum(map(len, rack)) == len(marks.where(profile="rfc8985"))


def test_tsns_that_wrap_rise() -> None:
    direction = sample("pion-tsn-wrap")

    data = layers(direction)["Sent for the first time, and acknowledged"]

    assert direction.transmissions["tsn"].max() > 2**31 > direction.transmissions["tsn"].min()
    assert (np.diff(data.y) >= 0).all()
    assert data.y.max() < 1000


@pytest.mark.parametrize("kind", plots.KINDS)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_kind_of_every_sample_becomes_a_figure(kind: str, name: str | None) -> None:
    figure = plots.figure(sample(name), kind)

    assert figure.data
    assert all(one.name or not one.showlegend for one in figure.data)


@pytest.mark.parametrize("unit", ["tsn", "bytes"])
def test_useful_bytes_are_those_that_were_acknowledged(unit: plots.Unit) -> None:
    direction = sample("usrsctp-delay-spike")
    assert direction.data

    found = {
        layer.name: layer.y.max()
        for layer in graph_of(direction, "useful", unit=unit).panels[0]().layers
    }

    table = sctp_rack.read(BUNDLED / "usrsctp-delay-spike.sender.pcap").table("associations")
    assert found["Received for the first time: useful"] == table["acked_bytes_a2b"][0]
    assert found["Received, spurious copies too"] == found["Sent"] == direction.data.bytes


def test_lines_of_two_directions_are_laid_over_each_other() -> None:
    figure = plots.overlay(
        {"RACK": sample("pion-tail-loss"), "T3": sample("pion-tail-loss-no-rack")}
    )

    lines = ("received for the first time: useful", "received, spurious copies too")
    assert {one.name for one in figure.data} == {f"{a}: {b}" for a in ("RACK", "T3") for b in lines}


def test_overlaid_tsns_have_what_was_sent_and_acknowledged_and_each_resend_by_its_verdict() -> None:
    two = {"RACK": sample("pion-tail-loss"), "T3": sample("pion-tail-loss-no-rack")}
    figure = plots.overlay(two, "tsn")
    drawn = {one.name: one for one in figure.data}

    for name, direction in two.items():
        rows = direction.transmissions
        again = rows.where(kind="retransmission")
        of_verdict = {
            verdict: len(again.where(verdict=verdict)) for verdict in set(again["verdict"].tolist())
        }
        begins = f"{name}: sent again, "
        found = {
            one.removeprefix(begins): len(drawn[one].x) for one in drawn if one.startswith(begins)
        }
        assert found == of_verdict
        sent, acked = drawn[f"{name}: sent"], drawn[f"{name}: acknowledged"]
        assert sent.y[-1] == len(rows.where(copy=1)) and (np.diff(sent.y) > 0).all()
        assert sent.x[0] == 0 and acked.y[-1] <= sent.y[-1]
        assert drawn[f"{name}: receiver's window"].visible == "legendonly"
    hollow = [one.name for one in figure.data if "open" in str(one.marker.symbol)]
    assert hollow and all(name.startswith("T3: ") for name in hollow)


def test_what_cannot_be_drawn_says_so() -> None:
    direction = sctp_rack.read().associations[0].b2a

    with pytest.raises(UsageError, match="no DATA in direction b2a of association 0"):
        plots.figure(direction)
    with pytest.raises(UsageError, match="no kind of graph 'pie': there are tsn, both, rtt"):
        plots.figure(sample(), "pie")


def test_a_stretch_of_time_shows_the_tsns_that_were_sent_in_it() -> None:
    rows = sample().transmissions
    begin = sctp_rack.read().summary.first_time_ns
    sent = (rows["time_ns"] - begin) / 1e9
    shown = rows["tsn"][(sent >= 0.5) & (sent <= 0.6)] - rows["tsn"][0]

    low, high = plots.figure(sample(), between=(0.5, 0.6)).layout.yaxis.range

    assert low <= shown.min() < shown.max() + 1 <= high
    assert high - low < 1.2 * (shown.max() + 1 - shown.min())


@pytest.mark.parametrize("name", SAMPLES[1:])
def test_a_capture_with_the_fields_that_graphs_need_is_drawn_as_a_whole_one(name: str) -> None:
    path = BUNDLED / f"{name}.sender.pcap"
    tables = (*TABLES, *OF_MESSAGES)
    capture = sctp_rack.read(path, tables=tables, fields=FIELDS, marks_of=DRAWN)
    narrow = capture.associations[0].a2b

    for kind in plots.KINDS:
        assert plots.figure(narrow, kind) == plots.figure(sample(name), kind)
