# SPDX-License-Identifier: BSD-2-Clause
"""Questions that fleets are asked again and again, as SQL over the tables."""

from sctp_rack.fleet.rows import SUMMED
from sctp_rack.names import Verdict


def _chunks(name: str, which: str) -> str:
    return f"coalesce(sum(chunks) FILTER ({which}), 0)::BIGINT AS {name}"


_VERDICTS = ", ".join(
    _chunks(word, f"verdict = '{word}'")
    for word in (Verdict.NEEDED, Verdict.SPURIOUS, Verdict.UNDETERMINED)
)

_COUNTS = f"""
  {_chunks("chunks", "true")}, {_chunks("retransmissions", "kind = 'retransmission'")},
  {_VERDICTS}, {_chunks("lost", "outcome = 'lost'")}
"""

#: One row for each capture that was read.
SUMS = f"""
SELECT capture, status, first_ns, {", ".join(SUMMED)}
FROM captures WHERE frames IS NOT NULL
ORDER BY spurious DESC, retransmissions DESC, capture
"""

WORST = f"""
WITH counted AS (
  SELECT capture, assoc, dir, {_COUNTS} FROM sent GROUP BY capture, assoc, dir
),
repaired AS (
  SELECT capture, assoc, dir, count(*) FILTER (by_timeout) AS by_timeout,
    sum(end_ns - begin_ns)::DOUBLE / 1e9 AS recovery_s
  FROM recoveries GROUP BY capture, assoc, dir
)
SELECT spurious, needed, undetermined, lost, chunks, coalesce(by_timeout, 0) AS by_timeout,
  round(coalesce(recovery_s, 0), 3) AS recovery_s, capture, assoc, dir, a, b
FROM counted LEFT JOIN repaired USING (capture, assoc, dir)
  LEFT JOIN associations USING (capture, assoc)
WHERE retransmissions > 0 OR lost > 0
ORDER BY spurious DESC, retransmissions DESC, lost DESC, capture, assoc, dir
LIMIT 50
"""

CAUSES = f"""
SELECT cause, sum(chunks)::BIGINT AS retransmissions, {_VERDICTS},
  count(DISTINCT capture) AS captures, count(DISTINCT (capture, assoc)) AS associations
FROM sent WHERE kind = 'retransmission'
GROUP BY cause ORDER BY retransmissions DESC, cause
"""


def _by(what: str) -> str:
    return f"""
SELECT {what}, {_COUNTS}, sum(bytes)::BIGINT AS bytes,
  round(coalesce(sum(chunks) FILTER (outcome = 'lost'), 0) / sum(chunks), 6) AS lost_share,
  count(DISTINCT capture) AS captures
FROM sent GROUP BY {what} ORDER BY chunks DESC, {what}
"""


#: By the name that `sctp-rack query --named` takes; `ab` has more to it.
NAMED = {
    "captures": SUMS,
    "worst": WORST,
    "causes": CAUSES,
    "ppid": _by("ppid"),
    "paths": _by("path"),
    "unread": "SELECT capture, status, error FROM captures WHERE status <> 'read' ORDER BY capture",
}
