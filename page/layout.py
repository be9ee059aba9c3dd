# SPDX-License-Identifier: BSD-2-Clause
"""How the page reads each column from a C row: what columns/layout.py says, taken apart into data.

Nothing is said twice: a reader there is a function, or one that another made of what it was told,
and both its name and what it was told can be asked of it. The page has a function of each name.
"""

from collections.abc import Callable
from typing import Any

from sctp_rack._core import ffi, lib
from sctp_rack.annotate import blocks, from_pcap, packet_comment, rewrite
from sctp_rack.annotate.remark import LONGEST, MARK, REMARKS, SURE, TOLD_FATES
from sctp_rack.binding.rows import NO_ASSOCIATION, NO_PATH, NO_TIME, NO_WORD
from sctp_rack.binding.told import MAX_ACK_DELAY
from sctp_rack.binding.words import chunk_name, words_of
from sctp_rack.columns.layout import CORE_TABLES, LAYOUTS
from sctp_rack.findings.undecrypted import WHY
from sctp_rack.limits.words import LETTERS as LIMIT_LETTERS
from sctp_rack.limits.words import SENTENCES
from sctp_rack.names import ENUMS, MEANINGS
from sctp_rack.plots.style import LETTERS
from sctp_rack.recovery.hindsight import AT_ONCE, BY_FEEDBACK
from sctp_rack.story.alternatives import BY_RACK, BY_REPORTS, BY_TIMEOUT, REPORTS
from sctp_rack.story.evidence import LIKELY, NAMED_REPORTS, TOO_EARLY
from sctp_rack.story.explain import NAMED, ORDER
from sctp_rack.story.sentences import SENTENCES as SENTENCES_OF_STORIES
from sctp_rack.story.story import EVENTS, JUDGED
from sctp_rack.summary.direction_lines import PROFILE, VANTAGE, how_sure
from sctp_rack.tables import TABLES
from sctp_rack.wording.causes import NO_TRIGGER, NOUN, REASON, TRIGGER, family

_Described = dict[str, Any]


def _described(function: Callable[..., Any]) -> _Described:
    """The name of a reader or condition, and what it was told where it was made."""
    name = function.__qualname__.partition(".")[0]
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    told = {key: cell.cell_contents for key, cell in cells}
    if not name.isidentifier():
        raise ValueError(f"{function} has no name that the page could know")
    return {
        "is": name,
        **{key: _described(value) if callable(value) else value for key, value in told.items()},
    }


def _fields(c_type: str) -> dict[str, tuple[str, int]]:
    """Of a C row: the kind and place of each field; those of a few bits are not read by name."""
    whole = {name: field for name, field in ffi.typeof(c_type).fields if field.bitsize < 0}
    return {name: (field.type.cname, field.offset) for name, field in whole.items()}


def _columns(table: str) -> list[_Described]:
    readers = LAYOUTS[table].columns
    return [
        {
            "name": column.name,
            "type": column.type,
            "read": _described(readers[column.name]) if column.name in readers else None,
        }
        for column in TABLES[table]
    ]


def _table(table: str) -> _Described:
    row = LAYOUTS[table].row
    assert isinstance(row, str)
    return {"size": ffi.sizeof(row), "fields": _fields(row), "columns": _columns(table)}


def _story() -> _Described:
    """The sentences of stories and what their rules go by."""
    return {
        "sentences": SENTENCES_OF_STORIES,
        "reasons": REASON,
        "trigger": TRIGGER,
        "no_trigger": NO_TRIGGER,
        "sure": [how_sure(level) for level in range(6)],
        "order": ORDER,
        "events": EVENTS,
        "judged": JUDGED,
        "named": NAMED,
        "named_reports": NAMED_REPORTS,
        "too_early": TOO_EARLY,
        "likely": LIKELY,
        "by_timeout": sorted(BY_TIMEOUT),
        "by_reports": sorted(BY_REPORTS),
        "by_rack": sorted(BY_RACK),
        "by_feedback": sorted(BY_FEEDBACK),
        "reports": REPORTS,
        "at_once": AT_ONCE,
        "max_ack_delay_ns": MAX_ACK_DELAY,
    }


def _annotate() -> _Described:
    """The words of comments, and the numbers of the formats that they are written in."""
    return {
        "remarks": REMARKS,
        "sure": SURE,
        "mark": MARK,
        "told_fates": TOLD_FATES,
        "longest": LONGEST,
        "without_room": rewrite.WITHOUT_ROOM,
        "gone": rewrite.GONE,
        "no_packets": rewrite.NO_PACKETS,
        "blocks": {
            "section": blocks.SECTION,
            "magic": blocks.MAGIC,
            "swapped": int.from_bytes(blocks.MAGIC.to_bytes(4, "little")),
            "interface": blocks.INTERFACE,
            "enhanced": blocks.ENHANCED,
            "commented": blocks.COMMENTED,
            "frames": sorted(blocks.FRAMES),
            "largest": blocks.LARGEST,
            "piece": blocks.PIECE,
            "comment": packet_comment.COMMENT,
            "fixed": packet_comment.FIXED,
            "captured_at": packet_comment.CAPTURED_AT,
            "section_length_at": rewrite.SECTION_LENGTH_AT,
        },
        "pcap": {
            "magics": from_pcap.MAGICS,
            "nanoseconds": from_pcap.NANOSECONDS,
            "kuznetzov": from_pcap.KUZNETZOV,
            "largest": from_pcap.LARGEST_RECORD,
            "link_type": from_pcap.LINK_TYPE,
            "fcs_is_known": from_pcap.FCS_IS_KNOWN,
            "fcs_shift": from_pcap.FCS_SHIFT,
            "fcs_unit": from_pcap.FCS_UNIT,
            "fcs_length": from_pcap.FCS_LENGTH,
            "resolution": from_pcap.RESOLUTION,
            "no_number": from_pcap.NO_NUMBER,
        },
    }


def layout() -> _Described:
    """Tables in the order of the core, words of the enums, and numbers that stand for nothing."""
    return {
        "tables": {table: _table(table) for table in CORE_TABLES},
        "enums": {enum: words_of(enum) for enum in ENUMS},
        "meanings": {
            enum: {str(word): text for word, text in MEANINGS[enum].items()}
            for enum in ("verdict", "cause", "evidence", "skip", "outcome")
        },
        "causes": {
            str(cause): {"noun": noun, "family": family(cause), "letter": LETTERS[cause]}
            for cause, noun in NOUN.items()
        },
        "limits": {
            str(limit): {"letter": LIMIT_LETTERS[limit], "sentence": sentence}
            for limit, sentence in SENTENCES.items()
        },
        # Behind the semicolon stands an option of the command.
        "unopened": {str(word): text.partition("; `")[0] for word, text in WHY.items()},
        "vantages": {str(vantage): text for vantage, text in VANTAGE.items()},
        "profiles": PROFILE,
        "story": _story(),
        "annotate": _annotate(),
        "chunks": [chunk_name(kind) for kind in range(256)],
        "nothing": {
            "time": str(NO_TIME),
            "association": NO_ASSOCIATION,
            "path": NO_PATH,
            "word": NO_WORD,
        },
        "shutdown": lib.SR_SACK_KIND_SHUTDOWN,
        "steps": {
            word: getattr(lib, f"SR_READER_{word.upper()}")
            for word in ("record", "more", "end", "cut", "bad", "no_memory")
        },
    }


def check() -> str:
    """C that does not compile where a row looks different for WebAssembly than for this host."""
    lines = [
        "/* Rows are the same for WebAssembly and for the host on which their layout was read. */",
        "#include <stddef.h>",
        '#include "session.h"',
    ]
    for table in CORE_TABLES:
        row = LAYOUTS[table].row
        assert isinstance(row, str)
        lines.append(f'_Static_assert(sizeof({row}) == {ffi.sizeof(row)}, "{table}");')
        lines += [
            f'_Static_assert(offsetof({row}, {name}) == {at}, "{table}.{name}");'
            for name, (_, at) in _fields(row).items()
        ]
    return "\n".join([*lines, ""])
