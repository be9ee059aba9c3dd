# SPDX-License-Identifier: BSD-2-Clause
"""The thin binding to the core: a capture's bytes or packets in, batches of rows and counts out."""

import contextlib
import errno
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from sctp_rack._core import ffi, lib
from sctp_rack.binding.addresses import path_text
from sctp_rack.binding.c_packet import c_packet
from sctp_rack.binding.end import End, broken_off
from sctp_rack.binding.keylog import KeyLog
from sctp_rack.binding.rows import NO_TIME, PATH, Batch
from sctp_rack.binding.source import Readable, input_errors, open_source
from sctp_rack.binding.told import tell
from sctp_rack.columns.layout import CORE_TABLES, LAYOUTS
from sctp_rack.errors import CaptureError, StorageError
from sctp_rack.names import ENUMS
from sctp_rack.readers.packet import Frame, PacketSource
from sctp_rack.recovery.messages import PAGE, MessageRows

_DTYPES = {name: layout.dtype for name, layout in LAYOUTS.items()}

_MESSAGES = "messages"

#: Counters of FORWARD-TSN (RFC 3758) and I-FORWARD-TSN (RFC 8260).
_FORWARDS = (lib.sr_chunk_counter(192), lib.sr_chunk_counter(194))

_ROWS_IN_A_BATCH = 65536
#: Of the rows that the core keeps until they are judged, bytes; the rest goes to a file.
_MEMORY = 1 << 20
_FRAMES_IN_A_BATCH = 4096
#: Of judging, until Python looks whether it was interrupted.
_WAIT_MS = 50

_SKIPS = {word: index for index, word in enumerate(ENUMS["skip"])}


class Session:
    """Reads one capture.

    `path` is a file or "-"; with a `source` it only names what that reads: the bytes of a capture,
    or packets. `keylog` is a TLS key log file that decrypts DTLS in the bytes of a capture, where
    the core was built with ciphers. `udp_ports` carry SCTP beside 9899; `verify_checksum` calls
    every wrong checksum bad; `judges` asks for the figures of each direction also without a table.
    `vantage`, `loop_ms` and `profile` take the place of what would be measured (docs/verdicts.md);
    `max_ack_delay_ms` is TLP.max_ack_delay of RACK-TLP (RFC 8985 section 7.2), 200 ms unless told.
    The capture is judged as if the stacks of `without_profiles` were not known. With a `share`, N
    of M, only associations whose number is N modulo M are judged and have rows. Where the input is
    `live`, an interrupt ends it, and what came so far counts. Iterate `batches()`, which have at
    most about `rows_at_once`, once, then ask for the counts.

    Raises `InputError`, `MissingExtraError` on opening, `ValueError` for an unknown word and for a
    loop or delay that is no time.
    """

    def __init__(
        self,
        path: str,
        tables: Iterable[str] = (),
        *,
        source: Readable | PacketSource | None = None,
        keylog: str | None = None,
        udp_ports: Iterable[int] = (),
        verify_checksum: bool = False,
        judges: bool = False,
        vantage: str | None = None,
        loop_ms: float | None = None,
        profile: str | None = None,
        max_ack_delay_ms: float | None = None,
        without_profiles: Iterable[str] = (),
        share: tuple[int, int] | None = None,
        rows_at_once: int | None = None,
        live: bool = False,
    ) -> None:
        options = ffi.new("struct sr_engine_options *")
        tell(options.told, vantage, loop_ms, profile, max_ack_delay_ms, without_profiles)
        #: TLP.max_ack_delay of RACK-TLP: what was told, else 200 ms.
        self.max_ack_delay_ns = int(options.told.max_ack_delay_ns)
        self.path = path
        self._tables = tuple(tables)
        self._rows_at_once = rows_at_once or _ROWS_IN_A_BATCH
        self._live = live
        self._interrupt = (KeyboardInterrupt,) if live else ()
        self._source = open_source(path) if source is None else source
        #: What `messages` is made of, where it is wanted.
        self._messages: MessageRows | None = None
        wanted = {name for name in self._tables if name in CORE_TABLES}
        if _MESSAGES in self._tables:
            wanted.add("transmissions")
        options.tables = sum(1 << CORE_TABLES.index(name) for name in wanted)
        options.verify_checksum = verify_checksum
        options.judges = judges
        options.memory = _MEMORY
        options.share = share or (0, 0)
        session = lib.sr_session_new(options)
        if session == ffi.NULL:
            raise MemoryError
        self.handle: Any = ffi.gc(session, lib.sr_session_free)
        decrypts = not isinstance(self._source, PacketSource)
        self._keys = KeyLog(keylog) if keylog is not None and decrypts else None
        for port in udp_ports:
            lib.sr_session_name_udp_port(self.handle, port)
        self.end = End(None, False)
        self._paths = np.zeros(0, dtype=PATH)
        self._meanwhile: Callable[[], object] | None = None

    def batches(
        self, meanwhile: Callable[[], object] | None = None, *, soon: bool = False
    ) -> Iterator[Batch]:
        """Rows, each table in the order of its frames; `end` is set when they are exhausted.

        `meanwhile` is called while the core judges, which it does in a thread of its own, so that
        an interrupt ends that, too. With `soon`, rows that a live input is complete for do not wait
        for more of them.
        """
        self._meanwhile = meanwhile
        if isinstance(self._source, PacketSource):
            return self._batches_of_packets(self._source)
        return self._batches_of_bytes(self._source, soon)

    def _batches_of_bytes(self, source: Readable, soon: bool) -> Iterator[Batch]:
        broken: BaseException | None = None
        self._more_keys()
        while True:
            try:
                step = lib.sr_session_read(self.handle, self._rows_at_once)
                if step == lib.SR_READER_MORE:
                    if soon and self._live and any(self._lengths()):
                        yield self._take()
                    broken = self._fill(source)
                    continue
            except self._interrupt as error:
                lib.sr_session_filled(self.handle, 0)
                broken = error
                continue
            if any(self._lengths()):
                yield self._take()
            if step != lib.SR_READER_RECORD:
                break
        source.close()
        if self._keys:
            self._keys.close()
        if step == lib.SR_READER_NO_MEMORY:
            raise self._out_of_room()
        yield from self._judged()
        self.end = self._end(step, broken)

    def _batches_of_packets(self, source: PacketSource) -> Iterator[Batch]:
        end = End(None, False)
        breaks_off = (CaptureError, *input_errors(), *self._interrupt)
        with contextlib.closing(source.frames()) as frames:
            try:
                for count, frame in enumerate(frames, 1):
                    self._feed(frame)
                    if count % _FRAMES_IN_A_BATCH == 0 and any(self._lengths()):
                        yield self._take()
            except breaks_off as error:
                end = broken_off(self.path, self.frames, error)
        if any(self._lengths()):
            yield self._take()
        yield from self._judged()
        self.end = end

    def _judged(self) -> Iterator[Batch]:
        try:
            step = lib.sr_session_judge_for(self.handle, 0)
            if self._meanwhile is not None:
                self._meanwhile()
            while step == lib.SR_JUDGING_MORE:
                step = lib.sr_session_judge_for(self.handle, _WAIT_MS)
        except BaseException:
            lib.sr_session_stop(self.handle)
            raise
        if step == lib.SR_JUDGING_FAILED:
            raise self._out_of_room()
        if _MESSAGES in self._tables:
            page = PAGE if self._rows_at_once >= PAGE else PAGE // 8
            self._messages = MessageRows(self._giving_up(), page=page)
        while lib.sr_session_hand_out(self.handle, self._rows_at_once):
            yield self._take()
        if self._messages:
            none = {name: np.zeros(0, _DTYPES[name]) for name in self._tables}
            rows = {**none, _MESSAGES: self._messages.end()}
            yield Batch(rows, np.zeros(0, np.uint32), b"", self._paths)

    def _giving_up(self) -> npt.NDArray[np.int64]:
        """Association and sender of each side that sent a FORWARD-TSN."""
        those = [
            (association.number, sender)
            for association in self.associations
            for sender in (0, 1)
            if any(counted_chunks(association.side[sender])[counter] for counter in _FORWARDS)
        ]
        return np.array(those, np.int64).reshape(-1, 2)

    def _feed(self, frame: Frame) -> None:
        lib.sr_session_frame(self.handle, frame.number, frame.time_ns)
        if frame.skip is not None:
            lib.sr_session_skip(self.handle, frame.number, _SKIPS[frame.skip])
        for packet in frame.packets:
            if not lib.sr_session_packet(self.handle, c_packet(frame, packet)):
                raise self._out_of_room()

    def read_all(self) -> None:
        """Reads to the end for the counts alone."""
        for _ in self.batches():
            pass

    def check(self) -> None:
        """Raises `CaptureError` where the input was broken."""
        if self.end.is_error:
            raise CaptureError(self.end.message)

    def _more_keys(self) -> None:
        """While a capture is live its key log grows."""
        while self._keys and (lines := self._keys.news()):
            if not lib.sr_session_keys(self.handle, lines, len(lines)):
                raise MemoryError

    def _fill(self, source: Readable) -> BaseException | None:
        """Hands the core more bytes; returns what breaks the input off."""
        if self._live:
            self._more_keys()
        room = ffi.new("size_t *")
        space = lib.sr_session_space(self.handle, room)
        try:
            count = source.readinto1(ffi.buffer(space, room[0]))
        except input_errors() as error:
            lib.sr_session_filled(self.handle, 0)
            return error
        lib.sr_session_filled(self.handle, count)
        return None

    def _end(self, step: int, broken: BaseException | None) -> End:
        if broken is not None:
            return broken_off(self.path, self.frames, broken)
        if step == lib.SR_READER_END:
            return End(None, False)
        error = lib.sr_reader_error(self.reader)
        what = ffi.string(error.what).decode()
        message = f"{self.path}: byte {error.offset} (frame {error.frame}): {what}"
        return End(message, step == lib.SR_READER_BAD or self.frames == 0)

    def _out_of_room(self) -> Exception:
        reason = ffi.new("int *")
        failed = lib.sr_session_failure(self.handle, reason)
        if failed == ffi.NULL or reason[0] == errno.ENOMEM:
            return MemoryError()
        what, why = ffi.string(failed).decode(), os.strerror(reason[0])
        return StorageError(f"{what} in {os.environ.get('TMPDIR') or '/tmp'}: {why}")

    def _lengths(self) -> list[int]:
        rows = lib.sr_session_rows(self.handle)
        return [rows.tables[i].length for i in range(len(CORE_TABLES))]

    def _take(self) -> Batch:
        rows = lib.sr_session_rows(self.handle)
        tables = {
            name: np.frombuffer(_bytes(rows.tables[CORE_TABLES.index(name)]), dtype=_DTYPES[name])
            for name in self._tables
            if name in CORE_TABLES
        }
        if _MESSAGES in self._tables:
            tables[_MESSAGES] = np.zeros(0, _DTYPES[_MESSAGES])
            if self._messages:
                at = CORE_TABLES.index("transmissions")
                sent = np.frombuffer(_bytes(rows.tables[at]), dtype=_DTYPES["transmissions"])
                tables[_MESSAGES] = self._messages.add(sent)
        numbers = np.frombuffer(_bytes(rows.numbers), dtype=np.uint32)
        if rows.paths.list.length != self._paths.nbytes:
            self._paths = np.frombuffer(_bytes(rows.paths.list), dtype=PATH)
        batch = Batch(tables, numbers, _bytes(rows.text), self._paths)
        lib.sr_session_clear_rows(self.handle)
        return batch

    @property
    def reader(self) -> Any:
        """The core's reader, for its format and secrets."""
        return lib.sr_session_reader(self.handle)

    @property
    def frames(self) -> int:
        """How many there were so far, numbered as Wireshark does."""
        return int(self.totals.frames)

    @property
    def first_time_ns(self) -> int | None:
        """Of the earliest frame so far; None where none had a time."""
        first_ns = int(self.totals.earliest_ns)
        return None if first_ns == NO_TIME else first_ns

    @property
    def last_time_ns(self) -> int | None:
        """Of the latest frame so far; None where none had a time."""
        last_ns = int(self.totals.latest_ns)
        return None if last_ns == NO_TIME else last_ns

    @property
    def reader_totals(self) -> Any:
        """`struct sr_reader_totals`."""
        return lib.sr_reader_totals(self.reader)

    @property
    def totals(self) -> Any:
        """`struct sr_session_totals`."""
        return lib.sr_session_totals(self.handle)

    @property
    def dtls_totals(self) -> Any:
        """`struct sr_dtls_totals`."""
        return lib.sr_session_dtls(self.handle)

    @property
    def engine_totals(self) -> Any:
        """`struct sr_engine_totals`."""
        return lib.sr_engine_totals(lib.sr_session_engine(self.handle))

    @property
    def associations(self) -> Iterator[Any]:
        """`struct sr_association` of each in the order of their numbers; they live as long as this.

        The number of a half that was joined to another association is missing. Look at each when it
        comes: of many most lie in a file.
        """
        registry = lib.sr_engine_associations(lib.sr_session_engine(self.handle))
        everyone = (
            lib.sr_registry_at(registry, number)
            for number in range(lib.sr_registry_count(registry))
        )
        return (one for one in everyone if one.joined == ffi.NULL)

    @property
    def engine(self) -> Any:
        """The core's engine."""
        return lib.sr_session_engine(self.handle)

    @property
    def numbered(self) -> int:
        """How many numbers associations have, with those of halves that were joined to another."""
        return int(lib.sr_registry_count(lib.sr_engine_associations(self.engine)))

    def association(self, number: int) -> Any:
        """`struct sr_association` with this number."""
        return lib.sr_registry_at(lib.sr_engine_associations(self.engine), number)

    def figures(self, assoc: int, direction: int) -> Any:
        """`struct sr_direction_figures *` of the data of a (0) or b (1); NULL where not judged."""
        return lib.sr_engine_figures(lib.sr_session_engine(self.handle), assoc, direction)

    @property
    def filtered(self) -> bool:
        """Whether packets without data were filtered out of the input."""
        return bool(lib.sr_engine_filtered(lib.sr_session_engine(self.handle)))

    @property
    def icmp_errors(self) -> Any:
        """`struct sr_icmp_errors`: those that quote an SCTP packet."""
        return lib.sr_session_icmp_errors(self.handle)

    def path_of(self, number: int) -> str | None:
        """`src>dst` of a path by its number; None where no IP header lies below."""
        paths = lib.sr_session_rows(self.handle).paths.list
        at = number * PATH.itemsize
        if at + PATH.itemsize > paths.length:
            return None
        return path_text(bytes(ffi.buffer(paths.bytes + at, PATH.itemsize)))

    @property
    def format(self) -> str | None:
        """What was read: `pcap`, `pcapng`, …; None where not even that is known."""
        if isinstance(self._source, PacketSource):
            return self._source.format
        name = lib.sr_reader_format(self.reader)
        return None if name == ffi.NULL else ffi.string(name).decode()


def counted_chunks(side: Any) -> Any:
    """Numbers of the chunks that a `struct sr_side` has sent, by `sr_chunk_counter`."""
    return side.few_chunks if side.many_chunks == ffi.NULL else side.many_chunks


def _bytes(buffer: Any) -> bytes:
    return bytes(ffi.buffer(buffer.bytes, buffer.length)) if buffer.length else b""
