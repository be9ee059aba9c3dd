# SPDX-License-Identifier: BSD-2-Clause
"""What docs/architecture.md says that can be tested: no circles, no room before its time."""

import ast
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "core"
ANALYZER = ROOT / "analyzer"

#: Each may use those before it.
CORE_ROOMS = (
    *("wire", "text", "capture", "journal", "association", "timeline", "model", "books", "facts"),
    *("limits", "judge", "engine", "findings"),
)
#: Takes packets apart between UDP and SCTP, in the middle of what the other one does.
WITHIN = {"dtls": "capture"}
#: Files beside the rooms: what all may use, and what uses all.
BELOW, ABOVE = ("names", "buffer"), ("engine_thread", "judging_thread", "session")


def _circle(uses: Mapping[str, set[str]]) -> list[str]:
    """One of them, if there is one."""
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _modules() -> dict[str, Path]:
    files = sorted((ANALYZER / "sctp_rack").rglob("*.py"))
    names = (".".join(file.relative_to(ANALYZER).with_suffix("").parts) for file in files)
    return dict(zip((name.removesuffix(".__init__") for name in names), files, strict=True))


def _imported(tree: ast.AST) -> Iterator[str]:
    """Wherever: in a function, or for types alone, an import is as good a half of a circle."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
            yield node.module


def _modules_used() -> dict[str, set[str]]:
    modules = _modules()
    uses = {}
    for name, file in modules.items():
        found = {one for one in _imported(ast.parse(file.read_text())) if one in modules}
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        uses[name] = {one for one in found if one not in (name, package)}
    return uses


def _included() -> Iterator[tuple[Path, Path]]:
    """Files of the core, and what they include of it; from the core on."""
    for file in sorted(CORE.rglob("*.[ch]")):
        for text in re.findall(r'^#include "([^"]+)"', file.read_text(), re.MULTILINE):
            yield file.relative_to(CORE), (file.parent / text).resolve().relative_to(CORE)


def _place(file: Path) -> int:
    """In the order of the rooms."""
    if len(file.parts) > 1:
        return CORE_ROOMS.index(WITHIN.get(file.parts[0], file.parts[0]))
    return -1 if file.stem in BELOW else len(CORE_ROOMS) + ABOVE.index(file.stem)


def test_no_module_of_the_analyzer_is_in_a_circle_of_imports() -> None:
    assert _circle(_modules_used()) == []


def test_no_file_of_the_core_includes_one_of_a_later_room() -> None:
    late = [
        f"{file} includes {other}" for file, other in _included() if _place(other) > _place(file)
    ]

    assert late == []


def test_no_header_of_the_core_includes_itself_by_way_of_others() -> None:
    uses: dict[str, set[str]] = {}
    for file, other in _included():
        if file.suffix == ".h":
            uses.setdefault(str(file), set()).add(str(other))

    assert _circle(uses) == []


@pytest.mark.parametrize(
    ("uses", "found"), [({"a": {"b"}, "b": {"c"}}, 0), ({"a": {"b"}, "b": {"a"}}, 3)]
)
def test_a_circle_is_found(uses: dict[str, set[str]], found: int) -> None:
    assert len(_circle(uses)) == found


def test_an_import_in_a_function_counts() -> None:
    tree = ast.parse("def f():\n    from sctp_rack.story import text\n    import sctp_rack.capture")

    assert {"sctp_rack.story.text", "sctp_rack.capture"} <= set(_imported(tree))
