# SPDX-License-Identifier: BSD-2-Clause
"""A colour means a verdict, in notebooks and on terminals, too, and nothing else has one."""

import re

import pytest
import sctp_rack
from rich.style import Style
from sctp_rack.names import Severity, Verdict
from sctp_rack.plots.style import VERDICTS
from sctp_rack.summary.show import _STYLE
from sctp_rack.wording import html

from tests.captures import BUNDLED

#: With retransmissions of all three verdicts.
ALL = BUNDLED / "pion-tail-loss.sender.pcap"


def colours(text: str) -> set[str]:
    return set(re.findall(r"#[0-9a-f]{6}", text))


def test_on_a_terminal_severities_differ_without_a_colour() -> None:
    styles = [Style.parse(_STYLE[severity]) for severity in Severity]

    assert all(style.color is None and style.bgcolor is None for style in styles)
    assert len(set(map(str, styles))) == len(styles)


def test_in_a_notebook_severities_differ_without_a_colour() -> None:
    drawn = [html.marked(severity, "").replace(severity, "") for severity in Severity]

    assert len(set(drawn)) == len(drawn)
    assert not any(map(colours, drawn))


@pytest.mark.parametrize("verdict", Verdict)
def test_a_sketch_has_the_colours_of_the_verdicts_that_are_there(verdict: Verdict) -> None:
    """Each once at the crosses and once at its word."""
    capture = sctp_rack.read(ALL)
    drawn = capture.associations[0].a2b._repr_html_()
    count = len(capture.transmissions.where(verdict=verdict.value))

    assert drawn.count(VERDICTS[verdict][1]) == (2 if count else 0)
    assert colours(drawn) <= {colour for _, colour, _ in VERDICTS.values()}
