# SPDX-License-Identifier: BSD-2-Clause
"""What the page says that a person should know: the words, order and frames of `analyze`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sctp_rack.names import ENUMS

from tests.browser import Page
from tests.builder import failing
from tests.builder.talk import Carrier, in_ipv4, in_ipv6
from tests.captures import BUNDLED, bundled, long_but, name_of
from tests.page.dropped import analysed, text, texts
from tests.plugin.test_findings import CHOSEN, OF_THE_FILE, Told, three
from tests.plugin.test_findings import of_analyze as known_to


def of_analyze(capture: Path) -> list[Told]:
    """What the command says that the page says in the same words."""
    return known_to(capture, left_out=OF_THE_FILE)


def of_page(page: Page) -> list[Told]:
    found = page.evaluate(
        "told.findings.map(({ severity, text, frames }) => [severity, text, frames])"
    )
    severities = [str(word) for word in ENUMS["severity"]]
    return [(severities[severity], said, frames) for severity, said, frames in found]


def shown(page: Page) -> list[str]:
    """Each with its frames, as it is read."""
    page.evaluate(
        "document.querySelectorAll('#findings details').forEach((one) => one.open = true)"
    )
    return texts(page, "#findings li")


def read(one: Told) -> str:
    severity, said, frames = one
    numbers = ", ".join(map(str, frames))
    line = f"\n\nFrame{'s' if len(frames) > 1 else ''} {numbers}" if frames else ""
    return f"{severity.capitalize()}. {said}{line}"


@pytest.mark.parametrize("capture", long_but(CHOSEN, bundled()), ids=name_of)
def test_findings_are_those_of_the_command(page: Page, capture: Path) -> None:
    wanted = of_analyze(capture)
    analysed(page, capture)

    assert of_page(page) == wanted
    assert shown(page) == [read(one) for one in wanted]


def test_findings_of_several_associations(page: Page, tmp_path: Path) -> None:
    capture = three(tmp_path)
    analysed(page, capture)

    assert of_page(page) == of_analyze(capture) != []


@pytest.mark.parametrize("carrier", [in_ipv4, in_ipv6])
def test_what_two_sides_say_is_told_as_by_the_command(
    page: Page, tmp_path: Path, carrier: Carrier
) -> None:
    capture = failing.signalled(tmp_path, carrier)
    analysed(page, capture)

    assert of_page(page) == of_analyze(capture)


@pytest.mark.parametrize("made", [failing.stalled, failing.limited, failing.icmp])
def test_what_fails_is_told_as_by_the_command(
    page: Page, tmp_path: Path, made: Callable[[Path], Path]
) -> None:
    capture = made(tmp_path)
    analysed(page, capture)

    assert of_page(page) == of_analyze(capture)


def test_a_frame_leads_to_its_transmission_in_the_graph(page: Page) -> None:
    analysed(page, BUNDLED / "usrsctp-delay-spike.sender.pcap")
    frame = text(page, "#findings .frames button")
    page.evaluate("document.querySelector('#findings .frames button').click()")

    assert f"frame {frame}" in text(page, "#says").lower()
    assert page.evaluate("document.activeElement.id") == "graph"


def test_a_frame_that_the_graph_does_not_have_is_plain_text(page: Page) -> None:
    analysed(page, BUNDLED / "usrsctp-zero-window.sender.pcap")
    numbers, linked = page.evaluate(
        "(() => { const rows = rowsOfFrames(told.findings, told.sent);"
        " const linked = [...rows].filter(([, row]) => row >= 0);"
        " return [[...rows.keys()], linked.map(([frame]) => frame)]; })()"
    )
    sent = set(page.evaluate("[...told.sent.frame]"))

    assert set(linked) == set(numbers) & sent
    assert set(numbers) - sent
    assert len(texts(page, "#findings .frames button")) <= len(numbers)
