// SPDX-License-Identifier: BSD-2-Clause
// What a worker does: one job, of one file that another worker reads. It says how far it is, then the result or in a sentence why there is none. To
// cancel it is to end the worker. One that has analysed keeps the rows of stories and tells those that it is asked for.
"use strict";

const PROGRESS_MS = 100;

let kept = null;

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
  kept = { shelf: new Shelf(), associations: analysis.rows.associations };
  const take = () => {
    analysis.take();
    kept.shelf.take(batchOf(core));
  };
  const end = await readCapture(core, job, [...new Set([...Analysis.tables, ...KEPT])], take, progressOf(job.file));
  const [result, moved] = analysis.result(end);
  postMessage({ result }, moved);
}

function tell({ way, tsn }) {
  const association = kept.associations.find((one) => one.assoc === way >> 1);
  postMessage({ story: kept.shelf.full ? null : storyOf(kept.shelf, association, way, tsn) });
}

async function exportTable(core, job) {
  const { file, table, format } = job;
  const lines = liner(table, format), parts = [heading(table, format)];
  // A Blob lies outside of this worker's memory.
  await readCapture(core, job, [table], (batch) => parts.push(new Blob([lines(batch)])), progressOf(file));
  postMessage({ result: new Blob(parts, { type: "text/plain" }) });
}

const JOBS = { analyse, exportTable, exportParquet, annotate };

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
