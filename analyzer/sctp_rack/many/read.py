# SPDX-License-Identifier: BSD-2-Clause
"""Many captures as Python code meets them: `sctp_rack.read_many()`."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields
from typing import Any, overload

from sctp_rack.commands.analyze import Printed, analyses
from sctp_rack.commands.reading_options import check_jobs
from sctp_rack.errors import MissingExtraError
from sctp_rack.many.figures import CaptureRow
from sctp_rack.many.ranked import ranked, ranked_lines
from sctp_rack.many.which import captures_in
from sctp_rack.wording import html
from sctp_rack.wording.counted import many


class Captures(Sequence[CaptureRow]):
    """Figures of many captures: a row for each, as they were named. `read_many` makes one."""

    def __init__(self, rows: Iterable[CaptureRow]) -> None:
        self._rows = list(rows)

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> CaptureRow: ...
    @overload
    def __getitem__(self, at: slice) -> "Captures": ...
    def __getitem__(self, at: int | slice) -> "CaptureRow | Captures":
        return Captures(self._rows[at]) if isinstance(at, slice) else self._rows[at]

    def ranked(self) -> "Captures":
        """The same, those with the most spurious retransmissions first, unreadable ones last."""
        return Captures(ranked(self._rows))

    @property
    def unread(self) -> "Captures":
        """Those that could not be read, or not to their end; their `error` says why."""
        return Captures(row for row in self._rows if row.error is not None)

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame` with a column for each field of `CaptureRow`."""
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise MissingExtraError("this needs `pip install pandas`") from error
        names = [field.name for field in fields(CaptureRow)]
        return pd.DataFrame(map(astuple, self._rows), columns=names).convert_dtypes()

    def __repr__(self) -> str:
        return f"<Captures: {many(len(self), 'capture')}, {len(self.unread)} with errors>"

    def __str__(self) -> str:
        return "\n".join(ranked_lines(self._rows, "to_pandas()"))

    def _repr_html_(self) -> str:
        """The table of `print`, as it is."""
        return html.block(html.preformatted(str(self)))


def read_many(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    jobs: int = 1,
    reader: str = "auto",
    keylog: str | os.PathLike[str] | None = None,
    udp_ports: Iterable[int] = (),
    verify_checksum: bool = False,
    vantage: str | None = None,
    loop_ms: float | None = None,
    profile: str | None = None,
    max_ack_delay_ms: float | None = None,
) -> Captures:
    """Reads captures one by one and keeps the figures of each; `read` keeps the rows of one.

    `paths` is a folder or several files and folders: of a folder all files are read that are called
    as captures are (`.pcap`, `.pcapng`, `.cap`, also compressed), or begin as they do. `jobs` of
    them are read at the same time, each by a process. The other arguments are those of `read`.

    One that cannot be read is a row with its `error`, and the others are read all the same. Raises
    `UsageError` for arguments that contradict each other, `ValueError` for a wrong one. An
    interrupt ends all processes.
    """
    if jobs < 1:
        raise ValueError(f"{jobs} jobs: it takes at least one")
    named = [paths] if isinstance(paths, str | os.PathLike) else paths
    captures = captures_in([str(os.fspath(path)) for path in named])
    check_jobs(captures, jobs)
    told = analyses(
        captures,
        jobs,
        Printed(),
        watched=False,
        reader=reader,
        keylog=None if keylog is None else os.fspath(keylog),
        udp_ports=tuple(udp_ports),
        verify_checksum=verify_checksum,
        vantage=vantage,
        loop_ms=loop_ms,
        profile=profile,
        max_ack_delay_ms=max_ack_delay_ms,
    )
    return Captures(row for row, _ in told)
