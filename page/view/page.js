// SPDX-License-Identifier: BSD-2-Clause
// What a person does with the page: a capture comes in, its verdict is shown, a direction is chosen, a story told, a table saved.
"use strict";

const at = (id) => document.getElementById(id);
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const compiled = WebAssembly.compile(bytesOf(CORE));
const workerAddress = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));

let workers = [], capture = null, keyLogs = [], told = null, directions = [], chosen = null;

// Two workers for a job of a file: one does it, one reads for it. `hear` is told how far it is, then the result or why there is none.
function begin(job, hear) {
  const both = [new Worker(workerAddress), new Worker(workerAddress)], [worker, reader] = both;
  const { port1: port, port2: behind } = new MessageChannel();
  worker.onmessage = ({ data }) => hear(data);
  for (const one of both) {
    one.onerror = (event) => {
      event.preventDefault();
      hear({ failed: event.message ?? "The browser has stopped the analysis." });
    };
  }
  reader.postMessage({ job: "read", file: job.file, port: behind }, [behind]);
  compiled.then((module) => worker.postMessage({ ...job, keyLogs, port, module }, [port]))
    .catch((error) => hear({ failed: `This browser does not run the analysis: ${error.message}` }));
  return both;
}

// What a person waits for; it ends what was waited for before. The memory of the workers goes with them.
function work(job, done) {
  stop();
  at("failed").hidden = true;
  at("status").textContent = "";
  showProgress({ doing: "read", done: 0, size: job.file.size });
  const mine = workers = begin(job, (said) => {
    if (mine !== workers) return;
    if (said.doing) return showProgress(said);
    stop();
    if (said.failed) fail(said.failed);
    else done(said.result);
  });
}

function stop() {
  for (const one of workers) one.terminate();
  workers = [];
  at("progress").hidden = true;
}

function showProgress({ doing, done, size }) {
  const bar = at("bar");
  at("progress").hidden = false;
  if (doing === "read") {
    bar.max = size;
    bar.value = done;
    at("doing").textContent = `Reading: ${(done / 1e6).toFixed(1)} of ${(size / 1e6).toFixed(1)} MB`;
  } else {
    bar.removeAttribute("value");
    at("doing").textContent = `Judging ${many(done, "frame")}`;
  }
}

function fail(text) {
  at("failed").textContent = `${capture.name}: ${text}`;
  at("failed").hidden = false;
}

// Captures and key logs in any order: keys are kept for all that comes, and the capture that is there is read with them again.
async function drop(files) {
  at("failed").hidden = true;
  const areKeys = await Promise.all(files.map((file) => isKeyLog(file).catch(() => false))); // whoever reads it tells why not
  const logs = files.filter((_, one) => areKeys[one]), captures = files.filter((_, one) => !areKeys[one]);
  keyLogs = [...keyLogs, ...logs];
  const next = captures[0] ?? capture;
  if (next) open(next);
  if (captures.length > 1) at("status").textContent = `Of ${captures.length} captures ${next.name} alone is read: the page shows one at a time.`;
  if (!next) at("status").textContent = `${logs.map(({ name }) => name).join(", ")}: keys for the captures that are dropped from now on.`;
}

function open(file) {
  capture = file;
  at("result").hidden = true;
  told = null;
  stories.from(null);
  work({ job: "analyse", file }, show);
}

function show(result) {
  told = result;
  stories.from(capture, told.associations);
  const { format, frames, packets, begin, dtls } = told;
  const when = begin === null ? "no times" : `${new Date(begin).toISOString().slice(0, 19).replace("T", " ")} UTC, ${seconds(told.seconds)}`;
  const opened = dtls.opened ? `, ${many(dtls.opened, "record")} of DTLS decrypted` : "";
  at("kicker").replaceChildren(element("b", null, capture.name), ` ${format ?? ""}, ${many(frames, "frame")}, ${many(packets, "SCTP packet")}${opened}, ${when}`);
  const [first, ...then] = headline(told).split("; ");
  const verdict = [element("span", { class: "first" }, then.length ? `${first}.` : first)];
  if (then.length) verdict.push(element("span", { class: "then" }, sentence(then.join("; "))));
  at("verdict").replaceChildren(...verdict);
  at("notices").replaceChildren(...noticesOf(told).map((text) => element("li", null, text)));
  at("findings").replaceChildren(...findingsList(told, showSent));
  at("result").hidden = false;
  at("verdict").focus({ preventScroll: true });
  setTimeout(showDirections); // the verdict is seen before
}

function showDirections() {
  directions = directionsOf(told);
  at("directions").replaceChildren(...(directions.length ? [directionsTable(directions, choose)] : []));
  at("of-direction").hidden = at("again").hidden = !directions.length;
  if (directions.length) {
    table.show(told.resent);
    fillFilters();
    at("again").hidden = !told.resent.frame.length;
    choose(directions[0].way);
  }
  at("result").dataset.ready = String(told.frames);
}

// What is not seen, or not whole, in words.
function noticesOf({ end, skipped, uncounted, dtls }) {
  const of = Object.fromEntries(skipped), notices = [];
  if (end) notices.push(`The file ends early or is damaged: ${end} What came before stands.`);
  notices.push(...dtlsNotices(dtls, of.dtls));
  if (of.encrypted) notices.push(`${many(of.encrypted, "frame")} ${of.encrypted === 1 ? "is" : "are"} encrypted with IPsec ESP: what is in them is missing here.`);
  for (const [word, frames] of skipped) {
    if (["dtls", "encrypted", "other_protocol", "icmp_quote", "fragment"].includes(word)) continue;
    notices.push(`${many(frames, "frame")} could not be read: ${LAYOUT.meanings.skip[word]}.`);
  }
  if (uncounted) notices.push(`${many(uncounted, "packet")} belong${uncounted === 1 ? "s" : ""} to associations beyond the number that is followed.`);
  return notices;
}

function choose(way) {
  chosen = directions.find((direction) => direction.way === way);
  for (const row of at("directions").querySelectorAll("tr[data-way]")) {
    row.setAttribute("aria-current", String(Number(row.dataset.way) === way));
  }
  at("direction-name").replaceChildren(nameOf(chosen), element("small", null, endsOf(chosen).join(" → ")));
  const points = { ...placesOf(told, way), waits: waitsOf(told, way) };
  at("facts").replaceChildren(directionFacts(told, chosen), limitsTable(points.waits) ?? "");
  at("legend").replaceChildren(...legendOf(chosen, points));
  at("says").textContent = SAYS_FIRST;
  graph.show(points);
  if (at("by-way").value) filter();
  at("graph").setAttribute("aria-label", `TSNs over time, ${nameOf(chosen)}: ${thousands(chosen.sent)} sent, ${thousands(chosen.lost)} lost, ${thousands(chosen.again)} sent again`);
}

const SAYS_FIRST = "Drag over a piece to see it larger, point at a mark to read it, and at what was sent again for its story. Keys: arrows move, + and − zoom, 0 shows all, n and p go to the next and previous retransmission, Enter tells its story.";

// A row of the table, or of what was sent: its direction, and in the graph its transmission.
function showIn(rows, row, isIt) {
  if (rows.way[row] !== chosen?.way) choose(rows.way[row]);
  const { frame, tsn, mark } = graph.points;
  const found = frame.findIndex((one, point) => one === rows.frame[row] && tsn[point] === rows.tsn[row] && isIt(mark[point]));
  if (found >= 0) graph.choose(found);
}

function showRow(row) {
  const { resent } = told;
  stories.open(resent.way[row], resent.tsn[row], resent.frame[row], table.scroller); // it is told while the graph is drawn
  showIn(resent, row, isAgain);
}

// Of each frame with a copy of a TSN what shows that in the graph.
function copiesOf(way, tsn) {
  const { sent } = told, rows = new Map();
  for (let row = 0; row < sent.tsn.length; row++) if (sent.tsn[row] === tsn && sent.way[row] === way) rows.set(sent.frame[row], row);
  return (frame) => rows.has(frame) ? () => showSent(rows.get(frame)) : null;
}

function showSent(row) {
  showIn(told.sent, row, (mark) => mark === told.sent.mark[row]);
  at("graph").scrollIntoView({ block: "center" });
  at("graph").focus({ preventScroll: true });
}

function rowOf(point) {
  const { frame, tsn, mark } = graph.points, { resent } = told;
  if (!isAgain(mark[point])) return -1;
  return resent.frame.findIndex((one, row) => one === frame[point] && resent.tsn[row] === tsn[point] && resent.way[row] === chosen.way);
}

const FILTERS = { verdict: "any verdict", cause: "any cause" };

function fillFilters() {
  for (const [name, all] of Object.entries(FILTERS)) {
    const counts = new Map();
    for (const code of told.resent[name]) counts.set(code, (counts.get(code) ?? 0) + 1);
    const options = [...counts].sort(([one], [other]) => one - other)
      .map(([code, number]) => element("option", { value: code }, `${LAYOUT.enums[name][code]} (${thousands(number)})`));
    at(`by-${name}`).replaceChildren(element("option", { value: "" }, all), ...options);
  }
  at("by-class").value = "0";
  at("by-way").value = "";
  filter();
}

function filter() {
  const of = (id) => at(id).value === "" ? null : Number(at(id).value);
  table.filter({
    verdict: of("by-verdict"), cause: of("by-cause"), confidence: of("by-class"), way: at("by-way").value ? chosen.way : null,
  });
  at("passing").textContent = `${thousands(table.rows.length)} of ${many(told.resent.frame.length, "retransmission")}`;
}

const graph = new Graph(at("graph"), (point) => {
  at("says").textContent = saysOf(graph.points, point, told.resent, rowOf(point));
}, (point) => stories.open(chosen.way, graph.points.tsn[point], graph.points.frame[point], at("graph")));
const stories = new Stories(at("story"), begin, copiesOf);
const table = new Table(at("rows"), showRow);

exporter(at("save"), (name, format) => work({ job: format === "parquet" ? "exportParquet" : "exportTable", file: capture, table: name, format }, (blob) => {
  saveAs(blob, `${capture.name}.${name}.${format}`);
}));
at("annotate").addEventListener("click", () => work({ job: "annotate", file: capture }, ({ blob, notes }) => {
  saveAs(blob, annotatedName(capture.name));
  at("status").textContent = notes.join(" ");
}));
for (const id of ["by-verdict", "by-cause", "by-class", "by-way"]) at(id).addEventListener("change", filter);
for (const [id, doing] of Object.entries({
  earlier: () => graph.move(-STEP_OF), later: () => graph.move(STEP_OF), larger: () => graph.zoom(ZOOM),
  smaller: () => graph.zoom(1 / ZOOM), whole: () => graph.all(), next: () => graph.step(1),
})) at(id).addEventListener("click", doing);
at("cancel").addEventListener("click", () => {
  stop();
  at("status").textContent = `${capture.name}: cancelled.`;
});
at("file").addEventListener("change", () => {
  if (at("file").files.length) drop([...at("file").files]);
  at("file").value = "";
});
addEventListener("dragover", (event) => {
  event.preventDefault();
  at("drop").classList.add("over");
});
addEventListener("dragleave", () => at("drop").classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  at("drop").classList.remove("over");
  if (event.dataTransfer.files.length) drop([...event.dataTransfer.files]);
});
document.documentElement.dataset.ready = "true";
