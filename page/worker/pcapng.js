// SPDX-License-Identifier: BSD-2-Clause
// Which bytes of a file are one block, and which frame it is to Wireshark; a pcap file as such blocks. As annotate/blocks.py and
// annotate/from_pcap.py.
"use strict";

const { blocks: BLOCKS, pcap: PCAP } = LAYOUT.annotate;

// Bytes that come in pieces, taken as many as are asked for: of fewer it is the end. An input that breaks off ends there.
class Bytes {
  constructor(parts) {
    this.parts = parts;
    this.held = new Uint8Array(0);
    this.ended = false;
  }

  has(count) {
    return this.held.length >= count || this.ended;
  }

  async fill(count) {
    const more = [this.held];
    for (let there = this.held.length; there < count && !this.ended;) {
      const { done, value } = await this.parts.next().catch(() => ({ done: true }));
      this.ended = Boolean(done);
      if (done) break;
      more.push(value.piece);
      there += value.piece.length;
    }
    this.held = together(more);
  }

  peek(count) {
    return this.held.subarray(0, count);
  }

  take(count) {
    const taken = this.held.subarray(0, count);
    this.held = this.held.subarray(taken.length);
    return taken;
  }
}

function together(some) {
  const whole = new Uint8Array(some.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of some) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// Numbers, each behind its width in bytes, in a byte order.
function packed(little, ...numbers) {
  const bytes = new Uint8Array(numbers.reduce((sum, [width]) => sum + width, 0)), view = viewOf(bytes);
  let at = 0;
  for (const [width, number] of numbers) {
    if (width === 4) view.setUint32(at, number, little);
    else if (width === 2) view.setUint16(at, number, little);
    else view.setUint8(at, number);
    at += width;
  }
  return bytes;
}

// Of parts of its body.
function blockOf(little, kind, ...body) {
  const length = body.reduce((sum, part) => sum + part.length, 12), bytes = new Uint8Array(length), view = viewOf(bytes);
  view.setUint32(0, kind, little);
  view.setUint32(4, length, little);
  let at = 8;
  for (const part of body) {
    bytes.set(part, at);
    at += part.length;
  }
  view.setUint32(at, length, little);
  return bytes;
}

// Blocks of a pcapng file; of one without a packet the `rest` is still to be taken. What follows a broken one has no kind. Where
// bytes are missing it gives how many it wants in place of a block: a promise for each block would take longer than all else.
function* blocksOf(input) {
  let little = true, frame = 0;
  for (;;) {
    if (!input.has(12)) yield { wants: 12 };
    const head = input.peek(12);
    if (!head.length) return;
    if (head.length < 8) break;
    const isSection = viewOf(head).getUint32(0) === BLOCKS.section;
    if (isSection) {
      const magic = head.length === 12 ? viewOf(head).getUint32(8) : 0;
      if (![BLOCKS.magic, BLOCKS.swapped].includes(magic)) break;
      little = magic === BLOCKS.swapped;
    }
    const view = viewOf(head), kind = view.getUint32(0, little), length = view.getUint32(4, little);
    if (length < 12 || length % 4 || length > BLOCKS.largest) break;
    const whole = BLOCKS.commented.includes(kind), there = whole ? length : Math.min(length, BLOCKS.piece);
    if (!input.has(there)) yield { wants: there };
    const content = input.peek(there);
    if (content.length < there || (there === length && viewOf(content).getUint32(length - 4, little) !== length)) break;
    input.take(there);
    if (BLOCKS.frames.includes(kind)) frame++;
    yield { little, kind, frame: BLOCKS.frames.includes(kind) ? frame : null, content, rest: length - there };
  }
  while (input.held.length || !input.ended) {
    yield { little, kind: null, frame: null, content: input.take(input.held.length), rest: 0 };
    yield { wants: 1 };
  }
}

const isPcap = (head) => head.length >= 4 && [true, false].some((little) => PCAP.magics.includes(viewOf(head).getUint32(0, little)));
const isPcapng = (head) => head.length >= 4 && viewOf(head).getUint32(0) === BLOCKS.section;

// Of a pcap file: a section, an interface, and an Enhanced Packet Block for each record, up to one that is cut.
function* blocksOfPcap(input) {
  if (!input.has(24)) yield { wants: 24 };
  const header = input.take(24);
  if (header.length < 24) return;
  const view = viewOf(header), little = PCAP.magics.includes(view.getUint32(0, true)), magic = view.getUint32(0, little);
  const link = view.getUint32(20, little), linkType = link & PCAP.link_type, nano = magic === PCAP.nanoseconds;
  if (linkType > 0xffff) throw new CaptureError(filled(PCAP.no_number, { link_type: linkType }));
  const option = (code, value) => packed(little, [2, code], [2, 1], [1, value], [1, 0], [2, 0]);
  const block = (frame, kind, ...body) => ({ little, kind, frame, content: blockOf(little, kind, ...body), rest: 0 });
  const all = [4, 0xffffffff];
  yield block(null, BLOCKS.section, packed(little, [4, BLOCKS.magic], [2, 1], [2, 0], all, all));
  const known = link & PCAP.fcs_is_known ? [option(PCAP.fcs_length, (link >>> PCAP.fcs_shift) * PCAP.fcs_unit)] : [];
  yield block(null, BLOCKS.interface, packed(little, [2, linkType], [2, 0], [4, view.getUint32(16, little)]),
    option(PCAP.resolution, nano ? 9 : 6), ...known, new Uint8Array(4));
  const units = BigInt(nano ? 1e9 : 1e6), longer = magic === PCAP.kuznetzov ? 24 : 16;
  for (let frame = 1; ; frame++) {
    if (!input.has(longer)) yield { wants: longer };
    const record = input.take(longer);
    if (record.length < longer) return;
    const times = viewOf(record), [seconds, fraction, captured, wire] = [0, 4, 8, 12].map((at) => times.getUint32(at, little));
    if (captured > PCAP.largest) return;
    if (!input.has(captured)) yield { wants: captured };
    const packet = input.take(captured);
    if (packet.length < captured) return;
    const ticks = BigInt(seconds) * units + BigInt(fraction), high = Number(ticks >> 32n), low = Number(ticks & 0xffffffffn);
    const fixed = new Uint8Array(BLOCKS.fixed), words = viewOf(fixed);
    [0, high, low, captured, wire].forEach((word, at) => words.setUint32(4 * at, word, little));
    yield block(frame, BLOCKS.enhanced, fixed, packet, new Uint8Array(-captured & 3));
  }
}
