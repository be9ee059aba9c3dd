// SPDX-License-Identifier: BSD-2-Clause
// The sentence that the page opens with: that of `sctp-rack analyze` (summary/opening.py), but for what RACK-TLP would have
// saved, and what cannot be seen in a capture, which is never shown as if there were nothing.
"use strict";

const CERTAIN = 5, VERY_LIKELY = 4;

function headline(told) {
  const chunks = told.associations.reduce((sum, one) => sum + one.chunks_a2b + one.chunks_b2a, 0);
  const again = told.ways.reduce((sum, way) => sum + way.again, 0);
  const lost = told.ways.reduce((sum, way) => sum + way.lost, 0);
  if (!chunks) return withoutData(told);
  if (told.filtered) {
    const sent = again ? `, ${thousands(again)} of them sent again` : "";
    return `${many(chunks, "DATA chunk")}${sent}; packets without DATA were filtered out of the file, so what was lost, `
      + "and why anything came again, cannot be told.";
  }
  if (!again) {
    return lost
      ? `${many(chunks, "DATA chunk")}, ${thousands(lost)} of them lost, and none sent again as far as can be seen.`
      : `${many(chunks, "DATA chunk")}, none of them a retransmission as far as can be seen.`;
  }
  if (!told.ways.some((way) => way.answered)) {
    return `${many(again, "retransmission")} among ${many(chunks, "DATA chunk")}; no acknowledgement was captured, so `
      + "nobody can tell whether they were needed.";
  }
  return opening(told.ways.filter((way) => way.again));
}

const opening = (ways) => `${[spuriousOf(ways), whence(ways)].filter(Boolean).join("; ")}.`;

function withoutData(told) {
  const dtls = Object.fromEntries(told.skipped).dtls;
  if (dtls) return `No DATA to be seen: ${many(dtls, "frame")} ${dtls === 1 ? "holds" : "hold"} DTLS that was not read.`;
  return `No DATA in ${many(told.packets, "SCTP packet")}.`;
}

const verdictTotal = (ways, verdict) => ways.reduce((sum, way) => sum + total(way.verdicts[verdict]), 0);
const was = (number) => number === 1 ? "was" : "were";
const allOf = (again) => again === 1 ? "The only retransmission was" : `All ${thousands(again)} retransmissions were`;

function spuriousOf(ways) {
  const again = ways.reduce((sum, way) => sum + way.again, 0);
  const spurious = verdictTotal(ways, "spurious"), open = verdictTotal(ways, "undetermined");
  if (open === again) {
    return again === 1
      ? "Whether the only retransmission was needed cannot be told from this capture"
      : `Whether any of the ${thousands(again)} retransmissions was needed cannot be told from this capture`;
  }
  if (spurious === again) return `${allOf(again)} spurious (${howSure(ways, "spurious")})`;
  if (!spurious) {
    const needed = again - open, sure = howSure(ways, "needed");
    if (!open) return `${allOf(again)} needed (${sure})`;
    return `${thousands(needed)} of ${thousands(again)} retransmissions ${was(needed)} needed (${sure}), ${thousands(open)} undetermined`;
  }
  const sure = howSure(ways, "spurious");
  const text = `${thousands(spurious)} of ${thousands(again)} retransmissions ${was(spurious)} spurious (${sure})`;
  return open ? `${text}, ${thousands(open)} undetermined` : text;
}

function howSure(ways, verdict) {
  const number = verdictTotal(ways, verdict), parts = [];
  for (const [word, confidence] of [["certain", CERTAIN], ["very likely", VERY_LIKELY]]) {
    const some = ways.reduce((sum, way) => sum + (way.verdicts[verdict]?.[confidence] ?? 0), 0);
    if (some === number) return word;
    if (some) parts.push(`${thousands(some)} ${word}`);
  }
  return parts.join(", ") || "probably";
}

// Where at least half of the spurious ones come from: one timeout, else one cause.
function whence(ways) {
  const spurious = verdictTotal(ways, "spurious");
  if (spurious < 2) return "";
  const doubtful = verdictTotal(ways, "undetermined") > 0;
  const worst = ways.map((way) => way.worst).filter(Boolean)
    .reduce((most, one) => !most || one.spurious > most.spurious ? one : most, null);
  if (worst && worst.spurious > 1 && 2 * worst.spurious >= spurious) {
    return `${ofThem(worst.spurious, spurious, doubtful)} came from one timeout at frame ${worst.frame}`;
  }
  const counts = new Map(), classes = {};
  for (const way of ways) {
    for (const [cause, byClass] of Object.entries(way.spuriousCauses)) {
      const { family } = LAYOUT.causes[cause];
      counts.set(family, (counts.get(family) ?? 0) + total(byClass));
      for (const one of Object.keys(byClass)) (classes[family] ??= new Set()).add(one);
    }
  }
  const [how, number] = [...counts].reduce((most, one) => one[1] > most[1] ? one : most);
  if (how === LAYOUT.causes.unknown.family || number < 2 || 2 * number < spurious) return "";
  const found = [...classes[how]].map(Number), least = Math.min(...found), most = Math.max(...found);
  const sure = least === most ? `class ${least}` : `classes ${least} to ${most}`;
  return `${ofThem(number, spurious, doubtful)} ${was(number)} sent ${how} (${sure})`;
}

function ofThem(number, all, doubtful) {
  const them = doubtful ? "the spurious ones" : "them";
  if (number < all) return `${thousands(number)} of ${them}`;
  return all === 2 ? `both of ${them}` : `all of ${them}`;
}
