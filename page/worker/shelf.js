// SPDX-License-Identifier: BSD-2-Clause
// The rows that stories are told from, as the core had them: they stay with a worker that reads the capture when the first story is
// asked for, and a question goes through all of one table. They are copies, so that the core and its memory can go.
"use strict";

const KEPT = ["transmissions", "sacks", "rack_marks", "paths"];

// Columns of a table for one row: as NDJSON has them, but times, which a number of JavaScript cannot hold, as BigInt.
function valuesOf(table, names) {
  const columns = LAYOUT.tables[table].columns.filter((column) => names.includes(column.name));
  const readers = columns.map((column) => [column.name, readerOf(table, column, SPELLINGS.ndjson, column.read)]);
  const parsed = (name, text) => name.endsWith("_ns") && text !== "null" ? BigInt(text) : JSON.parse(text);
  return ({ rows, batch }, at) => Object.fromEntries(readers.map(([name, read]) => [name, parsed(name, read(batch, rows, at))]));
}

class Shelf {
  constructor() {
    this.parts = Object.fromEntries(KEPT.map((table) => [table, []]));
    this.paths = new DataView(new ArrayBuffer(0));
  }

  take({ tables, numbers, paths }) {
    for (const table of KEPT) {
      if (tables[table].byteLength) this.parts[table].push(partOf(copyOf(tables[table]), table === "sacks" ? copyOf(numbers) : null));
    }
    if (paths.byteLength > this.paths.byteLength) this.paths = new DataView(copyOf(paths)); // they are only ever added
  }

  // Rows of a direction with a TSN, or of all of them, in their order.
  rows(table, way, tsn, read) {
    const { size, fields } = LAYOUT.tables[table], found = [];
    const assoc = fields.assoc[1] / 4, from = fields.from[1], number = tsn === null ? 0 : fields.tsn[1] / 4;
    for (const part of this.parts[table]) {
      part.batch.paths = this.paths;
      const { words, bytes } = part;
      for (let at = 0; at < bytes.length; at += size) {
        const word = at / 4;
        if ((tsn === null || words[word + number] === tsn) && 2 * words[word + assoc] + bytes[at + from] === way) found.push(read(part, at));
      }
    }
    return found;
  }
}

const copyOf = ({ buffer, byteOffset, byteLength }) => buffer.slice(byteOffset, byteOffset + byteLength);

const partOf = (buffer, numbers) => ({
  rows: new DataView(buffer),
  bytes: new Uint8Array(buffer),
  shorts: new Uint16Array(buffer),
  words: new Uint32Array(buffer),
  longs: new BigInt64Array(buffer), // rows are multiples of eight bytes: they have times
  numbers: numbers && new Uint32Array(numbers),
  batch: { paths: null },
});
