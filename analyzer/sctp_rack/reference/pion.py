# SPDX-License-Identifier: BSD-2-Clause
"""Decides what pion/sctp 1.9.0 and later marks by time and when it probes, exactly as it does.

Read in the source of pion/sctp v1.11.3 and v1.12.0 (onRackAfterSACK, onPTOTimer); the same since
v1.9.0. It differs from RFC 8985 in nearly every step, so it is a detector of its own:

* state is per association, not per path;
* the watermark of reordering starts at TSN 0 and is compared by serial arithmetic: with a TSN from
  2^31 up, the first acknowledgement already counts as reordering, and always will;
* a chunk is lost if it was sent more than the window before the newest delivered one; the time now
  plays no part, so its reordering timer can mark nothing new and is left out here;
* a chunk that was given up counts as delivered when the cumulative TSN passes over it;
* a chunk that was sent twice is never marked;
* the window grows with every SACK that lists duplicates, and decays by SACKs, not by recoveries.
"""

from dataclasses import dataclass

from sctp_rack.reference.chunk import Chunk
from sctp_rack.reference.scoreboard import Acknowledgement
from sctp_rack.reference.tsn import Tsn, tsn_at


@dataclass(frozen=True, slots=True)
class PionParameters:
    """The options of WithRACKOptions and the two terms of its probe timeout, in nanoseconds."""

    reo_wnd_floor_ns: int = 0
    one_chunk_extra_ns: int = 200_000_000
    several_chunks_extra_ns: int = 2_000_000
    without_srtt_ns: int = 1_000_000_000
    keep_inflated_sacks: int = 16


class PionRack:
    """pion's RACK variables of one association."""

    def __init__(self, parameters: PionParameters) -> None:
        """Start as newAssociation does: the highest delivered TSN is 0."""
        self.parameters = parameters
        self.highest_delivered = Tsn(0)
        self.delivered_ns: int | None = None
        self.reordering_seen = False
        self.reo_wnd_ns = 0
        self.keep_inflated = 0

    def acknowledged(
        self,
        ack: Acknowledgement,
        *,
        duplicates: bool,
        min_rtt_ns: int | None,
        srtt_ns: int | None,
        in_fast_recovery: bool,
        t3_running: bool,
    ) -> None:
        """Follow one feedback, after the scoreboard, the RTT and fast retransmit have."""
        gone = sorted([*((d.seq, d.sent) for d in ack.newly), *ack.given_up.items()])
        if gone:
            seq, sent = max(gone, key=lambda chunk: chunk[1].time_ns)
            self._delivered(sent.time_ns, tsn_at(seq))
        quarter_ns = 0 if min_rtt_ns is None else min_rtt_ns // 4
        step_ns = 0 if min_rtt_ns is None else max(quarter_ns, self.parameters.reo_wnd_floor_ns)
        if not self.reordering_seen and (in_fast_recovery or t3_running):
            self.reo_wnd_ns = 0
        elif self.reo_wnd_ns == 0:
            self.reo_wnd_ns = step_ns
        if duplicates and min_rtt_ns is not None:
            self.reo_wnd_ns += step_ns
            self.keep_inflated = self.parameters.keep_inflated_sacks
        if not in_fast_recovery and self.keep_inflated > 0:
            self.keep_inflated -= 1
            if self.keep_inflated == 0 and min_rtt_ns is not None:
                self.reo_wnd_ns = quarter_ns
        if srtt_ns is not None:
            self.reo_wnd_ns = min(self.reo_wnd_ns, srtt_ns)

    def lost(self, in_sending_order: list[Chunk]) -> list[Chunk]:
        """Return what it marks at this feedback."""
        lost: list[Chunk] = []
        for chunk in in_sending_order:
            flight = chunk.in_flight
            if flight is None or chunk.copies > 1 or self.delivered_ns is None:
                continue
            if flight.sent.time_ns + self.reo_wnd_ns >= self.delivered_ns:
                break
            lost.append(chunk)
        return lost

    def pto_ns(self, srtt_ns: int | None, queue_length: int) -> int:
        """Return the probe timeout in nanoseconds; the queue counts gap-acked chunks too."""
        if srtt_ns is None:
            return self.parameters.without_srtt_ns
        one = queue_length == 1
        extra = self.parameters.one_chunk_extra_ns
        return 2 * srtt_ns + (extra if one else self.parameters.several_chunks_extra_ns)

    def _delivered(self, time_ns: int, tsn: Tsn) -> None:
        if tsn.follows(self.highest_delivered):
            self.highest_delivered = tsn
        else:
            self.reordering_seen = True
        if self.delivered_ns is None or time_ns > self.delivered_ns:
            self.delivered_ns = time_ns
