// SPDX-License-Identifier: BSD-2-Clause
// A table as Parquet, as columns/arrow.py has it: some rows at a time become columns, and those a row group of the file.
"use strict";

const GROUP = 65536; // rows

// Nothing is null, and a word is itself; lists are JSON.
const VALUE_SPELLING = { null: null, word: same, separator: ",", nested: same, jsonText: same };

const VALUES = {
  number: Number,
  long: BigInt,
  bool: (text) => text === "true",
  text: same,
  list: JSON.parse,
  spans: (text) => JSON.parse(text).map(([first, last]) => ({ first_tsn: first, last_tsn: last })),
};

// What is written goes to parts of a Blob, group by group.
class BlobWriter extends PARQUET.ByteWriter {
  parts = [];

  flush() {
    this.parts.push(new Blob([this.getBytes()]));
    this.index = 0;
  }

  finish() {
    this.flush();
  }
}

class ParquetTable {
  constructor(table) {
    const { elements, arrow, values } = LAYOUT.parquet[table];
    this.table = table;
    this.columns = LAYOUT.tables[table].columns.map((column, at) => ({
      name: column.name,
      read: column.read && readerOf(table, column, VALUE_SPELLING, column.read),
      value: VALUES[values[at]],
      data: [],
    }));
    this.output = new BlobWriter();
    this.writer = new PARQUET.ParquetWriter({
      writer: this.output, schema: elements, statistics: false, createdBy: "sctp-rack", kvMetadata: [{ key: "ARROW:schema", value: arrow }],
    });
  }

  take(batch) {
    const rows = batch.tables[this.table], { size } = LAYOUT.tables[this.table];
    for (const { read, value, data } of this.columns) {
      for (let at = 0; at < rows.byteLength; at += size) {
        const text = read ? read(batch, rows, at) : null;
        data.push(text === null ? null : value(text));
      }
    }
    if (this.columns[0].data.length >= GROUP) this.write();
  }

  write() {
    const rows = this.columns[0].data.length;
    if (!rows) return;
    this.writer.write({ columnData: this.columns, rowGroupSize: rows });
    for (const column of this.columns) column.data = [];
  }

  finish() {
    this.write();
    this.writer.finish();
    return new Blob(this.output.parts, { type: "application/vnd.apache.parquet" });
  }
}

async function exportParquet(core, job) {
  const { file, table } = job, written = new ParquetTable(table);
  await readCapture(core, job, [table], (batch) => written.take(batch), progressOf(file));
  postMessage({ result: written.finish() });
}
