# SPDX-License-Identifier: BSD-2-Clause
"""What the drop-in shows in Wireshark, what it prints, and when it keeps out."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import sctp_rack

from tests.builder import sctp
from tests.builder.dtls_capture import with_repeated_records
from tests.builder.talk import A, B, Talk
from tests.captures import BUNDLED, COLLECTION, ROOT, SAMPLE, needs_collection
from tests.lua import drop_in
from tests.lua.lua_model import DROP_IN
from tests.plugin.test_words import WORD_FIELDS, asked_for, assert_told_alike
from tests.plugin.wireshark import PLUGIN, Wireshark, build

RETRANSMISSIONS = "sctp.analysis.retransmission"
#: Together they have all that the drop-in shows, but for what a receiver takes back.
VARIED = (
    SAMPLE.name,
    "pion-tail-loss.sender.pcap",
    "usrsctp-hosts-and-taps.sender.pcapng",
    "usrsctp-reorder.sender.pcap",
    "usrsctp-nth-loss.receiver.pcap",
)
#: The profile has a colour for it, which must compile.
NEVER_FILLED = "sctp.analysis.storm"
# A pcap of Ethernet without a packet.
NO_PACKETS = bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000")


@pytest.fixture(name="wireshark")
def wireshark_with_plugin() -> Iterator[Wireshark]:
    """Wireshark with the compiled plugin."""
    wireshark = Wireshark(PLUGIN if PLUGIN.exists() else build())
    yield wireshark
    wireshark.close()


def test_it_has_the_fields_of_the_plugin() -> None:
    names = tomllib.loads((ROOT / "names.toml").read_text(encoding="utf-8"))["wireshark"]
    known = {line.split("\t")[2] for line in _glossary()}

    assert {field[0] for field in names["fields"]} - set(names["plugin_only"]) <= known
    assert {event[0] for event in names["experts"]} <= known
    assert not set(names["plugin_only"]) & known


def test_it_fills_every_field_that_it_has(tmp_path: Path) -> None:
    names = tomllib.loads((ROOT / "names.toml").read_text(encoding="utf-8"))["wireshark"]
    has = [field[0] for field in names["fields"] if field[0] not in names["plugin_only"]]
    filled: set[str] = set()
    for capture in (*(BUNDLED / name for name in VARIED), _taken_back(tmp_path)):
        for row in drop_in.fields(capture, "sctp", *has):
            filled |= {name for name, value in zip(has, row, strict=False) if value}
    provisional = drop_in.tshark(SAMPLE, "-T", "fields", "-e", "sctp_rack.provisional").stdout

    assert "1" in provisional
    assert set(has) - filled == {"sctp_rack.provisional", NEVER_FILLED}


def test_a_number_stands_beside_its_word() -> None:
    names = tomllib.loads((ROOT / "names.toml").read_text(encoding="utf-8"))["wireshark"]
    fields = [field for field in WORD_FIELDS if field not in names["plugin_only"]]
    seen = set[str]()
    for capture in (SAMPLE, BUNDLED / "usrsctp-delay-spike.sender.pcap"):
        for row in drop_in.fields(capture, "sctp_rack", *asked_for(fields)):
            seen |= assert_told_alike(fields, row)
    assert len(seen) > 20


def _taken_back(folder: Path) -> Path:
    """A SACK without room for all, one that comes late, and two that take 4, 6 and 9 back."""
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 14):
        talk.say(A, B, sctp.data(tsn))
    talk.say(B, A, sctp.sack(2, [(2, 2), (4, 4), (6, 6), (8, 8), (10, 10)]))
    talk.say(B, A, sctp.sack(2, [(2, 2), (4, 4), (6, 6), (7, 7), (8, 8)]))
    talk.say(B, A, sctp.sack(1))
    for _ in range(2):
        talk.say(B, A, sctp.sack(2, [(6, 6), (8, 8), (10, 10)]))
    talk.say(A, B, sctp.data(4), sctp.data(6), sctp.data(9), later_us=100_000)
    talk.say(B, A, sctp.sack(13))
    return talk.write(folder)


def test_two_passes_show_verdicts_and_links() -> None:
    rows = drop_in.fields(
        SAMPLE,
        "sctp.analysis.flags && sctp.analysis.verdict",
        *("frame.number", "sctp_rack.data.tsn", "sctp.analysis.copy", RETRANSMISSIONS),
        *("sctp.analysis.verdict.str", "sctp.analysis.acked_in"),
    )
    expected = [
        [str(r[n]) for n in ("frame", "tsn", "copy", "prev_frame", "verdict", "acked_frame")]
        for r in sctp_rack.read(SAMPLE).transmissions.where(kind="retransmission")
    ]

    assert rows == expected


def test_a_single_pass_says_that_it_is_provisional() -> None:
    options = ("-Y", RETRANSMISSIONS, "-T", "fields", "-e", "sctp_rack.provisional")
    lines = drop_in.tshark(SAMPLE, *options, "-e", "sctp.analysis.verdict").stdout.splitlines()

    assert lines == ["1\t"] * 30


def test_lost_transmissions_are_marked_when_the_capture_is_known() -> None:
    lost = drop_in.fields(SAMPLE, "sctp.analysis.lost", "frame.number", "sctp.analysis.lost")
    revealing = drop_in.fields(
        SAMPLE, "sctp.analysis.lost_tsn", "frame.number", "sctp.analysis.lost_frame"
    )
    told = {frame: set(frames.split(",")) for frame, frames in revealing}

    assert len(lost) == 21
    assert all(frame in told[by] for frame, by in lost)


def test_the_info_column_and_expert_infos_say_what_happened() -> None:
    options = ("-2", "-Y", "sctp.analysis.spurious", "-T", "fields", "-e", "_ws.col.Info")
    infos = drop_in.tshark(SAMPLE, *options).stdout.splitlines()
    quiet = ("-o", "sctp_rack.info_prefix:FALSE", "-o", "sctp_rack.expert_infos:FALSE")

    assert infos
    assert all(info.startswith("[SCTP Spurious Retransmission] ") for info in infos)
    assert "[SCTP" not in drop_in.tshark(SAMPLE, *quiet, "-2", "-Y", RETRANSMISSIONS).stdout
    assert drop_in.tshark(SAMPLE, *quiet, *options).stdout == ""


def test_state_of_rack_is_that_of_the_engine() -> None:
    shown = drop_in.fields(
        SAMPLE, "sctp_rack.reo_wnd", "frame.number", "sctp_rack.srtt", "sctp_rack.reo_wnd"
    )
    expected = [
        [str(row["frame"]), _seconds(row["srtt_ns"]), _seconds(row["reo_wnd_ns"])]
        for row in sctp_rack.read(SAMPLE, tables=["rack_state"]).table("rack_state")
        if row["reo_wnd_ns"] is not None and row["srtt_ns"] is not None
    ]

    assert shown == expected


def test_what_the_user_knows_is_believed() -> None:
    options = ("-o", "sctp_rack.vantage:receiver", "-o", "sctp_rack.loop:12.5")
    direction = drop_in.judged(SAMPLE, *options)[0]["directions"][0]

    assert (direction["vantage"], direction["loop_ns"]) == ("receiver", 12_500_000)


def test_a_delay_of_sacks_may_have_a_fraction() -> None:
    """As in the plugin: the same `-o` is taken by both."""

    def due(told: str) -> list[list[str]]:
        columns = [
            "-2",
            "-Y",
            "sctp_rack.pto",
            "-T",
            "fields",
            "-e",
            "frame.number",
            "-e",
            "sctp_rack.pto",
        ]
        shown = drop_in.tshark(SAMPLE, *columns, "-o", f"sctp_rack.max_ack_delay:{told}").stdout
        return [line.split("\t") for line in shown.splitlines()]

    usual, sooner = due(""), due("12.5")
    assert due("200") == usual
    earlier_ms = {
        round(1000 * (float(before) - float(after)), 3)
        for (_, before), (_, after) in zip(usual, sooner, strict=True)
    }
    assert earlier_ms == {0, 187.5}


@pytest.mark.parametrize("preference", ["loop", "max_ack_delay"])
def test_a_time_that_is_none_is_complained_of_and_not_used(preference: str) -> None:
    measured = drop_in.judged(SAMPLE)
    for bad in ("soon", "-5", "1e999", "0x10", "nan", "3600001"):
        told = f"sctp_rack.{preference}:{bad}"
        done = drop_in.tshark(SAMPLE, "-q", "-X", "lua_script1:json", "-o", told)

        complaint = f'sctp_rack.{preference}: "{bad}" is no time from 0 to 3600000 milliseconds'
        assert done.stderr.count(complaint) == 1
        assert [json.loads(line) for line in done.stdout.splitlines()] == measured


@pytest.mark.parametrize(
    ("preference", "words"),
    [
        ("vantage", "measured, sender, middle or receiver"),
        ("sender", "measured, rfc8985 or rfc9260"),
        ("profile", "rfc8985 or rfc9260"),
    ],
)
def test_a_word_that_is_none_is_complained_of_with_those_that_are(
    preference: str, words: str
) -> None:
    done = drop_in.tshark(
        SAMPLE, "-q", "-X", "lua_script1:json", "-o", f"sctp_rack.{preference}:sendr"
    )
    assert done.stderr.count(f'sctp_rack.{preference}: "sendr" is not {words}') == 1
    assert [json.loads(line) for line in done.stdout.splitlines()] == drop_in.judged(SAMPLE)


def test_each_file_of_a_ring_buffer_is_reported() -> None:
    stat = drop_in.ring_buffer(SAMPLE, 400, "-q", "-X", "lua_script1:stat")
    programs = drop_in.ring_buffer(SAMPLE, 400, "-q", "-X", "lua_script1:json")

    assert re.findall(r"^SCTP loss recovery.*", stat, re.MULTILINE) == [
        "SCTP loss recovery, file 1",
        "SCTP loss recovery, file 2",
    ]
    told = [json.loads(line) for line in programs.splitlines() if line.startswith("{")]
    assert [each["file"] for each in told] == [1, 2]


def test_what_is_not_followed_further_is_said(tmp_path: Path) -> None:
    talk = Talk()
    talk.handshake()
    for tsn in range(1, 2001):
        talk.say(A, B, sctp.data(tsn), later_us=1)
    for number in range(12):
        talk.say(B, A, sctp.sack(0, [(2, 1999)] if number % 2 == 0 else []), later_us=1)
    path = talk.write(tmp_path)
    shown = drop_in.fields(path, "sctp_rack.given_up", "frame.number", "_ws.expert.message")
    stat = drop_in.tshark(path, "-q", "-X", "lua_script1:stat").stdout

    assert len(shown) == 1
    assert "what the sender's timers and RACK-TLP do" in shown[0][1]
    assert f"Not all was followed, from frame {shown[0][0]} on (1 frames say what)" in stat


def test_the_summary_counts_what_the_rows_say() -> None:
    lines = drop_in.tshark(SAMPLE, "-q", "-X", "lua_script1:stat").stdout.splitlines()
    said = re.findall(r"^ +0  a2b  (\S.*?)  +(\w+) +(\d+)$", "\n".join(lines), re.MULTILINE)
    counts = {(title, word): int(number) for title, word, number in said}

    assert lines[2] == "SCTP loss recovery"
    assert lines[4] == "    0  a2b  10.94.1.10:5000 > 192.168.68.20:5001"
    assert counts["Kind", "retransmission"] == 30
    assert counts["Verdict", "needed"] + counts["Verdict", "spurious"] == 30
    assert counts["Marked lost by the chosen profile", "true_loss"] == 21


def test_passes_and_filters_do_not_change_the_summary() -> None:
    stat = ("-q", "-X", "lua_script1:stat")
    said = {
        drop_in.tshark(SAMPLE, *passes, *stat).stdout
        for passes in ((), ("-2",), ("-2", "-Y", "frame"))
    }

    assert len(said) == 1


@pytest.mark.parametrize(
    "name",
    [
        SAMPLE.name,
        "pion-delay-spike.middle.pcap",
        "usrsctp-both-ways.middle.pcap",
        "usrsctp-zero-window.sender.pcap",
    ],
)
def test_the_summary_is_that_of_the_plugin(name: str, wireshark: Wireshark) -> None:
    rules = ("-o", "sctp_rack.sender:rfc9260")
    ours = drop_in.tshark(BUNDLED / name, "-q", *rules, "-X", "lua_script1:stat").stdout
    theirs = wireshark.tshark(BUNDLED / name, "-q", *rules, "-z", "sctp_rack,stat")

    assert ours == theirs


@pytest.mark.parametrize(
    ("name", "relative"), [(SAMPLE.name, "FALSE"), ("usrsctp-zero-window.sender.pcap", "TRUE")]
)
def test_the_packet_list_is_that_of_the_plugin(
    name: str, relative: str, wireshark: Wireshark
) -> None:
    shown = ("frame.number", "sctp.analysis.flags", "_ws.col.Info")
    links = ("sctp_rack.sack.acks_first", "sctp_rack.sack.acks_last")
    signs = ("sctp.analysis.loss_revealed", "sctp.analysis.rack_mark", "sctp.analysis.rack_marks")
    named = [word for field in (*shown, *links, *signs) for word in ("-e", field)]
    rules = ("-o", "sctp_rack.sender:rfc9260", "-o", f"sctp.relative_tsns:{relative}")
    options = (*rules, "-2", "-Y", "sctp", "-T", "fields", *named)
    ours = drop_in.tshark(BUNDLED / name, *options).stdout.splitlines()

    assert ours == wireshark.tshark(BUNDLED / name, *options).splitlines()
    assert any("aps=" in line for line in ours)


def test_the_report_has_filters_that_find_what_it_counts() -> None:
    report = drop_in.tshark(SAMPLE, "-q", "-X", "lua_script1:report").stdout
    counted = re.findall(r"^ {2,}(\d+) {2,}\S.*? {2,}(sctp\.\S.*)$", report, re.MULTILINE)

    assert "Association 0: a 10.94.1.10:5000, b 192.168.68.20:5001" in report
    assert "9 sent again spuriously; RACK-TLP (RFC 8985) would have sent 0 of them." in report
    assert len(counted) == 8
    for number, display_filter in counted:
        assert len(drop_in.fields(SAMPLE, display_filter, "frame.number")) == int(number)


def test_a_report_of_another_protocol_says_so(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pcap"
    empty.write_bytes(NO_PACKETS)

    assert "No SCTP was seen" in drop_in.tshark(empty, "-q", "-X", "lua_script1:report").stdout


def test_each_association_is_one_line_for_programs() -> None:
    associations = drop_in.judged(SAMPLE)
    ours, theirs = associations[0], sctp_rack.read(SAMPLE).associations[0]

    assert [a["assoc"] for a in associations] == [0]
    assert (ours["first_frame"], ours["last_frame"]) == (theirs.first_frame, theirs.last_frame)
    assert (ours["how_started"], ours["how_ended"]) == (theirs.how_started, theirs.how_ended)
    assert ours["packets"] == theirs.packets


def test_a_read_filter_that_renumbers_frames_is_not_believed() -> None:
    done = drop_in.tshark(SAMPLE, "-2", "-R", "sctp.chunk_type == 0", "-V")

    assert "A read filter renumbers the frames" in done.stdout
    assert "[Verdict:" not in done.stdout


def test_it_stands_aside_where_the_plugin_is(wireshark: Wireshark) -> None:
    wireshark.home.joinpath("drop_in.lua").write_text(DROP_IN.read_text(encoding="utf-8"))
    script = wireshark.home / "drop_in.lua"
    script.chmod(0o644)
    capture = wireshark.capture(SAMPLE)
    done = wireshark.process(
        *("tshark", "-2", "-r", str(capture), "-X", f"lua_script:{script}"),
        *("-Y", "sctp.analysis.spurious", "-T", "fields", "-e", "sctp.analysis.verdict.str"),
    )

    assert done.returncode == 0, done.stderr
    assert done.stderr.count("sctp_rack.lua stands aside") == 1
    assert done.stdout.splitlines() == ["spurious"] * 9


@needs_collection
def test_data_channels_decode_with_keys() -> None:
    capture = COLLECTION / "truth" / "pion_dtls.sender.pcapng"
    keys = COLLECTION / "truth" / "pion_dtls.keylog"
    rows = drop_in.judged(capture, "-o", f"tls.keylog_file:{keys}")
    theirs = sctp_rack.read(capture, keylog=keys)

    assert sum(len(d["transmissions"]) for d in rows[0]["directions"]) == len(theirs.transmissions)


def test_each_record_tells_its_packet_from_others(tmp_path: Path) -> None:
    capture, keys = with_repeated_records(tmp_path)
    option = f"tls.keylog_file::{keys}"

    (direction,) = drop_in.judged(capture, "-o", option)[0]["directions"]

    sent = direction["transmissions"]
    assert [(each["frame"], each["kind"]) for each in sent if each["tsn"] == 1005] == [
        *((10, "original"), (17, "retransmission"), (18, "network_duplicate"))
    ]


def test_duplicates_name_what_they_repeat() -> None:
    path = BUNDLED / "usrsctp-hosts-and-taps.sender.pcapng"
    shown = drop_in.fields(
        path, "sctp.analysis.capture_duplicate", "frame.number", "sctp.analysis.duplicate_of"
    )
    expected = [
        [str(row["frame"]), str(row["prev_frame"])]
        for row in sctp_rack.read(path).transmissions.where(kind="capture_duplicate")
    ]

    assert shown
    assert shown == expected


def _glossary() -> list[str]:
    done = drop_in.glossary("fields")
    return [line for line in done.splitlines() if line.startswith("F\t")]


def _seconds(ns: int) -> str:
    return f"{ns // 10**9}.{ns % 10**9:09}"


def test_programs_get_valid_json() -> None:
    lines = drop_in.tshark(SAMPLE, "-q", "-X", "lua_script1:json").stdout.splitlines()
    assert [bool(json.loads(line)["directions"]) for line in lines] == [True]


def test_classes_read_as_in_the_plugin() -> None:
    tree = drop_in.tshark(SAMPLE, "-2", "-V", "-Y", "frame.number == 349").stdout
    assert "spurious (certain)" in tree
    assert "[Verdict: spurious]" in tree
