// SPDX-License-Identifier: BSD-2-Clause
// How a sentence reads with its values: as wording/filled.py, and numbers as Python writes them. A value is a text, a number
// or, of nanoseconds, a BigInt.
"use strict";

// With a comma before every three digits of the whole part.
const grouped = (digits) => digits.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));

// With some decimals; Python rounds what lies just between two to the even one, toFixed() up.
function decimals(value, digits) {
  const halves = Math.abs(value) * 2 ** (digits + 1); // odd just where it lies between
  if (halves % 2 !== 1) return value.toFixed(digits);
  const below = (halves * 5 ** digits - 1) / 2;
  const even = below % 2 === 0 ? below : below + 1;
  return (Math.sign(value) * even / 10 ** digits).toFixed(digits);
}

const manyOf = (count, noun) => `${grouped(String(count))} ${noun}${Number(count) === 1 ? "" : "s"}`;

// As wording/durations.py.
function duration(ns) {
  const length = Math.abs(Number(ns)), sign = ns < 0 ? "-" : "";
  if (length < 999_500) return `${sign}${decimals(length / 1e3, 0)} µs`;
  if (length < 99_950_000) return `${sign}${decimals(length / 1e6, 1)} ms`;
  if (length < 999_500_000) return `${sign}${decimals(length / 1e6, 0)} ms`;
  return `${sign}${grouped(decimals(length / 1e9, 2))} s`;
}

// The ways in which findings.toml lets a value be spelled, as far as stories have them.
function spelled(value, how) {
  if (how === undefined || typeof value === "string") return String(value);
  if (how === "n") return grouped(String(value));
  if (how === "duration") return duration(value);
  return manyOf(value, how.slice("many ".length));
}

const filled = (text, values) => text.replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, how) => spelled(values[name], how));

// A sentence of story/sentences.py.
const say = (key, values = {}) => filled(LAYOUT.story.sentences[key], values);
