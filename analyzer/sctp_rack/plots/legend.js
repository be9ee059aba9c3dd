// SPDX-License-Identifier: BSD-2-Clause
// The legend of a graph as part of the page: each thing once, in words that wrap, to be hidden and shown.
"use strict";

const sctpRackLegend = (() => {
  // Plotly's symbols by the beginning of their names, in a square of 20.
  const SHAPES = {
    "square": "M4 4h12v12h-12z",
    "circle": "M10 3a7 7 0 1 1 0 14a7 7 0 1 1 0-14z",
    "diamond-tall": "M10 1l5 9l-5 9l-5-9z",
    "diamond": "M10 2l8 8l-8 8l-8-8z",
    "x-thin": "M4 4l12 12M16 4l-12 12",
    "cross-thin": "M10 3v14M3 10h14",
    "line-ew": "M3 10h14",
    "triangle-up": "M10 3l8 13h-16z",
    "triangle-down": "M10 17l8-13h-16z",
    "hexagon": "M10 2l7 4v8l-7 4l-7-4v-8z",
    "hexagram": "M10 2l3 5h6l-3 5l3 5h-6l-3 3l-3-3h-6l3-5l-3-5h6z",
    "octagon": "M7 2h6l5 5v6l-5 5h-6l-5-5v-6z",
    "hourglass": "M4 3h12l-12 14h12z",
  };
  const INNER = { "-x-": "M6 6l8 8M14 6l-8 8", "-dot": "M10 9a1 1 0 1 1 0 2a1 1 0 1 1 0-2z" };
  // Of grounds.
  const PATTERNS = {
    "/": "M3 16l8-12M11 16l8-12M19 16l8-12",
    "\\": "M3 4l8 12M11 4l8 12M19 4l8 12",
    "-": "M2 7h26M2 13h26",
    "|": "M6 4v12M12 4v12M18 4v12M24 4v12",
    "x": "M3 5l7 10M10 5l-7 10M12 5l7 10M19 5l-7 10M21 5l7 10M28 5l-7 10",
    "+": "M2 10h26M7 4v12M15 4v12M23 4v12",
    ".": "M5 7h0M13 7h0M21 7h0M9 13h0M17 13h0M25 13h0",
  };
  const DASHES = { dash: "6 3", dot: "2 2", dashdot: "6 2 2 2", solid: "none" };

  function swatch(trace, letter) {
    const line = trace.line ?? {}, mode = trace.mode ?? "", filled = trace.fill && trace.fill !== "none";
    const colour = mode.includes("markers") ? trace.marker.color : line.color;
    const dash = DASHES[line.dash ?? "solid"] ?? line.dash.replaceAll("px", "").replaceAll(",", " ");
    const parts = [];
    const pattern = PATTERNS[trace.fillpattern?.shape];
    if (pattern) {
      parts.push(`<rect x="1" y="3" width="28" height="14" stroke="${trace.fillcolor}" stroke-width="0.5"/>`);
      parts.push(`<path d="${pattern}" stroke="${trace.fillcolor}" stroke-width="1.6" stroke-linecap="round"/>`);
    } else if (filled) parts.push(`<rect x="1" y="4" width="28" height="12" fill="${trace.fillcolor}"/>`);
    if (mode.includes("lines") && line.width) {
      parts.push(`<path d="M1 ${filled ? 4 : 10}h28" stroke="${colour}" stroke-width="${Math.min(line.width, 4)}" stroke-dasharray="${dash}"/>`);
    }
    if (mode.includes("markers")) {
      const symbol = trace.marker.symbol, open = /open|thin/.test(symbol);
      const shape = Object.keys(SHAPES).find((name) => symbol.startsWith(name));
      const inner = Object.entries(INNER).filter(([part]) => symbol.includes(part)).map(([, path]) => path);
      const path = [SHAPES[shape] ?? SHAPES.circle, ...inner].join("");
      parts.push(`<path transform="translate(5)" d="${path}" fill="${open ? "none" : colour}" stroke="${colour}" stroke-width="${open ? 2 : 0}"/>`);
      if (letter) parts.push(`<text x="15" y="14" text-anchor="middle" font-size="11" font-weight="bold" fill="${open ? colour : "#101418"}">${letter}</text>`);
    }
    return `<svg width="30" height="20" viewBox="0 0 30 20" fill="none" opacity="${trace.opacity ?? 1}" aria-hidden="true">${parts.join("")}</svg>`;
  }

  // Of each panel the groups, and of each group its names; what two panels have is in the first.
  function entries(figure) {
    const found = new Map();
    const ranked = figure.data.map((trace, number) => ({ trace, number })).filter(({ trace }) => trace.name);
    for (const { trace, number } of ranked) {
      const key = `${trace.meta.group}\n${trace.name}`;
      const axis = `yaxis${trace.yaxis.slice(1)}`;
      const one = found.get(key) ?? { axis, trace, numbers: [], rank: trace.legendrank };
      one.numbers.push(number);
      const letters = figure.data.findIndex((other) => !other.name && other.legendgroup === trace.legendgroup);
      if (letters >= 0) one.numbers.push(letters);
      found.set(key, one);
    }
    return [...found.values()].sort((a, b) => a.rank - b.rank);
  }

  function fill(plot, legend, figure) {
    const all = entries(figure);
    const titles = Object.fromEntries(figure.layout.annotations.map((one) => [one.yref.replace(/y(\d*) domain/, "yaxis$1"), one.text]));
    for (const axis of Object.keys(figure.layout).filter((key) => /^yaxis\d*$/.test(key))) {
      const mine = all.filter((one) => one.axis === axis);
      if (!mine.length) continue;
      const section = document.createElement("section");
      section.dataset.axis = axis;
      section.setAttribute("aria-label", titles[axis]);
      if (axis !== "yaxis") {
        const heading = document.createElement("h6");
        heading.textContent = titles[axis];
        section.append(heading);
      }
      let group;
      for (const one of mine) {
        if (one.trace.meta.group && one.trace.meta.group !== group) {
          group = one.trace.meta.group;
          const heading = document.createElement("p");
          heading.textContent = group;
          section.append(heading);
        }
        section.append(button(plot, one));
      }
      legend.append(section);
    }
  }

  function button(plot, one) {
    const made = document.createElement("button");
    made.type = "button";
    made.innerHTML = `${swatch(one.trace, one.trace.meta.letter)}<span></span>`;
    made.lastChild.textContent = one.trace.name.replaceAll("<br>", " ");
    const show = (visible) => made.setAttribute("aria-pressed", visible);
    show(one.trace.visible === true);
    made.onclick = async () => {
      const visible = made.getAttribute("aria-pressed") !== "true";
      show(visible);
      await Plotly.restyle(plot, { visible: visible ? true : "legendonly" }, one.numbers);
      if (visible) reach(plot, one);
    };
    return made;
  }

  // What was asked for is seen: an axis that ends below it is made longer.
  function reach(plot, one) {
    const trace = plot._fullData[one.numbers[0]], layout = plot._fullLayout[one.axis];
    const values = Array.from(trace.y ?? []).filter((value) => Number.isFinite(value) && (layout.type !== "log" || value > 0));
    if (!values.length || layout._length === 0) return;
    const scaled = layout.type === "log" ? Math.log10 : (value) => value;
    const [low, high] = layout.range;
    let least = Infinity, most = -Infinity;
    for (const value of values) { least = Math.min(least, scaled(value)); most = Math.max(most, scaled(value)); }
    if (most >= low && least <= high) return;
    const margin = (Math.max(most, high) - Math.min(least, low)) * 0.06;
    Plotly.relayout(plot, { [`${one.axis}.range`]: [least < low ? least - margin : low, most > high ? most + margin : high] });
  }

  // Beside the panels each section begins where its panel does, or below the one before.
  function beside(plot, legend, wide) {
    for (const section of legend.children) section.style.marginTop = "";
    if (!wide) return;
    for (const section of legend.children) {
      const begins = plot._fullLayout[section.dataset.axis]._offset;
      const before = section.offsetTop - legend.offsetTop;
      section.style.marginTop = `${Math.max(begins - before, 0)}px`;
    }
  }

  return { fill, beside };
})();
