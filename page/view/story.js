// SPDX-License-Identifier: BSD-2-Clause
// The story of a TSN and where it stands on the page. The first one has the capture read again, by a worker that keeps what stories
// are told from: verdict and graph do not wait for it, and who asks for no story needs no memory for it.
"use strict";

const NO_STORY = "The installed command tells it: sctp-rack explain CAPTURE --frame ";

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
  // `begin` starts the workers of a job; `lead` gives for a TSN of a direction what gives for a frame what shows that in the graph.
  constructor(place, begin, lead) {
    Object.assign(this, { place, begin, lead, workers: [] });
    place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  // Of another capture, or of none; the workers of the one before go, and their memory.
  from(file, associations) {
    this.end();
    Object.assign(this, { file, associations });
    this.hide();
  }

  end() {
    for (const one of this.workers) one.terminate();
    this.workers = [];
    this.shelved = false;
  }

  hide() {
    this.place.hidden = true;
    this.place.replaceChildren();
    this.asked = null;
  }

  close() {
    const opener = this.asked?.opener;
    this.hide();
    opener?.focus();
  }

  // `opener` has the keyboard again when the story is closed.
  open(way, tsn, frame, opener) {
    this.asked = { way, tsn, frame, opener };
    if (this.shelved) this.ask();
    else if (!this.workers.length) this.read();
  }

  ask() {
    if (!this.asked) return;
    const { way, tsn } = this.asked, association = this.associations.find(({ assoc }) => assoc === way >> 1);
    this.workers[0].postMessage({ job: "tell", association, way, tsn });
  }

  read() {
    const mine = this.workers = this.begin({ job: "shelve", file: this.file }, (said) => {
      if (mine === this.workers) this.hear(said);
    });
  }

  hear({ doing, done, result, story, failed }) {
    if (failed) this.fail(failed);
    else if (doing === "read") this.wait(done);
    else if (result) {
      this.shelved = true;
      this.workers.pop().terminate(); // nothing is left to read
      this.ask();
    } else if (story && this.asked?.way === story.way && this.asked.tsn === story.tsn) this.show(...this.told(story));
  }

  wait(done) {
    if (!this.asked) return;
    this.place.replaceChildren(element("p", { role: "status" },
      `Reading the capture again, for its stories: ${(done / 1e6).toFixed(1)} of ${(this.file.size / 1e6).toFixed(1)} MB`));
    this.place.hidden = false;
  }

  fail(why) {
    this.end();
    if (this.asked) this.show(element("p", { role: "alert" }, `${why} ${NO_STORY}${this.asked.frame}`));
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

  show(...inside) {
    const { place } = this;
    place.replaceChildren(element("button", { type: "button", class: "push close", onclick: () => this.close() }, "Close"), ...inside);
    place.hidden = false;
    const head = place.querySelector("h3") ?? place;
    head.focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
    place.dataset.told = String(this.asked.tsn);
  }
}
