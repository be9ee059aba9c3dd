# SPDX-License-Identifier: BSD-2-Clause
"""Sums up a session: what was read of a capture, and what was not."""

from collections.abc import Callable
from typing import Any

from sctp_rack._core import ffi
from sctp_rack.binding.addresses import address_text
from sctp_rack.binding.rows import Batch
from sctp_rack.binding.session import Session
from sctp_rack.names import Skip, Unopened
from sctp_rack.recovery.gathering import Recovered, RecoveryRows
from sctp_rack.summary.associations import Associations
from sctp_rack.summary.counted import WORDS, by_word, firsts
from sctp_rack.summary.side import time_or_none
from sctp_rack.summary.summary import Dtls, IcmpError, Summary


def summarise(session: Session, also: Callable[[Batch], object] | None = None) -> Summary:
    """Reads `session`, which must have `gathering.TABLES`, to its end and sums up.

    `also` is shown each batch.
    """
    rows = RecoveryRows()
    for batch in session.batches():
        rows.add(batch)
        if also:
            also(batch)
        del batch  # before the next one is made
    return summary_of(session, rows.recovered(session.max_ack_delay_ns))


def summary_of(session: Session, recovered: Recovered) -> Summary:
    """Of a session that was read to its end."""
    reader, totals, engine = session.reader_totals, session.totals, session.engine_totals
    skipped = by_word(WORDS[Skip], totals.skipped)
    return Summary(
        capture=session.path,
        format=session.format,
        stopped=session.end.message,
        broken=session.end.is_error,
        frames=totals.frames,
        packets=engine.packets,
        chunks=engine.chunks,
        first_time_ns=time_or_none(totals.earliest_ns),
        last_time_ns=time_or_none(totals.latest_ns),
        time_steps_back=totals.time_steps_back,
        associations=Associations(session, recovered),
        uncounted_packets=engine.uncounted,
        filtered=session.filtered,
        skipped=skipped,
        skipped_first=firsts(WORDS[Skip], totals.skipped_first, skipped),
        dtls=_dtls(session.dtls_totals),
        fragments_left_over=totals.fragments_left_over,
        icmp_errors=_icmp_errors(session.icmp_errors),
        unknown_link_type=totals.unknown_link_type if Skip.UNKNOWN_LINK in skipped else None,
        short_packets=engine.short_packets,
        dropped_by_capture=reader.interface_drops + reader.system_drops + reader.record_drops,
        decryption_secrets=reader.secrets,
        max_ack_delay_ns=session.max_ack_delay_ns,
        findings=[] if session.filtered else list(recovered.findings()),
    )


def _dtls(totals: Any) -> Dtls:
    unopened = by_word(WORDS[Unopened], totals.unopened)
    return Dtls(
        connections=totals.connections,
        records=totals.records,
        opened=totals.opened,
        packets=totals.packets,
        secrets=totals.secrets,
        unopened=unopened,
        unopened_first=firsts(WORDS[Unopened], totals.unopened_first, unopened),
        unopened_sessions=by_word(WORDS[Unopened], totals.unopened_sessions),
    )


def _icmp_errors(errors: Any) -> list[IcmpError]:
    return [
        IcmpError(
            version=one.version,
            type=one.type,
            code=one.code,
            reporter=_address(one.reporter),
            source=_end(one.src, one.sport),
            destination=_end(one.dst, one.dport),
            mtu=one.mtu or None,
            count=one.count,
            frames=[frame for frame in one.frames if frame],
        )
        for one in (errors.kept[i] for i in range(errors.kinds))
    ]


def _address(address: Any) -> str | None:
    return address_text(bytes(ffi.buffer(ffi.addressof(address))))


def _end(address: Any, port: int) -> str | None:
    text = _address(address)
    return f"{text}:{port}" if text and port else text
