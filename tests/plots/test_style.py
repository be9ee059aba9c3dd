# SPDX-License-Identifier: BSD-2-Clause
"""Colours mean a verdict, and are told apart by everybody, on a light and on a dark ground."""

import itertools
import re

import numpy as np
import numpy.typing as npt
import pytest
from sctp_rack.plots import KINDS, style, theme
from sctp_rack.plots.kinds import graph_of
from sctp_rack.plots.overlaid import LOOKS, overlaid

from tests.captures import ROOT
from tests.plots.transfers import sample

Numbers = npt.NDArray[np.float64]

VERDICTS = {"spurious": style.SPURIOUS, "needed": style.NEEDED, "lost": style.LOST}
GREYS = {style.OPEN, style.DATA, style.ACKED}
GROUNDS = [theme.template(dark)["layout"]["paper_bgcolor"] for dark in (False, True)]

#: Of who lacks a kind of cone (Machado, Oliveira and Fernandes 2009, severity 1.0), on linear RGB.
BLIND = {
    "nothing": "1 0 0  0 1 0  0 0 1",
    "red": "0.152286 1.052583 -0.204868  0.114503 0.786281 0.099216  -0.003882 -0.048116 1.051998",
    "green": "0.367322 0.860646 -0.227968  0.280085 0.672501 0.047413  -0.01182 0.04294 0.968881",
    "blue": "1.255528 -0.076749 -0.178779  -0.078411 0.930809 0.147602  0.004733 0.691367 0.3039",
}


def linear(colour: str) -> Numbers:
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: Numbers) -> Numbers:
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.array(to_xyz) @ rgb / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("colour", sorted({*VERDICTS.values(), *GREYS}))
@pytest.mark.parametrize("ground", GROUNDS)
def test_marks_stand_out_from_their_ground(colour: str, ground: str) -> None:
    assert contrast(colour, ground) >= 3


@pytest.mark.parametrize("word", style.TEXT)
def test_words_stand_out_from_their_ground(word: str) -> None:
    for text, ground in zip(style.TEXT[word], GROUNDS, strict=True):
        assert contrast(text, ground) >= 4.5


@pytest.mark.parametrize("blind", BLIND)
def test_who_does_not_see_a_colour_tells_verdicts_apart(blind: str) -> None:
    turned = np.array(BLIND[blind].split(), np.float64).reshape(3, 3)

    def seen(colour: str) -> Numbers:
        return lab(np.clip(turned @ linear(colour), 1e-6, 1))

    for one, other in itertools.combinations([*VERDICTS.values(), style.OPEN], 2):
        assert np.linalg.norm(seen(one) - seen(other)) > 15, (one, other)


def test_verdicts_differ_in_shape_and_the_spurious_is_largest() -> None:
    shapes = [symbol for symbol, _, _ in style.VERDICTS.values()]
    sizes = {verdict.value: size for verdict, (_, _, size) in style.VERDICTS.items()}

    assert len({*shapes, "x-thin-open"}) == len(shapes) + 1
    assert sizes["spurious"] == max(sizes.values()) and sizes["needed"] == min(sizes.values())


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_but_verdicts_and_losses_has_a_colour(kind: str) -> None:
    for name in ("usrsctp-delay-spike", "pion-tail-loss"):
        for make in graph_of(sample(name), kind).panels:
            for layer in make().layers:
                told = re.search("spurious|needed|lost|sent again|storm", layer.name, re.IGNORECASE)
                grey = layer.look.colour in GREYS
                assert grey or (told and layer.group != "what loss detection would say"), layer.name


def test_what_is_compared_is_grey_and_differs_in_width_and_dash() -> None:
    names = ("usrsctp-delay-spike", "pion-tail-loss")
    (panel,) = overlaid({name: sample(name) for name in names}, "useful", "").panels

    assert {layer.look.colour for layer in panel().layers} <= GREYS
    assert {look.colour for look in LOOKS} <= GREYS
    assert len({look.width for look in LOOKS}) == len(LOOKS)
    assert len({(look.colour, look.dash) for look in LOOKS}) == len(LOOKS)


def test_pages_have_the_colours_of_the_graphs() -> None:
    page = (ROOT / "analyzer/sctp_rack/report/templates/page.css").read_text()
    graph = (ROOT / "analyzer/sctp_rack/plots/page.css").read_text()
    known = {
        name.strip() for name in re.findall(r"--[\w-]+(?=:)", style.custom_properties() + page)
    }

    used = {*re.findall(r"var\((--[\w-]+)\)", page), *re.findall(r"var\((--[\w-]+)\)", graph)}

    assert used <= known | {"--line", "--dim", "--columns"}
    assert not {colour for colour in VERDICTS.values() if colour in page + graph}


def test_the_wireshark_profile_has_the_same_colours() -> None:
    folder = ROOT / "lua" / "profile"
    rules = (folder / "colorfilters").read_text()
    for name, colour in (("spurious retransmission", style.SPURIOUS), ("lost", style.LOST)):
        (parts,) = re.findall(rf"^@SCTP {name}@.*?@\[([\d,]+)\]", rules, re.MULTILINE)
        assert "#" + "".join(f"{int(part) // 257:02x}" for part in parts.split(",")) == colour
    for graphs in ("io_graphs", "plots"):
        text = (folder / graphs).read_text().lower()
        for name, colour in (("spurious", style.SPURIOUS), ("lost", style.LOST)):
            assert re.search(rf'"{name}",.*"{colour}"', text)
