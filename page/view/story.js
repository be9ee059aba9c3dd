// SPDX-License-Identifier: BSD-2-Clause
// The story of a TSN, which the worker that has analysed the capture tells, and where it stands on the page.
"use strict";

const NO_STORY = "The memory of this browser is too small to keep the rows of this capture that stories are told from. The installed "
  + "command has them: sctp-rack explain CAPTURE --frame ";

// A frame's number, or a way into the graph where that has it; `lead` gives that way or nothing.
function frameCell(frame, lead) {
  if (frame === null) return "";
  const show = lead(frame);
  return show ? element("button", { type: "button", class: "choose", "aria-label": `frame ${frame}, in the graph`, onclick: show }, `frame ${frame}`) : `frame ${frame}`;
}

function eventRow({ after, frame, text, more }, lead) {
  const [when, where, what] = more ? ["⋮", "", more] : [after, frameCell(frame, lead), text];
  return element("tr", null, element("td", { class: "n" }, when), element("td", null, where), element("td", null, what));
}

function judgedPart({ verdict, title, parts, more }) {
  if (more) return element("p", null, more);
  return element("section", { class: "judged" },
    element("h4", null, element("span", { class: `is-${verdict}` }, title)),
    element("dl", null, ...parts.flatMap(([label, lines]) => [
      element("dt", null, label), element("dd", null, ...lines.map((line) => element("p", null, line))),
    ])));
}

class Stories {
  // `lead` gives for a TSN of a direction what gives for a frame what shows that in the graph.
  constructor(place, lead) {
    this.place = place;
    this.lead = lead;
    this.worker = null;
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  // Of another capture; the worker of the one before goes, and its memory.
  from(worker) {
    this.worker?.terminate();
    this.worker = worker;
    this.hide();
  }

  hide() {
    this.place.hidden = true;
    this.place.replaceChildren();
    this.asked = this.opener = null;
  }

  close() {
    const { opener } = this;
    this.hide();
    opener?.focus();
  }

  // `opener` has the keyboard again when the story is closed.
  open(way, tsn, frame, opener) {
    const asked = this.asked = { way, tsn }, { worker } = this;
    const show = (...inside) => {
      if (this.asked === asked) this.show(opener, ...inside);
    };
    worker.onmessage = ({ data }) => {
      if (data.failed) show(element("p", { role: "alert" }, data.failed));
      else if (data.story) show(...this.told(data.story));
      else show(element("p", null, `${NO_STORY}${frame}`));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      show(element("p", { role: "alert" }, event.message ?? "The browser has stopped the worker that tells it."));
    };
    worker.postMessage({ job: "tell", way, tsn });
  }

  told({ title, tap, events, retransmissions, never, untold }) {
    if (untold) return [element("p", null, `${sentence(untold)}.`)];
    const lead = this.lead(this.asked.way, this.asked.tsn);
    return [
      element("h3", { tabindex: -1 }, title),
      element("p", null, tap),
      element("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "What happened to it" },
        element("table", { class: "events", "aria-label": "What happened to it: when, in which frame, what" },
          element("tbody", null, ...events.map((event) => eventRow(event, lead))))),
      ...retransmissions.map(judgedPart),
      never && element("p", null, never),
    ].filter(Boolean);
  }

  show(opener, ...inside) {
    const { place } = this;
    place.replaceChildren(element("button", { type: "button", class: "push close", onclick: () => this.close() }, "Close"), ...inside);
    place.hidden = false;
    this.opener = opener;
    const head = place.querySelector("h3") ?? place;
    head.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
    place.dataset.told = String(this.asked.tsn);
  }
}
