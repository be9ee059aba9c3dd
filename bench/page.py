# SPDX-License-Identifier: BSD-2-Clause
"""Measures the page that needs no install: a large capture dropped in headless Chromium.

python -m bench.page                      a million packets: until the verdict, the graph, a story
python -m bench.page --packets 100000     fewer
"""

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from bench.run import BUILD, LARGE, SMALL, build, generate
from page.build import page as built
from tests.browser import Page, chromium

_READY = "document.documentElement.dataset.ready"
_VERDICT = "document.getElementById('verdict').textContent"
_FAILED = "!document.getElementById('failed').hidden"
_GRAPH = "document.getElementById('graph').dataset.drawn"
#: Bytes; not those of the workers.
_HEAP = "performance.memory.usedJSHeapSize"
_LONGEST_S = 600
#: From a click on the last retransmission to its story: the first one has the capture read again.
_STORY = """(async () => {
  const place = document.getElementById("story"), row = told.resent.frame.length - 1;
  if (row < 0) return [0, 0];
  const ask = async () => {
    const begin = performance.now();
    delete place.dataset.told;
    table.choose(row);
    while (!place.dataset.told) await new Promise((next) => setTimeout(next));
    return performance.now() - begin;
  };
  return [await ask(), await ask()];
})()"""


def opened(page: Page, html: Path, capture: Path) -> tuple[float, float]:
    """Seconds from choosing the file to the verdict, and to the first graph."""
    page.size(1400, 1000)
    page.open(html, _READY)
    root = page.command("DOM.getDocument")["root"]["nodeId"]
    node = page.command("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
    begin = time.perf_counter()
    page.command("DOM.setFileInputFiles", files=[str(capture)], nodeId=node)
    page.wait(f"{_VERDICT} || {_FAILED}", _LONGEST_S)
    verdict = time.perf_counter() - begin
    if page.evaluate(_FAILED):
        sys.exit(page.evaluate("document.getElementById('failed').textContent"))
    page.wait(_GRAPH, _LONGEST_S)
    graph = time.perf_counter() - begin
    if page.errors:
        sys.exit(f"the page complains: {page.errors}")
    return verdict, graph


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    build()
    html = BUILD / "page.html"
    html.write_text(built())
    for shape in (LARGE, SMALL):
        capture = generate(shape, options.packets)
        capture.read_bytes()  # into the page cache
        times, stories = [], []
        for _ in range(options.rounds):
            with tempfile.TemporaryDirectory() as folder, chromium(Path(folder)) as page:
                times.append(opened(page, html, capture))
                stories.append(page.evaluate(_STORY))
                said, drawn = page.evaluate(_VERDICT), page.evaluate(_GRAPH)
                heap = page.evaluate(_HEAP) / 2**20
        verdict, graph = (statistics.median(one) for one in zip(*times, strict=True))
        print(f"{capture.name}: {capture.stat().st_size / 1e6:.0f} MB; {said}")
        print(
            f"  verdict after {verdict:.1f} s, graph of {drawn} transmissions after {graph:.1f} s"
        )
        first, next_one = (statistics.median(one) for one in zip(*stories, strict=True))
        print(f"  the first story after {first / 1000:.1f} s, the next after {next_one:.0f} ms")
        print(f"  {heap:.0f} MiB of the page's heap; medians of {options.rounds} browsers")


if __name__ == "__main__":
    main()
