# SPDX-License-Identifier: BSD-2-Clause
"""What `mkdocs build` is told: which pages lie outside docs/, and what becomes of links out of it.

The documents are read in a checkout, too, so their links are paths of the checkout. Where such a
path is a page here, the link leads there; where it is a file that the site does not have, its text
stays and names the path.
"""

import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
_DOCS = ROOT / "docs"

#: Pages from outside docs/, and where they stand in the site.
_BROUGHT = {
    **{path: f"samples/{path.name}" for path in sorted((ROOT / "sample_pcaps").glob("*.md"))},
    ROOT / "CHANGELOG.md": "changelog.md",
    ROOT / "CONTRIBUTING.md": "contributing.md",
}
#: Where a word is said what it means comes before where it is used.
_WEIGHTS = {"glossary.md": 8, "tables.md": 4, "field-reference.md": 2, "changelog.md": 0.2}
_WEIGHT_OF_SAMPLES = 0.3
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<path>[^)#:\s]*)(?P<anchor>#[^)\s]*)?\)")
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are brought."""
    for path, name in _BROUGHT.items():
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """The text with links that hold in the site, and what finding it is worth."""
    uri = page.file.src_uri
    weight = _WEIGHT_OF_SAMPLES if uri.startswith("samples/") else _WEIGHTS.get(uri, 1)
    page.meta["search"] = {"boost": weight}
    here = Path(str(page.file.abs_src_path)).resolve()
    kept = 0
    parts = []
    for fenced in _FENCED.finditer(markdown):
        parts += [_linked(markdown[kept : fenced.start()], here, uri), fenced[0]]
        kept = fenced.end()
    return "".join([*parts, _linked(markdown[kept:], here, uri)])


def _linked(text: str, here: Path, uri: str) -> str:
    def link(found: re.Match[str]) -> str:
        if not found["path"]:
            return found[0]
        target = (here.parent / found["path"]).resolve()
        name = _name_in_site(target)
        if name is None:
            shown = found["text"]
            path = target.relative_to(ROOT).as_posix()
            return shown if path in shown.replace("`", "") else f"{shown} (`{path}`)"
        relative = os.path.relpath(name, Path(uri).parent)
        return f"[{found['text']}]({relative}{found['anchor'] or ''})"

    return _LINK.sub(link, text)


def _name_in_site(target: Path) -> str | None:
    """Raises `FileNotFoundError` for a link to nothing."""
    if not target.exists():
        raise FileNotFoundError(target)
    if target in _BROUGHT:
        return _BROUGHT[target]
    if target.is_relative_to(_DOCS) and target.suffix in (".md", ".png", ".svg"):
        return target.relative_to(_DOCS).as_posix()
    return None
