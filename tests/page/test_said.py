# SPDX-License-Identifier: BSD-2-Clause
"""What the page says of a capture: the words and sums of `sctp-rack analyze`."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sctp_rack
from sctp_rack.recovery.direction import recovery
from sctp_rack.summary.opening import headline, opening

from tests.analyzer.test_bad_input import run
from tests.analyzer.test_filtered import signalling
from tests.browser import Page
from tests.builder import sctp
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, IN_DTLS, SAMPLE, bundled, long_but, name_of
from tests.page.dropped import analysed, in_worker, text, texts
from tests.story.rows import again, tally_of

#: What of the sentence the page leaves out.
_OF_RACK = "; RACK-TLP would have "

#: Class 5 and doubtful, one timeout, a family of causes, nothing sent again, both directions.
_FEW = {
    SAMPLE.name,
    "usrsctp-both-ways.middle.pcap",
    "linux-outage.receiver.pcap",
}


def first_line(capture: Path) -> str:
    said = headline(sctp_rack.read(capture).summary)
    before, left_out, _ = said.partition(_OF_RACK)
    return before + "." if left_out else before


def unanswered() -> Talk:
    talk = Talk()
    for tsn in (1, 2, 1):
        talk.say(A, B, sctp.data(tsn), later_us=300_000)
    return talk


def calm() -> Talk:
    talk = Talk()
    talk.say(A, B, sctp.data(1))
    talk.say(B, A, sctp.sack(1))
    return talk


@pytest.mark.parametrize("capture", long_but(_FEW, bundled()), ids=name_of)
def test_it_opens_with_the_words_of_analyze(page: Page, capture: Path) -> None:
    analysed(page, capture)
    first, _, then = first_line(capture).partition("; ")

    assert text(page, "#verdict .first").rstrip(".") == first.rstrip(".")
    if then:
        assert text(page, "#verdict .then") == then[0].upper() + then[1:]


def test_the_sums_of_each_direction_are_those_of_analyze(page: Page) -> None:
    capture = BUNDLED / "usrsctp-both-ways.middle.pcap"
    analysed(page, capture)
    (association,) = json.loads(run("analyze", "--json", capture).stdout)["associations"]
    wanted = {}
    for name, side in (("a to b", association["a"]), ("b to a", association["b"])):
        recovery = side["recovery"]
        verdicts = (
            sum(recovery["verdicts"].get(one, {}).values())
            for one in ("spurious", "needed", "undetermined")
        )
        wanted[f"Association 0, {name}"] = [
            *(side["data"]["chunks"], recovery["lost"], recovery["retransmissions"]),
            *verdicts,
        ]

    names = texts(page, "#directions .choose")
    cells = [int(cell.replace(",", "")) for cell in texts(page, "#directions td")]

    assert dict(zip(names, (cells[:6], cells[6:]), strict=True)) == wanted


def test_what_is_encrypted_is_said(page: Page) -> None:
    analysed(page, BUNDLED / f"{IN_DTLS}.sender.pcapng")

    assert "DTLS that was not read" in text(page, "#verdict")
    assert "drop a key log with the keys of the session here as well" in text(page, "#notices")
    assert not page.evaluate("document.getElementById('of-direction').checkVisibility()")


def _by_hand(random: Random) -> list[dict[str, Any]]:
    """Retransmissions of a direction, a few of each frame, of few causes."""
    causes = random.sample(["t3", "t3_gbn", "fast", "fast_deferred", "rack", "tlp", "unknown"], 3)
    verdicts = random.choice([["spurious"], ["needed"], ["spurious", "needed", "undetermined"]])
    return [
        again(
            *(10 + at // random.choice([1, 2]), at, random.choice(causes)),
            *(random.choice(verdicts), 100.0 * at),
            verdict_class=random.choice([3, 4, 5]),
            cause_class=random.choice([1, 2, 4]),
        )
        for at in range(random.choice([1, 2, 3, 8]))
    ]


def test_it_says_of_any_retransmissions_what_analyze_says(page: Page) -> None:
    random = Random(1)
    many = [[_by_hand(random) for _ in range(random.choice([1, 1, 2]))] for _ in range(400)]
    names = ("frame", "verdict", "verdict_class", "cause", "cause_class")
    told = [[[[row[name] for name in names] for row in rows] for rows in ways] for ways in many]
    said = in_worker(
        page,
        f"{json.dumps(told)}.map((capture) => {{ const ways = new Ways();"
        "capture.forEach((rows, way) => rows.forEach((row) =>"
        " Analysis.prototype.add(ways.of(way), ...row)));"
        "return opening([...ways.sums.values()]); })",
    )

    for ways, sentence in zip(many, said, strict=True):
        wanted = opening([recovery(tally_of(rows)) for rows in ways])
        assert sentence == wanted
    assert len(set(said)) > 100


@pytest.mark.parametrize(
    ("talk", "said"),
    [
        (signalling(), "26 DATA chunks; packets without DATA were filtered out of the file, so"),
        (unanswered(), "1 retransmission among 3 DATA chunks; no acknowledgement was captured, so"),
        (calm(), "1 DATA chunk, none of them a retransmission as far as can be seen."),
    ],
    ids=["filtered", "unanswered", "never again"],
)
def test_it_claims_nothing_that_cannot_be_seen(
    page: Page, tmp_path: Path, talk: Talk, said: str
) -> None:
    path = talk.write(tmp_path)
    analysed(page, path)

    assert headline(sctp_rack.read(path).summary).startswith(said)
    assert page.evaluate("headline(told)") == headline(sctp_rack.read(path).summary)


def test_a_direction_is_told_in_the_words_of_analyze(page: Page) -> None:
    analysed(page, SAMPLE)
    said = run("analyze", SAMPLE).stdout.decode()
    facts = dict(zip(texts(page, "#facts dt"), texts(page, "#facts dd"), strict=True))

    assert f"  tap             {facts['tap']}\n" in said
    assert facts["sent"] == "390 DATA chunks, 195,000 bytes"
    assert facts["lost"] == "21 of 390 transmissions (5.4 %)"
    assert texts(page, "[aria-label=Causes] td") == [
        *("26", "2 of class 4, 24 of class 3"),
        *("4", "2 of class 4, 2 of class 3"),
    ]


def test_of_many_directions_those_with_most_retransmissions_are_shown(page: Page) -> None:
    analysed(page, BUNDLED / "usrsctp-both-ways.middle.pcap")
    said = page.evaluate(
        "directionsTable(Array.from({ length: 60 }, () => directions[0]), () => {}).innerText"
    )

    assert page.evaluate("directions.map((one) => one.again)") == [4, 1]
    assert "10 directions more, with fewer retransmissions" in said
    assert said.count("Association 0") == 50


def test_what_could_not_be_read_is_told(page: Page) -> None:
    skipped = [["dtls", 1], ["encrypted", 2], ["snapped", 3], ["other_protocol", 9]]
    dtls = {
        "unopened": [{"word": "no_key", "records": 1, "connections": 1, "first": 7}],
        "opened": 0,
        "packets": 0,
        "secrets": 0,
    }
    said = page.evaluate(
        f"noticesOf({{ end: 'Byte 9.', skipped: {json.dumps(skipped)}, uncounted: 1,"
        f" dtls: {json.dumps(dtls)} }})"
    )

    assert [line.split(":")[0].split(" that was")[0] for line in said] == [
        "The file ends early or is damaged",
        "1 frame holds DTLS",
        "2 frames are encrypted with IPsec ESP",
        "3 frames could not be read",
        "1 packet belongs to associations beyond the number that is followed.",
    ]
