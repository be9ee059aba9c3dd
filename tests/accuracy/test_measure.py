# SPDX-License-Identifier: BSD-2-Clause
"""Each capture is measured with and without the profile of its sender's stack."""

import shutil
from pathlib import Path

from bench.accuracy.groups import added
from bench.accuracy.measure import measure
from bench.accuracy.truths import TAPS
from tests.captures import BUNDLED

RUN = "pion-tail-loss"


def test_a_sender_whose_profile_is_left_out_is_understood_less(tmp_path: Path) -> None:
    for path in BUNDLED.glob(f"{RUN}.*.pcap"):
        shutil.copy(path, tmp_path)
    shutil.copy(BUNDLED / f"{RUN}.truth.ndjson", tmp_path)
    measured = measure(tmp_path, beside=0)
    known, unknown = added(measured), added(measured, lambda one: one.unknown)

    assert [(one.name, one.sender, one.tap) for one in measured] == [
        (RUN, "pion", tap) for tap in TAPS
    ]
    assert all(one.wireshark is None for one in measured)
    assert known.rows == unknown.rows > 0
    assert (unknown.shares["cause"].value or 0) < (known.shares["cause"].value or 0)
    assert "marks" in known.questions
    assert "marks" not in unknown.questions
    assert all(one.unknown is None for one in measure(tmp_path, beside=0, unknown=False))
