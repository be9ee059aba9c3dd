// SPDX-License-Identifier: BSD-2-Clause
// What a worker does: one job, of one file. It says how far it is, then the result or in a sentence why there is none. To
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

async function analyse(core, file) {
  const analysis = new Analysis(core);
  const end = await readCapture(core, file, Analysis.tables, (batch) => analysis.take(batch), progressOf(file));
  const [result, moved] = analysis.result(end);
  postMessage({ result }, moved);
}

async function exportTable(core, file, { table, format }) {
  const lines = liner(table, format), parts = [heading(table, format)];
  // A Blob lies outside of this worker's memory.
  await readCapture(core, file, [table], (batch) => parts.push(new Blob([lines(batch)])), progressOf(file));
  postMessage({ result: new Blob(parts, { type: "text/plain" }) });
}

const JOBS = { analyse, exportTable };

onmessage = async ({ data }) => {
  try {
    await JOBS[data.job](await loadCore(data.module), data.file, data);
  } catch (error) {
    const short = error instanceof RangeError; // an array or the core's memory cannot be had
    postMessage({ failed: error instanceof CaptureError ? error.message : short ? NO_MEMORY : `${error}` });
  }
};
