// SPDX-License-Identifier: BSD-2-Clause
// How key logs go into the core, as binding/keylog.py hands them over, and what came of the DTLS of a capture.
"use strict";

const KEYS_AT_ONCE = 1 << 20; // bytes
const LINE_END = 10;

// All of them, before the first bytes of the capture. A piece ends with a line, the last one with the file.
async function giveKeys(core, keyLogs) {
  for (const file of keyLogs) {
    let begin = 0;
    while (begin < file.size) {
      const bytes = new Uint8Array(await file.slice(begin, begin + KEYS_AT_ONCE).arrayBuffer());
      const last = begin + bytes.length >= file.size;
      const length = last ? bytes.length : bytes.lastIndexOf(LINE_END) + 1 || bytes.length;
      const space = core.keys_space(length);
      if (!space) throw new CaptureError(NO_MEMORY);
      new Uint8Array(core.memory.buffer, space, length).set(bytes.subarray(0, length));
      if (!core.keys()) throw new CaptureError(NO_MEMORY);
      begin += length;
    }
  }
}

const dtlsOf = (core) => ({
  opened: core.dtls_opened(),
  packets: core.dtls_packets(),
  secrets: core.dtls_secrets(),
  unopened: wordsOf("unopened").map((word, at) => ({
    word, records: core.unopened(at), connections: core.unopened_sessions(at), first: core.unopened_first(at),
  })).filter(({ records }) => records > 0),
});
