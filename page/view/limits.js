// SPDX-License-Identifier: BSD-2-Clause
// What the sender of a direction waited for: shares of its time as limits/shares.py sums them up, and the band below the graph.
"use strict";

const BAND = 16; // pixels
const LETTER = 9; // pixels that a letter of the band needs

// Intervals of a direction, in their order.
function waitsOf({ limits }, way) {
  const rows = indexesOf(limits.way, way);
  return Object.fromEntries(Object.entries(limits).map(([name, column]) => [name, pick(column, rows)]));
}

// Longest first.
function sharesOf({ begin, end, limit, limit_class, bytes }) {
  const shares = new Map();
  for (let at = 0; at < limit.length; at++) {
    let one = shares.get(limit[at]);
    if (!one) shares.set(limit[at], one = { limit: limit[at], time: 0, bytes: 0, byClass: [0, 0, 0, 0, 0, 0] });
    one.time += end[at] - begin[at];
    one.byClass[limit_class[at]] += end[at] - begin[at];
    one.bytes += bytes[at];
  }
  const whole = end.length ? end[end.length - 1] - begin[0] : 0;
  return [...shares.values()].map((one) => ({ ...one, share: one.time / whole, confidence: classOf(one) }))
    .sort((one, other) => other.time - one.time || one.limit - other.limit);
}

// Half of its time or more has it, or a higher one.
function classOf({ time, byClass }) {
  let left = time;
  for (let level = 5; level > 1; level--) {
    left -= byClass[level];
    if (byClass[level] && 2 * left <= time) return level;
  }
  return 1;
}

const limitOf = (code) => LAYOUT.limits[LAYOUT.enums.limit[code]];

function limitsTable(waits) {
  const shares = sharesOf(waits);
  if (!shares.length) return null;
  const heads = [["what its sender waited for", null], ["of the time", "n"], ["bytes sent meanwhile", "n"], ["class", null]];
  return element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "What its sender waited for" },
    element("table", { class: "causes", id: "limits" },
      element("thead", null, element("tr", null, ...heads.map(([name, kind]) => element("th", { scope: "col", class: kind }, name)))),
      element("tbody", null, ...shares.map(({ limit, share: part, bytes, confidence }) => element("tr", null,
        element("th", { scope: "row" }, element("code", null, LAYOUT.enums.limit[limit]),
          element("small", null, `${limitOf(limit).letter}  ${limitOf(limit).sentence}`)),
        element("td", { class: "n", "data-name": "time" }, `${(100 * part).toFixed(1)} %`),
        element("td", { class: "n", "data-name": "bytes" }, thousands(bytes)),
        element("td", { "data-name": "class" }, String(confidence)))))));
}

// The intervals in view, beside each other: an edge where the next begins, and the letter where there is room. Of those that
// share a pixel the longest is drawn.
function drawBand(pen, graph, top, colour) {
  const { left, width } = graph.box, { begin, end, limit } = graph.points.waits;
  const pixels = new Uint8Array(Math.max(Math.ceil(width), 0)).fill(NOTHING_WAITED), longest = new Float64Array(pixels.length);
  for (let at = 0; at < limit.length; at++) {
    const from = Math.max(graph.toX(begin[at]) - left, 0), to = Math.min(graph.toX(end[at]) - left, width);
    for (let pixel = Math.floor(from); pixel < to; pixel++) {
      const here = Math.min(to, pixel + 1) - Math.max(from, pixel);
      if (here > longest[pixel]) [longest[pixel], pixels[pixel]] = [here, limit[at]];
    }
  }
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.font = "11px system-ui, sans-serif";
  for (let from = 0, to = 0; from < pixels.length; from = to) {
    while (to < pixels.length && pixels[to] === pixels[from]) to++;
    if (pixels[from] === NOTHING_WAITED) continue;
    pen.fillStyle = colour("rule");
    pen.fillRect(left + from, top, 1, BAND);
    pen.fillRect(left + from, top + BAND, to - from, 1);
    pen.fillStyle = colour("soft");
    if (to - from >= LETTER) pen.fillText(limitOf(pixels[from]).letter, left + (from + to) / 2, top + BAND / 2);
  }
}

const NOTHING_WAITED = 255; // before the first data, and after the last acknowledgement
