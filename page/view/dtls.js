// SPDX-License-Identifier: BSD-2-Clause
// Which of the files that are dropped are key logs, and what is said of DTLS: the sentences of findings/undecrypted.py.
"use strict";

const HEAD_OF_KEYS = 1 << 16; // bytes
// A label, the client's random and a secret (draft-ietf-tls-keylogfile), as a whole line.
const KEY_LINE = /^[A-Z][A-Z0-9_]* [0-9A-Fa-f]{64} ([0-9A-Fa-f]{2})+\s*$/m;
// What NSS has written before the first key: comments alone.
const COMMENTS = /^(#.*\r?\n?)+$/;

// A text with a line of a key log in it; captures begin with bytes that no text has.
async function isKeyLog(file) {
  const head = new Uint8Array(await file.slice(0, HEAD_OF_KEYS).arrayBuffer());
  const text = new TextDecoder("latin1").decode(head);
  return !head.includes(0) && (KEY_LINE.test(text) || COMMENTS.test(text));
}

const HIDDEN = "DTLS that was not decrypted, which may carry SCTP (WebRTC data channels)";
const NO_KEYS = "; drop a key log with the keys of the session here as well, and it is decrypted";

function hiddenIn({ unopened }, frames) {
  if (frames) return `${many(frames, "frame")} ${frames === 1 ? "holds" : "hold"} ${HIDDEN}`;
  return `${many(unopened.reduce((sum, one) => sum + one.records, 0), "record")} of ${HIDDEN}`;
}

function whysOf({ unopened, secrets }) {
  if (unopened.every(({ word }) => word === "no_key") && !secrets) return NO_KEYS;
  return `: ${unopened.map(({ word, records, connections }) =>
    `${many(records, "record")} of ${many(connections, "connection")} ${LAYOUT.unopened[word]}`).join("; ")}`;
}

function firstOf({ unopened }) {
  const frames = [...new Set(unopened.map(({ first }) => first))].sort((one, other) => one - other);
  return ` First: frame ${frames.join(", ")}.`;
}

// `frames`: those without an SCTP packet because of DTLS.
function dtlsNotices(dtls, frames) {
  const said = [];
  if (dtls.unopened.length) said.push(`${hiddenIn(dtls, frames)}${whysOf(dtls)}.${firstOf(dtls)}`);
  if (dtls.opened && !dtls.packets) said.push(`${many(dtls.opened, "record")} of DTLS decrypted, and none holds SCTP.`);
  return said;
}
