# SPDX-License-Identifier: BSD-2-Clause
"""Comments are added, and nothing else changes: not a byte of pcapng, not a packet of pcap."""

import io
import itertools
import struct
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sctp_rack.annotate.rewrite import Written, rewrite
from sctp_rack.errors import CaptureError, UsageError

from tests.annotate.pcapng import stripped
from tests.annotate.tshark_frames import frames_of
from tests.builder import files
from tests.builder.file_cases import BROKEN, FILES, FRAMES, PCAPS, File, capture, frame
from tests.builder.files import Pcapng
from tests.captures import one_in

PCAPNG = [file for file in [*FILES, *BROKEN] if not file.name.startswith("pcap,")]
PCAPNG = [file for file in PCAPNG if file not in PCAPS]


class Source(io.BytesIO):
    """At most so many bytes a step as a decompressor might give."""

    def readinto1(self, buffer: object, /) -> int:
        return self.readinto(memoryview(buffer)[:100_003])  # type: ignore[arg-type]


def rewritten(content: bytes, comments: Iterable[tuple[int, str]]) -> tuple[bytes, Written]:
    out = io.BytesIO()
    said = [(number, f"sctp-rack: {text}") for number, text in comments]
    written = rewrite("file", Source(content), iter(said), out)
    return out.getvalue(), written


def on_all(file: File) -> list[tuple[int, str]]:
    return [(number, f"frame {number} spurious") for number in sorted(file.packets)]


@pytest.mark.parametrize("file", PCAPNG, ids=lambda file: file.name)
def test_without_the_comments_every_block_is_as_it_was(file: File) -> None:
    new, written = rewritten(file.content, on_all(file))

    assert stripped(new) == stripped(file.content)
    assert written.comments + written.without_room == len(file.packets)


@pytest.mark.parametrize("file", one_in(3, [*FILES, *BROKEN]), ids=lambda file: file.name)
def test_tshark_reads_the_same_frames_with_a_comment_each(file: File, tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_bytes(file.content)
    new, written = rewritten(file.content, on_all(file))
    after.write_bytes(new)
    old, read = frames_of(before), frames_of(after)

    assert [one.without_comments() for one in read] == [one.without_comments() for one in old]
    added = {
        one.number: one.comments[len(was.comments) :]
        for one, was in zip(read, old, strict=True)
        if one.comments != was.comments
    }
    wanted = {number: (f"sctp-rack: {text}",) for number, text in on_all(file)}
    assert added.items() <= wanted.items()
    assert len(wanted) - len(added) == written.without_room


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_annotating_again_replaces_the_comments(file: File) -> None:
    once, _ = rewritten(file.content, on_all(file))
    twice, _ = rewritten(once, on_all(file))
    without, _ = rewritten(once, [])

    assert twice == once
    assert stripped(without) == stripped(once)
    assert b"sctp-rack: " not in without


@pytest.mark.parametrize("order", "<>")
def test_a_comment_comes_behind_those_that_are_there(order: str, tmp_path: Path) -> None:
    options = [(files.COMMENT, b"mine"), (2, struct.pack(order + "I", 1)), (files.COMMENT, b"also")]
    path = tmp_path / "comments.pcapng"
    old = capture(lambda out: out.packet(FRAMES[0], options=options), order)
    path.write_bytes(rewritten(old, [(1, "lost")])[0])

    (read,) = frames_of(path)
    assert read.comments == ("mine", "also", "sctp-rack: lost")


def test_a_simple_packet_block_has_no_room_and_stays() -> None:
    old = capture(lambda out: out.simple(frame(100)))
    new, written = rewritten(old, [(1, "lost")])

    assert new == old
    assert (written.comments, written.without_room) == (0, 1)


def test_an_obsolete_packet_block_gets_its_comment(tmp_path: Path) -> None:
    path = tmp_path / "obsolete.pcapng"
    path.write_bytes(
        rewritten(capture(lambda out: out.obsolete(frame(100) + bytes(2))), [(1, "lost")])[0]
    )

    assert frames_of(path)[0].comments == ("sctp-rack: lost",)


@pytest.mark.parametrize("order", "<>")
def test_a_section_that_says_its_length_does_not_say_it_any_more(order: str) -> None:
    old = bytearray(capture(lambda out: out.packet(FRAMES[0]), order))
    struct.pack_into(order + "q", old, 16, len(old) - 28)
    new, _ = rewritten(bytes(old), [(1, "lost")])

    assert struct.unpack_from(order + "q", new, 16) == (-1,)
    assert stripped(new) == stripped(bytes(old))


def test_options_that_run_beyond_their_block_stay_behind_the_comment() -> None:
    body = struct.pack("<IIIII", 0, 0, 0, 4, 4) + b"abcd" + struct.pack("<HHI", 2, 400, 0)
    old = capture(lambda out: out.block(files.ENHANCED, body))
    new, _ = rewritten(old, [(1, "lost")])

    assert stripped(new) == stripped(old)
    assert new.index(b"sctp-rack: lost") < new.index(body[-8:])


def test_an_unknown_block_larger_than_any_buffer_is_kept() -> None:
    old = capture(lambda out: out.block(0x12345678, bytes(range(256)) * 30000))

    assert rewritten(old, [])[0] == old


def test_what_is_cut_off_is_cut_off_at_the_same_place() -> None:
    old = FILES[len(PCAPS)].content
    for end in range(len(old)):
        new, _ = rewritten(old[:end], []) if end >= 4 else (old[:end], None)
        assert new == old[:end]


def test_a_frame_that_has_vanished_is_an_error() -> None:
    with pytest.raises(CaptureError, match="frame 4 is not there any more"):
        rewritten(FILES[0].content, [(4, "lost")])


def test_another_format_is_refused() -> None:
    with pytest.raises(UsageError, match="only pcap and pcapng"):
        rewritten(b"snoop\0\0\0", [])


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(
    ("magic", "resolution"),
    [(files.MICROSECONDS, 6), (files.NANOSECONDS, 9), (files.KUZNETZOV, 6)],
)
def test_a_pcap_keeps_byte_order_resolution_snap_length_and_check_sequence(
    order: str, magic: int, resolution: int
) -> None:
    old = files.pcap(FRAMES, 1 | 0x24000000, order=order, magic=magic)
    new, _ = rewritten(old, [])
    wanted = Pcapng(order)
    wanted.interface(1, 262144, [(files.RESOLUTION, bytes([resolution])), (13, b"\x20")])
    units = 10**resolution
    for index, packet in enumerate(FRAMES):
        wanted.packet(packet, ticks=(files.START + index) * units + 1)

    assert new == bytes(wanted)


def test_a_pcap_keeps_lengths_on_the_wire_and_odd_fractions(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_bytes(files.pcap([packet[:71] for packet in FRAMES], wire=1514, fraction=999_999))
    after.write_bytes(rewritten(before.read_bytes(), [])[0])

    assert frames_of(after) == frames_of(before)


def test_a_link_type_without_a_number_in_pcapng_is_refused() -> None:
    with pytest.raises(CaptureError, match="link type 65536 has no number in pcapng"):
        rewritten(files.pcap(FRAMES, 0x10000), [])


OPTION = st.tuples(st.integers(1, 12), st.binary(max_size=9))
PACKET = st.tuples(st.binary(max_size=9), st.lists(OPTION, max_size=3), st.booleans())
OTHER = st.tuples(st.sampled_from([1, 3, 4, 5, 10, 0x0BAD, 99]), st.binary(max_size=24))
SECTIONS = st.lists(
    st.tuples(st.sampled_from("<>"), st.lists(st.one_of(PACKET, OTHER), max_size=6)),
    min_size=1,
    max_size=3,
)


@given(SECTIONS)
def test_any_blocks_are_the_same_without_the_comments(
    sections: list[
        tuple[str, list[tuple[bytes, list[tuple[int, bytes]], bool] | tuple[int, bytes]]]
    ],
) -> None:
    out, numbers, commented = Pcapng(sections[0][0]), itertools.count(1), []
    for index, (order, content) in enumerate(sections):
        if index:
            out.section(order)
        for one in content:
            if len(one) == 2:
                out.block(*one)
                if one[0] in (3, 0x0BAD):
                    next(numbers)
            else:
                packet, options, told = one
                out.packet(packet, options=options)
                number = next(numbers)
                commented += [(number, "x" * number)] if told else []
    old = bytes(out)
    new, written = rewritten(old, commented)

    assert stripped(new) == stripped(old)
    assert written.comments == len(commented)
    assert new.count(b"sctp-rack: ") == len(commented)
