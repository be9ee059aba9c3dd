# SPDX-License-Identifier: BSD-2-Clause
"""`sctp-rack annotate`: what a user does with it, read back by tshark."""

import gzip
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.analyzer.test_bad_input import run
from tests.annotate.pcapng import stripped
from tests.annotate.tshark_frames import frames_of
from tests.builder import files, sctp
from tests.builder.file_cases import FRAMES, frame
from tests.builder.files import Pcapng
from tests.builder.layers import IPV4, SCTP, ethernet, ipv4
from tests.captures import (
    BUNDLED,
    COLLECTION,
    ROOT,
    SAMPLE,
    any_of,
    collection,
    name_of,
    needs_collection,
)
from tests.commands.called import called

Row = dict[str, Any]

#: Each file format, DATA and I-DATA, with and without RACK, data both ways, a TSN that wraps.
VARIED = [
    BUNDLED / name
    for name in (
        "usr_ge_nrsack.sender.pcapng",
        "usrsctp-hosts-and-taps.middle.pcapng",
        "usrsctp-i-data-pr-sctp.sender.pcap",
        "usrsctp-both-ways.receiver.pcap",
        "pion-tail-loss.sender.pcap",
        "pion-tsn-wrap.sender.pcap",
    )
]


def rows_of(path: Path, *options: str) -> list[Row]:
    lines = called("export", path, "--table", "transmissions", *options).stdout.splitlines()
    return [json.loads(line) for line in lines]


def is_told(row: Row) -> bool:
    return (
        row["kind"] not in ("original", None)
        or row["probe"] is not None
        or row["outcome"] in ("lost", "abandoned")
    )


def annotated(path: Path, folder: Path, *options: str) -> Path:
    out = folder / f"{path.name}.annotated.pcapng"
    result = called("annotate", path, "-o", out, *options)
    assert (result.returncode, result.stdout) == (0, b""), result.stderr
    return out


def filtered(path: Path, condition: str) -> dict[int, str]:
    """Frames and comments, as the documents tell users to look for them."""
    command = ["tshark", "-r", str(path), "-Y", condition, "-T", "fields"]
    command += ["-e", "frame.number", "-e", "frame.comment"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {int(number): text for number, text in (line.split("\t") for line in lines)}


def check(path: Path, folder: Path, *options: str) -> None:
    """All is there as before, and the frames that are told have comments."""
    out = annotated(path, folder, *options)
    if path.read_bytes()[:4] == b"\n\r\r\n":
        assert stripped(out.read_bytes()) == stripped(path.read_bytes())
    before, after = frames_of(path), frames_of(out)
    assert [one.without_comments() for one in after] == [one.without_comments() for one in before]
    told = {row["frame"] for row in rows_of(path, *options) if is_told(row)}
    ours = {
        one.number for one in after if any(text.startswith("sctp-rack: ") for text in one.comments)
    }
    assert ours == told
    info = subprocess.run(["capinfos", "-c", str(out)], capture_output=True, text=True, check=True)
    assert f"Number of packets:   {len(before)}\n" in info.stdout


@pytest.mark.parametrize("path", VARIED, ids=name_of)
def test_a_bundled_capture_is_the_same_with_comments(path: Path, tmp_path: Path) -> None:
    check(path, tmp_path)


@needs_collection
@pytest.mark.parametrize("path", any_of(collection("wild")), ids=name_of)
def test_a_capture_from_the_wild_is_the_same_with_comments(path: Path, tmp_path: Path) -> None:
    check(path, tmp_path)


@needs_collection
@pytest.mark.parametrize(
    "path", any_of([p for p in collection("truth") if "sender" in p.name]), ids=name_of
)
def test_a_capture_with_truth_is_the_same_with_comments(path: Path, tmp_path: Path) -> None:
    check(path, tmp_path)


@needs_collection
def test_data_channels_inside_dtls_are_commented_with_their_keys(tmp_path: Path) -> None:
    folder = COLLECTION / "truth"
    options = ("--keylog", str(folder / "pion_dtls.keylog"))
    path = folder / "pion_dtls.sender.pcapng"
    check(path, tmp_path, *options)

    out = annotated(path, tmp_path, *options)
    assert len(filtered(out, 'frame.comment contains "retransmission"')) >= 20


@pytest.mark.parametrize("name", ["usr_ge_nrsack.sender.pcapng", "pion-reorder-low.sender.pcap"])
def test_the_filters_of_the_documents_find_their_frames(name: str, tmp_path: Path) -> None:
    path = BUNDLED / name
    rows, out = rows_of(path), annotated(path, tmp_path)

    def frames(column: str, word: str) -> set[int]:
        return {row["frame"] for row in rows if row[column] == word}

    for word in ("spurious", "needed", "undetermined"):
        assert set(filtered(out, f'frame.comment contains "{word}"')) == frames("verdict", word)
    assert set(filtered(out, 'frame.comment contains "lost"')) == frames("outcome", "lost")
    for cause in {row["cause"] for row in rows if row["cause"]}:
        found = filtered(out, f'frame.comment contains "cause {cause} "')
        assert set(found) == frames("cause", cause)
    assert frames("verdict", "spurious")


def test_a_comment_says_what_the_row_says(tmp_path: Path) -> None:
    rows = rows_of(SAMPLE)
    comments = filtered(annotated(SAMPLE, tmp_path), "frame.comment")
    for row in filter(is_told, rows):
        text = comments[row["frame"]]
        assert text.startswith(f"sctp-rack: TSN {row['tsn']} copy {row['copy']} {row['kind']}")
        if row["kind"] == "retransmission":
            assert f"original in frame {row['first_frame']}" in text
            assert f"cause {row['cause']} (" in text
        following = [r["frame"] for r in rows if r["prev_frame"] == row["frame"]]
        if row["outcome"] == "lost":
            assert (
                f"sent again in frame {following[0]}" if following else "not sent again"
            ) in text


def test_all_data_gets_a_comment_when_asked_for(tmp_path: Path) -> None:
    comments = filtered(annotated(SAMPLE, tmp_path, "--all"), "frame.comment")

    assert set(comments) == {row["frame"] for row in rows_of(SAMPLE)}


def test_several_chunks_of_a_frame_share_one_comment(tmp_path: Path) -> None:
    again = sctp.packet(sctp.data(100), sctp.data(101))
    path = tmp_path / "two.pcap"
    both = ethernet(IPV4, ipv4(SCTP, again))
    path.write_bytes(files.pcap([both, both]))
    (text,) = filtered(annotated(path, tmp_path), "frame.comment").values()

    first, second = text.removeprefix("sctp-rack: ").split("; ")
    assert first.startswith("TSN 100 copy 1 network_duplicate of frame 1")
    assert second.startswith("TSN 101 copy 1 network_duplicate of frame 1")


def test_standard_input_and_output_give_the_same_file(tmp_path: Path) -> None:
    wanted = annotated(SAMPLE, tmp_path).read_bytes()

    assert run("annotate", "-", data=SAMPLE.read_bytes()).stdout == wanted
    assert called("annotate", SAMPLE).stdout == wanted
    assert run("annotate", "/dev/stdin", data=gzip.compress(SAMPLE.read_bytes())).stdout == wanted


def test_a_compressed_capture_is_written_plain(tmp_path: Path) -> None:
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))

    assert annotated(packed, tmp_path).read_bytes() == annotated(SAMPLE, tmp_path).read_bytes()


def test_what_is_annotated_can_be_annotated_again(tmp_path: Path) -> None:
    once = annotated(SAMPLE, tmp_path)
    again = tmp_path / "again.pcapng"

    assert called("annotate", once, "-o", again).returncode == 0
    assert again.read_bytes() == once.read_bytes()


def test_a_capture_is_never_replaced_by_its_annotated_copy(tmp_path: Path) -> None:
    path, link, name = (tmp_path / one for one in ("own.pcapng", "link", "name"))
    path.write_bytes(SAMPLE.read_bytes())
    link.symlink_to(path)
    name.hardlink_to(path)
    for output in (path, link, name, tmp_path / "." / "own.pcapng"):
        result = called("annotate", path, "-o", output)

        assert result.returncode == 2
        assert result.stderr.decode() == (
            f"sctp-rack: {output}: the capture would be replaced: name another file\n"
        )
        assert path.read_bytes() == SAMPLE.read_bytes()


def test_simple_packet_blocks_are_told_of(tmp_path: Path) -> None:
    path = tmp_path / "simple.pcapng"
    out = Pcapng()
    out.interface()
    for _ in range(2):
        out.simple(frame(100))
    path.write_bytes(bytes(out))
    result = called("annotate", path, "-o", tmp_path / "out")

    assert result.returncode == 0
    assert (tmp_path / "out").read_bytes() == path.read_bytes()
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith(f"sctp-rack: {path}: 1 frame without room for a comment")


def test_a_log_cannot_be_annotated(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("O 10:00:00.000000 0000 13 88 13 89 # SCTP_PACKET\n")
    result = called("annotate", log, "-o", tmp_path / "out")

    assert result.returncode == 2
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith(f"sctp-rack: {log}: only pcap and pcapng files can be annotated")
    assert not (tmp_path / "out").exists()


def test_a_format_that_tshark_alone_reads_cannot_be_annotated(tmp_path: Path) -> None:
    snoop = tmp_path / "capture.snoop"
    subprocess.run(
        ["editcap", "-F", "snoop", BUNDLED / "usrsctp-nth-loss.sender.pcap", snoop],
        capture_output=True,
        check=False,
    )
    if not snoop.exists():
        snoop.write_bytes(b"snoop\0\0\0\0\0\0\2\0\0\0\4")
    result = called("annotate", snoop, "--reader", "tshark", "-o", tmp_path / "out")

    assert result.returncode == 2
    assert len(result.stderr.decode().splitlines()) == 1


def test_a_capture_that_ends_early_is_annotated_up_to_there(tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcapng"
    cut.write_bytes(SAMPLE.read_bytes()[:-100])
    result = called("annotate", cut, "-o", tmp_path / "out")

    assert result.returncode == 0
    assert "what came before is annotated" in result.stderr.decode()
    assert stripped((tmp_path / "out").read_bytes()) == stripped(cut.read_bytes())


def test_a_broken_capture_is_annotated_up_to_there_and_fails(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pcapng"
    broken.write_bytes(SAMPLE.read_bytes() + bytes(40))
    result = called("annotate", broken, "-o", tmp_path / "out")

    assert result.returncode == 3
    assert len(result.stderr.decode().splitlines()) == 1
    assert stripped((tmp_path / "out").read_bytes()) == stripped(broken.read_bytes())
    assert len(filtered_of_broken(tmp_path / "out")) > 20


def filtered_of_broken(path: Path) -> list[int]:
    return [one.number for one in frames_of(path) if one.comments]


def test_a_missing_file_leaves_the_output_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(b"old")
    for wrong in (tmp_path / "nothing", tmp_path):
        result = called("annotate", wrong, "-o", out)
        assert result.returncode == 3
        assert len(result.stderr.decode().splitlines()) == 1
    assert out.read_bytes() == b"old"


def test_a_pcap_without_frames_is_a_pcapng_without_frames(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pcap"
    empty.write_bytes(files.pcap([]))

    assert frames_of(annotated(empty, tmp_path)) == []
    assert FRAMES


@pytest.mark.parametrize("document", ["docs/wireshark.md", "docs/annotate.md"])
def test_the_comment_that_a_document_shows_is_written(document: str, tmp_path: Path) -> None:
    """As far as it is shown; lines are broken in the document alone."""
    (shown,) = re.findall(r"`\n?(sctp-rack: TSN [^`…]*?),?\s*…?\n?`", (ROOT / document).read_text())
    out = annotated(BUNDLED / "pion-tail-loss.sender.pcap", tmp_path)
    comments = filtered(out, 'frame.comment contains "TSN 71006 copy 3"').values()
    assert [comment.startswith(shown.replace("\n", " ")) for comment in comments] == [True]
