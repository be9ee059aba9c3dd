# SPDX-License-Identifier: BSD-2-Clause
"""Release notes: which file is for whom, then the top section of CHANGELOG.md."""

import re
from collections.abc import Iterable

from release.source import Source

_LINK_INSIDE = re.compile(r"\[([^\]]*)\]\((?!https?:)[^)]*\)")


def text(source: Source, names: Iterable[str], not_built: Iterable[str]) -> str:
    """As Markdown that reads alone: of a link into the source its text stays."""
    changes = top_section((source.folder / "CHANGELOG.md").read_text())
    files = "\n".join(f"| `{name}` | {_for_whom(name)} |" for name in sorted(names))
    left_out = "".join(f"Not built: {line}.\n" for line in not_built)
    return (
        f"# sctp-rack {source.version}\n\n"
        f"| file | for |\n|---|---|\n{files}\n\n{left_out}"
        "How to install each: `docs/install.md` in the source. "
        "`sha256sum --check SHA256SUMS` compares them.\n"
        f"Made of commit {source.commit}.\n\n"
        f"{_LINK_INSIDE.sub(lambda link: link[1], changes)}\n"
    )


def top_section(changelog: str) -> str:
    """Of the version that the changelog tells first, also where it has no number yet."""
    sections = re.split(r"^## .*\n", changelog, flags=re.MULTILINE)
    if len(sections) < 2 or not sections[1].strip():
        raise ValueError("CHANGELOG.md has no section to tell of")
    return sections[1].strip()


def _for_whom(name: str) -> str:
    if found := re.search(r"-wireshark-(\d+\.\d+)-(\w+?)-(\w+)\.tar", name):
        return f"the plugin for Wireshark {found[1]} on {found[2].capitalize()}, {found[3]}"
    if found := re.search(r"manylinux_(\d+)_(\d+)_(\w+)\.whl", name):
        return (
            f"pip: Linux, {found[3]}, glibc {found[1]}.{found[2]} or later, CPython 3.11 or later"
        )
    for ending, whom in _BY_ENDING.items():
        if name.endswith(ending):
            return whom
    return ""


#: The first that fits.
_BY_ENDING = {
    "-source.tar.gz": "builders: all of the source, also of the plugin",
    ".tar.gz": "pip: where no wheel fits; needs a C compiler",
    ".whl": "pip",
    ".html": "any browser, with nothing to install: open it and drop a capture",
    ".lua": "any Wireshark from 4.0 to 4.6: copy it into the folder of personal Lua plugins",
    "-profile.zip": "Wireshark: colours, columns and filter buttons, to import",
    ".cdx.json": "what is in each file and what it needs (CycloneDX)",
}
