# SPDX-License-Identifier: BSD-2-Clause
"""What is no capture, or only part of one, gets one clear sentence; a long one can be cancelled."""

import base64
import gzip
from pathlib import Path

import pytest

from page.build import core
from tests.browser import Page
from tests.captures import BUNDLED, SAMPLE
from tests.page.dropped import analysed, drop, saved, text

PCAP = BUNDLED / "pion-delay-spike.sender.pcap"


def repeated(folder: Path, times: int) -> Path:
    """A capture with its packets so many times."""
    data, path = PCAP.read_bytes(), folder / "long.pcap"
    path.write_bytes(data[:24] + times * data[24:])
    return path


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "bad: The file is empty."),
        (b"Frame 1: SCTP\n" * 100, "bad: Byte 0 (frame 1): not a pcap or pcapng capture."),
        (PCAP.read_bytes()[:10], "bad: Byte 0 (frame 1):"),
        (
            gzip.compress(b"no capture at all, but text"),
            "bad: Byte 0 (frame 1): not a pcap or pcapng capture.",
        ),
        (b"\x1f\x8bno gzip behind the magic", "bad: After frame 0 the compressed file is broken"),
    ],
    ids=["empty", "text", "cut header", "text in gzip", "broken gzip"],
)
def test_no_capture_is_said_in_one_sentence(
    page: Page, tmp_path: Path, data: bytes, said: str
) -> None:
    path = tmp_path / "bad"
    path.write_bytes(data)
    analysed(page, path)

    assert text(page, "#failed").startswith(said)
    assert "\n" not in text(page, "#failed").strip()
    assert not page.evaluate("document.getElementById('result').checkVisibility()")
    assert page.errors == []


def test_of_several_captures_it_says_which_is_read(page: Page) -> None:
    analysed(page, PCAP, SAMPLE)

    assert text(page, "#status") == (
        f"Of 2 captures {PCAP.name} alone is read: the page shows one at a time."
    )
    assert text(page, "#kicker").startswith(PCAP.name)
    analysed(page, SAMPLE)
    assert text(page, "#status") == ""


def test_what_comes_before_a_cut_stands(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "cut.pcap"
    path.write_bytes(PCAP.read_bytes()[:-10])
    analysed(page, path)

    assert "The file ends early or is damaged: Byte " in text(page, "#notices")
    assert "All 6 retransmissions were spurious" in text(page, "#verdict")


def test_gzip_is_unpacked(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "packed.pcap.gz"
    path.write_bytes(gzip.compress(PCAP.read_bytes()))
    analysed(page, path)
    packed = saved(page, "transmissions", "ndjson")
    analysed(page, PCAP)

    assert packed == saved(page, "transmissions", "ndjson")


def test_gzip_that_is_cut_keeps_what_came_before(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "cut.pcap.gz"
    path.write_bytes(gzip.compress(SAMPLE.read_bytes())[:-2000])
    analysed(page, path)

    assert "the compressed file is broken off" in text(page, "#notices")
    assert "retransmissions" in text(page, "#verdict")


def test_it_is_cancelled(page: Page, tmp_path: Path) -> None:
    drop(page, repeated(tmp_path, 4000))
    page.wait("!document.getElementById('progress').hidden && document.getElementById('bar').value")
    page.evaluate("document.getElementById('cancel').click()")

    assert text(page, "#status") == "long.pcap: cancelled."
    assert page.evaluate("document.getElementById('progress').hidden && workers.length === 0")
    analysed(page, PCAP)
    assert "All 6 retransmissions" in text(page, "#verdict")


def _with_memory_for(wasm: bytes, more: int) -> bytes:
    """The module, whose memory may grow by so many pages of 64 KiB."""

    def number(at: int) -> tuple[int, int]:
        value = shift = 0
        while True:
            value |= (wasm[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if wasm[at - 1] < 128:
                return value, at

    def leb(value: int) -> bytes:
        return bytes([value & 127 | 128 * (value > 127)]) + (
            leb(value >> 7) if value > 127 else b""
        )

    at = 8
    while True:
        size, content = number(at + 1)
        if wasm[at] == 5:  # the memory section: one memory, without a limit
            assert wasm[content : content + 2] == b"\1\0"
            pages, _ = number(content + 2)
            limited = b"\1\1" + leb(pages) + leb(pages + more)
            return wasm[:at] + b"\5" + leb(len(limited)) + limited + wasm[content + size :]
        at = content + size


@pytest.mark.parametrize("pages", [16, 64, 160])
def test_memory_that_is_short_is_said(page: Page, tmp_path: Path, pages: int) -> None:
    limited = base64.b64encode(_with_memory_for(core(), pages)).decode()
    path = repeated(tmp_path, 300)
    page.evaluate(
        f"(async () => {{ const small = await WebAssembly.compile(bytesOf('{limited}'));"
        " const before = Worker.prototype.postMessage;"
        " Worker.prototype.postMessage = function (job, moved) {"
        " before.call(this, { ...job, module: small }, moved); }; })()"
    )
    analysed(page, path)

    assert "The memory of this browser is too small for this capture." in text(page, "#failed")
    assert page.errors == []
