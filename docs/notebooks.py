# SPDX-License-Identifier: BSD-2-Clause
"""python docs/notebooks.py [NAME…]: runs notebooks and writes them as HTML into build/notebooks."""

import os
import re
import sys
from pathlib import Path
from typing import Any

import jupytext
from nbclient import NotebookClient
from nbconvert import HTMLExporter

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "notebooks"

_FETCHED = re.compile(r'<script[^>]*\ssrc="https?://[^"]*"[^>]*>\s*</script>')

#: Longest that a cell may take, seconds.
_PATIENCE = 1200


def notebooks() -> list[Path]:
    """Those of the project."""
    return sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")


def executed(path: Path, text: str | None = None) -> Any:
    """The notebook with its outputs, run in its folder with this Python; or `text` instead of it.

    Raises `nbclient.exceptions.CellExecutionError` where a cell fails.
    """
    # The command `sctp-rack` of this Python; plotly.js goes into the page, which asks no network.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    os.environ["PLOTLY_RENDERER"] = "plotly_mimetype+notebook"
    notebook = jupytext.reads(path.read_text() if text is None else text, fmt="md")
    client = NotebookClient(
        notebook,
        timeout=_PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
    )
    return client.execute()


def page(notebook: Any) -> str:
    """HTML of an executed notebook, which asks nothing of a network: MathJax and RequireJS, which
    the template and Plotly would fetch, are for formulas and widgets, and there are none."""
    html, _ = HTMLExporter().from_notebook_node(notebook)
    return _FETCHED.sub("", html)


def main(names: list[str]) -> int:
    """Writes a page for each, or for those named."""
    found = {path.stem: path for path in notebooks()}
    if unknown := sorted(set(names) - set(found)):
        print(f"no notebook {', '.join(unknown)}: there are {', '.join(found)}", file=sys.stderr)
        return 2
    pages = ROOT / "build" / "notebooks"
    pages.mkdir(parents=True, exist_ok=True)
    for name in names or found:
        (pages / f"{name}.html").write_text(page(executed(found[name])))
        print(pages.relative_to(ROOT) / f"{name}.html")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
