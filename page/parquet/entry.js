// SPDX-License-Identifier: BSD-2-Clause
// What the page takes of hyparquet-writer: `npm ci && npm run bundle` writes hyparquet-writer.js.
export { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
export { ParquetWriter } from "hyparquet-writer/src/parquet-writer.js";
