// SPDX-License-Identifier: BSD-2-Clause
// A capture written again as pcapng with comments: all else stays, byte for byte. As annotate/rewrite.py and packet_comment.py.
"use strict";

const AT_ONCE = 1 << 22; // bytes; a Blob lies outside of this worker's memory

// The options of a packet's body one by one, and what is behind them from their end on.
function optionsOf(little, body, begin) {
  const options = [], view = viewOf(body);
  let at = begin;
  while (body.length - at >= 4) {
    const code = view.getUint16(at, little), length = view.getUint16(at + 2, little), after = at + 4 + length + (-length & 3);
    if (code === 0 || after > body.length) break;
    options.push(body.subarray(at, after));
    at = after;
  }
  return [options, body.subarray(at)];
}

// Where they begin: behind its bytes and their padding, at most at the end of the body.
function optionsAt(little, body) {
  const { fixed } = BLOCKS;
  if (body.length < fixed) return body.length;
  const captured = viewOf(body).getUint32(BLOCKS.captured_at, little);
  return Math.min(fixed + captured + (-captured & 3), body.length);
}

const MARK_BYTES = new TextEncoder().encode(LAYOUT.annotate.mark);
const beginsWithMark = (bytes) => MARK_BYTES.every((byte, at) => bytes[at] === byte);
const bodyOf = (content) => content.subarray(8, -4);

// The whole block with a comment as the last of its comments, or without one; ours of an earlier time are left out.
function withComment({ little, kind, content }, comment) {
  const body = bodyOf(content), begin = optionsAt(little, body), [options, behind] = optionsOf(little, body, begin);
  const kept = options.filter((option) => viewOf(option).getUint16(0, little) !== BLOCKS.comment || !beginsWithMark(option.subarray(4)));
  let end = behind;
  if (comment !== null) {
    const text = new TextEncoder().encode(comment);
    kept.push(together([packed(little, [2, BLOCKS.comment], [2, text.length]), text, new Uint8Array(-text.length & 3)]));
    if (!end.length) end = new Uint8Array(4); // the end of options, which may be left out where there are none
  } else if (!kept.length && end.every((byte) => byte === 0)) end = new Uint8Array(0);
  return blockOf(little, kind, body.subarray(0, begin), ...kept, end);
}

// It has options, and somewhere behind their beginning what our comments begin with.
function mayHaveOurs({ little, kind, content }) {
  if (!BLOCKS.commented.includes(kind) || content.length <= BLOCKS.fixed + 12 + 8) return false;
  for (let at = content.indexOf(MARK_BYTES[0], 8 + optionsAt(little, bodyOf(content))); at >= 0; at = content.indexOf(MARK_BYTES[0], at + 1)) {
    if (beginsWithMark(content.subarray(at))) return true;
  }
  return false;
}

// A section whose header tells its length says afterwards that it is unknown.
function ofUnknownLength(header) {
  const { section_length_at: at } = BLOCKS;
  return header.length >= at + 8 ? together([header.subarray(0, at), new Uint8Array(8).fill(0xff), header.subarray(at + 8)]) : header;
}

// Bytes become parts of a Blob, many at a time: of many small ones each takes as long as a large one.
class Written {
  constructor() {
    this.parts = [];
    this.waiting = new Uint8Array(AT_ONCE);
    this.length = 0;
    this.withoutRoom = 0;
  }

  write(bytes) {
    if (this.length + bytes.length > AT_ONCE) this.flush();
    if (bytes.length > AT_ONCE) this.parts.push(new Blob([bytes]));
    else {
      this.waiting.set(bytes, this.length);
      this.length += bytes.length;
    }
  }

  flush() {
    this.parts.push(new Blob([this.waiting.subarray(0, this.length)]));
    this.length = 0;
  }

  commented(block, comment) {
    if (!BLOCKS.commented.includes(block.kind)) {
      this.withoutRoom++;
      return block.content;
    }
    const made = withComment(block, comment);
    if (comment === null || made.length <= BLOCKS.largest) return made;
    this.withoutRoom++;
    return block.content;
  }
}

async function rewritten(parts, comments) {
  const input = new Bytes(parts), written = new Written();
  await input.fill(4);
  const head = input.peek(4);
  if (!isPcap(head) && !isPcapng(head)) throw new CaptureError(LAYOUT.annotate.no_packets);
  const found = isPcap(head) ? blocksOfPcap(input) : blocksOf(input);
  let [frame, text] = comments.next().value;
  for (const block of found) {
    if (block.wants) {
      await input.fill(block.wants);
      continue;
    }
    let comment = null;
    if (block.frame !== null && block.frame === frame) [comment, [frame, text]] = [text, comments.next().value];
    if (block.kind === BLOCKS.section) written.write(ofUnknownLength(block.content));
    else if (comment === null && !mayHaveOurs(block)) written.write(block.content);
    else written.write(written.commented(block, comment));
    for (let { rest } = block; rest > 0;) {
      if (!input.has(1)) await input.fill(1);
      const more = input.take(rest);
      if (!more.length) break;
      written.write(more);
      rest -= more.length;
    }
  }
  if (frame) throw new CaptureError(filled(LAYOUT.annotate.gone, { frame }));
  written.flush();
  return written;
}

// The file is read twice: what becomes of a packet is known when all have been.
async function annotate(core, job) {
  const { file } = job, remarks = new Remarks();
  const end = await readCapture(core, job, ["transmissions"], remarks.take, progressOf(file));
  const { parts, withoutRoom } = await rewritten(pieces(file), remarks.comments());
  const notes = [withoutRoom ? filled(LAYOUT.annotate.without_room, { frames: withoutRoom }) : "", end ?? ""].filter(Boolean);
  postMessage({ result: { blob: new Blob(parts, { type: "application/octet-stream" }), notes } });
}
