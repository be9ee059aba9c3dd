# SPDX-License-Identifier: BSD-2-Clause
"""Builds the fuzz targets, seeds them from captures and runs them for a given time.

Everything it makes is under build/fuzz: the programs, the corpora (kept from run to run), the logs
and, in crashes/, each input that made a target fail.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from tests.builder.dtls_written import (  # noqa: E402
    DTLS_1_2,
    DTLS_1_3,
    SUITES_1_2,
    SUITES_1_3,
    Written,
)

BUILD = ROOT / "build" / "fuzz"
TARGETS = {  # and their longest input
    "fuzz_capture": 65536,
    "fuzz_packet": 4096,
    "fuzz_link": 8192,
    "fuzz_found": 4096,
    "fuzz_model": 1024,
    "fuzz_dtls": 16384,
}
CAPTURES = (
    ROOT / "sample_pcaps",
    ROOT.parent / "shared" / "captures" / "wild",
    ROOT.parent / "shared" / "captures" / "truth",
)
LARGEST_SEED = 1 << 20
SEED_HEAD = 16 << 10  # of a larger capture its beginning: mutations of long inputs are slow
FRAMES_PER_SEED = 4

PCAP_MAGICS = {b"\xd4\xc3\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\x4d\x3c\xb2\xa1": "<"}
PCAPNG_MAGIC = b"\x0a\x0d\x0d\x0a"
LINK_HEADERS = {1: 14, 101: 0, 113: 16, 276: 20}  # bytes before the IP header
IP_HEADER, UDP_HEADER, SCTP_HEADER = 20, 8, 12
SOURCE = slice(12, 16)  # address, in an IPv4 header
PROTOCOL_UDP, PROTOCOL_SCTP = 17, 132


@dataclass(frozen=True)
class Frame:
    """One captured frame."""

    link_type: int
    data: bytes
    missing: int  # bytes that were on the wire and not captured


def build() -> None:
    """Builds the targets with clang, AddressSanitizer and UndefinedBehaviorSanitizer."""
    programs = BUILD / "programs"
    options = ["-DCMAKE_C_COMPILER=clang", "-DSCTP_RACK_FUZZ=ON", "-DSCTP_RACK_TESTS=OFF"]
    log = BUILD / "build.log"
    BUILD.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as out:
        for command in (
            ["cmake", "-S", str(ROOT), "-B", str(programs), *options],
            ["cmake", "--build", str(programs), "--parallel", "2", "--target", *TARGETS],
        ):
            if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT).returncode != 0:
                sys.exit(f"the fuzz targets do not build, see {log}")


def captures() -> Iterator[Path]:
    """The captures to start from."""
    for folder in CAPTURES:
        for path in sorted(folder.glob("**/*")) if folder.is_dir() else ():
            is_capture = path.suffix in {".pcap", ".pcapng", ".cap"}
            if is_capture and 0 < path.stat().st_size <= LARGEST_SEED:
                yield path


def frames(capture: bytes) -> Iterator[Frame]:
    """The frames of a pcap file, or of the enhanced packet blocks of a pcapng file."""
    order = PCAP_MAGICS.get(capture[:4])
    if order and len(capture) >= 24:
        link_type, at = struct.unpack_from(order + "I", capture, 20)[0] & 0xFFFF, 24
        while at + 16 <= len(capture):
            captured, wire = struct.unpack_from(order + "II", capture, at + 8)
            yield Frame(link_type, capture[at + 16 : at + 16 + captured], max(wire - captured, 0))
            at += 16 + captured
    elif capture[:4] == PCAPNG_MAGIC:
        order, at, link_types = "<", 0, list[int]()
        while at + 12 <= len(capture):
            if capture[at : at + 4] == PCAPNG_MAGIC:
                order = "<" if capture[at + 8] == 0x4D else ">"
                link_types = []
            kind, length = struct.unpack_from(order + "II", capture, at)
            if length < 12:
                return
            if kind == 1:
                link_types.append(struct.unpack_from(order + "H", capture, at + 8)[0])
            if kind == 6 and at + 28 <= len(capture):
                interface, _, _, captured, wire = struct.unpack_from(order + "5I", capture, at + 8)
                data = capture[at + 28 : at + 28 + captured]
                if interface < len(link_types):
                    yield Frame(link_types[interface], data, max(wire - captured, 0))
            at += length


def sctp_packet(frame: Frame) -> bytes | None:
    """What lies behind an IPv4 header without options, and behind UDP, where that is SCTP."""
    start = LINK_HEADERS.get(frame.link_type)
    if start is None or len(frame.data) < start + IP_HEADER or frame.data[start] != 0x45:
        return None
    total = struct.unpack_from(">H", frame.data, start + 2)[0]
    protocol, packet = frame.data[start + 9], frame.data[start + IP_HEADER : start + total]
    if protocol == PROTOCOL_UDP:
        packet = packet[UDP_HEADER:]
    elif protocol != PROTOCOL_SCTP:
        return None
    return packet if len(packet) > SCTP_HEADER else None


def found(frame: Frame, packet: bytes) -> bytes:
    """The input of fuzz_found.c: an IP header and an SCTP packet, both of the whole frame."""
    at = frame.data.find(packet)
    headers = struct.pack("<BBHBBH", 1, 0, LINK_HEADERS[frame.link_type], 0, 2, at)
    return bytes([2]) + headers + bytes(2) + frame.data


def keep(target: str, seed: bytes) -> None:
    """Adds a seed to the corpus of a target, under a name made of its bytes."""
    folder = BUILD / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(seed).hexdigest()[:24]).write_bytes(seed)


def seed() -> None:
    """Makes seeds of all three kinds: packets by the types of their first two chunks."""
    seen = set[tuple[int, int, int]]()
    for path in captures():
        capture = path.read_bytes()
        keep("fuzz_capture", capture[:SEED_HEAD])
        batch = b""
        for number, frame in enumerate(frames(capture)):
            if number < FRAMES_PER_SEED:
                header = struct.pack("<HB", len(frame.data), min(frame.missing, 255))
                batch = (batch or struct.pack("<I", frame.link_type)) + header + frame.data
            packet = sctp_packet(frame)
            if packet is None:
                continue
            first = packet[SCTP_HEADER]
            next_at = SCTP_HEADER + (int.from_bytes(packet[14:16], "big") + 3) // 4 * 4
            second = packet[next_at] if next_at < len(packet) else -1
            shape = (first, second, len(packet).bit_length())
            if shape not in seen:
                seen.add(shape)
                keep("fuzz_packet", bytes(4) + packet)
                keep("fuzz_found", found(frame, packet))
                link_type = struct.pack("<I", frame.link_type)
                keep("fuzz_link", link_type + struct.pack("<HB", len(frame.data), 0) + frame.data)
        if batch:
            keep("fuzz_link", batch)


def seed_dtls() -> None:
    """Sessions with their keys: handshakes, then some records of each kind."""
    sample = ROOT / "sample_pcaps" / "pion-tail-loss-dtls"
    keys = Path(f"{sample}.keys.log").read_bytes()
    in_ip = [
        frame.data[LINK_HEADERS[frame.link_type] :]
        for frame in frames(Path(f"{sample}.sender.pcapng").read_bytes())
    ]
    client = in_ip[0][SOURCE]
    datagrams = [(int(at[SOURCE] != client), at[IP_HEADER + UDP_HEADER :]) for at in in_ip[:30]]
    talks = [(keys, datagrams)]
    for suites, version in ((SUITES_1_2, DTLS_1_2), (SUITES_1_3, DTLS_1_3)):
        for suite in suites.values():
            for ids in (None, (b"client", b"s")):
                talks.append(talk(Written(suite, version, ids)))
    for keys, talked in talks:
        body = b"".join(
            bytes([sender]) + struct.pack("<H", len(datagram)) + datagram
            for sender, datagram in talked
        )
        keep("fuzz_dtls", struct.pack("<H", len(keys)) + keys + body)


def talk(written: Written) -> tuple[bytes, list[tuple[int, bytes]]]:
    """A key log, and datagrams with their senders."""
    packet = struct.pack(">HHIIBBH", 5000, 5000, 7, 0, 11, 0, 4)  # COOKIE-ACK, checksum zero
    seal = written.seal_1_3 if written.version == DTLS_1_3 else written.seal_1_2
    keys = b"\n".join(written.key_lines())
    sealed = [(number % 2, seal(number % 2, number, packet)) for number in range(6)]
    if written.version == DTLS_1_3:
        written.update(0)
        sealed.append((0, seal(0, 0, packet)))
    return keys, [*written.handshake(), *sealed]


def start(target: str, seconds: int) -> subprocess.Popen[bytes]:
    """Starts one target; it writes its log and its crash inputs by itself."""
    crashes, corpus = BUILD / "crashes", BUILD / "corpus" / target
    crashes.mkdir(parents=True, exist_ok=True)
    corpus.mkdir(parents=True, exist_ok=True)
    command = [
        str(BUILD / "programs" / "tests" / "fuzz" / target),
        f"-max_total_time={seconds}",
        f"-max_len={TARGETS[target]}",
        "-rss_limit_mb=2048",
        "-timeout=5",
        "-print_final_stats=1",
        *(f"-dict={path}" for path in [HERE / f"{target}.dict"] if path.exists()),
        f"-artifact_prefix={crashes}/{target}-",
        str(corpus),
    ]
    environment = os.environ | {
        "ASAN_OPTIONS": "detect_leaks=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }
    with (BUILD / f"{target}.log").open("wb") as log:
        return subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, cwd=BUILD, env=environment
        )


def summary(target: str) -> str:
    """Executions and edges of a finished run, from its log."""
    log = (BUILD / f"{target}.log").read_text(errors="replace")
    runs = re.findall(r"number_of_executed_units: (\d+)", log) or re.findall(r"^#(\d+)", log, re.M)
    edges = re.findall(r" cov: (\d+) ft: (\d+)", log)
    cov, features = edges[-1] if edges else ("0", "0")
    return f"{target}: {runs[-1] if runs else 0} runs, {cov} edges, {features} features"


def report_failure(target: str) -> None:
    """Says which input made a target fail, and why."""
    log = (BUILD / f"{target}.log").read_text(errors="replace")
    path = re.search(r"Test unit written to (\S+)", log)
    why = re.search(r"^(SUMMARY: .*|.*: not so: .*|.*runtime error: .*)$", log, re.M)
    print(f"  {why[1] if why else 'see the log'}")
    print(f"  input: {path[1] if path else 'none kept'}")
    print(f"  log: {BUILD / target}.log")


def main() -> int:
    """Runs each target for the time asked for, one on each processor, and says how many passed."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--seconds", type=int, default=60, help="time for each target")
    parser.add_argument("--target", choices=TARGETS, action="append", help="only this one")
    options = parser.parse_args()
    build()
    seed()
    seed_dtls()

    waiting = list(options.target or TARGETS)
    running = dict[str, subprocess.Popen[bytes]]()
    failed = 0
    while waiting or running:
        while waiting and len(running) < (os.cpu_count() or 1):
            target = waiting.pop(0)
            running[target] = start(target, options.seconds)
        target = next(iter(running))
        status = running.pop(target).wait()
        print(f"{'ok' if status == 0 else 'FAILED'} {summary(target)}", flush=True)
        if status != 0:
            failed += 1
            report_failure(target)
    count = len(options.target or TARGETS)
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
