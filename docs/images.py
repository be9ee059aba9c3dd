# SPDX-License-Identifier: BSD-2-Clause
"""python docs/images.py [NAME…]: draws the pictures of the documents into docs/images."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sctp_rack
from sctp_rack import plots
from sctp_rack.association import Direction
from sctp_rack.plots.vector_graphs import sequence
from sctp_rack.plots.vector_ladder import ladder
from sctp_rack.reference.vector import load
from sctp_rack.report.contents import TABLES, contents
from sctp_rack.report.page import report_page

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images"

#: Pixels of a picture for each of its width and height.
_SCALE = 1.25


def _sample(name: str) -> Direction:
    path = ROOT / "sample_pcaps" / f"{name}.sender.pcap"
    return sctp_rack.read(path).associations[0].a2b


def _bursts() -> Direction:
    return sctp_rack.read().associations[0].a2b


def _drawn(figure: Any, width: int = 1100, height: int | None = None) -> bytes:
    picture: bytes = figure.to_image(format="png", width=width, height=height, scale=_SCALE)
    return picture


def _report(width: int = 1000, height: int = 1000) -> bytes:
    """The beginning of a report, as a browser shows it."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        sys.exit("no Chromium: apt-get install chromium")
    capture = sctp_rack.read(ROOT / "sample_pcaps/usr_ge_nrsack.sender.pcapng", tables=TABLES)
    with tempfile.TemporaryDirectory() as folder:
        page, picture = Path(folder, "report.html"), Path(folder, "report.png")
        page.write_text(report_page([contents(capture)]))
        options = [
            *("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-gpu"),
            *(f"--window-size={width},{height}", f"--force-device-scale-factor={_SCALE}"),
            *("--virtual-time-budget=10000", f"--screenshot={picture}"),
        ]
        subprocess.run([browser, *options, page.as_uri()], check=True, capture_output=True)
        return picture.read_bytes()


IMAGES: dict[str, Callable[[], bytes]] = {
    "time-sequence": lambda: _drawn(_bursts().plot(linked=False, between=(0.34, 0.78)), height=600),
    "panels": lambda: _drawn(_sample("usrsctp-delay-spike").plot()),
    "useful": lambda: _drawn(
        _sample("usrsctp-delay-spike").plot("useful", linked=False), height=420
    ),
    "limits": lambda: _drawn(_sample("dcsctp-zero-window").plot("limits")),
    "before-and-after": lambda: _drawn(
        plots.overlay(
            {
                "pion 1.8.41": _sample("pion-tail-loss-no-rack"),
                "pion 1.12.1": _sample("pion-tail-loss"),
            },
            "tsn",
            title="The ends of bursts are lost: without and with RACK-TLP",
        ),
        height=480,
    ),
    "report": _report,
    "tail-loss": lambda: _drawn(sequence(load("T01"))),
    "loss-rate-200": lambda: _drawn(sequence(load("T09"))),
    "sack-ladder": lambda: _drawn(ladder(load("N6")), width=900),
    "nr-sack-ladder": lambda: _drawn(ladder(load("N7")), width=900),
}


def main(names: list[str]) -> int:
    """Draws those named, or all."""
    if unknown := sorted(set(names) - set(IMAGES)):
        print(f"no picture {', '.join(unknown)}: there are {', '.join(IMAGES)}", file=sys.stderr)
        return 2
    FOLDER.mkdir(exist_ok=True)
    for name in names or IMAGES:
        path = FOLDER / f"{name}.png"
        path.write_bytes(IMAGES[name]())
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
