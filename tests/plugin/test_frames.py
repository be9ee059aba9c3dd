# SPDX-License-Identifier: BSD-2-Clause
"""Which frames and packets the plugin takes in, and when what it says of them is final."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from sctp_rack.readers.tshark import TsharkSource

from tests.builder import sctp
from tests.builder.dtls_capture import with_repeated_records
from tests.builder.files import pcap
from tests.builder.layers import UDP, ipv4, udp
from tests.captures import BUNDLED, COLLECTION, IN_CLEAR, IN_DTLS, SAMPLE, needs_collection
from tests.plugin.painted_rows import exported, painted, rows_of_pdml
from tests.plugin.test_equal_rows import assert_equal_tables
from tests.plugin.wireshark import PLUGIN, Wireshark

TREE = "SCTP loss recovery"
RAW = 101
ICMP = 1


def frames(wireshark: Wireshark, capture: Path, *options: str) -> list[int]:
    """Numbers of the frames that tshark prints."""
    said = wireshark.tshark(capture, *options, "-T", "fields", "-e", "frame.number")
    return [int(line) for line in said.split()]


def sharkd(wireshark: Wireshark, *requests: dict[str, object]) -> list[dict[str, Any]]:
    """What sharkd answers: it paints frames after one pass over the file, as the GUI does."""
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, **request})
        for number, request in enumerate(requests, 1)
    ]
    script = wireshark.home / "requests"
    script.write_text("\n".join(lines) + "\n")
    said = wireshark.run("sh", "-c", f"sharkd - < {script}")
    return [json.loads(line) for line in said.splitlines() if line.startswith('{"jsonrpc')]


def load(wireshark: Wireshark, capture: Path) -> dict[str, object]:
    return {"method": "load", "params": {"file": str(wireshark.capture(capture))}}


def shown(wireshark: Wireshark, capture: Path, *filters: str) -> list[list[int]]:
    """Frames that each filter shows in the GUI's state after loading."""
    asked: list[dict[str, object]] = [
        {"method": "frames", "params": {"filter": each}} for each in filters
    ]
    answers = sharkd(wireshark, load(wireshark, capture), *asked)
    assert len(answers) == len(filters) + 1
    return [[row["num"] for row in answer["result"]] for answer in answers[1:]]


def test_the_plugin_is_loaded_and_says_its_version(wireshark: Wireshark) -> None:
    listed = wireshark.run("tshark", "-G", "plugins")
    version = (BUNDLED.parent / "VERSION").read_text().strip()
    assert re.search(rf"^sctp_rack\.so\s+{re.escape(version)}\s+.*dissector", listed, re.M), listed


def test_only_what_wireshark_looks_for_is_exported() -> None:
    symbols = subprocess.run(
        ["nm", "--dynamic", "--defined-only", PLUGIN], capture_output=True, text=True, check=True
    ).stdout
    assert {line.split()[-1] for line in symbols.splitlines()} == {
        *("plugin_version", "plugin_want_major", "plugin_want_minor"),
        *("plugin_register", "plugin_describe"),
    }


def test_filters_find_after_loading_what_two_passes_find(wireshark: Wireshark) -> None:
    capture = BUNDLED / "pion-tail-loss.sender.pcap"
    filters = (
        "sctp.analysis.lost",
        "sctp.analysis.rack_lost_tsn",
        "sctp.analysis.probe",
        'sctp.analysis.verdict == "needed"',
        "sctp_rack.srtt > 0.04",
    )
    assert shown(wireshark, capture, *filters) == [
        frames(wireshark, capture, "-2", "-Y", each) for each in filters
    ]


def printed_trees(said: str) -> list[list[str]]:
    """Our tree of each frame that `tshark -V -O sctp_rack` prints, line by line."""
    frames = re.split(r"^Frame \d+: ", said, flags=re.MULTILINE)[1:]
    trees = (frame.partition(f"[{TREE}]\n")[2] for frame in frames)
    return [[line.strip("[ ]") for line in tree.splitlines() if line.strip()] for tree in trees]


def labels(nodes: list[dict[str, Any]]) -> list[str]:
    """Those of sharkd's tree, in the order in which they are printed."""
    below = ([node["l"].strip("[ ]"), *labels(node.get("n", []))] for node in nodes)
    return [label for each in below for label in each]


@pytest.mark.parametrize("sample", [SAMPLE.name, "pion-tail-loss.sender.pcap"])
def test_the_gui_has_after_loading_the_trees_of_two_passes(
    sample: str, wireshark: Wireshark
) -> None:
    capture = BUNDLED / sample
    printed = printed_trees(wireshark.tshark(capture, "-2", "-V", "-O", "sctp_rack"))
    asked: list[dict[str, object]] = [
        {"method": "frame", "params": {"frame": number, "proto": True}}
        for number in range(1, len(printed) + 1)
    ]
    answers = sharkd(wireshark, load(wireshark, capture), *asked)[1:]
    ours = [[n for n in a["result"]["tree"] if TREE in n["l"]] for a in answers]
    assert [labels(nodes[0]["n"]) if nodes else [] for nodes in ours] == printed
    assert sum(len(tree) for tree in printed) > 1000


def test_the_next_file_begins_anew(wireshark: Wireshark) -> None:
    first, second = SAMPLE, BUNDLED / "pion-tail-loss.sender.pcap"

    def lost(words: str) -> dict[str, object]:  # sharkd remembers what a filter found before
        return {"method": "frames", "params": {"filter": f"sctp.analysis.lost {words}"}}

    together = sharkd(
        wireshark, load(wireshark, first), lost(""), load(wireshark, second), lost("&& sctp")
    )
    alone = sharkd(wireshark, load(wireshark, second), lost(""))
    assert together[3]["result"] == alone[1]["result"] != []


def test_one_pass_says_that_it_does_not_know_the_end(wireshark: Wireshark) -> None:
    lost = frames(wireshark, SAMPLE, "-2", "-Y", "sctp.analysis.lost")
    assert lost
    assert not frames(wireshark, SAMPLE, "-Y", "sctp.analysis.lost")
    assert frames(wireshark, SAMPLE, "-Y", "sctp_rack.provisional")
    assert not frames(wireshark, SAMPLE, "-2", "-Y", "sctp_rack.provisional")


def test_frames_that_a_read_filter_renumbers_are_left_alone(wireshark: Wireshark) -> None:
    options = ("-2", "-R", "sctp.chunk_type == 16")
    assert not frames(wireshark, SAMPLE, *options, "-Y", "sctp_rack.assoc")
    assert frames(wireshark, SAMPLE, *options, "-Y", "sctp_rack.renumbered")


def test_user_data_is_taken_from_cut_packets_too(wireshark: Wireshark) -> None:
    cut = wireshark.home / "cut.pcapng"
    wireshark.run("editcap", "-s", "68", str(wireshark.capture(SAMPLE)), str(cut))
    assert_equal_tables(painted(wireshark, cut, "-2"), exported(cut))
    assert not frames(wireshark, cut, "-Y", "sctp.data_tsn")  # tshark itself is blind here


def quoted(packet: bytes) -> bytes:
    """An ICMP error that quotes it: destination unreachable, protocol unreachable."""
    return ipv4(ICMP, bytes([3, 2, 0, 0, 0, 0, 0, 0]) + packet)


def test_quoted_packets_are_none(tmp_path: Path, wireshark: Wireshark) -> None:
    packet = ipv4(132, sctp.packet(sctp.data(7)))
    path = tmp_path / "quote.pcap"
    path.write_bytes(pcap([packet, quoted(packet)], RAW))
    shown_rows = painted(wireshark, path, "-2")["transmissions"]
    assert [(row["frame"], row["copy"]) for row in shown_rows] == [(1, 1)]
    assert len(frames(wireshark, path, "-Y", "sctp.verification_tag")) == 2  # tshark looks in


def test_a_port_named_by_decode_as_carries_sctp(tmp_path: Path, wireshark: Wireshark) -> None:
    packet = sctp.packet(sctp.data(7))
    path = tmp_path / "udp.pcap"
    path.write_bytes(pcap([ipv4(UDP, udp(7777, 7778, packet))], RAW))
    rows = painted(wireshark, path, "-2", "-d", "udp.port==7777,sctp")
    assert_equal_tables(rows, exported(path))
    assert [row["tsn"] for row in rows["transmissions"]] == [7]


def test_data_channels_whose_keys_are_in_the_file_open_without_an_option(
    wireshark: Wireshark,
) -> None:
    capture = wireshark.home / "with-keys.pcapng"
    keys = wireshark.capture(BUNDLED / f"{IN_DTLS}.keys.log")
    encrypted = wireshark.capture(BUNDLED / f"{IN_DTLS}.sender.pcapng")
    inject = ("--inject-secrets", f"tls,{keys}")
    wireshark.run("editcap", *inject, str(encrypted), str(capture))
    rows = painted(wireshark, capture, "-2")
    assert len(rows["probes"]) == len(exported(BUNDLED / f"{IN_CLEAR}.sender.pcap")["probes"])
    assert_equal_tables(rows, exported(capture, TsharkSource(str(capture))))


def test_each_record_tells_its_packet_from_others(wireshark: Wireshark, tmp_path: Path) -> None:
    capture, keys = with_repeated_records(tmp_path)
    option = f"tls.keylog_file:{wireshark.capture(keys)}"

    rows = painted(wireshark, capture, "-2", "-o", option)

    kinds = [row["kind"] for row in rows["transmissions"] if row["tsn"] == 1005]
    assert kinds == ["original", "retransmission", "network_duplicate"]
    assert_equal_tables(rows, exported(capture, TsharkSource(str(capture), keylog=str(keys))))


def test_the_heuristic_is_the_plugins_own(wireshark: Wireshark) -> None:
    """As in the drop-in: under SCTP's protocol a frame had SCTP twice."""
    keys = wireshark.capture(BUNDLED / f"{IN_DTLS}.keys.log")
    opened = ("-o", f"tls.keylog_file:{keys}", "-Y", "sctp", "-T", "fields", "-e")
    shown = wireshark.tshark(BUNDLED / f"{IN_DTLS}.sender.pcapng", *opened, "frame.protocols")
    assert "dtls:sctp_rack:sctp" in shown
    assert "sctp:sctp" not in shown
    unopened = ("--disable-protocol", "sctp_rack", *opened, "frame.protocols")
    assert wireshark.tshark(BUNDLED / f"{IN_DTLS}.sender.pcapng", *unopened) == ""


@needs_collection
@pytest.mark.parametrize("tap", ["sender", "receiver"])
def test_sctp_inside_dtls_is_found_without_decode_as(tap: str, wireshark: Wireshark) -> None:
    capture = COLLECTION / "truth" / f"pion_dtls.{tap}.pcapng"
    keys = COLLECTION / "truth" / "pion_dtls.keylog"
    source = TsharkSource(str(capture), keylog=str(keys))
    option = f"tls.keylog_file:{wireshark.capture(keys)}"
    rows = painted(wireshark, capture, "-2", "-o", option)
    assert rows["transmissions"]
    assert_equal_tables(rows, exported(capture, source))


@pytest.mark.skipif(os.getuid() != 0, reason="only root is refused personal plugins")
def test_root_runs_without_the_plugin(wireshark: Wireshark) -> None:
    listed = subprocess.run(
        ["tshark", "-G", "plugins"],
        capture_output=True,
        text=True,
        env={"HOME": str(wireshark.home), "PATH": os.environ["PATH"]},
        check=True,
    ).stdout
    assert str(wireshark.home) not in listed


def test_switching_the_protocol_off_leaves_frames_as_they_were(wireshark: Wireshark) -> None:
    off = wireshark.tshark(SAMPLE, "-2", "--disable-protocol", "sctp_rack")
    bare = Wireshark(None)
    try:
        assert off == bare.tshark(SAMPLE, "-2")
    finally:
        bare.close()


def test_rows_are_the_same_where_little_memory_is_allowed(wireshark: Wireshark) -> None:
    little = wireshark.tshark(
        SAMPLE, "-2", "-o", "sctp_rack.memory:1", "-T", "pdml", "-J", "sctp_rack"
    )
    assert_equal_tables(rows_of_pdml(little), exported(SAMPLE))


@pytest.mark.long
def test_what_is_not_followed_is_decoded_alone(tmp_path: Path, wireshark: Wireshark) -> None:
    chunks = sctp.data(7), sctp.sack(3, [(2, 3)], [])
    packets = [sctp.packet(*chunks, vtag=number) for number in range(1, 131072 + 3)]
    path = tmp_path / "many.pcap"
    path.write_bytes(pcap([ipv4(132, packet) for packet in packets], RAW))
    rows = exported(path)
    assert [row["assoc"] for row in rows["transmissions"][-3:]] == [131071, None, None]
    last = {name: [row for row in table if row["frame"] > 131070] for name, table in rows.items()}
    assert_equal_tables(painted(wireshark, path, "-2", "-Y", "frame.number > 131070"), last)


def test_what_the_user_says_of_the_tap_is_taken(wireshark: Wireshark) -> None:
    told: dict[str, Any] = {
        "vantage": "receiver",
        "loop_ms": 61.5,
        "profile": "linux",
        "max_ack_delay_ms": 12.5,
    }
    said = {"vantage": "receiver", "loop": "61.5", "sender": "linux", "max_ack_delay": "12.5"}
    options = [part for name, value in said.items() for part in ("-o", f"sctp_rack.{name}:{value}")]
    rows = exported(SAMPLE, **told)
    for table in ("transmissions", "rack_state"):
        assert rows[table] != exported(SAMPLE)[table]
    rows["rack_state"] = rows["rack_state"][::2]  # what the told profile knows is not shown
    assert_equal_tables(painted(wireshark, SAMPLE, "-2", *options), rows)
