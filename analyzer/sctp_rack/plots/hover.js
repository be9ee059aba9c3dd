// SPDX-License-Identifier: BSD-2-Clause
// What a mark says when it is pointed at: a box that wraps its words, is never wider than it may be,
// and stays within the window.
"use strict";

const sctpRackHover = (() => {
  // Plotly draws a label as wide as its longest line: it is told to say nothing, and the text is kept.
  function silenced(trace) {
    if (!trace.hovertemplate) return trace;
    const says = trace.hovertemplate.replace(/<extra>.*<\/extra>$/, "");
    const silent = { ...trace, meta: { ...trace.meta, says }, hoverinfo: "none" };
    delete silent.hovertemplate;
    return silent;
  }

  const escaped = (text) => String(text).replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

  // The formats that our texts use: ",", ".3f", ".4s"; else as it is.
  function formatted(value, how) {
    if (typeof value !== "number" || !how) return escaped(value);
    const digits = Number(/\.(\d+)/.exec(how)?.[1]);
    if (how.endsWith("f")) return value.toFixed(digits);
    if (how.endsWith("s")) {
      const power = value ? Math.min(Math.max(Math.floor(Math.log10(Math.abs(value)) / 3), 0), 4) : 0;
      return `${Number((value / 1000 ** power).toPrecision(digits))} ${["", "k", "M", "G", "T"][power]}`;
    }
    return value.toLocaleString("en");
  }

  function text(point) {
    const { says } = point.data.meta ?? {};
    if (!says) return "";
    const row = point.customdata ?? [];
    return says.replace(/%\{(x|y|customdata\[(\d+)\])(?::([^}]*))?\}/g, (_, name, at, how) =>
      // Words of ours have tags of their own: they are put in below, after all has been escaped.
      at === undefined ? formatted(point[name], how) : formatted(row[at], how).replaceAll("&#60;br&#62;", "<br>"));
  }

  function follow(plot) {
    const box = document.createElement("div");
    box.className = "sctp-rack-says";
    box.hidden = true;
    plot.closest(".sctp-rack-graph").append(box);
    plot.on("plotly_hover", ({ points: [point], event }) => {
      const said = text(point);
      box.hidden = !said;
      if (!said) return;
      box.innerHTML = said;
      const { width, height } = box.getBoundingClientRect();
      const { clientX: x, clientY: y } = event?.touches?.[0] ?? event;
      const left = x + 14 + width > innerWidth - 4 ? x - 14 - width : x + 14;
      const top = y + 14 + height > innerHeight - 4 ? y - 14 - height : y + 14;
      box.style.left = `${Math.min(Math.max(left, 4), innerWidth - width - 4)}px`;
      box.style.top = `${Math.max(top, 4)}px`;
    });
    plot.on("plotly_unhover", () => { box.hidden = true; });
    addEventListener("scroll", () => { box.hidden = true; }, { passive: true });
  }

  return { silenced, follow };
})();
