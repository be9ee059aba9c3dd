# SPDX-License-Identifier: BSD-2-Clause
"""A graph as the bytes of a file, by the end of its name."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from sctp_rack.association import Direction
from sctp_rack.errors import MissingExtraError, UsageError
from sctp_rack.plots import figure, page
from sctp_rack.plots.data import FIELDS
from sctp_rack.plots.kinds import graph_of
from sctp_rack.plots.qlog import qlog_of
from sctp_rack.plots.xplot import xplot_of

#: Width of a picture, pixels; its text is twice as fine.
_WIDTH, _SCALE = 1400, 2


def writer(name: str) -> Callable[..., bytes]:
    """What makes the bytes for a file of this name of a direction, a kind and how it is drawn.

    Raises `UsageError` where the name does not say what is wanted.
    """
    ending = PurePath(name).suffix.lower().lstrip(".")
    if ending in _WRITERS:
        return _WRITERS[ending]
    if ending in _PICTURES:
        return lambda direction, kind, **how: picture(direction, kind, ending, **how)
    known = ", ".join(f".{one}" for one in (*_WRITERS, *_PICTURES))
    raise UsageError(f"{name}: what to draw it as is told by the name: {known}")


def fields(name: str) -> Mapping[str, Sequence[str]]:
    """What a file of this name needs of the rows of large tables; all where it does not say."""
    return {} if PurePath(name).suffix.lower() == ".qlog" else FIELDS


def picture(direction: Direction, kind: str, file_format: str, **how: Any) -> bytes:
    """PNG, SVG or PDF. Raises `MissingExtraError` without kaleido or a browser."""
    drawn = figure(direction, kind, still=True, **how)
    try:
        import kaleido
    except ModuleNotFoundError as error:
        raise MissingExtraError("pictures need `pip install kaleido`") from error
    del kaleido

    try:
        content: bytes = drawn.to_image(format=file_format, width=_WIDTH, scale=_SCALE)
    except RuntimeError as error:
        if "chrome" not in str(error).lower():
            raise
        raise MissingExtraError(
            "pictures need Chromium or Chrome, as of `apt install chromium`; HTML does not"
        ) from error
    return content


def _page(direction: Direction, kind: str, **how: Any) -> bytes:
    return page(direction, kind, **how).encode()


def _xplot(direction: Direction, kind: str, **how: Any) -> bytes:
    return xplot_of(graph_of(direction, kind, **how)).encode()


def _qlog(direction: Direction, _kind: str, **_how: Any) -> bytes:
    return qlog_of(direction).encode()


_WRITERS: dict[str, Callable[..., bytes]] = {"html": _page, "xpl": _xplot, "qlog": _qlog}
_PICTURES = ("png", "svg", "pdf")
