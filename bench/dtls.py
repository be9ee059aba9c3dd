# SPDX-License-Identifier: BSD-2-Clause
"""How many records of DTLS are read in a second of processor time, by size and cipher, and beside
it what `openssl speed` makes of the cipher alone.

python -m bench.dtls [--records N]
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.builder import sctp
from tests.builder.dtls_capture import TwoCaptures
from tests.builder.dtls_written import DTLS_1_2, DTLS_1_3, SUITES_1_2, SUITES_1_3, Written

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"
SIZES = (100, 1200)  # bytes of user data
ROUNDS = 3

#: What `openssl speed -evp` calls them; it has no CCM with a tag of 8 bytes.
OPENSSL = {
    "AES-128-GCM": "aes-128-gcm",
    "AES-256-GCM": "aes-256-gcm",
    "AES-128-CCM": "aes-128-ccm",
    "ChaCha20-Poly1305": "chacha20-poly1305",
}


def capture(folder: Path, name: str, version: int, size: int, records: int) -> tuple[Path, Path]:
    """A file of so many records, each with a chunk of DATA, and its key log."""
    suites = SUITES_1_3 if version == DTLS_1_3 else SUITES_1_2
    written, captures = Written(suites[name], version), TwoCaptures()
    seal = written.seal_1_3 if version == DTLS_1_3 else written.seal_1_2
    for sender, datagram in written.handshake():
        captures.add(sender, datagram)
    for number in range(records):
        packet = sctp.packet(sctp.data(number, bytes(size)))
        captures.add(0, seal(0, number, packet))
    keys = folder / "keys.log"
    keys.write_bytes(b"\n".join(written.key_lines()))
    return captures.write(folder)[0], keys


def read_a_second(path: Path, keys: Path, records: int) -> float:
    """The best of some rounds."""
    command = [str(BUILD / "bench" / "bench_dtls"), str(path), str(keys)]
    best = 0.0
    for _ in range(ROUNDS):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        opened, packets, seconds = done.stdout.split()
        assert int(opened) == int(packets) == records
        best = max(best, records / float(seconds))
    return best


def cipher_a_second(name: str, size: int) -> float:
    """Records of the cipher alone, with nothing around it."""
    length = size + 28  # headers of SCTP and of DATA
    command = ["openssl", "speed", "-aead", "-decrypt", "-seconds", "1", "-bytes", str(length)]
    done = subprocess.run(
        [*command, "-evp", OPENSSL[name]], capture_output=True, text=True, check=True
    )
    [thousands] = re.findall(r"([\d.]+)k$", done.stdout.strip())
    return float(thousands) * 1000 / length


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="bench.dtls", description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    records = parser.parse_args().records
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(BUILD), "-DSCTP_RACK_BENCH=ON"],
        ["cmake", "--build", str(BUILD), "--parallel", "2", "--target", "bench_dtls"],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print("| cipher | version | user data | records a second | `openssl speed` |")
    print("|---|---|---|---|---|")
    for name in OPENSSL:
        for version, told in ((DTLS_1_2, "1.2"), (DTLS_1_3, "1.3")):
            for size in SIZES:
                with tempfile.TemporaryDirectory() as folder:
                    path, keys = capture(Path(folder), name, version, size, records)
                    ours = read_a_second(path, keys, records)
                alone = cipher_a_second(name, size)
                print(f"| {name} | {told} | {size} | {ours:,.0f} | {alone:,.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
