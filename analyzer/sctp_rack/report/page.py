# SPDX-License-Identifier: BSD-2-Clause
"""Makes pages from templates: one file each, with everything in it."""

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import PurePath
from shlex import quote
from typing import Any

from sctp_rack import plots
from sctp_rack.comparison.comparison import Comparison, letters
from sctp_rack.errors import MissingExtraError
from sctp_rack.names import Cause, Verdict
from sctp_rack.plots import style
from sctp_rack.report.contents import Contents, Way
from sctp_rack.report.graphs import Drawn, chosen, drawn
from sctp_rack.report.versus_text import sentences
from sctp_rack.story.story import EVENTS, JUDGED
from sctp_rack.summary.direction_lines import VERDICT
from sctp_rack.wording.causes import NOUN
from sctp_rack.wording.durations import duration
from sctp_rack.wording.harmless import harmless
from sctp_rack.wording.shortened import shortened

try:
    import jinja2
    from markupsafe import Markup
except ModuleNotFoundError as error:
    raise MissingExtraError("a report needs `pip install jinja2 plotly tsdownsample`") from error

#: Verdicts that the head of a story names at its beginning and at its end.
_IN_HEAD = 4, 1


def report_page(captures: Sequence[Contents], *, with_graphs: bool = True) -> str:
    """The page on captures, which need `TABLES`."""
    wanted = chosen(captures) if with_graphs else set()

    def graphs(number: int, way: Way) -> list[dict[str, str]]:
        found = drawn(way, f"{way.anchor}-{number}") if id(way) in wanted else []
        return [{"caption": one.caption, "html": Markup(one.html)} for one in found]

    head = plots.head() if wanted else ""
    return page("report.html", head, captures=captures, graphs=graphs)


def comparison_page(comparison: Comparison, graphs: Sequence[Drawn] = ()) -> str:
    """The page on captures compared, with graphs that `plots.head` makes work."""
    return page(
        "compare.html",
        plots.head() if graphs else "",
        it=comparison,
        letters=letters(len(comparison.names)),
        graphs=[{"caption": one.caption, "html": Markup(one.html)} for one in graphs],
    )


def page(template: str, head: str = "", **values: Any) -> str:
    """A template with these values."""
    made = _environment().get_template(template)
    return made.render(
        **values,
        version=version("sctp-rack"),
        css=Markup(style.custom_properties()) + _asset("page.css"),
        js=_asset("page.js"),
        head=Markup(head),
    )


def _asset(name: str) -> Markup:
    return Markup((files("sctp_rack.report") / "templates" / name).read_text("utf-8"))


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("sctp_rack.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["told_first"] = [verdict.value for verdict in style.VERDICTS]
    environment.filters.update(
        file=_file,
        quoted=lambda path: harmless(quote(PurePath(path).name or path)),
        harmless=harmless,
        thousands=lambda count: f"{count:,}",
        time=lambda time_ns: "" if time_ns is None else duration(time_ns),
        milliseconds=lambda time_ns: f"{time_ns / 1e6:,.3f} ms",
        first_clause=lambda text: text.partition("; ")[0].rstrip(".") + ".",
        other_clauses=lambda text: _capital(text.partition("; ")[2]),
        capital=_capital,
        cause=lambda cause: NOUN[Cause(cause or Cause.UNKNOWN)],
        verdict=lambda verdict: VERDICT[Verdict(verdict or Verdict.UNDETERMINED)],
        tsn_filter=lambda tsn: f"sctp.data_tsn_raw == {tsn}",
        sentences=sentences,
        events=lambda story: shortened(story.events, *EVENTS),
        judged=lambda story: shortened(story.retransmissions, *JUDGED),
        in_head=lambda story: shortened(story.retransmissions, *_IN_HEAD),
    )
    return environment


def _file(path: str) -> str:
    return harmless(PurePath(path).name or path)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
