// SPDX-License-Identifier: BSD-2-Clause
// How a capture goes into the core and batches of its rows come out: as binding/session.py, of a file that was dropped.
"use strict";

const TABLES = Object.keys(LAYOUT.tables);
const STEP = LAYOUT.steps;
const ROWS_AT_ONCE = 65536;
const GZIP = [0x1f, 0x8b];

// What a person is told instead of rows.
class CaptureError extends Error {}

const NO_MEMORY = "The memory of this browser is too small for this capture. The installed command needs little: "
  + "sctp-rack analyze CAPTURE.";

async function loadCore(module) {
  const instance = await WebAssembly.instantiate(module, {
    wasi_snapshot_preview1: host(() => instance.exports.memory),
  });
  instance.exports._initialize();
  return instance.exports;
}

// Pieces of the file, unpacked where it is gzip; `progress` is told how many bytes of the file were read.
async function* pieces(file, progress) {
  const head = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  let read = 0;
  const counted = new TransformStream({
    transform(piece, controller) {
      progress(read += piece.length);
      controller.enqueue(piece);
    },
  });
  let stream = file.stream().pipeThrough(counted);
  if (GZIP.every((byte, at) => head[at] === byte)) stream = stream.pipeThrough(new DecompressionStream("gzip"));
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function textAt(core, pointer) {
  const bytes = new Uint8Array(core.memory.buffer, pointer);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

// The rows that wait, as views of the core's memory: they are there until the next ones are asked for.
function batchOf(core) {
  const view = (which) => new DataView(core.memory.buffer, core.bytes(which), core.length(which));
  const [numbers, texts, paths] = [0, 1, 2].map((pool) => view(TABLES.length + pool));
  const tables = Object.fromEntries(TABLES.map((table, at) => [table, view(at)]));
  return { tables, numbers, texts, paths };
}

const hasRows = (core) => TABLES.some((_, at) => core.length(at) > 0);

// Puts in what there is room for, and returns how much that is.
function fill(core, piece) {
  const part = piece.subarray(0, core.room());
  new Uint8Array(core.memory.buffer, core.space(), part.length).set(part);
  core.filled(part.length);
  return part.length;
}

// Reads the whole capture and judges it; `take` gets each batch. Returns how the input ended: nothing at the end of a
// record, else what is wrong. Throws a CaptureError where nothing is to be had of it.
async function readCapture(core, file, wanted, take, progress) {
  if (file.size === 0) throw new CaptureError("The file is empty.");
  if (!core.begin(wanted.reduce((bits, table) => bits | (1 << TABLES.indexOf(table)), 0))) throw new CaptureError(NO_MEMORY);
  const source = pieces(file, (read) => progress("read", read));
  let piece = new Uint8Array(0), used = 0, broken = null, step;
  const taken = () => {
    if (hasRows(core)) take(batchOf(core));
    core.clear();
  };
  for (;;) {
    step = core.read(ROWS_AT_ONCE);
    if (step === STEP.more) {
      if (used === piece.length && !broken) {
        try {
          const { done, value } = await source.next();
          [piece, used] = [done ? new Uint8Array(0) : value, 0];
          if (!done && value.length === 0) continue;
        } catch (error) {
          broken = error;
          [piece, used] = [new Uint8Array(0), 0];
        }
      }
      if (used === piece.length) core.filled(0);
      else used += fill(core, piece.subarray(used));
      continue;
    }
    taken();
    if (step !== STEP.record) break;
  }
  if (step === STEP.no_memory) throw new CaptureError(NO_MEMORY);
  const frames = core.frames();
  const end = endOf(core, step, broken, frames);
  if (frames === 0 && end) throw new CaptureError(end);
  progress("judge", frames);
  if (!core.judge()) throw new CaptureError(NO_MEMORY);
  while (core.hand_out(ROWS_AT_ONCE)) taken();
  return end;
}

// As Session._end: what a broken or cut input is told as.
function endOf(core, step, broken, frames) {
  if (broken) return `After frame ${frames.toLocaleString("en")} the compressed file is broken off (${broken.message}).`;
  if (step === STEP.end) return null;
  const [what] = textAt(core, core.error_text()).split("; `"); // behind it stands an option of the command
  return `Byte ${core.error_offset().toLocaleString("en")} (frame ${core.error_frame().toLocaleString("en")}): ${what}.`;
}
