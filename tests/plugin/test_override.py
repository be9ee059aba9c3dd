# SPDX-License-Identifier: BSD-2-Clause
"""A verdict that the user knows better is shown, filtered and counted; nothing else changes."""

import json

import pytest
from sctp_rack.story.evidence import of_cause

from tests.captures import SAMPLE
from tests.plugin.painted_rows import exported, painted
from tests.plugin.test_frames import frames, load
from tests.plugin.test_statistics import by_table
from tests.plugin.wireshark import Wireshark


def option(text: str) -> tuple[str, str]:
    return "-o", f"sctp_rack.override:{text}"


def test_the_verdict_is_shown_without_the_evidence_for_another(wireshark: Wireshark) -> None:
    before = painted(wireshark, SAMPLE, "-2")["transmissions"]
    spurious = [row for row in before if row["verdict"] == "spurious"]
    first, second = spurious[:2]
    text = f"{first['frame']}=needed, {second['frame']}/{second['tsn']}=undetermined"

    after = painted(wireshark, SAMPLE, "-2", *option(text))["transmissions"]

    for old, new in zip(before, after, strict=True):
        told = {first["frame"]: "needed", second["frame"]: "undetermined"}.get(old["frame"])
        cause = of_cause(old["evidence"])
        bare: dict[str, object] = {"verdict": told, "verdict_class": None, "evidence": cause}
        assert new == (old | bare if told else old)


def test_filters_the_info_column_and_statistics_follow_it(wireshark: Wireshark) -> None:
    rows = exported(SAMPLE)["transmissions"]
    needed = next(row["frame"] for row in rows if row["verdict"] == "needed")
    spurious = [row["frame"] for row in rows if row["verdict"] == "spurious"]
    told = option(f"{needed}=spurious,{spurious[0]}=needed,{spurious[1]}=needed")

    found = frames(wireshark, SAMPLE, "-2", *told, "-Y", "sctp.analysis.spurious")
    assert found == [needed, *spurious[2:]]
    summary = wireshark.tshark(SAMPLE, "-2", *told)
    assert summary.count("[SCTP Spurious Retransmission]") == len(found)
    counted = by_table(wireshark.tshark(SAMPLE, "-2", *told, "-q", "-z", "sctp_rack,stat"))
    assert counted["0", "a2b", "Verdict", "spurious"] == len(found)


def test_another_tsn_and_what_was_sent_once_have_no_verdict(wireshark: Wireshark) -> None:
    rows = exported(SAMPLE)["transmissions"]
    again = next(row for row in rows if row["verdict"] == "needed")
    text = f"{again['frame']}/{again['tsn'] + 1}=spurious,{rows[0]['frame']}=spurious"
    assert painted(wireshark, SAMPLE, "-2", *option(text)) == painted(wireshark, SAMPLE, "-2")


@pytest.mark.parametrize(
    ("preference", "text", "said"),
    [
        ("override", "347", "347"),
        ("override", "347=wrong", "347=wrong"),
        ("override", "-1=needed", "-1=needed"),
        ("override", "4294967296=needed", "4294967296=needed"),
        ("override", "347/=needed", "347/=needed"),
        ("loop", "soon", "soon"),
        ("max_ack_delay", "-1", "-1"),
    ],
)
def test_what_is_none_is_refused_by_name(
    preference: str, text: str, said: str, wireshark: Wireshark
) -> None:
    wireshark.capture(SAMPLE)
    told = ("-o", f"sctp_rack.{preference}:{text}")
    done = wireshark.process("tshark", "-r", SAMPLE.name, *told, "-c", "1")
    assert f'sctp_rack.{preference}: "{said}"' in done.stderr
    assert done.returncode == 0


def test_what_is_refused_is_told_once_and_not_kept(wireshark: Wireshark) -> None:
    """Setup: two files after each other in one Wireshark, with a text of which one part is
    understood. Expectation: that part stays, of the other nothing is heard again."""
    told = {"override": "347=wrong, 348=needed", "loop": "soon"}
    settings: list[dict[str, object]] = [
        {"method": "setconf", "params": {"name": f"sctp_rack.{name}", "value": text}}
        for name, text in told.items()
    ]
    asked: list[dict[str, object]] = [
        {"method": "dumpconf", "params": {"pref": f"sctp_rack.{name}"}} for name in told
    ]
    lines = [*settings, load(wireshark, SAMPLE), load(wireshark, SAMPLE), *asked]
    script = wireshark.home / "settings"
    script.write_text(
        "".join(
            json.dumps({"jsonrpc": "2.0", "id": number, **line}) + "\n"
            for number, line in enumerate(lines, 1)
        )
    )
    done = wireshark.process("sh", "-c", f"sharkd - < {script}")
    assert done.stderr.count('"347=wrong"') == done.stderr.count('"soon"') == 1
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    kept = [answer["result"]["prefs"] for answer in answers[-2:]]
    assert [next(iter(pref.values()))["s"] for pref in kept] == ["348=needed", ""]
