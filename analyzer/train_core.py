# SPDX-License-Identifier: BSD-2-Clause
"""Runs a core that was built to count over a capture, to its last row: EXTENSION CAPTURE."""

import importlib.util
import sys
from pathlib import Path


def main(extension: str, capture: str) -> None:
    spec = importlib.util.spec_from_file_location("sctp_rack._core", extension)
    assert spec and spec.loader
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    ffi, lib = core.ffi, core.lib

    options = ffi.new("struct sr_engine_options *")
    options.tables = (1 << lib.SR_TABLE_COUNT) - 1
    session = lib.sr_session_new(options)
    data, at = Path(capture).read_bytes(), 0
    while (step := lib.sr_session_read(session, sys.maxsize)) == lib.SR_READER_MORE:
        room = ffi.new("size_t *")
        space = lib.sr_session_space(session, room)
        piece = data[at : at + room[0]]
        ffi.memmove(space, piece, len(piece))
        lib.sr_session_filled(session, len(piece))
        at += len(piece)
    if step != lib.SR_READER_END or not lib.sr_session_judge(session):
        sys.exit(1)
    while lib.sr_session_hand_out(session, sys.maxsize):
        lib.sr_session_clear_rows(session)
    lib.sr_session_free(session)


if __name__ == "__main__":
    main(*sys.argv[1:])
