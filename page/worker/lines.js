// SPDX-License-Identifier: BSD-2-Clause
// Rows as lines of text, byte for byte as columns/lines.py spells them in NDJSON and in CSV.
"use strict";

const same = (text) => text;

const csvCell = (text) => /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

// The core's JSON as json.dumps() of Python spaces and escapes it.
function spaced(json) {
  return json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => token.length === 1
    ? `${token} `
    : token.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

const SPELLINGS = {
  ndjson: { null: "null", word: JSON.stringify, separator: ",", nested: same, jsonText: same },
  csv: { null: "", word: csvCell, separator: ", ", nested: csvCell, jsonText: (text) => csvCell(spaced(text)) },
};

// A function from a batch to its lines of that table.
function liner(table, format) {
  const { size, columns } = LAYOUT.tables[table], spelling = SPELLINGS[format];
  const readers = columns.map((column) => column.read && readerOf(table, column, spelling, column.read));
  const before = columns.map((column, at) => format === "ndjson"
    ? `${at ? "," : "{"}${JSON.stringify(column.name)}:`
    : at ? "," : "");
  const behind = format === "ndjson" ? "}\n" : "\n";
  return (batch) => {
    const rows = batch.tables[table], lines = [];
    for (let at = 0; at < rows.byteLength; at += size) {
      let line = "";
      for (let of = 0; of < readers.length; of++) {
        line += before[of] + (readers[of] ? readers[of](batch, rows, at) : spelling.null);
      }
      lines.push(line + behind);
    }
    return lines.join("");
  };
}

const heading = (table, format) =>
  format === "csv" ? `${LAYOUT.tables[table].columns.map((column) => column.name).join(",")}\n` : "";
