// SPDX-License-Identifier: BSD-2-Clause
// Where the transmissions of a direction are in its graph: seconds, and TSNs on a straight line, as they wrap at 2^32
// (RFC 9260 section 1.6).
"use strict";

// The points of a direction, chosen from columns of the whole capture.
function placesOf({ sent, acked }, way) {
  const rows = indexesOf(sent.way, way), feedback = indexesOf(acked.way, way);
  const base = rows.length ? sent.tsn[rows[0]] : 0;
  return {
    base,
    time: pick(sent.time, rows),
    place: unwrapped(sent.tsn, rows, base),
    mark: pick(sent.mark, rows),
    cause: pick(sent.cause, rows),
    frame: pick(sent.frame, rows),
    tsn: pick(sent.tsn, rows),
    ackedTime: pick(acked.time, feedback),
    ackedPlace: unwrapped(acked.tsn, feedback, base),
  };
}

// The values of a column at some rows.
function pick(column, rows) {
  const picked = new column.constructor(rows.length);
  for (let at = 0; at < rows.length; at++) picked[at] = column[rows[at]];
  return picked;
}

function indexesOf(ways, way) {
  let found = 0;
  for (let row = 0; row < ways.length; row++) found += ways[row] === way;
  const rows = new Uint32Array(found);
  for (let row = 0, at = 0; at < found; row++) if (ways[row] === way) rows[at++] = row;
  return rows;
}

// Each as its distance from the first; neighbours are less than 2^31 apart.
function unwrapped(tsns, rows, base) {
  const places = new Float64Array(rows.length);
  let tsn = base, place = 0;
  for (let at = 0; at < rows.length; at++) {
    place += (tsns[rows[at]] - tsn) | 0;
    places[at] = place;
    tsn = tsns[rows[at]];
  }
  return places;
}
