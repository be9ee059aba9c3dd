// SPDX-License-Identifier: BSD-2-Clause
// What a worker does: one job, of one file that another worker reads. It says how far it is, then the result or in a sentence why there is none. To
// cancel it is to end the worker.
"use strict";

const PROGRESS_MS = 100;

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

async function exportTable(core, job) {
  const { file, table, format } = job;
  const lines = liner(table, format), parts = [heading(table, format)];
  // A Blob lies outside of this worker's memory.
  await readCapture(core, job, [table], (batch) => parts.push(new Blob([lines(batch)])), progressOf(file));
  postMessage({ result: new Blob(parts, { type: "text/plain" }) });
}

const JOBS = { analyse, exportTable };

onmessage = async ({ data }) => {
  try {
    if (data.job === "read") await readAhead(data.file, data.port);
    else await JOBS[data.job](await loadCore(data.module), data);
  } catch (error) {
    const short = error instanceof RangeError; // an array or the core's memory cannot be had
    postMessage({ failed: error instanceof CaptureError ? error.message : short ? NO_MEMORY : `${error}` });
  }
};
