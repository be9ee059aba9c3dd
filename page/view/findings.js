// SPDX-License-Identifier: BSD-2-Clause
// What a person should know: the core's sentences, worst first, and below each the frames to look at. One that the graph
// has leads there.
"use strict";

const FIRST = 8; // that are seen without being asked for: the directions and the graph stand below

// Of each frame that a finding names the row among what was sent: of several in one packet one that was sent again.
function rowsOfFrames(findings, { frame, mark }) {
  const rows = new Map(findings.flatMap((one) => one.frames.map((number) => [number, -1])));
  if (rows.size === 0) return rows;
  for (let row = 0; row < frame.length; row++) {
    const found = rows.get(frame[row]);
    if (found === -1 || (found !== undefined && !isAgain(mark[found]) && isAgain(mark[row]))) rows.set(frame[row], row);
  }
  return rows;
}

function framesLine(frames, rows, show) {
  if (!frames.length) return null;
  const numbers = frames.map((number) => rows.get(number) < 0
    ? String(number)
    : element("button", { type: "button", class: "choose", "aria-label": `Frame ${number}, in the graph`, onclick: () => show(rows.get(number)) }, String(number)));
  return element("p", { class: "frames" }, frames.length === 1 ? "Frame " : "Frames ",
    ...numbers.flatMap((one, at) => at === 0 ? [one] : [", ", one]));
}

function findingItem({ severity, text, frames }, rows, show) {
  const word = LAYOUT.enums.severity[severity];
  return element("li", { class: word },
    element("p", null, element("span", { class: "severity" }, `${sentence(word)}.`), ` ${text}`), framesLine(frames, rows, show));
}

// `show` is told of the row that a person wants to see.
function findingsList({ findings, sent }, show) {
  const rows = rowsOfFrames(findings, sent);
  const list = (some) => element("ul", { class: "findings" }, ...some.map((one) => findingItem(one, rows, show)));
  const first = findings.slice(0, FIRST), then = findings.slice(FIRST);
  if (!first.length) return [];
  if (!then.length) return [list(first)];
  return [list(first), element("details", null, element("summary", null, `and ${many(then.length, "finding")} more`), list(then))];
}
