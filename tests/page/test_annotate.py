# SPDX-License-Identifier: BSD-2-Clause
"""The capture with comments that the page saves is that of `sctp-rack annotate`, byte for byte."""

import base64
import gzip
import io
import json
from pathlib import Path
from random import Random

import pytest
from sctp_rack.annotate.remark import MARK
from sctp_rack.annotate.remarks import comments
from sctp_rack.annotate.rewrite import rewrite
from sctp_rack.binding.session import Session
from sctp_rack.binding.source import open_source
from sctp_rack.errors import CaptureError, UsageError

from tests.annotate.test_damaged import damaged
from tests.annotate.test_rewrite import Source
from tests.browser import Page
from tests.builder.file_cases import BROKEN, FILES
from tests.captures import BUNDLED, SAMPLE, name_of
from tests.page.dropped import analysed, in_worker, text

#: pcap and pcapng, what the network repeats, probes, what is given up.
CAPTURES = [
    SAMPLE,
    BUNDLED / "pion-tail-loss.sender.pcap",
    BUNDLED / "usrsctp-hosts-and-taps.receiver.pcapng",
    BUNDLED / "usrsctp-i-data-pr-sctp.sender.pcap",
]


def of_command(capture: Path) -> bytes:
    written = io.BytesIO()
    remarks = comments(Session(str(capture), ["transmissions"]).batches())
    rewrite(str(capture), open_source(str(capture)), remarks, written)
    return written.getvalue()


def of_page(page: Page) -> bytes:
    page.evaluate(
        "(() => { const before = URL.createObjectURL; window.made = null;"
        "URL.createObjectURL = (blob) => { if (blob.type !== 'text/javascript') made = blob;"
        " return before.call(URL, blob); };"
        "document.getElementById('annotate').click(); })()"
    )
    page.wait("window.made")
    return base64.b64decode(page.evaluate(f"({BASE64})(made)"))


#: Of a Blob.
BASE64 = (
    "(blob) => new Promise((done) => { const reader = new FileReader();"
    " reader.onload = () => done(reader.result.split(',')[1]); reader.readAsDataURL(blob); })"
)


@pytest.mark.parametrize("capture", CAPTURES, ids=name_of)
def test_the_file_is_that_of_the_command(page: Page, capture: Path) -> None:
    analysed(page, capture)

    assert of_page(page) == of_command(capture)
    assert text(page, "#failed") == ""
    assert page.errors == []


def test_what_is_in_gzip_is_unpacked_and_comments_of_an_earlier_time_are_replaced(
    page: Page, tmp_path: Path
) -> None:
    once = of_command(SAMPLE)
    changed = once.replace(MARK.encode() + b"TSN", MARK.encode() + b"tsn")
    (tmp_path / "capture.pcapng.gz").write_bytes(gzip.compress(changed))
    analysed(page, tmp_path / "capture.pcapng.gz")

    assert changed != once
    assert of_page(page) == once
    assert page.evaluate("annotatedName(capture.name)") == "capture.annotated.pcapng"


def test_files_of_every_kind_and_damage_are_rewritten_alike(page: Page) -> None:
    random = Random(1)
    contents = [file.content for file in [*FILES, *BROKEN] if len(file.content) < 20_000]
    contents += [one for one in (damaged(random) for _ in range(60)) if len(one) < 100_000]
    said = [[(at, f"{MARK}{'x' * at}") for at in range(1, count)] for count in (1, 3)]
    asked = [(content, some) for content in contents for some in said]
    sent = json.dumps([(base64.b64encode(content).decode(), some) for content, some in asked])
    found = in_worker(
        page,
        f"Promise.all({sent}.map(async ([text, comments]) => {{"
        " const piece = Uint8Array.from(atob(text), (one) => one.charCodeAt(0)), cuts = [];"
        " for (let at = 0; at < piece.length; at += 1009) cuts.push(piece.subarray(at, at + 1009));"
        " const parts = (async function* () { for (const cut of cuts) yield { piece: cut }; })();"
        " try { const written = await rewritten(parts, [...comments, [0, '']].values());"
        f" return await ({BASE64})(new Blob(written.parts));"
        " } catch (error) {"
        " if (!(error instanceof CaptureError)) throw error; return error.message; } }))",
    )

    for (content, some), page_has in zip(asked, found, strict=True):
        assert page_has == rewritten(content, some)


def rewritten(content: bytes, some: list[tuple[int, str]]) -> str:
    """By the command: in base 64, or what is wrong."""
    out = io.BytesIO()
    try:
        rewrite("file", Source(content), iter(some), out)
    except (CaptureError, UsageError) as error:
        return str(error).removeprefix("file: ")
    return base64.b64encode(out.getvalue()).decode()
