# SPDX-License-Identifier: BSD-2-Clause
"""Counts that add up over captures, and the figures that follow from them."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

#: A cause with fewer cases says nothing about how well it is found.
_COMMON = 20


@dataclass
class Question:
    """Yes or no, asked of each case: claims that are right, claims that are wrong; and of the cases
    that are known to be knowable: found, missed."""

    right: int = 0
    wrong: int = 0
    found: int = 0
    missed: int = 0

    @property
    def cases(self) -> int:
        """That can be known."""
        return self.found + self.missed

    @property
    def precision(self) -> float | None:
        return _ratio(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float | None:
        return _ratio(self.found, self.cases)

    def add(self, other: "Question") -> None:
        self.right += other.right
        self.wrong += other.wrong
        self.found += other.found
        self.missed += other.missed


@dataclass
class Share:
    """How many of so many."""

    part: int = 0
    of: int = 0

    @property
    def value(self) -> float | None:
        return _ratio(self.part, self.of)

    def count(self, belongs: bool) -> None:
        self.part += belongs
        self.of += 1

    def add(self, other: "Share") -> None:
        self.part += other.part
        self.of += other.of


@dataclass(frozen=True)
class Mistake:
    """What was said of a frame, what is true, and what is known of the reason."""

    capture: str
    what: str
    frame: int
    tsn: int
    true: str
    said: str
    reason: str
    evidence: tuple[str, ...] = ()  #: codes of the row


@dataclass
class Tally:
    """Of one capture, or of several.

    `questions`: retransmission, spurious, needed, probe, loss, marks. `shares`: kind, undetermined
    (of what can be known), left_open (of what cannot), cause, cause_answered, cause_family,
    vantage, profile, invented (originals said to be sent again), tried (retransmissions of which
    it was tried whether the tap can know).
    `calibration`: the share that is right of the claims of a column and class.
    `causes`, `verdicts`: how often which was true and which was said.
    """

    rows: int = 0
    missing: int = 0
    extra: int = 0
    questions: defaultdict[str, Question] = field(default_factory=lambda: defaultdict(Question))
    shares: defaultdict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    calibration: defaultdict[tuple[str, int | None], Share] = field(
        default_factory=lambda: defaultdict(Share)
    )
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.rows += other.rows
        self.missing += other.missing
        self.extra += other.extra
        for name, question in other.questions.items():
            self.questions[name].add(question)
        for name, share in other.shares.items():
            self.shares[name].add(share)
        for key, share in other.calibration.items():
            self.calibration[key].add(share)
        self.causes += other.causes
        self.verdicts += other.verdicts
        self.mistakes += other.mistakes

    def claims(self, column: str) -> Share:
        """Of a column, of all classes: how many are right."""
        together = Share()
        for (name, _), share in self.calibration.items():
            if name == column:
                together.add(share)
        return together

    @property
    def mean_cause_recall(self) -> float | None:
        """The mean, over the causes with at least 20 cases, of the share that was named."""
        cases: Counter[str] = Counter()
        for (true, _), count in self.causes.items():
            cases[true] += count
        recalls = [self.causes[one, one] / n for one, n in cases.items() if n >= _COMMON]
        return _ratio(sum(recalls), len(recalls))


def total(tallies: "list[Tally]") -> Tally:
    """All of them together."""
    together = Tally()
    for one in tallies:
        together.add(one)
    return together


def _ratio(part: float, of: int) -> float | None:
    return part / of if of else None
