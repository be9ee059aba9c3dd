// SPDX-License-Identifier: BSD-2-Clause
// The story of one TSN: sent, missed, marked, sent again, acknowledged, and why each was judged so. As story/explain.py, in its
// sentences; of a long one only what is shown is put in words.
"use strict";

const COPY = valuesOf("transmissions", [
  "frame", "time_ns", "path", "bytes", "copy", "kind", "probe", "prev_frame", "trigger_frame", "cause", "cause_class", "verdict",
  "verdict_class", "evidence", "crc", "acked_frame", "acked_time_ns",
]);
const RACK_MARK = valuesOf("rack_marks", [
  "profile", "copy", "frame", "by_frame", "time_ns", "trigger", "reo_wnd_ns", "resolution", "sender_lead_ns",
]);
const PATH = valuesOf("paths", ["path", "vantage", "vantage_class", "min_rtt_ns", "srtt_ns", "rto_ns", "sender_has_rack"]);

// As wording/shortened.py.
function shortened(every, [first, last]) {
  if (every.length <= first + last + 1) return { first: every, leftOut: 0, last: [] };
  return { first: every.slice(0, first), leftOut: every.length - first - last, last: every.slice(-last) };
}

// As wording/ends.py, of a row of `associations`.
function endsText({ assoc, a, b }) {
  const end = (text) => {
    const port = text.lastIndexOf(":"), [address, ...more] = text.slice(0, port).split(",");
    return address + text.slice(port) + (more.length ? ` (+${more.length})` : "");
  };
  return `${assoc}: ${end(a)} - ${end(b)}`;
}

function reasonOf({ cause, trigger_frame: frame }) {
  if (cause === null) return say("sent.unknown");
  return filled(LAYOUT.story.reasons[cause], { trigger: filled(frame === null ? LAYOUT.story.no_trigger : LAYOUT.story.trigger, { frame }) });
}

function sentText(row) {
  if (row.kind !== "retransmission") return say(`sent.${row.kind}`, { bytes: row.bytes, probe: row.probe === "new_data" ? say("sent.probe") : "" });
  return say("sent.retransmission", {
    copy: row.copy,
    reason: reasonOf(row),
    sure: row.cause_class ? say("sent.sure", { level: row.cause_class }) : "",
    unseen: row.prev_frame === null ? say("sent.unseen") : "",
  });
}

function acknowledgedEvents(copies) {
  const [{ acked_time_ns: acked, acked_frame: frame }] = copies, { named } = LAYOUT.story;
  if (acked === null) return [];
  const text = () => {
    const before = copies.filter((row) => row.time_ns <= acked);
    const some = before.length <= named ? before : [...before.slice(0, named - 1), before.at(-1)];
    const ages = some.map((row) => say("acknowledged.age", { age: acked - row.time_ns, copy: row.copy }));
    if (before.length > named) ages.splice(-1, 0, "…");
    return say("acknowledged", { ages: ages.map((age) => `, ${age}`).join("") });
  };
  return [{ time_ns: acked, what: "acknowledged", frame, text }];
}

// One event for all acknowledgements between two copies that leave the TSN out.
function missedEvents(copies, leftOut) {
  const frames = copies.map((row) => row.frame), { named } = LAYOUT.story, groups = [];
  let copiesBefore = -1;
  for (const one of leftOut) {
    const before = below(frames, one.frame);
    if (before !== copiesBefore) groups.push([]);
    groups.at(-1).push(one);
    copiesBefore = before;
  }
  return groups.map((missed) => {
    const [first] = missed, last = missed.at(-1), kind = say(first.kind);
    const text = () => missed.length === 1 ? say("missed", { kind }) : say("missed.many", {
      count: missed.length, kind, frames: missed.slice(0, named).map((one) => one.frame).join(", "),
      more: missed.length > named ? say("missed.more", { frame: last.frame }) : "", later: last.time_ns - first.time_ns,
    });
    return { time_ns: first.time_ns, what: "missed", frame: first.frame, text };
  });
}

// One event for all profiles that mark a copy at the same instant for the same reason.
function markedEvents(marks) {
  const keys = ["time_ns", "copy", "trigger", "by_frame"], key = (mark, name) => mark[name] ?? 0;
  const compared = (one, other) => keys.map((name) => inOrder(key(one, name), key(other, name))).find((order) => order) ?? 0;
  const groups = [];
  for (const mark of [...marks].sort(compared)) {
    if (groups.length && compared(groups.at(-1)[0], mark) === 0) groups.at(-1).push(mark);
    else groups.push([mark]);
  }
  return groups.map((group) => {
    const [{ time_ns, copy, trigger, by_frame: frame }] = group;
    const text = () => say("marked", { copy, who: group.map((mark) => LAYOUT.profiles[mark.profile]).join(", "), why: say(`marked.${trigger}`) });
    return { time_ns, what: "marked", frame, text };
  });
}

const duplicateEvents = (duplicates) => duplicates.map((one) => ({
  time_ns: one.time_ns, what: "duplicate", frame: one.frame,
  text: () => say(one.duplicates > 1 ? "duplicate.many" : "duplicate", { kind: say(one.kind), count: one.duplicates }),
}));

// In one frame the sender hears, then decides; a timer comes before what it sends at the same instant.
function byMoment(one, other) {
  const { order } = LAYOUT.story;
  return inOrder(one.time_ns, other.time_ns) || (one.frame ?? 0) - (other.frame ?? 0) || order.indexOf(one.what) - order.indexOf(other.what);
}

// The first mark of RACK-TLP on each copy of a TSN, by its frame.
function rackMarks(marks) {
  const first = new Map();
  for (const mark of [...marks].sort((one, other) => inOrder(one.time_ns, other.time_ns))) {
    if (mark.profile === "rfc8985" && !first.has(mark.frame)) first.set(mark.frame, mark);
  }
  return first;
}

const sureText = (level) => level ? say("copy.class", { level }) : "";
const codesText = (codes) => codes.length ? ` [${codes.join(", ")}]` : "";

// As _judged() of story/story.py: what each part of it is called, and its lines.
function judgedOf(one, due) {
  const { row } = one, codes = ofVerdict(row.evidence);
  const cause = `${row.cause ?? "unknown"}${sureText(row.cause_class)}.`;
  const parts = {
    verdict: verdictTexts(one).map((text, at) => text + codesText(codes.slice(at, at + 1))),
    cause: [[cause, ...causeTexts(one)].join(" ") + codesText(ofCause(row.evidence)), ...ruledOut(one, one.path)],
    rack_tlp: insteadTexts(row, one.mark, due),
  };
  const verdict = row.verdict ?? "undetermined";
  return {
    verdict, frame: row.frame,
    title: say("copy", { copy: row.copy, frame: row.frame, verdict, sure: sureText(row.verdict_class) }),
    parts: Object.entries(parts).filter(([, lines]) => lines.length).map(([name, lines]) => [say(`label.${name}`), lines]),
  };
}

const moreText = (count, noun) => say("more", { count, noun: count === 1 ? noun : `${noun}s` });

function tapText({ vantage, vantage_class: level, min_rtt_ns: rtt }) {
  const where = LAYOUT.vantages[vantage], least = rtt ? say("tap.least", { rtt }) : "";
  return where ? say("tap", { where, sure: LAYOUT.story.sure[level ?? 0], least }) : say("tap.unknown", { least });
}

// What `sctp-rack explain` tells, line by line; `association` is a row of that table.
function storyOf(shelf, association, way, tsn) {
  const copies = shelf.rows("transmissions", way, tsn, COPY), dir = LAYOUT.enums.dir[way % 2];
  if (copies.some((row) => row.time_ns === null)) return { untold: say("no_times") };
  const feedback = new Feedback(feedbackOn(shelf, way, tsn)), marks = shelf.rows("rack_marks", way, tsn, RACK_MARK);
  const paths = new Map(shelf.rows("paths", way, null, PATH).map((row) => [row.path, row]));
  const every = [
    ...copies.map((row) => ({ time_ns: row.time_ns, what: "sent", frame: row.frame, text: () => sentText(row) })),
    ...acknowledgedEvents(copies), ...missedEvents(copies, feedback.leftOut), ...markedEvents(marks), ...duplicateEvents(feedback.duplicates),
  ].sort(byMoment);
  const again = copies.map((_, at) => at).filter((at) => copies[at].kind === "retransmission");
  const events = shortened(every, LAYOUT.story.events), judged = shortened(again, LAYOUT.story.judged), onCopies = rackMarks(marks);
  const event = ({ time_ns: time, frame, text }) => ({
    after: `${grouped(decimals(Number(time - every[0].time_ns) / 1e6, 3))} ms`, frame, text: text(),
  });
  const cases = [...judged.first, ...judged.last].map((at) => {
    const path = paths.get(copies[at].path), last = at < copies.length - 1 ? copies.at(-1) : null;
    const mark = onCopies.get(copies[at].prev_frame);
    return { row: copies[at], before: copies[at - 1] ?? null, last, copies: copies.length, feedback, path, minRtt: path?.min_rtt_ns ?? null, mark };
  });
  const unmarked = cases.filter(({ mark, row, path }) => !mark && row.verdict !== "spurious" && path?.srtt_ns);
  const dues = new Map(probesDue(shelf, way, unmarked).map((due, at) => [unmarked[at], due]));
  const told = cases.map((one) => judgedOf(one, dues.get(one) ?? null));
  return {
    title: say("title", { tsn, way: say(`way.${dir}`), ends: endsText(association) }),
    tap: tapText(paths.get(copies[0].path) ?? {}),
    events: withMore(events, events.first.map(event), events.last.map(event), "event"),
    retransmissions: withMore(judged, told.slice(0, judged.first.length), told.slice(judged.first.length), "retransmission"),
    never: again.length ? null : say("never"),
  };
}

const withMore = ({ leftOut }, first, last, noun) => [...first, ...(leftOut ? [{ more: moreText(leftOut, noun) }] : []), ...last];
