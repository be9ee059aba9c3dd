// SPDX-License-Identifier: BSD-2-Clause
// What is seen in the graph, in sentences, and what a transmission in it says.
"use strict";

function legendOf(direction, { base, waits }) {
  const { meanings } = LAYOUT;
  const verdict = (name) => [name, total(direction.verdicts[name]), `sent again, ${name}: ${meanings.verdict[name]}`];
  const marks = [
    ["sent", direction.sent - direction.again, "sent for the first time"],
    ...VERDICTS.map(verdict),
    ["lost", direction.lost, `lost: ${meanings.outcome.lost}`],
  ].filter(([, number]) => number > 0);
  const letters = Object.keys(direction.causes).map((cause) => `${LAYOUT.causes[cause].letter} ${LAYOUT.causes[cause].noun}`);
  return [
    ...marks.map(([name, number, text]) => element("li", null, element("i", { class: name }), `${thousands(number)} ${text}`)),
    element("li", null, element("i", { class: "acked" }), "all below the line is acknowledged (cumulative TSN)"),
    ...(direction.sent - direction.again > EACH && direction.again
      ? [element("li", null, "the bars below show how many were sent again when, where too many are seen to draw each")]
      : []),
    ...(waits.limit.length
      ? [element("li", null, `the band at the bottom is what the sender waited for: ${sharesOf(waits).map(({ limit }) => `${limitOf(limit).letter} ${LAYOUT.enums.limit[limit]}`).join(", ")}`)]
      : []),
    element("li", null, `TSN ${base} is 0.${letters.length ? ` A letter is the cause: ${letters.join(", ")}.` : ""}`),
  ];
}

// One transmission of the graph; `row` is its number among the retransmissions, or -1.
function saysOf(points, at, resent, row) {
  const head = `Frame ${points.frame[at]}, ${seconds(points.time[at])}: TSN ${points.tsn[at]}`;
  const lost = points.mark[at] & MARKS.lost ? "; this copy was lost" : "";
  if (row < 0) return `${head} was sent${lost}.`;
  const { meanings } = LAYOUT, verdict = LAYOUT.enums.verdict[resent.verdict[row]], cause = LAYOUT.enums.cause[resent.cause[row]];
  const sure = (confidence) => confidence ? ` (class ${confidence})` : "";
  const trigger = resent.trigger_frame[row] ? `, triggered by frame ${resent.trigger_frame[row]}` : "";
  const evidence = wordsIn("evidence", resent.evidence[row]).map((code) => `${code}: ${meanings.evidence[code]}`);
  return `${head} was sent again, ${LAYOUT.causes[cause].noun}${sure(resent.cause_class[row])}${trigger}${lost}. `
    + `${sentence(verdict)}${sure(resent.verdict_class[row])}: ${meanings.verdict[verdict]}.`
    + `${evidence.length ? ` Evidence: ${evidence.join("; ")}.` : ""}`;
}
