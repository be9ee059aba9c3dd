# SPDX-License-Identifier: BSD-2-Clause
"""Every chunk, TSN and acknowledgement of real captures, as tshark sees them; what tshark cannot
see is listed here and in docs/differences-from-tshark.md, and asserted."""

from collections import Counter
from pathlib import Path

import pytest

from tests.captures import any_of, bundled, collection, name_of, needs_collection
from tests.differential.our_rows import by_us
from tests.differential.tshark_oracle import Seen, by_tshark

#: tshark 4.0 shows nothing of a chunk whose parameters were not all captured: (frame, chunk type).
CUT_CONTROL_CHUNKS = {"spindump_sctp_snap128.pcap": Counter({(2, 2): 1, (3, 10): 1})}

#: Captures whose SCTP is inside DTLS: neither reads any of it without keys.
DTLS = "pion_dtls"


@pytest.mark.parametrize("capture", any_of(bundled()), ids=name_of)
def test_bundled_capture_has_the_chunks_that_tshark_sees(capture: Path) -> None:
    assert_equal_to_tshark(capture)


@needs_collection
@pytest.mark.parametrize("capture", collection("wild"), ids=name_of)
def test_public_capture_has_the_chunks_that_tshark_sees(capture: Path) -> None:
    assert_equal_to_tshark(capture)


@needs_collection
@pytest.mark.parametrize("capture", any_of(collection("truth")), ids=name_of)
def test_capture_with_truth_has_the_chunks_that_tshark_sees(capture: Path) -> None:
    assert_equal_to_tshark(capture)


def assert_equal_to_tshark(capture: Path) -> None:
    tshark, ours = by_tshark(capture), by_us(capture)
    tshark.chunks += CUT_CONTROL_CHUNKS.get(capture.name, Counter())

    assert tshark.chunks == ours.chunks
    assert tshark.data == ours.data
    assert tshark.sacks == ours.sacks
    assert (ours == Seen()) == (DTLS in capture.name)
