// SPDX-License-Identifier: BSD-2-Clause
// The table of retransmissions: which rows pass the filters, in which order, and of them only those in view as HTML, so that
// a million take no longer than ten.
"use strict";

const ROW = 30; // pixels, as in page.css
const TALLEST = 8_000_000; // pixels: browsers know no much taller box; then a pixel of it is more than one row
const TALL = 400; // pixels, of the box in which they are scrolled
const BEYOND = 6; // rows above and below what is seen

const wordAt = (name) => (code) => LAYOUT.enums[name][code] ?? "";
const classed = (word, confidence) => (row, of) => of[confidence][row] ? `${word(row, of)} (class ${of[confidence][row]})` : word(row, of);
const frameText = (frame) => frame ? String(frame) : "";

// Each column: its heading, what is sorted by, what is shown.
const SHOWN = [
  { name: "frame", by: "frame", text: (row, of) => String(of.frame[row]), number: true },
  { name: "seconds", by: "time", text: (row, of) => Number.isNaN(of.time[row]) ? "" : of.time[row].toFixed(6), number: true },
  { name: "verdict", by: "verdict", verdict: true, text: classed((row, of) => wordAt("verdict")(of.verdict[row]), "verdict_class") },
  { name: "cause", by: "cause", text: classed((row, of) => wordAt("cause")(of.cause[row]), "cause_class") },
  { name: "TSN", by: "tsn", text: (row, of) => String(of.tsn[row]), number: true },
  { name: "copy", by: "copy", text: (row, of) => String(of.copy[row]), number: true },
  { name: "direction", by: "way", text: (row, of) => `${numberOfWay(of.way[row])} ${dirOfWay(of.way[row])}` },
  { name: "outcome", by: "outcome", text: (row, of) => wordAt("outcome")(of.outcome[row]) },
  { name: "copy before", by: "prev_frame", text: (row, of) => frameText(of.prev_frame[row]), number: true },
  { name: "triggered by", by: "trigger_frame", text: (row, of) => frameText(of.trigger_frame[row]), number: true },
];

class Table {
  // `choose` is told of the row that a person wants to see.
  constructor(place, choose) {
    this.choose = choose;
    this.order = { by: "frame", down: false };
    this.heads = SHOWN.map((column) => element("th", { scope: "col", class: column.number ? "n" : null },
      element("button", { type: "button", onclick: () => this.sort(column.by) }, column.name)));
    this.body = element("tbody");
    this.spacer = element("div", { class: "spacer" });
    this.sheet = element("table", { "aria-label": "Retransmissions" },
      element("thead", null, element("tr", null, ...this.heads)), this.body);
    this.scroller = element("div", { class: "rows", tabindex: 0, role: "region", "aria-label": "Retransmissions: arrow keys choose, Enter tells its story" },
      this.spacer, this.sheet);
    place.replaceChildren(this.scroller);
    this.scroller.addEventListener("scroll", () => this.draw());
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => this.draw()).observe(this.scroller);
  }

  show(of) {
    this.of = of;
    this.filter({});
  }

  // Which words and classes rows must have; a class is the least.
  filter({ way = null, verdict = null, cause = null, confidence = 0 }) {
    const { of } = this, found = new Uint32Array(of.frame.length);
    let count = 0;
    for (let row = 0; row < of.frame.length; row++) {
      const passes = (way === null || of.way[row] === way) && (verdict === null || of.verdict[row] === verdict)
        && (cause === null || of.cause[row] === cause) && of.verdict_class[row] >= confidence;
      if (passes) found[count++] = row;
    }
    this.rows = found.slice(0, count);
    this.active = -1;
    this.ordered();
  }

  sort(by) {
    this.order = { by, down: this.order.by === by && !this.order.down };
    this.ordered();
  }

  ordered() {
    const { by, down } = this.order, column = this.of[by], sign = down ? -1 : 1;
    if (by === "frame" && !down) this.rows.sort(); // as they came
    else this.rows.sort((one, other) => sign * (column[one] - column[other]) || one - other);
    SHOWN.forEach((shown, at) => {
      this.heads[at].setAttribute("aria-sort", shown.by !== by ? "none" : down ? "descending" : "ascending");
    });
    this.scroller.style.height = `${Math.min(TALL, (this.rows.length + 1) * ROW + ROW / 2)}px`; // no emptier than it need be
    this.sheet.setAttribute("aria-rowcount", this.rows.length + 1);
    this.scroller.scrollTop = 0;
    this.draw();
  }

  // Pixels of all rows, and how many of them one of the scrolled box is.
  get height() {
    return Math.min(this.rows.length * ROW, TALLEST);
  }

  get first() {
    const { scroller } = this, room = Math.max(this.height - scroller.clientHeight + ROW, 1);
    const last = Math.max(this.rows.length - this.fits, 0);
    return Math.min(Math.round(Math.min(scroller.scrollTop / room, 1) * last), last);
  }

  get fits() {
    return Math.max(Math.floor(this.scroller.clientHeight / ROW) - 1, 1);
  }

  draw() {
    if (!this.rows) return;
    this.spacer.style.height = `${this.height + ROW}px`;
    const begin = this.first, end = Math.min(begin + this.fits + BEYOND, this.rows.length);
    const drawn = [];
    for (let at = begin; at < end; at++) drawn.push(this.row(at));
    this.body.replaceChildren(...drawn);
    this.scroller.dataset.first = begin;
  }

  row(at) {
    const row = this.rows[at], { of } = this;
    const cells = SHOWN.map((column) => {
      const verdict = column.verdict ? `is-${wordAt("verdict")(of.verdict[row])}` : null;
      return element("td", { class: [column.number && "n", verdict].filter(Boolean).join(" ") || null }, column.text(row, of));
    });
    return element("tr", {
      "aria-rowindex": at + 2, "aria-selected": at === this.active ? "true" : null, onclick: () => this.activate(at, true),
    }, ...cells);
  }

  activate(at, shows) {
    this.active = at;
    if (shows) this.choose(this.rows[at]);
    this.draw();
  }

  key(event) {
    if (event.target !== this.scroller || !this.rows.length) return;
    const to = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + this.fits,
      PageUp: this.active - this.fits, Home: 0, End: this.rows.length - 1, Enter: this.active,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const at = Math.min(Math.max(to, 0), this.rows.length - 1);
    if (at < this.first || at >= this.first + this.fits) this.scrollTo(at);
    this.activate(at, event.key === "Enter");
  }

  scrollTo(at) {
    const last = Math.max(this.rows.length - this.fits, 1);
    const top = Math.max(at - Math.floor(this.fits / 2), 0);
    this.scroller.scrollTop = top / last * Math.max(this.height - this.scroller.clientHeight + ROW, 1);
  }
}
