# SPDX-License-Identifier: BSD-2-Clause
"""What is said of a retransmission, of cases that no capture needs to have: all evidence.

The page's rules are those of `sctp_rack.story`, rule by rule.
"""

import json
from random import Random
from typing import Any

from sctp_rack.names import ENUMS, Evidence
from sctp_rack.story.acknowledgements import Feedback, TsnFeedback
from sctp_rack.story.alternatives import ruled_out
from sctp_rack.story.evidence import TOO_EARLY, Case, cause_sentences, sentences
from sctp_rack.story.explain import _missed, _sent
from sctp_rack.story.instead import instead

from tests.browser import Page
from tests.page.dropped import in_worker

MS = 1_000_000


class Due:
    """When a tail loss probe would have been due, in place of a direction that tells it."""

    def __init__(self, due_ns: int | None) -> None:
        self.due_ns = due_ns

    def probe_due_ns(self, _row: object, _path: object) -> int | None:
        return self.due_ns


def some(random: Random, enum: str) -> str:
    return random.choice([str(word) for word in ENUMS[enum]])


def copy(
    random: Random, number: int, time_ns: int, acked: tuple[int, int] | None
) -> dict[str, Any]:
    """Any row of `transmissions`, as far as a story looks at it."""
    # An answer that came too early is one that came.
    codes = [code.value for code in Evidence if acked or code not in TOO_EARLY]
    return {
        "frame": 10 * number,
        "time_ns": time_ns,
        "copy": number,
        "bytes": random.choice([1, 999, 1452, 40_000]),
        "kind": random.choice(["retransmission", some(random, "kind")]),
        "probe": random.choice([None, some(random, "probe")]),
        "prev_frame": random.choice([None, 10 * number - 10]),
        "trigger_frame": random.choice([None, 10 * number - 1]),
        "crc": random.choice(["good", "bad"]),
        "cause": some(random, "cause"),
        "cause_class": random.choice([None, 1, 5]),
        "verdict": some(random, "verdict"),
        "verdict_class": random.choice([None, 1, 3, 4, 5]),
        "evidence": random.sample(codes, random.randrange(6)),
        "acked_frame": acked and acked[0],
        "acked_time_ns": acked and acked[1],
    }


def mark(random: Random, row: dict[str, Any]) -> dict[str, Any] | None:
    lead = random.choice([None, 0, MS, -MS, 3 * MS, -250_000, 1_500_000_000])
    found = {
        "time_ns": row["time_ns"] - random.randrange(5 * MS),
        "by_frame": random.choice([None, 7]),
        "trigger": some(random, "trigger"),
        "reo_wnd_ns": random.choice([None, 0, 12_250_000]),
        "resolution": some(random, "resolution"),
        "sender_lead_ns": lead,
    }
    return random.choice([None, found])


def made(random: Random) -> dict[str, Any]:
    """A TSN with its copies and what answered it; JSON."""
    acked = random.choice([None, (95, random.randrange(400 * MS))])
    times = sorted(random.randrange(400 * MS) for _ in range(random.randrange(1, 7)))
    copies = [copy(random, at + 1, time, acked) for at, time in enumerate(times)]
    at = random.randrange(len(copies))
    rows = [
        {
            "frame": frame,
            "time_ns": random.randrange(400 * MS),
            "kind": some(random, "sack_kind"),
            "leaves_out": random.random() < 0.7,
            "news": random.random() < 0.5,
            "duplicates": random.choice([0, 0, 1, 3]),
        }
        for frame in sorted(random.sample(range(1, 90), random.randrange(12)))
    ]
    path = {
        "min_rtt_ns": random.choice([None, 40_100_000]),
        "rto_ns": random.choice([None, 1_000_000_000, 100 * MS]),
        "sender_has_rack": some(random, "answer"),
    }
    return {
        "copies": copies,
        "at": at,
        "feedback": rows,
        "path": random.choice([None, path, path, path]),
        "mark": mark(random, copies[at]),
        "due_ns": random.choice([None, copies[at]["time_ns"] - 5 * MS, copies[at]["time_ns"]]),
    }


def of_command(told: dict[str, Any]) -> list[list[str]]:
    copies, at, path = told["copies"], told["at"], told["path"]
    every = [Feedback(cum_tsn=0, **one) for one in told["feedback"]]
    last = copies[-1] if at < len(copies) - 1 else None
    case = Case(
        copies[at],
        copies[at - 1] if at else None,
        last,
        len(copies),
        TsnFeedback(every),
        path and path["min_rtt_ns"],
    )
    return [
        sentences(case),
        cause_sentences(case),
        ruled_out(case, path),
        instead(copies[at], told["mark"], Due(told["due_ns"]), path),  # type: ignore[arg-type]
        [event.text for event in _sent(copies)],
        [event.text for event in _missed(copies, every)],
    ]


_PAGE = """cases.map(({ copies, at, feedback: rows, path, mark, due_ns: due }) => {
  const every = rows.map(({ leaves_out: leavesOut, ...one }) => ({ ...one, leavesOut }));
  const feedback = new Feedback(every), last = at < copies.length - 1 ? copies.at(-1) : null;
  const one = { row: copies[at], before: copies[at - 1] ?? null, last, copies: copies.length,
    feedback, minRtt: path?.min_rtt_ns ?? null };
  return [verdictTexts(one), causeTexts(one), ruledOut(one, path),
    insteadTexts(one.row, mark, due), copies.map(sentText),
    missedEvents(copies, feedback.leftOut).map(({ text }) => text())];
})"""


def test_each_rule_says_what_the_command_says(page: Page) -> None:
    random = Random(1)
    cases = [made(random) for _ in range(600)]
    text = json.dumps(cases)
    times = "(name, value) => name.endsWith('_ns') && value !== null ? BigInt(value) : value"
    found = in_worker(
        page,
        f"(() => {{ const cases = JSON.parse({json.dumps(text)}, {times}); return {_PAGE}; }})()",
    )

    for case, page_says in zip(cases, found, strict=True):
        assert page_says == of_command(case)
    said = " ".join(text for case in found for texts in case for text in texts)
    assert "None" not in said and "undefined" not in said and "{" not in said
