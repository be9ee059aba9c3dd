# SPDX-License-Identifier: BSD-2-Clause
"""The limits that keep memory and time bounded, with the values that the code has."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Limit:
    """What is limited, where its number stands, and what happens beyond."""

    what: str
    file: str
    constant: str
    beyond: str
    unit: str = ""

    @property
    def value(self) -> int:
        """As the source has it; a limit that is not there is an error."""
        text = (ROOT / self.file).read_text(encoding="utf-8")
        number = r"(?:INT64_C\()?(\d+)\)?(?: << (\d+))?"
        found = re.search(rf"\b{self.constant}(?: =)? {number}", text)
        if found is None:
            raise LookupError(f"{self.file} has no {self.constant}")
        return int(found[1]) << int(found[2] or 0)

    @property
    def words(self) -> str:
        """The value with its unit."""
        value = self.value
        if self.unit == "bytes" and value % (1 << 20) == 0:
            return f"{value >> 20} MiB"
        return f"{value:,} {self.unit}".strip()


NOT_FOLLOWED = "rows are written without one; the finding `association_limit` says so"

LIMITS = (
    Limit(
        "a block of pcapng",
        "core/capture/pcapng.c",
        "LARGEST_BLOCK",
        "an error that names the frame, status 3, as in Wireshark",
        "bytes",
    ),
    Limit(
        "captured bytes of a packet",
        "core/capture/reader_state.h",
        "SR_LARGEST_RECORD",
        "an error that names the frame, status 3, as in Wireshark",
        "bytes",
    ),
    Limit(
        "interfaces of a section",
        "core/capture/pcapng.c",
        "MOST_INTERFACES",
        "an error that names the frame, status 3",
    ),
    Limit(
        "headers below SCTP",
        "core/capture/decapsulate.h",
        "SR_DEEPEST_HEADERS",
        "the frame is skipped, and counted as `too_deep`",
    ),
    Limit(
        "IP datagrams in reassembly",
        "core/capture/fragments.h",
        "SR_FRAGMENT_DATAGRAMS",
        "the one begun longest ago is given up, and counted",
    ),
    Limit(
        "decryption secrets",
        "core/capture/reader.h",
        "SR_SECRETS_LIMIT",
        "further ones are counted",
        "bytes",
    ),
    Limit(
        "kinds of ICMP errors",
        "core/capture/icmp.h",
        "SR_ICMP_ERRORS",
        "further ones are counted; a finding says so",
    ),
    Limit(
        "associations followed",
        "core/association/registry.h",
        "SR_ASSOCIATIONS_LIMIT",
        NOT_FOLLOWED,
    ),
    Limit(
        "addresses kept of a side",
        "core/association/association.h",
        "SR_SIDE_ADDRESSES",
        "further ones are not listed; the verification tag still tells whose packet it is",
    ),
    Limit(
        "halves looked at for their other half, for each packet",
        "core/association/pairing.c",
        "LOOKS_OF_A_PACKET",
        "a half stays one until a later packet finds the other",
    ),
    Limit(
        "TSNs of a direction that stay known",
        "core/association/scoreboard.h",
        "SR_SCOREBOARD_HISTORY",
        "the oldest is forgotten: a later copy of it counts as new",
    ),
    Limit(
        "TSNs of a direction that are not acknowledged",
        "core/association/scoreboard.h",
        "SR_SCOREBOARD_LARGEST",
        "the oldest is forgotten",
    ),
    Limit(
        "TSNs of all directions together",
        "core/association/registry.c",
        "SLOTS_IN_ALL",
        "a direction forgets its oldest instead of growing",
    ),
    Limit(
        "packets known when they are captured again",
        "core/association/repeats.h",
        "SR_REPEATS_KEPT",
        "of later repetitions only those of data are told",
    ),
    Limit(
        "copies of one TSN that a verdict looks at",
        "core/judge/candidates.h",
        "SR_COPIES",
        "the latest are looked at",
    ),
    Limit(
        "paths of a direction",
        "core/books/direction.h",
        "SR_DIRECTION_PATHS",
        "further ones are not in `paths`",
    ),
    Limit(
        "paths of a capture",
        "core/engine/paths.h",
        "SR_PATHS_LIMIT",
        "rows are written without their path",
    ),
    Limit(
        "texts of errors of an association",
        "core/association/errors.h",
        "SR_ERRORS_KEPT",
        "further ones are counted; a finding says so",
    ),
    Limit(
        "rows of one kind",
        "core/journal/journal.h",
        "SR_JOURNAL_LIMIT",
        "an error, status 3",
    ),
    Limit(
        "memory for rows that are not judged yet",
        "core/journal/journal.h",
        "SR_JOURNAL_MEMORY",
        "a temporary file without a name in `TMPDIR`; where it cannot be written, an error",
        "bytes",
    ),
)
