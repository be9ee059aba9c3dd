// SPDX-License-Identifier: BSD-2-Clause
// What the page shows of a capture, gathered while rows come: sums of each direction, every retransmission, and the points
// of the graph, in arrays of numbers that go to the page without being copied.
"use strict";

const wordsOf = (enumName) => LAYOUT.enums[enumName];
const codeOf = (enumName, word) => wordsOf(enumName).indexOf(word);

// An array of numbers that grows.
class Numbers {
  constructor(type) {
    this.values = new type(1024);
    this.length = 0;
  }

  push(value) {
    if (this.length === this.values.length) {
      const larger = new this.values.constructor(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  // Of numbers of the core, which are copied.
  append(values) {
    const length = this.length + values.length;
    if (length > this.values.length) {
      const larger = new this.values.constructor(Math.max(length, this.values.length * 2));
      larger.set(this.values.subarray(0, this.length));
      this.values = larger;
    }
    this.values.set(values, this.length);
    this.length = length;
  }

  get whole() {
    return this.values.slice(0, this.length);
  }
}

const numbersOf = (types) => Object.fromEntries(Object.entries(types).map(([name, type]) => [name, new Numbers(type)]));
const wholeOf = (columns) => Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.whole]));

const RESENT = {
  frame: Uint32Array, time: Float64Array, way: Uint32Array, tsn: Uint32Array, copy: Uint32Array, bytes: Uint16Array,
  verdict: Uint8Array, verdict_class: Uint8Array, cause: Uint8Array, cause_class: Uint8Array, outcome: Uint8Array,
  prev_frame: Uint32Array, trigger_frame: Uint32Array, evidence: BigUint64Array,
};
// As page/core/gather.c.
const GATHERED = ["time", "way", "tsn", "frame", "mark", "cause"];
const SENT = { time: Float64Array, way: Uint32Array, tsn: Uint32Array, frame: Uint32Array, mark: Uint8Array, cause: Uint8Array };
const ACKED = { time: Float64Array, way: Uint32Array, tsn: Uint32Array, mark: Uint8Array };
const LIMITS = { way: Uint32Array, begin: Float64Array, end: Float64Array, limit: Uint8Array, limit_class: Uint8Array, bytes: Float64Array };

// What became of a transmission, as the graph draws it: of a copy sent again its verdict, and beside it whether it was lost.
const MARK = { sent: 0, needed: 1, undetermined: 2, spurious: 3, other: 4, lost: 8 };

// A way is a direction of an association: 2 * association + 1 where the data is b's.
class Ways {
  constructor() {
    this.sums = new Map();
  }

  of(way) {
    let sums = this.sums.get(way);
    if (!sums) {
      sums = { way, lost: 0, again: 0, verdicts: {}, causes: {}, spuriousCauses: {}, timeout: null, worst: null };
      this.sums.set(way, sums);
    }
    return sums;
  }
}

const count = (of, word, confidence) => {
  const classes = of[word] ??= {};
  classes[confidence || 1] = (classes[confidence || 1] ?? 0) + 1; // without one it is a guess
};

// As recovery/timeouts.py: which retransmissions one T3-rtx timeout made, and which timeout made most spurious ones.
function addToTimeout(sums, frame, cause, spurious) {
  if (sums.timeout === null || (cause === "t3" && sums.timeout.frame !== frame)) {
    sums.timeout = { frame, again: 0, spurious: 0 };
  }
  const one = sums.timeout;
  one.again++;
  one.spurious += spurious;
}

// To be asked when a timeout has ended.
function endTimeout(sums) {
  const { timeout, worst } = sums;
  const worse = timeout && (!worst || timeout.spurious > worst.spurious
    || (timeout.spurious === worst.spurious && timeout.again > worst.again));
  if (worse) sums.worst = timeout;
}

const fieldsOf = (table) => Object.fromEntries(Object.keys(LAYOUT.tables[table].fields).map((name) => [name, field(table, name)]));

class Analysis {
  static tables = ["transmissions", "sacks", "limits", "counts", "paths", "associations"];

  constructor(core) {
    this.core = core;
    this.ways = new Ways();
    this.resent = numbersOf(RESENT);
    this.sent = numbersOf(SENT);
    this.acked = numbersOf(ACKED);
    this.limits = numbersOf(LIMITS);
    this.answered = new Set();
    this.rows = { counts: [], paths: [], associations: [] };
    this.liners = Object.fromEntries(Object.keys(this.rows).map((table) => [table, liner(table, "ndjson")]));
    this.of = fieldsOf("transmissions");
    this.ofLimit = fieldsOf("limits");
  }

  take() {
    this.first ??= this.core.earliest();
    this.takeSent();
    this.takeSacks();
    const batch = batchOf(this.core); // its memory may have moved
    this.takeLimits(batch.tables.limits);
    for (const [table, lines] of Object.entries(this.liners)) {
      for (const line of lines(batch).split("\n")) if (line) this.rows[table].push(JSON.parse(line));
    }
  }

  // Seconds since the first frame; without a time it is not drawn.
  seconds(ns) {
    return ns === NOTHING.time || this.first === NOTHING.time ? NaN : Number(ns - this.first) / 1e9;
  }

  // Columns that the core has gathered, behind those from before. Returns where they begin.
  gathered(columns, types, count) {
    if (count < 0) throw new CaptureError(NO_MEMORY);
    const begin = columns.time.length, { core } = this;
    for (const [name, type] of Object.entries(types)) {
      columns[name].append(new type(core.memory.buffer, core.column(GATHERED.indexOf(name)), count));
    }
    return begin;
  }

  takeSent() {
    const { core, sent } = this;
    for (let at = this.gathered(sent, SENT, core.gather_sent()); at < sent.time.length; at++) {
      if (sent.mark.values[at] & MARK.lost) this.ways.of(sent.way.values[at]).lost++;
      else this.ways.of(sent.way.values[at]);
    }
    const { size } = LAYOUT.tables.transmissions, rows = batchOf(core).tables.transmissions;
    for (const row of new Uint32Array(core.memory.buffer, core.resent(), core.resent_count())) this.takeResent(rows, row * size);
  }

  takeResent(rows, at) {
    const { resent, of } = this;
    const way = 2 * of.assoc(rows, at) + of.from(rows, at), frame = of.frame(rows, at);
    const verdict = of.verdict(rows, at), cause = of.cause(rows, at), unknown = codeOf("cause", "unknown");
    const word = wordsOf("verdict")[verdict] ?? "undetermined", why = wordsOf("cause")[cause] ?? "unknown";
    this.add(this.ways.of(way), frame, word, of.verdict_class(rows, at), why, of.cause_class(rows, at));
    resent.frame.push(frame);
    resent.time.push(this.seconds(of.time_ns(rows, at)));
    resent.way.push(way);
    resent.tsn.push(of.tsn(rows, at));
    resent.verdict.push(verdict === NOTHING.word ? codeOf("verdict", "undetermined") : verdict);
    resent.cause.push(cause === NOTHING.word ? unknown : cause);
    for (const name of ["copy", "bytes", "verdict_class", "cause_class", "outcome", "prev_frame", "trigger_frame", "evidence"]) {
      resent[name].push(of[name](rows, at));
    }
  }

  add(sums, frame, verdict, verdictClass, cause, causeClass) {
    sums.again++;
    count(sums.verdicts, verdict, verdictClass);
    count(sums.causes, cause, causeClass);
    if (verdict === "spurious") count(sums.spuriousCauses, cause, causeClass);
    if (cause === "t3" || cause === "t3_gbn") {
      addToTimeout(sums, frame, cause, verdict === "spurious");
      endTimeout(sums);
    }
  }

  takeSacks() {
    const { acked } = this;
    for (let at = this.gathered(acked, ACKED, this.core.gather_acked()); at < acked.time.length; at++) {
      if (acked.mark.values[at] !== LAYOUT.shutdown) this.answered.add(acked.way.values[at]);
    }
  }

  takeLimits(rows) {
    const { limits, ofLimit: of } = this, { size } = LAYOUT.tables.limits;
    for (let at = 0; at < rows.byteLength; at += size) {
      limits.way.push(2 * of.assoc(rows, at) + of.from(rows, at));
      limits.begin.push(this.seconds(of.begin_ns(rows, at)));
      limits.end.push(this.seconds(of.end_ns(rows, at)));
      limits.limit.push(of.limit(rows, at));
      limits.limit_class.push(of.limit_class(rows, at));
      limits.bytes.push(Number(of.bytes(rows, at)));
    }
  }

  // Its sentences, in the order in which they are read.
  findings() {
    const { core } = this, count = core.find();
    if (count < 0) throw new CaptureError(NO_MEMORY);
    return Array.from({ length: count }, (_, at) => ({
      severity: core.finding_severity(at),
      code: core.finding_code(at),
      text: textAt(core, core.finding_text(at)),
      frames: [...new Uint32Array(core.memory.buffer, core.finding_frames(at), core.finding_frame_count(at))],
    }));
  }

  // All of it, and what of it is moved to the page.
  result(end) {
    const { core } = this;
    const pack = core.format();
    const ways = [...this.ways.sums.values()].map(({ timeout, ...sums }) => ({ ...sums, answered: this.answered.has(sums.way) }))
      .sort((one, other) => one.way - other.way);
    const columns = { resent: wholeOf(this.resent), sent: wholeOf(this.sent), acked: wholeOf(this.acked), limits: wholeOf(this.limits) };
    const told = {
      ...columns,
      ...this.rows,
      ways,
      end,
      findings: this.findings(),
      format: pack ? textAt(core, pack) : null,
      frames: core.frames(),
      packets: core.packets(),
      uncounted: core.uncounted(),
      skipped: wordsOf("skip").map((word, at) => [word, core.skipped(at)]).filter(([, frames]) => frames > 0),
      dtls: dtlsOf(core),
      filtered: core.filtered() !== 0,
      begin: core.earliest() === NOTHING.time ? null : Number(core.earliest() / 1000000n),
      seconds: core.earliest() === NOTHING.time ? null : Number(core.latest() - core.earliest()) / 1e9,
    };
    return [told, Object.values(columns).flatMap((of) => Object.values(of).map((values) => values.buffer))];
  }
}
