# SPDX-License-Identifier: BSD-2-Clause
"""What a person does with the page: a capture is dropped, its result looked at, a table saved."""

import json
from pathlib import Path
from typing import Any

from tests.browser import Page

#: True when the page takes a capture.
READY = "document.documentElement.dataset.ready"
#: True when a capture's result, or why there is none, is to be seen.
DONE = (
    "document.getElementById('progress').hidden && (document.getElementById('result').dataset.ready"
    " || !document.getElementById('failed').hidden)"
)


def drop(page: Page, *files: Path) -> None:
    """From a file manager onto the page."""
    page.evaluate("delete document.getElementById('result').dataset.ready")
    data = {"items": [], "files": [str(one.resolve()) for one in files], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        page.command("Input.dispatchDragEvent", type=kind, x=300, y=80, data=data)


def analysed(page: Page, *files: Path, seconds: float = 30) -> Page:
    """They are dropped, and all is there."""
    page.evaluate("scrollTo(0, 0)")
    drop(page, *files)
    page.wait(DONE, seconds)
    return page


def text(page: Page, selector: str) -> str:
    said: str = page.evaluate(f"document.querySelector({json.dumps(selector)}).innerText")
    return said


def texts(page: Page, selector: str) -> list[str]:
    found: list[str] = page.evaluate(
        f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.innerText)"
    )
    return found


def saved(page: Page, table: str, file_format: str) -> str:
    """What is in the file that the page saves."""
    page.evaluate(
        "(() => { const before = URL.createObjectURL; window.made = null;"
        "URL.createObjectURL = (blob) => { URL.createObjectURL = before; made = blob;"
        " return before.call(URL, blob); };"
        f"document.getElementById('table').value = {json.dumps(table)};"
        f"document.querySelector('[data-format={file_format}]').click(); }})()"
    )
    page.wait("window.made")
    content: str = page.evaluate("made.text()")
    return content


def in_worker(page: Page, expression: str) -> Any:
    """What an expression comes to among the functions of the worker."""
    return page.evaluate(f"(() => {{ {page.evaluate('WORKER')}; return {expression}; }})()")
