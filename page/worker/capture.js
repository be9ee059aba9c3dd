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

// The pieces of a file, unpacked where it is gzip, each with how many bytes of the file were read.
async function* pieces(file) {
  const head = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  let read = 0, stream = file.stream();
  const packed = GZIP.every((byte, at) => head[at] === byte);
  if (packed) {
    const counted = new TransformStream({
      transform(piece, controller) {
        read += piece.length;
        controller.enqueue(piece);
      },
    });
    stream = stream.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
  }
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (!packed) read += value.length;
    if (value.length) yield { piece: value, read };
  }
}

const AHEAD = 16; // pieces

// What another worker does, so that one reads while the other analyses: pieces go through a port, a few ahead of those
// that were taken; then that it was all, or what is wrong.
async function readAhead(file, port) {
  let room = AHEAD, wake = null;
  port.onmessage = () => {
    room++;
    wake?.();
  };
  try {
    for await (const part of pieces(file)) {
      while (!room) await new Promise((taken) => { wake = taken; });
      room--;
      port.postMessage(part, [part.piece.buffer]);
    }
    port.postMessage({ ended: true });
  } catch (error) {
    port.postMessage({ broken: error.message });
  }
}

// Pieces that come through a port.
function piecesFrom(port) {
  const waiting = [];
  let wake = null;
  port.onmessage = ({ data }) => {
    waiting.push(data);
    wake?.();
  };
  return async () => {
    while (!waiting.length) await new Promise((come) => { wake = come; });
    port.postMessage("taken");
    return waiting.shift();
  };
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
async function readCapture(core, { file, port, keyLogs }, wanted, take, progress) {
  if (file.size === 0) throw new CaptureError("The file is empty.");
  if (!core.begin(wanted.reduce((bits, table) => bits | (1 << TABLES.indexOf(table)), 0))) throw new CaptureError(NO_MEMORY);
  await giveKeys(core, keyLogs);
  const next = piecesFrom(port);
  let piece = new Uint8Array(0), used = 0, ended = false, broken = null, step;
  const taken = () => {
    if (hasRows(core)) take(batchOf(core));
    core.clear();
  };
  for (;;) {
    step = core.read(ROWS_AT_ONCE);
    if (step === STEP.more) {
      if (used === piece.length && !ended) {
        const part = await next();
        [piece, used] = [part.piece ?? new Uint8Array(0), 0];
        ended = !part.piece;
        broken = part.broken;
        if (!ended) progress("read", part.read);
      }
      if (ended) core.filled(0);
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
  if (broken) return `After frame ${frames.toLocaleString("en")} the compressed file is broken off (${broken}).`;
  if (step === STEP.end) return null;
  const [what] = textAt(core, core.error_text()).split("; `"); // behind it stands an option of the command
  return `Byte ${core.error_offset().toLocaleString("en")} (frame ${core.error_frame().toLocaleString("en")}): ${what}.`;
}
