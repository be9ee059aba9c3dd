# SPDX-License-Identifier: BSD-2-Clause
"""Release notes tell the top section of CHANGELOG.md and whom each file is for."""

import pytest

from release import notes
from release.source import Source

NAMES = (
    "sctp-rack-0.1.0-wireshark-4.4-linux-x86_64.tar.gz",
    "sctp_rack-0.1.0-cp311-abi3-manylinux_2_34_x86_64.whl",
    "sctp-rack-0.1.0-wireshark-profile.zip",
    "sctp-rack-0.1.0-source.tar.gz",
    "sctp_rack-0.1.0.tar.gz",
    "sctp-rack-0.1.0.cdx.json",
    "sctp_rack.lua",
    "sctp-rack.html",
)


def test_the_top_section_alone_is_told() -> None:
    changelog = "# Changelog\n\nForm.\n\n## Unreleased\n\n- new\n\n## 0.0.9\n\n- old\n"
    assert notes.top_section(changelog) == "- new"


@pytest.mark.parametrize("changelog", ["# Changelog\n", "## Unreleased\n\n## 0.0.9\n\n- old\n"])
def test_a_release_without_a_word_of_its_own_is_refused(changelog: str) -> None:
    with pytest.raises(ValueError, match="no section"):
        notes.top_section(changelog)


def test_each_file_says_whom_it_is_for(source: Source) -> None:
    said = notes.text(source, NAMES, [])
    lines = {line.split("`")[1]: line for line in said.splitlines() if line.startswith("| `")}
    assert set(lines) == set(NAMES)
    assert all(line.split("|")[2].strip() for line in lines.values())
    assert "Wireshark 4.4 on Linux, x86_64" in lines[NAMES[0]]
    assert "glibc 2.34 or later" in lines[NAMES[1]]


def test_links_into_the_source_become_text_and_others_stay(source: Source) -> None:
    said = notes.text(source, NAMES, [])
    assert "](docs/" not in said
    assert "docs/verdicts.md says in a picture" in said


def test_what_was_not_built_is_told(source: Source) -> None:
    assert "Not built: Debian trixie: no root." in notes.text(
        source, [], ["Debian trixie: no root"]
    )
