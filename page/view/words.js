// SPDX-License-Identifier: BSD-2-Clause
// How numbers, times and ends read.
"use strict";

const thousands = (number) => number.toLocaleString("en-US");
const many = (number, noun) => `${thousands(number)} ${noun}${number === 1 ? "" : "s"}`;
const share = (part, whole) => `${(100 * part / whole).toFixed(part / whole < 0.1 ? 1 : 0)} %`;
const sentence = (text) => text[0].toUpperCase() + text.slice(1);

function seconds(length) {
  const size = Math.abs(length);
  if (size < 0.0009995) return `${Math.round(length * 1e6)} µs`;
  if (size < 0.9995) return `${Number((length * 1e3).toPrecision(3))} ms`;
  return `${thousands(Number(length.toFixed(size < 100 ? 3 : 1)))} s`;
}

const numberOfWay = (way) => Math.floor(way / 2);
const dirOfWay = (way) => LAYOUT.enums.dir[way % 2];
const total = (classes = {}) => Object.values(classes).reduce((sum, some) => sum + some, 0);

// The words of a bit mask over an enum.
const wordsIn = (name, mask) => LAYOUT.enums[name].filter((_, bit) => mask >> BigInt(bit) & 1n);

// Elements of HTML: element("p", { class: "note" }, "text", other).
function element(name, attributes, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inside.filter((one) => one !== null));
  return made;
}
