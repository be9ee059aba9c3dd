// SPDX-License-Identifier: BSD-2-Clause
// What a worker does: one job, of one file that another worker reads. It says how far it is, then the result or in a sentence why there is none. To
// cancel it is to end the worker. One that has shelved rows tells the stories that it is asked for.
"use strict";

const PROGRESS_MS = 100;

let shelf = null;

function progressOf(file) {
  let said = 0;
  return (doing, done) => {
    const now = performance.now();
    if (doing === "read" && now - said < PROGRESS_MS && done < file.size) return;
    said = now;
    postMessage({ doing, done, size: file.size });
  };
}

async function analyse(core, job) {
  const analysis = new Analysis(core);
  const end = await readCapture(core, job, Analysis.tables, () => analysis.take(), progressOf(job.file));
  const [result, moved] = analysis.result(end);
  postMessage({ result }, moved);
}

async function shelve(core, job) {
  shelf = new Shelf();
  await readCapture(core, job, KEPT, (batch) => shelf.take(batch), progressOf(job.file));
  postMessage({ result: "shelved" });
}

function tell({ association, way, tsn }) {
  postMessage({ story: { way, tsn, ...storyOf(shelf, association, way, tsn) } });
}

async function exportTable(core, job) {
  const { file, table, format } = job;
  const lines = liner(table, format), parts = [heading(table, format)];
  // A Blob lies outside of this worker's memory.
  await readCapture(core, job, [table], (batch) => parts.push(new Blob([lines(batch)])), progressOf(file));
  postMessage({ result: new Blob(parts, { type: "text/plain" }) });
}

const JOBS = { analyse, shelve, exportTable, exportParquet, annotate };

onmessage = async ({ data }) => {
  try {
    if (data.job === "tell") tell(data);
    else if (data.job === "read") await readAhead(data.file, data.port);
    else await JOBS[data.job](await loadCore(data.module), data);
  } catch (error) {
    const short = error instanceof RangeError; // an array or the core's memory cannot be had
    postMessage({ failed: error instanceof CaptureError ? error.message : short ? NO_MEMORY : `${error}` });
  }
};
