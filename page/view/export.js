// SPDX-License-Identifier: BSD-2-Clause
// Tables as files: each is read from the capture again when it is asked for, so that it takes no memory before.
"use strict";

const HELD_MS = 60_000; // a download has begun by then

function saveAs(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), HELD_MS);
}

function exporter(place, begin) {
  const tables = Object.keys(LAYOUT.tables);
  const choice = element("select", { id: "table" }, ...tables.map((table) => element("option", null, table)));
  const button = (format, name) => element("button", { type: "button", class: "push", "data-format": format, onclick: () => begin(choice.value, format) }, name);
  place.replaceChildren(element("label", { for: "table" }, "Table"), choice, button("ndjson", "NDJSON"), button("csv", "CSV"), button("parquet", "Parquet"));
}

// Never the name of the capture itself.
const annotatedName = (name) => `${name.replace(/\.gz$/, "").replace(/\.[^.]+$/, "")}.annotated.pcapng`;
