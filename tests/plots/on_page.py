# SPDX-License-Identifier: BSD-2-Clause
"""Where things of the first graph of a page are in its window, to be clicked and dragged."""

import json

from tests.browser import Page

PLOT = "document.querySelector('.plot')"


def trace(name: str) -> str:
    """The trace of that name, in JavaScript."""
    return f"{PLOT}.data.find((one) => one.name === {json.dumps(name)})"


def place_of(page: Page, name: str, point: int) -> tuple[float, float]:
    """Of a point of a trace."""
    x, y = page.evaluate(
        f"(() => {{ const one = {trace(name)}, {{ xaxis, yaxis }} = {PLOT}._fullLayout, "
        f"box = {PLOT}.getBoundingClientRect(), full = {PLOT}._fullData[{PLOT}.data.indexOf(one)];"
        f"return [box.left + xaxis._offset + xaxis.d2p(full.x[{point}]),"
        f" box.top + yaxis._offset + yaxis.d2p(full.y[{point}])]; }})()"
    )
    return float(x), float(y)


def place_in_legend(page: Page, name: str) -> tuple[float, float]:
    """Of a name in the legend."""
    x, y = page.evaluate(
        f"(() => {{ const item = [...document.querySelectorAll('.legend button')]"
        f".find((one) => one.textContent === {json.dumps(name)});"
        "item.scrollIntoView({ block: 'nearest' });"
        "const box = item.getBoundingClientRect();"
        "return [box.left + box.width / 2, box.top + box.height / 2]; })()"
    )
    return float(x), float(y)


def zoom(page: Page, across: tuple[float, float], down: tuple[float, float]) -> None:
    """Drags over a piece of the first panel, in shares of its width and height."""
    left, top, width, height = page.evaluate(
        f"(() => {{ const {{ xaxis, yaxis }} = {PLOT}._fullLayout, "
        f"box = {PLOT}.getBoundingClientRect();"
        "return [box.left + xaxis._offset, box.top + yaxis._offset, xaxis._length, yaxis._length];"
        "})()"
    )
    page.drag(
        (left + across[0] * width, top + down[0] * height),
        (left + across[1] * width, top + down[1] * height),
    )
