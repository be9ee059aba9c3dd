# SPDX-License-Identifier: BSD-2-Clause
"""How many records of DTLS the page decrypts in a second, by size and cipher, in headless Chromium.

python -m bench.page_dtls [--records N]

From the files in the browser to the verdict; beside it the same packets in clear.
"""

import argparse
import tempfile
import time
from pathlib import Path

from bench.dtls import OPENSSL, SIZES
from page.build import page as built
from tests.browser import Page, chromium
from tests.builder import sctp
from tests.builder.dtls_capture import TwoCaptures
from tests.builder.dtls_written import DTLS_1_2, SUITES_1_2, Written
from tests.page.dropped import DONE, READY, text

ROUNDS = 3


def captures(folder: Path, name: str, size: int, records: int) -> tuple[Path, Path, Path]:
    """A file of so many records, each with a chunk of DATA; the same in clear; the key log."""
    written, both = Written(SUITES_1_2[name], DTLS_1_2), TwoCaptures()
    for sender, datagram in written.handshake():
        both.add(sender, datagram)
    for number in range(records):
        packet = sctp.packet(sctp.data(number, bytes(size)))
        both.add(0, written.seal_1_2(0, number, packet), packet)
    keys = folder / "keys.log"
    keys.write_bytes(b"\n".join(written.key_lines()))
    return *both.write(folder), keys


def seconds(page: Page, html: Path, files: list[Path], packets: int) -> float:
    """The best of some rounds, from choosing the files to the verdict."""
    best = float("inf")
    for _ in range(ROUNDS):
        page.open(html, READY)
        root = page.command("DOM.getDocument")["root"]["nodeId"]
        node = page.command("DOM.querySelector", nodeId=root, selector="#file")["nodeId"]
        begin = time.perf_counter()
        page.command("DOM.setFileInputFiles", files=[str(one) for one in files], nodeId=node)
        page.wait(DONE, 600)
        best = min(best, time.perf_counter() - begin)
        assert f" {packets:,} SCTP packets" in text(page, "#kicker")
    return best


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="bench.page_dtls", description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=100_000)
    records = parser.parse_args().records
    print("| cipher | user data | seconds | in clear | records a second |")
    print("|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        html = folder / "page.html"
        html.write_text(built())
        with chromium(folder / "profile") as page:
            for cipher in OPENSSL:
                for size in SIZES:
                    secured, clear, keys = captures(folder, cipher, size, records)
                    took = seconds(page, html, [secured, keys], records)
                    plain = seconds(page, html, [clear], records)
                    told = f"{took:.2f} | {plain:.2f} | {records / took:,.0f}"
                    print(f"| {cipher} | {size} | {told} |", flush=True)


if __name__ == "__main__":
    main()
