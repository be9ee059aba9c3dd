// SPDX-License-Identifier: BSD-2-Clause
// The axes of the graph: round numbers, as many as have room.
"use strict";

// A step of 1, 2 or 5 times a power of ten, of which about `most` fit.
function roundStep(length, most) {
  const least = length / most, power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least);
}

function ticks([begin, end], most, whole) {
  const step = Math.max(roundStep(end - begin, most), whole ? 1 : 0);
  const places = [];
  for (let at = Math.ceil(begin / step); at * step <= end; at++) places.push(at * step + 0); // no -0
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return places.map((place) => [place, place.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })]);
}

function drawAxes(pen, graph, colour) {
  const { left, top, width, height } = graph.box;
  pen.font = "12px system-ui, sans-serif";
  pen.lineWidth = 1;
  pen.strokeStyle = colour("rule");
  pen.fillStyle = colour("soft");
  pen.textBaseline = "top";
  pen.textAlign = "center";
  for (const [place, text] of ticks(graph.x, Math.max(width / 90, 4), false)) {
    const x = Math.round(graph.toX(place)) + 0.5;
    pen.strokeRect(x, top, 0, height);
    const half = pen.measureText(text).width / 2;
    pen.fillText(text, Math.min(x, left + width - half), top + height + graph.lane + 4);
  }
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const [place, text] of ticks(graph.y, Math.max(height / 50, 4), true)) {
    const y = Math.round(graph.toY(place)) + 0.5;
    pen.strokeRect(left, y, width, 0);
    pen.fillText(text, left - 6, y);
  }
  pen.textAlign = "right";
  pen.textBaseline = "bottom";
  const below = top + height + graph.lane + EDGE.bottom;
  pen.fillText("\u2191 TSN", left - 6, below);
  pen.fillText("seconds \u2192", left + width, below);
}
