// SPDX-License-Identifier: BSD-2-Clause
// The comment of each frame of a capture, in the order of the frames: as annotate/remark.py and annotate/remarks.py, in their words.
"use strict";

const REMARKED = valuesOf("transmissions", [
  "frame", "tsn", "copy", "kind", "cause", "cause_class", "trigger_frame", "probe", "probe_class", "verdict", "verdict_class", "evidence",
  "outcome", "outcome_class", "first_frame", "prev_frame", "acked_frame",
]);

const remarkPart = (part, values = {}) => filled(LAYOUT.annotate.remarks[part], values);

function remarkSure(level, evidence = []) {
  if (level === null) return "";
  const codes = evidence.length ? remarkPart("codes", { codes: evidence.join(" ") }) : "";
  return remarkPart("sure", { word: LAYOUT.annotate.sure[level], level, codes });
}

function remarkOfResent(row) {
  const said = [], { first_frame: first, prev_frame: before } = row;
  if (row.cause !== null) {
    const trigger = row.trigger_frame ? remarkPart("trigger", { frame: row.trigger_frame }) : "";
    said.push(remarkPart("cause", { word: row.cause, sure: remarkSure(row.cause_class, ofCause(row.evidence)), trigger }));
  }
  if (row.verdict !== null) said.push(remarkPart("word", { word: row.verdict, sure: remarkSure(row.verdict_class, ofVerdict(row.evidence)) }));
  said.push(remarkPart(before === null ? "unseen" : first === before ? "original" : "before", { frame: first, before }));
  return said;
}

function remarkOfFate(row, resent) {
  const { outcome: word } = row, fate = { word, sure: remarkSure(row.outcome_class) };
  if (word === "lost") return [remarkPart("word", fate), resent ? remarkPart("resent", { frame: resent }) : remarkPart("never")];
  if (word === "acked" && row.kind === "original" && row.acked_frame) return [remarkPart("acked", { ...fate, frame: row.acked_frame })];
  return word === "abandoned" ? [remarkPart("word", fate)] : [];
}

// A row in one line; `resent` is the frame of the next copy, if any.
function remarkOf(row, resent) {
  const said = [remarkPart("begin", row)];
  if (row.kind === "retransmission") said.push(...remarkOfResent(row));
  else if (["network_duplicate", "capture_duplicate"].includes(row.kind)) said[0] += remarkPart("repeats", { frame: row.prev_frame });
  if (row.probe !== null) {
    const fresh = row.probe === "new_data" ? remarkPart("probe.new") : "";
    said.push(remarkPart("probe", { new: fresh, sure: remarkSure(row.probe_class) }));
  }
  return [...said, ...remarkOfFate(row, resent)].join(", ");
}

function joinedRemarks(texts) {
  let length = 0;
  for (let count = 0; count < texts.length; count++) {
    length += texts[count].length + 2;
    if (length > LAYOUT.annotate.longest) return [...texts.slice(0, count), remarkPart("more", { count: texts.length - count })].join("; ");
  }
  return texts.join("; ");
}

// Rows that are told, and which copy came after which; that is known only from later rows.
class Remarks {
  constructor() {
    this.parts = [];
    this.resent = new Map();
    const code = (name, word) => LAYOUT.enums[name].indexOf(word), { size, fields } = LAYOUT.tables.transmissions;
    const [original, again] = [code("kind", "original"), code("kind", "retransmission")];
    const fates = LAYOUT.annotate.told_fates.map((word) => code("outcome", word));
    const [frame, tsn, before] = ["frame", "tsn", "prev_frame"].map((name) => fields[name][1] / 4);
    const [kind, probe, outcome] = ["kind", "probe", "outcome"].map((name) => fields[name][1]);
    this.take = ({ tables: { transmissions: rows } }) => {
      const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength), words = new Uint32Array(rows.buffer, rows.byteOffset, rows.byteLength / 4);
      const told = [];
      for (let at = 0; at < bytes.length; at += size) {
        const is = bytes[at + kind], word = at / 4;
        if ((is !== original && is !== NOTHING.word) || bytes[at + probe] !== NOTHING.word || fates.includes(bytes[at + outcome])) told.push(at);
        if (is === again && words[word + before]) this.follow(words[word + before], words[word + tsn], words[word + frame]);
      }
      if (!told.length) return;
      const kept = new Uint8Array(told.length * size);
      told.forEach((from, to) => kept.set(bytes.subarray(from, from + size), to * size));
      this.parts.push(kept);
    };
  }

  follow(frame, tsn, by) {
    if (!this.resent.has(frame)) this.resent.set(frame, new Map());
    this.resent.get(frame).set(tsn, by);
  }

  // Frame and comment, by frame; then nothing.
  *comments() {
    const { size } = LAYOUT.tables.transmissions;
    let frame = 0, texts = [];
    for (const part of this.parts) {
      const rows = { rows: new DataView(part.buffer), batch: {} };
      for (let at = 0; at < part.length; at += size) {
        const row = REMARKED(rows, at);
        if (row.frame !== frame && texts.length) yield [frame, LAYOUT.annotate.mark + joinedRemarks(texts)];
        if (row.frame !== frame) [frame, texts] = [row.frame, []];
        texts.push(remarkOf(row, this.resent.get(row.frame)?.get(row.tsn)));
      }
    }
    if (texts.length) yield [frame, LAYOUT.annotate.mark + joinedRemarks(texts)];
    yield [0, ""];
  }
}
