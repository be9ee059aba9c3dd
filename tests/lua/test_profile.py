# SPDX-License-Identifier: BSD-2-Clause
"""The Wireshark profile: its filters and fields exist, its rules fit, its colours can be read."""

import csv
import itertools
import re
import subprocess
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from tests.captures import ROOT, SAMPLE
from tests.lua import drop_in
from tests.lua.drop_in import PROFILE

OURS = [
    "SCTP storm",
    "SCTP tail loss probe",
    "SCTP spurious retransmission",
    "SCTP lost",
    "Bad SCTP",
]

#: Of the packet list's font at its usual size, and of a cell, in pixels.
DIGIT, MARGINS = 8, 12

Rgb = tuple[float, float, float]

#: Cones missing, on linear RGB: Vienot, Brettel and Mollon, 1999.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "no green": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


def _lines(name: str) -> list[str]:
    lines = (PROFILE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _table(name: str) -> list[list[str]]:
    lines = [line.replace("\\x22", '""') for line in _lines(name)]
    return list(csv.reader(lines))


def _rules() -> dict[str, tuple[str, Rgb, Rgb]]:
    rules = {}
    for line in _lines("colorfilters"):
        _, name, condition, colours = line.split("@")
        back, text = (
            tuple(int(n) / 65535 for n in colour.split(","))
            for colour in re.findall(r"\[(.*?)\]", colours)
        )
        rules[name] = (condition, (back[0], back[1], back[2]), (text[0], text[1], text[2]))
    return rules


def filters() -> list[str]:
    """Every display filter of the profile."""
    found = [condition for condition, _, _ in _rules().values()]
    found += [row[2] for table in ("dfilter_buttons", "io_graphs") for row in _table(table)]
    return found + [row[3] for row in _table("plots")]


def test_every_filter_compiles() -> None:
    drop_in.tshark(SAMPLE, "-c", "1", "-Y", " || ".join(f"({each})" for each in filters()))


def test_every_drawn_field_exists() -> None:
    known = {
        line.split("\t")[2] for line in drop_in.glossary("fields").splitlines() if line[0] == "F"
    }
    drawn = {row[6] for table in ("io_graphs", "plots") for row in _table(table)} - {""}

    assert len(drawn) > 5
    assert drawn <= known


def test_tables_are_as_wide_as_wireshark_expects() -> None:
    assert {len(row) for row in _table("dfilter_buttons")} == {4}
    assert {len(row) for row in _table("io_graphs")} == {9}
    assert {len(row) for row in _table("plots")} == {8}


def test_our_rules_come_first_and_fit() -> None:
    options = ("-2", "--color", "-Y", "sctp", "-T", "fields", "-e", "frame.coloring_rule.name")
    lines = drop_in.tshark(SAMPLE, *options, with_profile=True).stdout.splitlines()

    assert list(_rules())[: len(OURS)] == OURS
    assert Counter(lines) == {"": 626, OURS[2]: 9, OURS[3]: 21, OURS[4]: 17}


def test_columns_say_what_happened() -> None:
    done = drop_in.tshark(SAMPLE, "-2", "-n", "-Y", "frame.number == 347", with_profile=True)

    assert done.stdout.split()[4:] == [
        *("192.168.68.20", "1097975604", "3", "spurious", "fast", "351"),
        *("[SCTP", "Spurious", "Retransmission]"),
        *("DATA", "(TSN=1097975604)", "(retransmission)"),
    ]
    assert done.stderr == ""


def test_every_column_has_a_width_and_ten_digits_fit() -> None:
    columns = re.findall(r'"(%\w+(?::[\w.]+)?)', "\n".join(_lines("preferences")))
    recent = re.search(r"^column\.width: (.*)$", "\n".join(_lines("recent")), re.MULTILINE)
    assert recent
    widths = dict(re.findall(r'"(.*?)", (\d+)', recent[1]))

    assert list(widths) == columns
    for column in ("%Cus:sctp_rack.data.tsn", "%Cus:sctp_rack.sack.cum_tsn"):
        assert int(widths[column]) >= 10 * DIGIT + MARGINS


@pytest.mark.parametrize("name", OURS)
def test_text_can_be_read(name: str) -> None:
    _, back, text = _rules()[name]
    lighter, darker = sorted((_luminance(back), _luminance(text)), reverse=True)

    assert (lighter + 0.05) / (darker + 0.05) >= 4.5  # WCAG 2.1, 1.4.3


@pytest.mark.parametrize("eye", EYES)
def test_rules_are_told_apart_without_colour_vision(eye: str) -> None:
    colours = [_seen(_rules()[name][1], eye) for name in OURS]
    for one, other in itertools.combinations(colours, 2):
        assert sum(abs(a - b) for a, b in zip(one, other, strict=True)) > 0.25


def test_the_zip_is_a_folder_of_text() -> None:
    subprocess.run(["make", "profile"], cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(ROOT / "build" / "SCTP loss recovery.zip") as packed:
        files = {name: packed.read(name) for name in packed.namelist() if not name.endswith("/")}

    assert {Path(name).name for name in files} == {path.name for path in PROFILE.iterdir()}
    assert {str(Path(name).parent) for name in files} == {"SCTP loss recovery"}
    for text in files.values():
        text.decode("utf-8")


def _linear(colour: Rgb) -> Rgb:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return red, green, blue


def _luminance(colour: Rgb) -> float:
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _seen(colour: Rgb, eye: str) -> list[float]:
    """The colour for that eye, as sRGB."""
    linear = _linear(colour)
    mixed = [sum(w * c for w, c in zip(row, linear, strict=True)) for row in EYES[eye]]
    return [max(c, 0) ** (1 / 2.4) for c in mixed]
