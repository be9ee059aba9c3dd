// SPDX-License-Identifier: BSD-2-Clause
// The time-sequence graph of a direction: what is drawn, and how it is moved through. Colour says what became of a
// transmission, and nothing else has one; each verdict has its shape, too (plots/style.py).
"use strict";

const EDGE = { left: 62, right: 12, top: 10, bottom: 34 }; // pixels
const EACH = 4000; // so many transmissions are drawn one by one; of more, how dense they are
const LETTERED = 120; // so many retransmissions have the letter of their cause
const BAR = 4, LANE = 64; // pixels, of the strip
const NEAR = 14; // pixels from a click to what it means
const STEP_OF = 0.25; // of what is seen: how far a key moves
const ZOOM = 1.6;

const MARKS = { sent: 0, needed: 1, undetermined: 2, spurious: 3, other: 4, lost: 8 }; // as worker/analysis.js

// What is drawn last lies above.
const LAYERS = [
  { name: "lost", is: (mark) => mark & MARKS.lost },
  { name: "needed", is: (mark) => (mark & 7) === MARKS.needed },
  { name: "undetermined", is: (mark) => (mark & 7) === MARKS.undetermined },
  { name: "spurious", is: (mark) => (mark & 7) === MARKS.spurious },
];
const isAgain = (mark) => (mark & 7) >= MARKS.needed && (mark & 7) <= MARKS.spurious;

class Graph {
  // `say` is told of what is chosen, `open` of what a person wants to know all about.
  constructor(canvas, say, open) {
    this.canvas = canvas;
    this.say = say;
    this.open = open;
    this.chosen = -1;
    this.lane = 0; // pixels below the plot, for the strip and for the band of limits
    this.box = null; // where the plot is, as it was drawn last
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", () => this.all());
    canvas.addEventListener("keydown", (event) => this.key(event));
    new ResizeObserver(() => {
      if (!this.fits()) this.draw();
    }).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  show(points) {
    this.points = points;
    this.chosen = -1;
    this.all();
  }

  all() {
    const [begin, end] = extent(this.points.time);
    this.look(begin, end);
  }

  // From when to when; from which TSN to which follows, unless it is told.
  look(begin, end, low, high) {
    const margin = Math.max((end - begin) * 0.02, 1e-6);
    this.x = low === undefined ? [begin - margin, end + margin] : [begin, end];
    if (low === undefined) {
      const { time, place } = this.points;
      [low, high] = extent(place, (at) => time[at] >= begin && time[at] <= end);
      const room = Math.max((high - low) * 0.05, 1);
      [low, high] = [low - room, high + room];
    }
    this.y = [low, high];
    this.draw();
  }

  // Measured once for a drawing: a browser that is asked for the size of an element may lay out the page anew, and for each
  // of half a million points that took eight seconds.
  measure() {
    const { clientWidth, clientHeight } = this.canvas;
    const height = clientHeight - EDGE.top - EDGE.bottom - this.lane;
    this.box = { ...EDGE, width: clientWidth - EDGE.left - EDGE.right, height, clientWidth, clientHeight };
  }

  // Whether it was drawn as large as it is: an observer is told of the first size, too.
  fits() {
    const { clientWidth, clientHeight } = this.canvas;
    return this.box?.clientWidth === clientWidth && this.box.clientHeight === clientHeight;
  }

  toX(time) {
    return this.box.left + (time - this.x[0]) / (this.x[1] - this.x[0]) * this.box.width;
  }

  toY(place) {
    return this.box.top + (this.y[1] - place) / (this.y[1] - this.y[0]) * this.box.height;
  }

  zoom(by, at = (this.x[0] + this.x[1]) / 2) {
    const part = (edge) => at + (edge - at) / by;
    this.look(part(this.x[0]), part(this.x[1]));
  }

  move(by) {
    const step = (this.x[1] - this.x[0]) * by;
    this.look(this.x[0] + step, this.x[1] + step);
  }

  draw() {
    const { canvas, points } = this, { clientWidth, clientHeight } = canvas, scale = devicePixelRatio;
    if (!points || !clientWidth) return;
    canvas.width = clientWidth * scale;
    canvas.height = clientHeight * scale;
    const pen = canvas.getContext("2d"), style = getComputedStyle(canvas);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    pen.scale(scale, scale);
    const seen = this.seen();
    const originals = seen.filter((at) => !isAgain(points.mark[at]));
    const dense = originals.length > EACH, waited = points.waits.limit.length > 0;
    this.lane = (dense ? LANE : 0) + (waited ? BAND + 4 : 0);
    this.measure();
    drawAxes(pen, this, colour);
    if (dense) this.drawStrip(pen, seen, colour);
    if (waited) drawBand(pen, this, this.box.top + this.box.height + this.lane - BAND, colour);
    const { left, top, width, height } = this.box;
    pen.beginPath();
    pen.rect(left, top, width, height);
    pen.clip();
    this.drawAcked(pen, colour("axis"));
    if (dense) this.drawDensity(pen, originals, colour("sent"), scale);
    else this.drawEach(pen, originals, colour("sent"));
    for (const { name, is } of LAYERS) {
      this.drawMarks(pen, seen.filter((at) => is(points.mark[at])), name, colour(`${name}-fill`), colour("letter"));
    }
    if (this.chosen >= 0) this.drawChosen(pen, colour("ink"));
    canvas.dataset.drawn = String(seen.length);
  }

  // Numbers of the transmissions in view.
  seen() {
    const { time, place } = this.points, found = new Uint32Array(time.length), { x, y } = this;
    let count = 0;
    for (let at = 0; at < time.length; at++) {
      if (time[at] >= x[0] && time[at] <= x[1] && place[at] >= y[0] && place[at] <= y[1]) found[count++] = at;
    }
    return found.subarray(0, count);
  }

  drawAcked(pen, colour) {
    const { ackedTime, ackedPlace } = this.points;
    let before = null, lastX = -1;
    pen.strokeStyle = colour;
    pen.lineWidth = 1.2;
    pen.beginPath();
    for (let at = 0; at < ackedTime.length; at++) {
      if (Number.isNaN(ackedTime[at])) continue;
      const x = this.toX(ackedTime[at]), y = this.toY(ackedPlace[at]);
      if (before !== null && Math.abs(x - lastX) < 0.3 && at + 1 < ackedTime.length) continue; // in the same column
      if (before === null) pen.moveTo(x, y);
      else {
        pen.lineTo(x, before);
        pen.lineTo(x, y);
      }
      [before, lastX] = [y, x];
    }
    pen.stroke();
  }

  drawEach(pen, rows, colour) {
    const { time, place } = this.points, tall = Math.max(2.5, Math.min(8, this.toY(0) - this.toY(1)));
    pen.fillStyle = colour;
    for (const at of rows) pen.fillRect(this.toX(time[at]) - 0.75, this.toY(place[at]) - tall / 2, 1.5, tall);
  }

  // Of very many, each pixel is as dark as there are transmissions on it.
  drawDensity(pen, rows, colour, scale) {
    const { left, top, width, height } = this.box, { time, place } = this.points;
    const across = Math.round(width * scale), down = Math.round(height * scale);
    const counts = new Uint32Array(across * down);
    let most = 1;
    for (const at of rows) {
      const x = Math.floor((this.toX(time[at]) - left) * scale), y = Math.floor((this.toY(place[at]) - top) * scale);
      if (x < 0 || x >= across || y < 0 || y >= down) continue;
      most = Math.max(most, ++counts[y * across + x]);
    }
    const image = new ImageData(across, down), [red, green, blue] = partsOf(colour);
    for (let at = 0; at < counts.length; at++) {
      if (!counts[at]) continue;
      image.data.set([red, green, blue, 110 + 145 * Math.log1p(counts[at]) / Math.log1p(most)], 4 * at);
    }
    const layer = new OffscreenCanvas(across, down);
    layer.getContext("2d").putImageData(image, 0, 0);
    pen.drawImage(layer, left, top, width, height);
  }

  // Of very many, when they were sent again: a bar for each few pixels, as high as there are.
  drawStrip(pen, seen, colour) {
    const { left, top, width, height } = this.box, { time, mark } = this.points, bars = Math.ceil(width / BAR);
    const kinds = LAYERS.slice(1).reverse(); // what was lost was sent again, mostly
    const counts = kinds.map(() => new Uint32Array(bars)), sums = new Uint32Array(bars);
    for (const at of seen) {
      const kind = kinds.findIndex(({ is }) => is(mark[at]));
      const bar = Math.min(Math.floor((this.toX(time[at]) - left) / BAR), bars - 1);
      if (kind < 0) continue;
      counts[kind][bar]++;
      sums[bar]++;
    }
    const unit = (LANE - EDGE.top) / Math.max(sums.reduce((most, one) => Math.max(most, one), 0), 1);
    for (let bar = 0; bar < bars; bar++) {
      let base = top + height + LANE;
      kinds.forEach(({ name }, kind) => {
        pen.fillStyle = colour(`${name}-fill`);
        pen.fillRect(left + bar * BAR, base -= counts[kind][bar] * unit, BAR - 1, counts[kind][bar] * unit);
      });
    }
  }

  drawMarks(pen, rows, name, colour, ink) {
    const size = rows.length > EACH ? 1.5 : rows.length > LETTERED ? 7 : 11;
    const { time, place, cause } = this.points;
    pen.fillStyle = pen.strokeStyle = colour;
    for (const at of rows) drawShape(pen, name, this.toX(time[at]), this.toY(place[at]), size);
    if (name === "lost" || rows.length > LETTERED) return;
    pen.fillStyle = ink;
    pen.font = `700 ${size - 3}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const at of rows) {
      const word = LAYOUT.enums.cause[cause[at]] ?? "unknown";
      pen.fillText(LAYOUT.causes[word].letter, this.toX(time[at]), this.toY(place[at]) + 0.5);
    }
  }

  drawChosen(pen, colour) {
    const { time, place } = this.points;
    pen.strokeStyle = colour;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(this.toX(time[this.chosen]), this.toY(place[this.chosen]), 10, 0, 2 * Math.PI);
    pen.stroke();
  }

  // Shows one transmission; brings it into view.
  choose(at) {
    const { time, place } = this.points;
    this.chosen = at;
    if (time[at] < this.x[0] || time[at] > this.x[1] || place[at] < this.y[0] || place[at] > this.y[1]) {
      const half = (this.x[1] - this.x[0]) / 2;
      this.look(time[at] - half, time[at] + half);
    }
    this.say(at);
    this.draw();
  }

  // The retransmission behind or before the one that is chosen.
  step(way) {
    const { mark } = this.points;
    for (let at = this.chosen < 0 && way < 0 ? mark.length - 1 : this.chosen + way; at >= 0 && at < mark.length; at += way) {
      if (isAgain(mark[at])) return this.choose(at);
    }
    return undefined;
  }

  // Of what is near, what was sent again or lost comes first: it lies above.
  nearest(x, y) {
    const { time, place, mark } = this.points;
    let found = -1, least = Infinity;
    for (const at of this.seen()) {
      const away = Math.hypot(this.toX(time[at]) - x, this.toY(place[at]) - y);
      const rank = away + (mark[at] === MARKS.sent ? NEAR / 2 : 0);
      if (away <= NEAR && rank < least) [found, least] = [at, rank];
    }
    return found;
  }

  press(event) {
    const { canvas } = this, from = [event.offsetX, event.offsetY];
    let to = from;
    canvas.setPointerCapture(event.pointerId);
    const move = (moved) => {
      to = [moved.offsetX, moved.offsetY];
      this.draw();
      const pen = canvas.getContext("2d");
      pen.strokeStyle = getComputedStyle(canvas).getPropertyValue("--ink");
      pen.lineWidth = 1;
      pen.strokeRect(from[0], from[1], to[0] - from[0], to[1] - from[1]);
    };
    const end = () => {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointercancel", end);
      if (Math.abs(to[0] - from[0]) > 6 && Math.abs(to[1] - from[1]) > 6) this.into(from, to);
      else this.point(this.nearest(...to));
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", end, { once: true });
    canvas.addEventListener("pointercancel", end, { once: true });
  }

  // What was sent once, and arrived, has no more to tell than that.
  point(at) {
    if (at < 0) return this.draw();
    if (this.points.mark[at] !== MARKS.sent) this.open(at);
    this.choose(at);
    return undefined;
  }

  into(from, to) {
    const { left, top, width, height } = this.box;
    const time = (x) => this.x[0] + (x - left) / width * (this.x[1] - this.x[0]);
    const place = (y) => this.y[1] - (y - top) / height * (this.y[1] - this.y[0]);
    const [begin, end] = [time(from[0]), time(to[0])].sort((a, b) => a - b);
    const [low, high] = [place(from[1]), place(to[1])].sort((a, b) => a - b);
    this.look(begin, end, low, high);
  }

  // With Ctrl, as on maps: the wheel alone moves the page.
  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const at = this.x[0] + (event.offsetX - this.box.left) / this.box.width * (this.x[1] - this.x[0]);
    this.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, at);
  }

  key(event) {
    const doing = {
      ArrowLeft: () => this.move(-STEP_OF),
      ArrowRight: () => this.move(STEP_OF),
      "+": () => this.zoom(ZOOM),
      "-": () => this.zoom(1 / ZOOM),
      0: () => this.all(),
      n: () => this.step(1),
      p: () => this.step(-1),
      Enter: () => this.chosen >= 0 && this.open(this.chosen),
    }[event.key];
    if (!doing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    doing();
  }
}

function extent(values, holds = () => true) {
  let least = Infinity, most = -Infinity;
  for (let at = 0; at < values.length; at++) {
    if (!holds(at)) continue;
    if (values[at] < least) least = values[at];
    if (values[at] > most) most = values[at];
  }
  return least <= most ? [least, most] : [0, 1];
}

const partsOf = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

function drawShape(pen, name, x, y, size) {
  const half = size / 2;
  pen.beginPath();
  if (name === "spurious") pen.arc(x, y, half, 0, 2 * Math.PI);
  else if (name === "needed") pen.rect(x - half, y - half, size, size);
  else if (name === "undetermined") {
    for (const [across, down] of [[0, -1], [1, 0], [0, 1], [-1, 0]]) pen.lineTo(x + across * half, y + down * half);
    pen.closePath();
  } else {
    pen.lineWidth = size > 3 ? 2 : 1;
    for (const slope of [1, -1]) {
      pen.moveTo(x - half, y - slope * half);
      pen.lineTo(x + half, y + slope * half);
    }
    pen.stroke();
    return;
  }
  pen.fill();
}
