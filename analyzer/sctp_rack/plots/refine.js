// SPDX-License-Identifier: BSD-2-Clause
// Shows a graph in a page: refines what is zoomed into, and turns a click into a display filter.
// It works without a network. The rows that the overview leaves out are unpacked when they are first needed.
"use strict";

const sctpRack = (() => {
  // As in detail.py: what is drawn one by one, and how near symbols hide each other, pixels.
  const MOST = { bars: 2500, spans: 2500, points: 1500, steps: 3000, line: 3000, area: 3000 };
  const APART = 4;
  const CROWDED = 0.5;
  const NARROW = 720;
  // Of the modebar, or of the title of the first panel, pixels.
  const TOP = 30;

  async function inflated(text) {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // As pack.py packs: planes of bytes by significance; differences of neighbours, zigzag.
  async function unpacked(column) {
    const planes = await inflated(column.data);
    const n = column.length;
    const values = new Float64Array(n);
    if (column.scale === 0) {
      const bytes = new Uint8Array(values.buffer);
      for (let i = 0; i < n; i++) for (let k = 0; k < 8; k++) bytes[8 * i + k] = planes[k * n + i];
      return values;
    }
    const steps = n - 1;
    let sum = column.first;
    if (n) values[0] = sum * column.scale;
    for (let i = 0; i < steps; i++) {
      const zigzag = (planes[i] | planes[steps + i] << 8 | planes[2 * steps + i] << 16 | planes[3 * steps + i] << 24) >>> 0;
      sum += zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
      if (column.modulo) sum = (sum + column.modulo) % column.modulo;
      values[i + 1] = sum * column.scale;
    }
    return values;
  }

  async function unpackedLayers(detail) {
    const columns = await Promise.all(detail.columns.map(unpacked));
    const plain = (number) => (number === null ? null : columns[number]);
    return detail.layers.map((one) => {
      const { x, y, width, height, about } = one.rows;
      const said = about.map(({ column, words }) => ({ values: columns[column], words }));
      return { ...one, rows: { ...one.rows, x: plain(x), y: plain(y), width: plain(width), height: plain(height), about: said } };
    });
  }

  const end = (layer, i) => (layer.width ? layer.x[i] + layer.width[i] : layer.x[i]);
  const top = (layer, i) => (layer.height ? layer.y[i] + layer.height[i] : layer.y[i]);
  const said = (layer, i) => layer.about.map((one) => (one.words ? one.words[one.values[i]] : one.values[i]));

  // First index whose time is not before t; layers are sorted by time.
  function from(x, t) {
    let low = 0, high = x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle] < t) low = middle + 1; else high = middle;
    }
    return low;
  }

  function seen(layer, view) {
    const first = layer.width ? 0 : from(layer.x, view.left);
    const rows = [];
    for (let i = first; i < layer.x.length && layer.x[i] <= view.right; i++) {
      if (end(layer, i) >= view.left && top(layer, i) >= view.bottom && layer.y[i] <= view.top) rows.push(i);
    }
    return rows;
  }

  // What Plotly draws for a row: coordinates and how often its text is repeated, as in draw.py.
  function shape(layer, i) {
    const x = layer.x[i], y = layer.y[i];
    if (layer.shape === "bars") {
      const high = top(layer, i);
      return layer.size ? [[x, x, x, null], [(y + high) / 2, high, y, null]] : [[x, x, null], [y, high, null]];
    }
    if (layer.shape === "spans") return [[x, end(layer, i), null], [y, y, null]];
    return [[x], [y]];
  }

  function drawn(layer, rows, more) {
    const trace = { x: [], y: [], customdata: [], size: [] };
    const letters = { x: [], y: [] };
    rows.forEach((i, k) => {
      const [x, y] = shape(layer, i);
      const text = said(layer, i);
      if (more) text.push(more[k]);
      x.forEach((value, j) => {
        trace.x.push(value);
        trace.y.push(y[j]);
        trace.customdata.push(text);
        trace.size.push(j === 0 ? layer.size * (more ? CROWDED : 1) : 0);
      });
      if (more) return;
      letters.x.push(layer.x[i]);
      letters.y.push((layer.y[i] + top(layer, i)) / 2);
    });
    const hover = layer.hover + (more ? `%{customdata[${layer.about.length}]}` : "");
    return { trace, letters, hover, picks: layer.picks, exact: !more };
  }

  const place = (value, low, high, count) =>
    Math.min(count - 1, Math.max(0, Math.floor((value - low) / (high - low) * count)));

  // Bars that touch within a pixel become one with the same extent.
  function merged(layer, rows, view) {
    const { columns, lines } = view;
    const begins = new Int32Array(columns * (lines + 1)), ends = new Int32Array(columns * (lines + 1));
    for (const i of rows) {
      const at = place(layer.x[i], view.left, view.right, columns) * (lines + 1);
      begins[at + place(layer.y[i], view.bottom, view.top, lines)]++;
      ends[at + place(top(layer, i), view.bottom, view.top, lines) + 1]++;
    }
    const trace = { x: [], y: [], customdata: [] };
    const width = (view.right - view.left) / columns, height = (view.top - view.bottom) / lines;
    for (let column = 0; column < columns; column++) {
      let open = 0, low = 0, count = 0;
      for (let line = 0; line <= lines; line++) {
        const at = column * (lines + 1) + line;
        const before = open;
        open += begins[at] - ends[at];
        if (before === 0 && open > 0) { low = line; count = 0; }
        if (before > 0 && open === 0) {
          const x = view.left + (column + 0.5) * width;
          trace.x.push(x, x, null);
          trace.y.push(view.bottom + low * height, view.bottom + line * height, null);
          for (let j = 0; j < 3; j++) trace.customdata.push([count]);
        }
        count += begins[at];
      }
    }
    const hover = `%{customdata[0]:,} × ${layer.name}: zoom in to tell them apart`;
    return { trace, hover, picks: "", exact: false };
  }

  // Spans of a line that touch within a pixel become one, from the first to the last.
  function joined(layer, rows, view) {
    const open = new Map(), found = [];
    const pixel = (view.right - view.left) / view.columns;
    for (const i of rows) {
      const line = place(layer.y[i], view.bottom, view.top, view.lines), before = open.get(line);
      if (before && layer.x[i] <= before.end + pixel) {
        before.end = Math.max(before.end, end(layer, i));
        before.count++;
      } else {
        const one = { y: layer.y[i], begin: layer.x[i], end: end(layer, i), count: 1 };
        open.set(line, one);
        found.push(one);
      }
    }
    const trace = { x: [], y: [], customdata: [] };
    for (const one of found) {
      trace.x.push(one.begin, one.end, null);
      trace.y.push(one.y, one.y, null);
      for (let j = 0; j < 3; j++) trace.customdata.push([one.count]);
    }
    const hover = `%{customdata[0]:,} × ${layer.name}: zoom in to tell them apart`;
    return { trace, hover, picks: "", exact: false };
  }

  // One symbol for those that would hide each other.
  function thinned(layer, rows, view) {
    const cells = new Map();
    const columns = view.columns / APART | 0, lines = view.lines / APART | 0;
    for (const i of rows) {
      const middle = (layer.y[i] + top(layer, i)) / 2;
      const cell = place(layer.x[i], view.left, view.right, columns) * lines
        + place(middle, view.bottom, view.top, lines);
      const there = cells.get(cell);
      if (there) there[1]++; else cells.set(cell, [i, 1]);
    }
    const kept = [...cells.values()];
    const more = kept.map(([, n]) => (n > 1 ? `<br>and ${(n - 1).toLocaleString("en")} more here: zoom in` : ""));
    return drawn(layer, kept.map(([i]) => i), more);
  }

  // The least and the greatest value of each pixel column, and one point beyond each edge.
  function sampled(layer, view) {
    const first = Math.max(from(layer.x, view.left) - 1, 0);
    const last = Math.min(from(layer.x, view.right) + 1, layer.x.length);
    if (last - first <= MOST[layer.shape]) return drawn(layer, [...Array(last - first).keys()].map((i) => first + i));
    const rows = [];
    const size = (last - first) / view.columns;
    for (let column = 0; column < view.columns; column++) {
      const begin = first + Math.floor(column * size), stop = first + Math.floor((column + 1) * size);
      let least = begin, most = begin;
      for (let i = begin; i < stop; i++) {
        if (!(layer.y[i] >= layer.y[least])) least = i;
        if (!(layer.y[i] <= layer.y[most])) most = i;
      }
      rows.push(...new Set([Math.min(least, most), Math.max(least, most)]));
    }
    return { ...drawn(layer, rows), exact: false };
  }

  function refined(layer, view) {
    if (["steps", "line", "area"].includes(layer.shape)) return sampled(layer, view);
    const rows = seen(layer, view);
    if (rows.length <= MOST[layer.shape]) return drawn(layer, rows);
    if (layer.shape === "bars" && !layer.size) return merged(layer, rows, view);
    if (layer.shape === "spans") return joined(layer, rows, view);
    return thinned(layer, rows, view);
  }

  function viewOf(plot, number) {
    const layout = plot._fullLayout;
    const axis = layout[`yaxis${number ? number + 1 : ""}`];
    const [left, right] = layout.xaxis.range;
    const range = axis.type === "log" ? axis.range.map((power) => 10 ** power) : axis.range;
    return {
      left, right, bottom: range[0], top: range[1],
      columns: Math.max(layout.xaxis._length | 0, 100), lines: Math.max(axis._length | 0, 100),
    };
  }

  async function refine(graph) {
    const { plot, detail, status } = graph;
    if (!detail.layers.length) return;
    graph.layers ??= unpackedLayers(detail);
    const layers = await graph.layers;
    const update = { x: [], y: [], customdata: [], meta: [], "marker.size": [] };
    const traces = [];
    let exact = true;
    const put = (trace, x, y, customdata, meta, size) => {
      traces.push(trace);
      if (!x.length) [x, y] = [[null], [null]]; // the legend keeps it
      [x, y, customdata, meta, size].forEach((value, k) => Object.values(update)[k].push(value));
    };
    for (const { rows, traces: [trace, letters], panel } of layers) {
      const now = refined(rows, viewOf(plot, panel));
      exact &&= now.exact;
      const size = rows.size && now.trace.size ? now.trace.size : 6;
      const says = { ...plot.data[trace].meta, says: now.hover, picks: now.picks };
      put(trace, now.trace.x, now.trace.y, now.trace.customdata, says, size);
      if (letters !== undefined) put(letters, now.letters.x, now.letters.y, undefined, {}, 6);
    }
    await Plotly.restyle(plot, update, traces);
    graph.box.dataset.detail = exact ? "every" : "merged";
    status.textContent = exact
      ? "Everything here is drawn one by one."
      : "What would hide each other is drawn as one: zoom in to tell them apart.";
  }

  function filters(point) {
    const picks = point.data.meta?.picks;
    const data = point.customdata;
    if (!picks || !data) return [];
    const found = data[0] ? [`frame.number == ${data[0]}`] : [];
    return picks === "frame_tsn" ? [...found, `sctp.data_tsn_raw == ${data[1]}`] : found;
  }

  function pick(graph, point) {
    const found = filters(point);
    if (!found.length) {
      const { left, right } = viewOf(graph.plot, 0);
      const half = (right - left) / 16;
      Plotly.relayout(graph.plot, { "xaxis.range": [point.x - half, point.x + half] });
      return;
    }
    const picked = graph.picked;
    picked.replaceChildren(`Display filter for Wireshark of “${point.data.name.replaceAll("<br>", " ")}”: `);
    for (const filter of found) {
      const code = document.createElement("code");
      code.textContent = filter;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "copy";
      button.onclick = () => copy(filter, button);
      picked.append(code, " ", button, " ");
    }
    picked.hidden = false;
  }

  // Pages from a file have no clipboard in some browsers; a selected text can be copied in all.
  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
    }
  }

  // Zooms to the recovery before or after what is seen.
  function step(graph, forward) {
    const { episodes } = graph.detail;
    const { left, right } = viewOf(graph.plot, 0);
    const middle = (left + right) / 2;
    const whole = left <= episodes[0][0] && right >= episodes.at(-1)[1];
    const found = forward
      ? episodes.find(([begin, stop]) => whole || (begin + stop) / 2 > middle * (1 + 1e-9))
      : [...episodes].reverse().find(([begin, stop]) => whole || (begin + stop) / 2 < middle * (1 - 1e-9));
    if (found) zoom(graph, found);
  }

  function zoom(graph, [left, right, bottom, top]) {
    const axis = graph.figure.layout.yaxis;
    const update = { "xaxis.range": [left, right] };
    if (bottom !== undefined && axis) update["yaxis.range"] = [bottom, top];
    Plotly.relayout(graph.plot, update);
  }

  function whole(graph) {
    const update = { "xaxis.range": graph.ranges.xaxis };
    for (const [axis, range] of Object.entries(graph.ranges)) update[`${axis}.range`] = range;
    Plotly.relayout(graph.plot, update);
  }

  const darkPage = matchMedia("(prefers-color-scheme: dark)");

  // The page has title, legend and what marks say: in words that wrap.
  function fitted(figure, narrow, dark) {
    const layout = structuredClone(figure.layout);
    const data = figure.data.map((trace) => sctpRackHover.silenced({ ...trace }));
    if (dark) layout.template = sctpRack.dark;
    layout.showlegend = false;
    delete layout.title;
    layout.height -= layout.margin.t - TOP;
    layout.margin = { ...layout.margin, t: TOP };
    if (narrow) {
      layout.margin = { ...layout.margin, l: 58, r: 8, t: TOP };
      const axes = Object.keys(layout).filter((key) => /^yaxis/.test(key));
      layout.height = Math.min(layout.height, 360 + 110 * axes.length);
      for (const key of axes) layout[key].automargin = true;
    }
    return { data, layout };
  }

  async function show(name) {
    const box = document.getElementById(name);
    const json = (kind) => JSON.parse(box.querySelector(`script.${kind}`).textContent);
    const [plot, status, picked] = ["plot", "status", "picked"].map((kind) => box.querySelector(`.${kind}`));
    const graph = { box, plot, status, picked, figure: json("figure"), detail: json("detail") };
    graph.ranges = {};
    for (const [key, axis] of Object.entries(graph.figure.layout)) {
      if (/^[xy]axis\d*$/.test(key)) graph.ranges[key] = axis.range;
    }
    let narrow;
    const draw = async (dark) => {
      narrow = box.clientWidth < NARROW;
      box.classList.toggle("narrow", narrow);
      const { data, layout } = fitted(graph.figure, narrow, dark);
      if (plot.data) plot.data.forEach((trace, i) => { data[i].visible = trace.visible; });
      const config = {
        responsive: true, displaylogo: false, doubleClick: "reset", displayModeBar: !narrow,
        modeBarButtons: [["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"]],
      };
      await Plotly.react(plot, data, layout, config);
      sctpRackLegend.beside(plot, legend, !narrow);
    };
    const legend = box.querySelector(".legend");
    sctpRackLegend.fill(plot, legend, graph.figure);
    await draw(darkPage.matches);
    darkPage.addEventListener("change", async (event) => { await draw(event.matches); });
    addEventListener("resize", () => { if (narrow !== box.clientWidth < NARROW) draw(darkPage.matches); });
    // Plotly looks at the window alone: a scroll bar that comes makes less room in it for the graph.
    new ResizeObserver(() => {
      if (plot.clientWidth && Math.abs(plot._fullLayout.width - plot.clientWidth) > 1) Plotly.Plots.resize(plot);
    }).observe(plot);
    addEventListener("beforeprint", () => draw(false));
    addEventListener("afterprint", () => draw(darkPage.matches));
    let waiting = Promise.resolve();
    plot.on("plotly_relayout", (change) => {
      if (!Object.keys(change).some((key) => /axis\d*\.(range|autorange)/.test(key))) return;
      waiting = waiting.then(() => refine(graph));
    });
    plot.on("plotly_click", (event) => pick(graph, event.points[0]));
    sctpRackHover.follow(plot);
    const [before, all, after] = box.querySelectorAll("nav button");
    if (before) {
      before.onclick = () => step(graph, false);
      all.onclick = () => whole(graph);
      after.onclick = () => step(graph, true);
    }
    box.dataset.ready = "yes";
    return graph;
  }

  return { show };
})();
