# SPDX-License-Identifier: BSD-2-Clause
"""What the package claims of signalling without any loss; each such claim is invented."""

import itertools
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import sctp_rack
from sctp_rack.capture import Capture
from sctp_rack.names import Kind, Outcome, Severity

from .make import make
from .setting import setting
from .tallies import Invented, Tallies


def measure(first_seed: int, tsns: int, tsns_each: int = 0) -> Tallies:
    """Captures of one seed after the other until they have so many originals; `tsns_each` of them
    in each, 0: some hundred."""
    tallies = Tallies()
    with tempfile.TemporaryDirectory() as folder:
        for seed in itertools.count(first_seed):
            if tallies.total.originals >= tsns:
                break
            of = setting(seed, tsns_each)
            capture = sctp_rack.read(make(of, Path(folder) / "a.pcap"), tables=["transmissions"])
            tallies.add(of, claims(capture))
    return tallies


def claims(capture: Capture) -> Invented:
    """Of a capture in which nothing was lost, sent again, repeated or overtaken."""
    rows = capture.transmissions
    again = resends(capture)
    kinds, is_probe = rows["kind"], ~np.ma.getmaskarray(rows["probe"])
    codes = {one.code for one in capture.findings if one.severity != Severity.NOTE}
    return Invented(
        captures=1,
        originals=len(rows),
        resends=int(again.sum()),
        duplicates=int(np.isin(kinds, (Kind.NETWORK_DUPLICATE, Kind.CAPTURE_DUPLICATE)).sum()),
        probes=int((is_probe & ~again).sum()),
        lost=int((rows["outcome"] == Outcome.LOST).sum()),
        findings=Counter(codes),
    )


def resends(capture: Capture) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which rows of `transmissions` are said to be sent again."""
    return np.asarray(capture.transmissions["kind"] == Kind.RETRANSMISSION)
