// SPDX-License-Identifier: BSD-2-Clause
// What the core's libc asks of a host: there is no environment and there are no files, so it never gets any.
"use strict";

const BADF = 8; // errno of WASI

function host(memory) {
  const none = () => BADF;
  return {
    environ_get: () => 0,
    environ_sizes_get(count, bytes) {
      new Uint32Array(memory().buffer, count, 1)[0] = 0;
      new Uint32Array(memory().buffer, bytes, 1)[0] = 0;
      return 0;
    },
    proc_exit(status) {
      throw new Error(`the core has ended with ${status}`);
    },
    fd_close: none,
    fd_fdstat_get: none,
    fd_fdstat_set_flags: none,
    fd_prestat_get: none,
    fd_prestat_dir_name: none,
    fd_pwrite: none,
    fd_seek: none,
    fd_write: none,
    path_unlink_file: none,
  };
}
