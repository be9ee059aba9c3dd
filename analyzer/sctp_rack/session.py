# SPDX-License-Identifier: BSD-2-Clause
"""The thin binding to the core: bytes of a capture in, batches of rows and the final counts out."""

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi, lib
from sctp_rack.errors import CaptureError, StorageError
from sctp_rack.source import decompression_errors, open_source

#: Tables that the core writes, in the order of its enum, with the C type of their rows.
ROW_TYPES = {
    "transmissions": "struct sr_transmission_row",
    "sacks": "struct sr_sack_row",
    "chunks": "struct sr_chunk_row",
    "rtt_samples": "struct sr_rtt_sample_row",
    "counts": "struct sr_count_row",
    "paths": "struct sr_path_row",
    "associations": "struct sr_association_row",
}

_ROWS_IN_A_BATCH = 65536

#: Two addresses, each 16 bytes and a family.
_PATH = np.dtype("V34")

Rows = npt.NDArray[np.void]


@dataclass(frozen=True)
class Batch:
    """Rows of one or more tables as structured arrays with the fields of the C rows.

    Each table is in the order of its frames, on its own: rows of `chunks` come as the input is
    read, all others after its end, judged. `numbers` holds the lists of SACKs, `text` the JSON of
    control chunks, `paths` the 34 bytes of each path so far; rows refer to all three by index.
    """

    tables: dict[str, Rows]
    numbers: npt.NDArray[np.uint32]
    text: bytes
    paths: npt.NDArray[np.void]


@dataclass(frozen=True)
class End:
    """How the input ended: `message` is None at the end of a record.

    `is_error` tells a broken input from one that is only cut short, whose rows stand.
    """

    message: str | None
    is_error: bool


class Session:
    """Reads one capture.

    `path` is a file or "-"; `udp_ports` carry SCTP beside 9899; `verify_checksum` calls every wrong
    checksum bad; `judges` asks for the figures of each direction also without a table. Iterate
    `batches()` once, then ask for the counts.

    Raises `InputError`, `MissingExtraError` on opening.
    """

    def __init__(
        self,
        path: str,
        tables: Iterable[str] = (),
        *,
        udp_ports: Iterable[int] = (),
        verify_checksum: bool = False,
        judges: bool = False,
    ) -> None:
        names = list(ROW_TYPES)
        self.path = path
        self._tables = tuple(tables)
        self._source = open_source(path)
        options = ffi.new("struct sr_engine_options *")
        options.tables = sum(1 << names.index(name) for name in self._tables)
        options.verify_checksum = verify_checksum
        options.judges = judges
        session = lib.sr_session_new(options)
        if session == ffi.NULL:
            raise MemoryError
        self.handle: Any = ffi.gc(session, lib.sr_session_free)
        for port in udp_ports:
            lib.sr_session_name_udp_port(self.handle, port)
        # An interrupt ends a live capture: what came so far counts.
        self._input_errors: tuple[type[BaseException], ...] = (
            OSError,
            KeyboardInterrupt,
            *decompression_errors(),
        )
        self.end = End(None, False)

    def batches(self) -> Iterator[Batch]:
        """Rows, each table in the order of its frames; `end` is set when they are exhausted."""
        broken: BaseException | None = None
        while True:
            step = lib.sr_session_read(self.handle, _ROWS_IN_A_BATCH)
            if step == lib.SR_READER_MORE:
                broken = self._fill()
                continue
            if any(self._lengths()):
                yield self._take()
            if step != lib.SR_READER_RECORD:
                break
        self._source.close()
        if step == lib.SR_READER_NO_MEMORY or not lib.sr_session_judge(self.handle):
            raise self._out_of_room()
        while lib.sr_session_hand_out(self.handle, _ROWS_IN_A_BATCH):
            yield self._take()
        self.end = self._end(step, broken)

    def read_all(self) -> None:
        """Reads to the end for the counts alone."""
        for _ in self.batches():
            pass

    def check(self) -> None:
        """Raises `CaptureError` where the input was broken."""
        if self.end.is_error:
            raise CaptureError(self.end.message)

    def _fill(self) -> BaseException | None:
        """Hands the core more bytes; returns what breaks the input off."""
        room = ffi.new("size_t *")
        space = lib.sr_session_space(self.handle, room)
        try:
            count = self._source.readinto1(ffi.buffer(space, room[0]))
        except self._input_errors as error:
            lib.sr_session_filled(self.handle, 0)
            return error
        lib.sr_session_filled(self.handle, count)
        return None

    def _end(self, step: int, broken: BaseException | None) -> End:
        frames = self.reader_totals.frames
        if isinstance(broken, KeyboardInterrupt):
            return End(f"{self.path}: interrupted after frame {frames}", False)
        if broken is not None:
            # Compressed data that ends early, or has something else behind it, is all there
            # before that; anything else is broken.
            cut = isinstance(broken, EOFError) or str(broken).startswith("Not a gzipped file")
            return End(f"{self.path}: after frame {frames}: {broken}", not (cut and frames > 0))
        if step == lib.SR_READER_END:
            return End(None, False)
        error = lib.sr_reader_error(self.reader)
        what = ffi.string(error.what).decode()
        message = f"{self.path}: byte {error.offset} (frame {error.frame}): {what}"
        return End(message, step == lib.SR_READER_BAD or frames == 0)

    def _out_of_room(self) -> Exception:
        reason = ffi.new("int *")
        failed = lib.sr_session_failure(self.handle, reason)
        if failed == ffi.NULL or reason[0] == errno.ENOMEM:
            return MemoryError()
        what, why = ffi.string(failed).decode(), os.strerror(reason[0])
        return StorageError(f"{what} in {os.environ.get('TMPDIR') or '/tmp'}: {why}")

    def _lengths(self) -> list[int]:
        rows = lib.sr_session_rows(self.handle)
        return [rows.tables[i].length for i in range(len(ROW_TYPES))]

    def _take(self) -> Batch:
        rows = lib.sr_session_rows(self.handle)
        tables = {
            name: np.frombuffer(_bytes(rows.tables[index]), dtype=DTYPES[name])
            for index, name in enumerate(ROW_TYPES)
            if name in self._tables
        }
        numbers = np.frombuffer(_bytes(rows.numbers), dtype=np.uint32)
        paths = np.frombuffer(_bytes(rows.paths.list), dtype=_PATH)
        batch = Batch(tables, numbers, _bytes(rows.text), paths)
        lib.sr_session_clear_rows(self.handle)
        return batch

    @property
    def reader(self) -> Any:
        """The core's reader, for its format and secrets."""
        return lib.sr_session_reader(self.handle)

    @property
    def reader_totals(self) -> Any:
        """`struct sr_reader_totals`."""
        return lib.sr_reader_totals(self.reader)

    @property
    def totals(self) -> Any:
        """`struct sr_session_totals`."""
        return lib.sr_session_totals(self.handle)

    @property
    def engine_totals(self) -> Any:
        """`struct sr_engine_totals`."""
        return lib.sr_engine_totals(lib.sr_session_engine(self.handle))

    @property
    def associations(self) -> list[Any]:
        """`struct sr_association` of each association, by number; they live as long as this."""
        registry = lib.sr_engine_associations(lib.sr_session_engine(self.handle))
        return [
            lib.sr_registry_at(registry, number)
            for number in range(lib.sr_registry_count(registry))
        ]

    def figures(self, assoc: int, direction: int) -> Any:
        """`struct sr_direction_figures *` of the data of a (0) or b (1); NULL where not judged."""
        return lib.sr_engine_figures(lib.sr_session_engine(self.handle), assoc, direction)

    @property
    def format(self) -> str | None:
        """`pcap` or `pcapng`; None where not even that was read."""
        name = lib.sr_reader_format(self.reader)
        return None if name == ffi.NULL else ffi.string(name).decode()


def _bytes(buffer: Any) -> bytes:
    return bytes(ffi.buffer(buffer.bytes, buffer.length)) if buffer.length else b""


def _dtype(c_type: Any) -> np.dtype[Any]:
    """The numpy type of a C row: its fields at their offsets."""
    formats = {
        "uint64_t": "u8",
        "int64_t": "i8",
        "uint32_t": "u4",
        "uint16_t": "u2",
        "uint8_t": "u1",
        "double": "f8",
        "float": "f4",
    }
    fields = ffi.typeof(c_type).fields
    return np.dtype(
        {
            "names": [name for name, _ in fields],
            "formats": [formats[field.type.cname] for _, field in fields],
            "offsets": [field.offset for _, field in fields],
            "itemsize": ffi.sizeof(c_type),
        }
    )


DTYPES = {name: _dtype(c_type) for name, c_type in ROW_TYPES.items()}
