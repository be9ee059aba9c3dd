# SPDX-License-Identifier: BSD-2-Clause
"""Large generated captures with loss, SACKs full of gap blocks and a TSN wrap-around, as tshark
sees them."""

import subprocess
from pathlib import Path

import pytest

from tests.captures import ROOT
from tests.differential.our_rows import by_us
from tests.differential.tshark_oracle import by_tshark

BUILD = ROOT / "build" / "bench"


@pytest.fixture(scope="module")
def generator() -> Path:
    options = ["-DSCTP_RACK_BENCH=ON", "-DSCTP_RACK_TESTS=OFF"]
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(BUILD), *options],
        ["cmake", "--build", str(BUILD), "--target", "bench_generate"],
    ):
        subprocess.run(command, check=True, capture_output=True)
    return BUILD / "bench" / "bench_generate"


@pytest.mark.long
@pytest.mark.parametrize(
    ("packets", "payload", "window"),
    [(20_000, 20, 200), (20_000, 1152, 200), (5_000, 1152, 4_000)],
    ids=["small", "large", "wide"],
)
def test_a_large_generated_capture_has_the_chunks_that_tshark_sees(
    generator: Path, tmp_path: Path, packets: int, payload: int, window: int
) -> None:
    capture = tmp_path / "generated.pcap"
    size = (str(packets), str(payload), str(window))
    subprocess.run([generator, capture, *size, "7"], check=True)

    tshark = by_tshark(capture, "-o", "sctp.tsn_analysis:FALSE")
    ours = by_us(capture)

    assert packets == sum(ours.chunks.values())
    assert (tshark.chunks, tshark.data) == (ours.chunks, ours.data)
    assert tshark.sacks == ours.sacks
