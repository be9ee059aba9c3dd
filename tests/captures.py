# SPDX-License-Identifier: BSD-2-Clause
"""Which captures the tests read: the bundled ones, and a larger collection where it is present."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BUNDLED = ROOT / "sample_pcaps"
SAMPLE = BUNDLED / "usr_ge_nrsack.sender.pcapng"

#: Real captures from public projects and captures with ground truth; not part of the project.
COLLECTION = ROOT.parent / "shared" / "captures"

needs_collection = pytest.mark.skipif(
    not COLLECTION.is_dir(), reason="the collection of captures is not present beside the project"
)

_SUFFIXES = {".pcap", ".pcapng", ".cap"}


def bundled() -> list[Path]:
    """Captures that the project carries."""
    return _captures(BUNDLED)


def collection(folder: str) -> list[Path]:
    """Captures of one folder of the collection, `wild` or `truth`; none where it is absent."""
    return _captures(COLLECTION / folder)


def _captures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*") if path.suffix in _SUFFIXES)


def name_of(path: Path) -> str:
    """For test ids."""
    return path.name
