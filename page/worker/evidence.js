// SPDX-License-Identifier: BSD-2-Clause
// Why a retransmission was judged so: its evidence (story/evidence.py), the causes that cannot be (story/alternatives.py) and what
// RACK-TLP would have done (story/instead.py), each with the numbers of this copy. A case is as there.
"use strict";

const later = (one, other) => one > other ? one : other;

function acknowledgedText({ row }) {
  if (row.acked_time_ns === null) return say("ack.never");
  const ago = row.acked_time_ns - row.time_ns;
  return say(ago < 0n ? "ack.before" : "ack.after", { frame: row.acked_frame, ago: ago < 0n ? -ago : ago });
}

function reportsText({ feedback }) {
  const { named_reports: named } = LAYOUT.story, { duplicates } = feedback;
  const frames = duplicates.slice(0, named).map((one) => one.frame).join(", ");
  const more = duplicates.length > named ? say("reports.more") : "";
  return say("reports", { count: feedback.reports, where: frames && say("reports.where", { frames, more }) });
}

function evidenceText(code, one) {
  const { row, last } = one, ack = acknowledgedText(one);
  const rtt = one.minRtt ? say("rtt", { rtt: one.minRtt }) : say("rtt.unknown");
  if (LAYOUT.story.too_early.includes(code) && row.verdict !== "spurious" && last) {
    return say("later", { ack, ago: row.acked_time_ns - last.time_ns, copy: last.copy, rtt });
  }
  const frame = row.trigger_frame, own = `${code}.${row.verdict}`;
  return say(own in LAYOUT.story.sentences ? own : code, {
    ack, rtt, reports: reportsText(one), copies: one.copies, bytes: row.bytes,
    feedback: say(frame === null ? "feedback.unknown" : "feedback", { frame }),
    likely: row.verdict_class > LAYOUT.story.likely ? "" : say("S5.likely"),
    dropped: frame === null ? "" : say("K15.where", { frame }),
  });
}

const ofVerdict = (codes) => (codes ?? []).filter((code) => code.startsWith("S"));
const ofCause = (codes) => (codes ?? []).filter((code) => code.startsWith("K"));

const withoutCodes = ({ acked_frame: acked, verdict }, before) => {
  const byOrder = `by_order.${verdict}`;
  if (acked === null) return "undecided.open";
  if (verdict === "needed" && before?.crc === "bad") return "discarded";
  return byOrder in LAYOUT.story.sentences ? byOrder : "undecided";
};

function verdictTexts(one) {
  const { row, before, feedback } = one, said = ofVerdict(row.evidence).map((code) => evidenceText(code, one));
  if (row.verdict === "needed") {
    if (ofCause(row.evidence).includes("K15")) said.push(say("packet_drop"));
    const { count, last } = feedback.between((before ?? row).time_ns, row.acked_time_ns);
    const waited = before && last && last.time_ns - before.time_ns;
    if (waited !== null && waited >= (one.minRtt ?? 0n)) said.push(say("left_out", { count, frame: last.frame, waited, copy: before.copy }));
  }
  if (!said.length) said.push(say(withoutCodes(row, before)));
  return said;
}

const causeTexts = (one) => ofCause(one.row.evidence).map((code) => evidenceText(code, one));

function ruledOut({ row, before, feedback }, path) {
  if (!before) return [];
  const { story } = LAYOUT, { cause } = row, said = [];
  const waited = row.time_ns - before.time_ns, rto = path?.rto_ns;
  if (!story.by_timeout.includes(cause) && rto && waited < rto / 2n) said.push(say("not.t3", { copy: before.copy, waited, rto }));
  const now = row.time_ns + 1n, until = row.acked_time_ns !== null && row.acked_time_ns < now ? row.acked_time_ns : now;
  const reports = feedback.between(before.time_ns, until).news;
  if (!story.by_reports.includes(cause) && reports < story.reports) said.push(say("not.fast", { reports, needed: story.reports }));
  if (!story.by_rack.includes(cause) && path?.sender_has_rack === "no") said.push(say("not.rack"));
  if (row.trigger_frame !== null && cause !== "tlp") said.push(say("not.tlp", { frame: row.trigger_frame }));
  return said;
}

// `due` is when a tail loss probe would have been, or null.
function insteadTexts(row, mark, due) {
  const { by_feedback: byFeedback } = LAYOUT.story, atOnce = BigInt(LAYOUT.story.at_once);
  if (!mark) {
    if (row.verdict === "spurious") return [say(byFeedback.includes(row.cause) ? "rack.not" : "rack.not_yet")];
    return due === null || due > row.time_ns - atOnce ? [] : [say("rack.probe", { earlier: row.time_ns - due })];
  }
  const lead = mark.sender_lead_ns ?? row.time_ns - mark.time_ns;
  const when = lead >= atOnce ? "rack.earlier" : lead <= -atOnce ? "rack.later" : "rack.same";
  const wrong = mark.resolution === "false_mark" ? say("rack.wrong") : "";
  return [say("rack.again", { when: say(when, { lead: lead < 0n ? -lead : lead }), how: markedHow(mark), wrong })];
}

function markedHow(mark) {
  const behind = mark.reo_wnd_ns ? ".window" : "", values = { frame: mark.by_frame, window: mark.reo_wnd_ns };
  if (mark.trigger === "ack" && mark.by_frame) return say(`rack.ack${behind}`, values);
  if (mark.trigger === "timer") return say(`rack.timer${behind}`, values);
  return say(mark.trigger === "rto" ? "rack.rto" : "rack.marks");
}

// For each of some retransmissions when a tail loss probe would have been due before it, as Silences of story/instead.py; all
// with one look at the rows of the direction, and none where nothing is said of it.
function probesDue(shelf, way, asked) {
  if (!asked.length) return [];
  const moments = asked.map(({ row }) => ({ now: row.time_ns, anchor: null, outstanding: 0, resent: 0 }));
  const retransmission = LAYOUT.enums.kind.indexOf("retransmission");
  const sent = LAYOUT.tables.transmissions.fields, acks = LAYOUT.tables.sacks.fields;
  shelf.rows("transmissions", way, null, ({ bytes, longs }, at) => {
    const begun = longs[at / 8 + sent.time_ns[1] / 8], ended = longs[at / 8 + sent.acked_time_ns[1] / 8];
    const open = ended === NOTHING.time, again = bytes[at + sent.kind[1]] === retransmission;
    for (const moment of moments) {
      if (begun >= moment.now) continue;
      if (moment.anchor === null || begun > moment.anchor) moment.anchor = begun;
      if (!open && ended <= moment.now) continue;
      moment.outstanding++;
      if (again) moment.resent++;
    }
  });
  shelf.rows("sacks", way ^ 1, null, ({ longs }, at) => {
    const time = longs[at / 8 + acks.time_ns[1] / 8];
    for (const moment of moments) if (time < moment.now && moment.anchor !== null && time > moment.anchor) moment.anchor = time;
  });
  return asked.map(({ path }, at) => {
    const { anchor, outstanding, resent } = moments[at];
    if (anchor === null || resent) return null;
    return anchor + 2n * path.srtt_ns + (outstanding <= 1 ? BigInt(LAYOUT.story.max_ack_delay_ns) : 0n);
  });
}
