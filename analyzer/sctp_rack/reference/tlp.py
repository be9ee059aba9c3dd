# SPDX-License-Identifier: BSD-2-Clause
"""Decides when a tail loss probe is due, which packet was one, and what it found out.

Source: RFC 8985 section 7.
"""

from dataclasses import dataclass, replace

from sctp_rack.names import Answer, Probe, ProbeOutcome
from sctp_rack.reference.chunk import Chunk
from sctp_rack.reference.events import Expectation, ProbeReport, Transmission
from sctp_rack.reference.tsn import tsn_at


@dataclass(frozen=True, slots=True)
class TlpParameters:
    """What can be varied in TLP; the defaults are those of RFC 8985. Durations in nanoseconds.

    `max_ack_delay_ns` is SACK.Delay (RFC 9260 section 16). A packet that fits is taken for the
    probe until `reaction_ns` after the timeout: a capture shows packets, not timers.
    """

    srtt_factor: tuple[int, int] = (2, 1)
    without_srtt_ns: int = 1_000_000_000
    max_ack_delay_ns: int = 200_000_000
    reaction_ns: int = 20_000_000


def pto_ns(parameters: TlpParameters, srtt_ns: int | None, in_flight: list[Chunk]) -> int:
    """Return the probe timeout, a duration in nanoseconds: RFC 8985 section 7.2."""
    if srtt_ns is None:
        # RFC 8985 §7.2 no-srtt: 1 second when there is no SRTT.
        return parameters.without_srtt_ns
    numerator, denominator = parameters.srtt_factor
    # RFC 8985 §7.2 default: 2 * SRTT.
    duration_ns = srtt_ns * numerator // denominator
    frames = {c.in_flight.sent.frame for c in in_flight if c.in_flight}
    # RFC 8985 §7.2 one-segment: with one segment in flight, add TLP.max_ack_delay.
    # ADAPTATION: a segment is a packet, and one whose last chunk has the I bit is not delayed.
    if len(frames) == 1 and not max(in_flight, key=lambda c: c.seq).ack_now:
        duration_ns += parameters.max_ack_delay_ns
    return duration_ns


class Tlp:
    """TLP.end_seq and TLP.is_retrans of RFC 8985 section 5.3, and the record of probes seen."""

    def __init__(self, parameters: TlpParameters) -> None:
        """Start without a probe: RFC 8985 section 7.1."""
        self.parameters = parameters
        self.reports: list[ProbeReport] = []
        # RFC 8985 §7.1 start: TLP.end_seq = None, TLP.is_retrans = false.
        self.end_seq: int | None = None
        self.is_retrans = False
        self._probe_seq = 0
        self._due_ns = self._armed_ns = 0
        self.rtt_since_probe = False
        self._expected: Expectation | None = None

    def may_probe(self) -> bool:
        """Say whether both conditions for a probe hold."""
        # RFC 8985 §7.3 condition 1: no other probe is in flight.
        # RFC 8985 §7.3 condition 2: an RTT was measured since the last probe, or the start.
        return self.end_seq is None and self.rtt_since_probe

    def expect(self, expectation: Expectation) -> None:
        """Remember that a probe is due now."""
        self._expected = expectation

    def claims(self, transmission: Transmission, new: list[bool], resent: list[int]) -> bool:
        """Say whether this packet is the probe that was due.

        It has new data only, or the expected TSN; a packet with a resend and new data is no probe.
        `new` has a flag for each chunk, `resent` the sequence numbers sent before.
        """
        expected = self._expected
        if expected is None or expected.path != transmission.path:
            return False
        self._expected = None
        self._due_ns, self._armed_ns = expected.time_ns, expected.armed_ns
        if transmission.time_ns > expected.time_ns + self.parameters.reaction_ns:
            return False
        named = any(tsn_at(seq) == expected.tsn for seq in resent)
        return all(new) or (named and not any(new))

    def sent(
        self, transmission: Transmission, probe_seq: int, nxt: int, *, is_retrans: bool
    ) -> None:
        """Record the probe that was claimed. `nxt` is SND.NXT after it."""
        # RFC 8985 §7.3 new: TLP.end_seq = SND.NXT after the new segment.
        # RFC 8985 §7.3 highest: the same, and TLP.is_retrans = true.
        self.end_seq, self.is_retrans = nxt, is_retrans
        self.rtt_since_probe = False
        self._probe_seq = probe_seq
        self.reports.append(
            ProbeReport(
                path=transmission.path,
                tsn=tsn_at(probe_seq),
                frame=transmission.frame,
                kind=Probe.RETRANSMISSION if is_retrans else Probe.NEW_DATA,
                armed_ns=self._armed_ns,
                expected_ns=self._due_ns,
                sent_ns=transmission.time_ns,
                outcome=None,
            )
        )

    def acknowledged(
        self, una: int, dups: set[int], *, duplicate_ack: bool, reports_duplicates: Answer
    ) -> None:
        """Follow feedback: TLP_process_ack of RFC 8985 section 7.4.2.

        `una` is SND.UNA after it; `duplicate_ack` says that it acknowledges nothing, reports
        nothing and opens no window; `reports_duplicates` whether this receiver ever lists them.
        """
        # What follows feedback is sent because of it, not because of a timeout before it.
        self._expected = None
        if self.end_seq is None or una < self.end_seq:
            return
        if not self.is_retrans:
            # RFC 8985 §7.4.2 new-data: TLP of new data delivered.
            self._finish(None)
        elif self._probe_seq in dups:
            # RFC 8985 §7.4.2 case 1: a DSACK that matches the probe: nothing was lost.
            self._finish(ProbeOutcome.SPURIOUS)
        elif una > self.end_seq:
            # RFC 8985 §7.4.2 repaired: no proof of the contrary: the probe repaired a loss.
            if reports_duplicates is Answer.YES:
                self._finish(ProbeOutcome.REPAIRED_SINGLE_LOSS)
            else:
                self._finish(ProbeOutcome.REPAIRED_OR_ACK_LOSS)
        elif duplicate_ack and reports_duplicates is not Answer.YES:
            # RFC 8985 §7.4.2 case 2: a duplicate ack from a receiver without DSACK.
            self._finish(ProbeOutcome.SPURIOUS)

    def reset(self, outcome: ProbeOutcome) -> None:
        """Forget the probe in flight or due, on entering recovery."""
        self._expected = None
        # RFC 8985 §7.1 recovery: reset TLP.end_seq and TLP.is_retrans at fast and RTO recovery.
        if self.end_seq is not None:
            self._finish(outcome)

    @property
    def probe_seq(self) -> int | None:
        """Return the highest sequence number in the probe in flight, None without one."""
        return None if self.end_seq is None else self._probe_seq

    def _finish(self, outcome: ProbeOutcome | None) -> None:
        self.end_seq, self.is_retrans = None, False
        self.reports[-1] = replace(self.reports[-1], outcome=outcome)
