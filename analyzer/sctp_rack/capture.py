# SPDX-License-Identifier: BSD-2-Clause
"""A capture in memory, as Python code meets it: `sctp_rack.read()`."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sctp_rack.association import Association, Direction
from sctp_rack.binding.rows import Batch, narrowed
from sctp_rack.binding.session import Session
from sctp_rack.binding.source import Progress
from sctp_rack.binding.words import words_of
from sctp_rack.columns.layout import LAYOUTS
from sctp_rack.columns.moments import Moment
from sctp_rack.columns.table import Table, rows_of, table_of
from sctp_rack.findings.alike import gathered
from sctp_rack.findings.find import find
from sctp_rack.findings.finding import CaptureFinding
from sctp_rack.readers.choose import open_reader
from sctp_rack.recovery import gathering
from sctp_rack.recovery.window import Window
from sctp_rack.summary.of_session import summary_of
from sctp_rack.summary.of_time import TABLES as OF_TIME
from sctp_rack.summary.of_time import RowsOfTime
from sctp_rack.summary.only import no_data, of_direction, one_way, only
from sctp_rack.summary.opening import headline
from sctp_rack.summary.show import extent, life, time_told
from sctp_rack.summary.summary import Summary, Time
from sctp_rack.wording import html
from sctp_rack.wording.counted import many
from sctp_rack.wording.ends import ends_text
from sctp_rack.wording.harmless import harmless

if TYPE_CHECKING:
    from sctp_rack.story.story import Story
    from sctp_rack.what_if.what_if import WhatIf

#: Associations that a capture draws.
_DRAWN = 20


class Capture:
    """What a capture holds: associations, tables, findings. `read` makes one."""

    def __init__(
        self,
        summary: Summary,
        tables: dict[str, Table],
        findings: list[CaptureFinding] | None = None,
        whole: Summary | None = None,
    ) -> None:
        #: What limits the analysis, and what could not be read; the worst first.
        self.findings: list[CaptureFinding] = find(summary) if findings is None else findings
        #: The numbers that `sctp-rack analyze --json` prints.
        self.summary = replace(summary, associations=list(summary.associations))
        #: Those of all of it, where `summary` is of a time.
        self.whole = whole or self.summary
        every = {ends.assoc: ends for ends in self.whole.associations}
        #: By number.
        self.associations = [
            Association(ends, tables, self.summary, every[ends.assoc])
            for ends in self.summary.associations
        ]
        self._tables = tables

    @property
    def path(self) -> str:
        """The file, as `read` was told."""
        return self.summary.capture

    @property
    def tables(self) -> list[str]:
        """Names of the tables that were read."""
        return list(self._tables)

    def table(self, name: str) -> Table:
        """The rows of a table of docs/tables.md. Raises `KeyError` where it was not read."""
        return table_of(self._tables, name)

    @property
    def transmissions(self) -> Table:
        """One row for each DATA or I-DATA chunk on the wire (RFC 9260 section 3.3.1, RFC 8260)."""
        return self.table("transmissions")

    @property
    def sacks(self) -> Table:
        """One row for each SACK, NR-SACK or SHUTDOWN (RFC 9260 sections 3.3.4 and 3.3.8)."""
        return self.table("sacks")

    @property
    def messages(self) -> Table:
        """One row for each user message, with when it could be delivered and what it waited for."""
        return self.table("messages")

    @property
    def chunks(self) -> Table:
        """One row for each chunk of any type (RFC 9260 section 3.2)."""
        return self.table("chunks")

    def explain(
        self,
        *,
        frame: int | None = None,
        tsn: int | None = None,
        assoc: int | None = None,
        direction: str | None = None,
        begin: Moment | None = None,
        end: Moment | None = None,
    ) -> "Story":
        """The story of one TSN, as `sctp-rack explain` tells it, by a frame or by its number,
        of those with a copy between `begin` and `end`, as `Table.between` takes them.

        It draws itself in a notebook; `str()` of it is the text. Raises `UsageError` where none
        fits, or several, which it lists; `KeyError` where `read` left one of its tables out.
        """
        from sctp_rack.story.explain import explain
        from sctp_rack.story.which_tsn import which_tsn

        place = which_tsn(
            self, frame=frame, tsn=tsn, assoc=assoc, direction=direction, begin=begin, end=end
        )
        return explain(self, place)

    def what_if(
        self,
        *,
        nr_sack: bool = True,
        rack: bool = True,
        sack_every: int | None = None,
        sack_delay_ms: float | None = None,
        assoc: int | None = None,
        direction: str | None = None,
        begin: Moment | None = None,
        end: Moment | None = None,
    ) -> "WhatIf":
        """What NR-SACKs, or SACKs, and RACK-TLP would have changed: `sctp-rack whatif` in Python.

        With `sack_every` or `sack_delay_ms` also what a receiver would have that acknowledges so
        many packets with a SACK, or holds one back for so long at most. Of a time between `begin`
        and `end`, as `Table.between` takes them: what was kept then, timeouts that expired then,
        waits that began then; of a capture of a time (`between`) that is its own. Raises
        `UsageError` where there is no data of that association or direction, `KeyError` where
        `read` left one of its tables out.
        """
        from sctp_rack.what_if.what_if import WhatIf

        time = self.summary.of_time
        if (begin, end) != (None, None):
            window = Window.between(begin, end, self.summary.first_time_ns)
            time = Time(window.begin_ns, window.end_ns)
        found = [
            (ends_text(ends), one.timed(time))
            for ends, association in zip(self.summary.associations, self.associations, strict=True)
            for one in association.directions
            if one.whole.data and assoc in (None, one.assoc) and direction in (None, one.name)
        ]
        if not found and (assoc, direction) != (None, None):
            raise no_data(self.path, self.summary, assoc, direction)
        return WhatIf.of(
            found,
            nr_sack=nr_sack,
            rack=rack,
            sack_every=sack_every,
            sack_delay_ms=sack_delay_ms,
            of_time=time,
        )

    def only(self, assoc: int | None = None, direction: str | None = None) -> "Capture":
        """One association alone, or one direction of its data.

        What is said of the capture itself, and the tables, stay. Raises `UsageError` where there is
        no such association.
        """
        summary = self.summary if assoc is None else only(self.summary, assoc)
        if direction is None:
            return Capture(summary, self._tables)
        findings = of_direction(find(summary), direction)
        return Capture(one_way(summary, direction), self._tables, findings)

    def between(self, begin: Moment | None = None, end: Moment | None = None) -> "Capture":
        """What happened in a time: `begin` and `end` as `Table.between` takes them.

        `summary.of_time` says what is of it; all of the capture is judged, and what is said of the
        capture itself, and the tables, stay. Raises `KeyError` where `read` left one of the tables
        out that it is summed up from, `ValueError` where `end` is before `begin`.
        """
        rows = RowsOfTime(begin, end, self.whole.first_time_ns)
        for batch in rows_of(self._tables, OF_TIME):
            rows.add(batch)
        summary, findings = rows.told(self.summary, self.findings)
        return Capture(summary, self._tables, findings, self.summary)

    def __repr__(self) -> str:
        sent = [one for both in self.associations for one in both.directions]
        held = [
            many(self.summary.frames, "frame"),
            many(len(self.associations), "association"),
            many(sum(one.data.chunks for one in sent if one.data), "DATA chunk"),
            many(sum(one.retransmissions for one in sent), "retransmission"),
        ]
        return f"<Capture {Path(self.path).name}: {', '.join(held)}>"

    def _repr_html_(self) -> str:
        """Headline, associations, findings."""
        shown = self.summary.associations[:_DRAWN]
        rows = [
            [ends_text(ends), life(ends), f"{ends.packets:,}", *map(_sent, one.directions)]
            for ends, one in zip(shown, self.associations, strict=False)
        ]
        parts = [
            html.title(harmless(self.path), extent(self.summary)),
            *([html.line(time)] if (time := time_told(self.summary)) else []),
            html.line(headline(self.summary)),
            html.table(["association", "", "packets", "a to b", "b to a"], rows),
        ]
        if len(self.associations) > _DRAWN:
            parts.append(html.line(f"and {len(self.associations) - _DRAWN:,} more"))
        parts += [
            html.marked(finding.severity, finding.text) for finding in gathered(self.findings)
        ]
        return html.block(*parts)


def _sent(direction: Direction) -> str:
    if not direction.data:
        return ""
    again = f", {direction.retransmissions:,} again" if direction.retransmissions else ""
    return f"{direction.data.chunks:,} DATA{again}"


def read(
    path: str | os.PathLike[str] | None = None,
    *,
    tables: Iterable[str] | None = None,
    reader: str = "auto",
    keylog: str | os.PathLike[str] | None = None,
    udp_ports: Iterable[int] = (),
    verify_checksum: bool = False,
    partial: bool = False,
    vantage: str | None = None,
    loop_ms: float | None = None,
    profile: str | None = None,
    max_ack_delay_ms: float | None = None,
    without_profiles: Iterable[str] = (),
    progress: Progress | None = None,
    fields: Mapping[str, Sequence[str]] | None = None,
    marks_of: Sequence[str] | None = None,
) -> Capture:
    """Reads a capture: pcap or pcapng, or a log of packets, plain or compressed.

    `"-"` is standard input. `reader` and `keylog` are those of the command line (docs/readers.md):
    tshark for what it alone can read.

    Without a path, a bundled sample: one transfer with bursts of loss, captured at its sender.

    `tables` are the tables to keep in memory (all of docs/tables.md that are computed today unless
    told; the name of one; none for the numbers alone). A million packets take about 140 MB with all
    of them. `udp_ports` carry SCTP (RFC 6951) beside 9899; flows on other ports are found by their
    first packet with a right CRC32c. `verify_checksum` calls every wrong checksum bad, also from a
    side that never has a right one.

    `vantage` (`"sender"`, `"middle"`, `"receiver"`), `loop_ms` (milliseconds from the tap to the
    data sender and back) and `profile` (a word of the enum `profile`) are told instead of measured.
    The data sender is the side of each association that sends more user data. `max_ack_delay_ms`
    is TLP.max_ack_delay of RACK-TLP (RFC 8985 section 7.2), 200 ms unless told. With
    `without_profiles` (`"pion"`, `"usrsctp"`, `"dcsctp"`, `"linux"`) the capture is judged as if
    these stacks were not known, neither by their handshake nor by what they do: for a sender that
    is known to be none of them, or to see how much a verdict owes to a profile.

    Raises `InputError` where the file cannot be opened, and `CaptureError` where it is broken; its
    message names the byte and the frame. With `partial`, a broken capture is what came before that
    place instead, if anything did, with a finding. One that only ends early is read up to there,
    with a finding. Raises `MissingExtraError` where the library for its compression is not
    installed, `UsageError` for an unknown reader and where `reader` and `keylog` contradict each
    other, `ValueError` for an unknown table, vantage or profile, where the profile that is told is
    left out, and for a time below 0 ms or above an hour.

    `progress` is told how far a file was read. `fields` are those of a table's C rows
    (columns/layout.py) that are kept, for who reads much and needs few columns, and `marks_of` the
    profiles whose rows of `rack_marks` are. Other threads run while the core reads.
    """
    names = [tables] if isinstance(tables, str) else list(LAYOUTS if tables is None else tables)
    for name in names:
        if name not in LAYOUTS:
            raise ValueError(f"no table {name!r}: there are {', '.join(LAYOUTS)}")
    for profile_name in marks_of or ():
        if profile_name not in words_of("profile"):
            there = ", ".join(words_of("profile"))
            raise ValueError(f"no profile {profile_name!r}: there are {there}")
    with _sample() if path is None else nullcontext(path) as given:
        file, ports = os.fspath(given), list(udp_ports)
        key_file = None if keylog is None else os.fspath(keylog)
        source = open_reader(file, reader, keylog=key_file, udp_ports=ports, progress=progress)
        session = Session(
            file,
            [*names, *(name for name in gathering.TABLES if name not in names)],
            source=source,
            keylog=key_file,
            udp_ports=ports,
            verify_checksum=verify_checksum,
            vantage=vantage,
            loop_ms=loop_ms,
            profile=profile,
            max_ack_delay_ms=max_ack_delay_ms,
            without_profiles=without_profiles,
        )
        of = None if marks_of is None else [words_of("profile").index(one) for one in marks_of]
        return _read(session, names, fields or {}, of, partial)


def _sample() -> AbstractContextManager[Path]:
    return as_file(files("sctp_rack") / "sample.pcapng")


def _read(
    session: Session,
    names: list[str],
    fields: Mapping[str, Sequence[str]],
    marks_of: Sequence[int] | None,
    partial: bool,
) -> Capture:
    """All of a session, of which these tables, and of some of them these fields, are kept."""
    rows = gathering.RecoveryRows()
    batches: list[Batch] = []
    for batch in session.batches():
        rows.add(batch)
        kept = {name: batch.tables[name] for name in names}
        if marks_of is not None and "rack_marks" in kept:
            marks = kept["rack_marks"]
            kept["rack_marks"] = marks[np.isin(marks["profile"], marks_of)]
        kept |= {name: narrowed(kept[name], fields[name]) for name in names if name in fields}
        batches.append(replace(batch, tables=kept))
    if not partial or not session.frames:
        session.check()
    recovered = rows.recovered(session.max_ack_delay_ns)
    summary = summary_of(session, recovered)
    findings = find(summary)
    recovered.once_more()  # as objects they take the room that their sums took
    tables = {name: Table(name, batches, summary.first_time_ns) for name in names}
    return Capture(summary, tables, findings)
