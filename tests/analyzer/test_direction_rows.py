# SPDX-License-Identifier: BSD-2-Clause
"""Rows of a direction are the same, whether each direction looks for them or all do once."""

from pathlib import Path

import numpy as np
import pytest
import sctp_rack
from sctp_rack.columns.table import Table

from tests.builder import sctp
from tests.builder.talk import A, B, End, Talk
from tests.captures import BUNDLED

WITH_DIRECTIONS = ("transmissions", "sacks", "rtt_samples", "rack_marks", "paths", "counts")


def several(folder: Path) -> Path:
    """Three associations whose packets alternate, in both directions."""
    talk = Talk()
    for tsn in range(1, 30):
        for port in (1, 2, 3):
            a, b = End(A.address, port, 10 + port), End(B.address, port, 20 + port)
            talk.say(a, b, sctp.data(tsn), sctp.sack(tsn - 1))
            talk.say(b, a, sctp.data(tsn), sctp.sack(tsn))
    return talk.write(folder)


@pytest.mark.parametrize("name", WITH_DIRECTIONS)
def test_rows_found_once_for_all_are_those_looked_for(tmp_path: Path, name: str) -> None:
    for path in (several(tmp_path), BUNDLED / "usrsctp-both-ways.sender.pcap"):
        table = sctp_rack.read(path).table(name)
        seen = 0
        for assoc in range(4):
            for direction in ("a2b", "b2a"):
                rows = table.of_direction(assoc, direction)
                wanted = table.equal(assoc=assoc, dir=direction)
                assert rows.tolist() == np.flatnonzero(wanted).tolist()
                assert list(table.taken(rows)) == list(table.where(assoc=assoc, dir=direction))
                seen += len(rows)
        assert seen == len(table)


def test_rows_of_several_batches_are_taken_by_their_place(tmp_path: Path) -> None:
    capture = sctp_rack.read(several(tmp_path))
    sent, whole = capture.transmissions, list(capture.transmissions)
    batch = sent._batches[0]
    cut = Table("transmissions", list(batch.parts("transmissions", 50)))

    for rows in ([], [0], [49, 50], [0, 51, 99, 173], list(range(50, 100)), list(range(174))):
        assert list(cut.taken(np.array(rows, int))) == [whole[at] for at in rows]


def test_states_are_those_of_the_sacks_of_a_direction(tmp_path: Path) -> None:
    capture = sctp_rack.read(several(tmp_path), profile="usrsctp")
    for association in capture.associations:
        for direction in association.directions:
            frames = direction.sacks["frame"].tolist()
            assert direction.rack_tlp["frame"].tolist() == frames
            states = direction.table("rack_state")
            assert states["frame"].tolist() == [frame for frame in frames for _ in range(2)]


def test_a_table_without_directions_has_no_rows_of_one(tmp_path: Path) -> None:
    capture = sctp_rack.read(several(tmp_path))

    with pytest.raises(KeyError):
        capture.associations[0].a2b.table("chunks")
