# SPDX-License-Identifier: BSD-2-Clause
"""The C model behind the words of the reference model, so that both are told and asked the same."""

from collections.abc import Sequence
from typing import Any

from sctp_rack._core import ffi, lib
from sctp_rack.names import Answer, Probe, ProbeOutcome, Profile, RttTag, SackKind, Trigger
from sctp_rack.reference.events import (
    Action,
    Event,
    Expectation,
    Feedback,
    ForwardTsn,
    Mark,
    ProbeReport,
    RttMeasurement,
    Transmission,
    TsnReset,
)
from sctp_rack.reference.fast_retransmit import (
    after_newer_data,
    always,
    highest_acked,
    htna,
    never,
)
from sctp_rack.reference.profiles import Parameters
from sctp_rack.reference.rack import RackParameters, robust
from sctp_rack.reference.reneging import (
    everywhere,
    in_order,
    nowhere,
    up_to_the_last_block,
    within_the_blocks,
)
from sctp_rack.reference.retransmission_queue import QueueStep
from sctp_rack.reference.rtt_samples import (
    cumulative_without_gaps,
    first_of_flight,
    newest,
    one_timed_chunk,
)
from sctp_rack.reference.snapshot import PathSnapshot, WarmStart
from sctp_rack.reference.t3 import (
    any_resend,
    cum_advanced,
    earliest_acked,
    every_chunk,
    fast_retransmission,
    no_resend,
    older_than_rack_rtt,
    older_than_unclamped_rto,
    pseudo_cum_acked,
)
from sctp_rack.reference.tsn import Tsn

NO_TIME = -(1 << 63)
WORDS = {
    one_timed_chunk: lib.SR_SAMPLE_ONE_TIMED_CHUNK,
    newest: lib.SR_SAMPLE_NEWEST,
    cumulative_without_gaps: lib.SR_SAMPLE_CUMULATIVE_WITHOUT_GAPS,
    first_of_flight: lib.SR_SAMPLE_FIRST_OF_FLIGHT,
    htna: lib.SR_COUNT_BELOW_HTNA,
    highest_acked: lib.SR_COUNT_BELOW_HIGHEST_ACKED,
    never: lib.SR_REPEAT_NEVER,
    after_newer_data: lib.SR_REPEAT_AFTER_NEWER_DATA,
    always: lib.SR_REPEAT_ALWAYS,
    every_chunk: lib.SR_T3_MARKS_EVERY_CHUNK,
    older_than_rack_rtt: lib.SR_T3_MARKS_OLDER_THAN_RACK_RTT,
    older_than_unclamped_rto: lib.SR_T3_MARKS_OLDER_THAN_UNCLAMPED_RTO,
    earliest_acked: lib.SR_T3_RESTARTS_EARLIEST_ACKED,
    cum_advanced: lib.SR_T3_RESTARTS_CUM_ADVANCED,
    pseudo_cum_acked: lib.SR_T3_RESTARTS_PSEUDO_CUM_ACKED,
    any_resend: lib.SR_RESEND_RESTARTS_EACH,
    fast_retransmission: lib.SR_RESEND_RESTARTS_FAST,
    no_resend: lib.SR_RESEND_RESTARTS_NEVER,
    everywhere: lib.SR_REACH_EVERYWHERE,
    in_order: lib.SR_REACH_IN_ORDER,
    up_to_the_last_block: lib.SR_REACH_TO_THE_LAST_BLOCK,
    within_the_blocks: lib.SR_REACH_WITHIN_THE_BLOCKS,
    nowhere: lib.SR_REACH_NOWHERE,
}
T3_FIELDS = (
    *("always_earliest", "restarts_itself", "keeps_fast_recovery", "stops_without_flight"),
    *("seen_by_resend", "tick_ns", "repeats_window_probes"),
)
PROFILES, TRIGGERS, OUTCOMES = list(Profile), list(Trigger), list(ProbeOutcome)
STATES = (None, "in_flight", "lost", "gap_acked", "nr_acked", "cum_acked", "abandoned")


def in_c(p: Parameters) -> Any:
    """The parameters as a C struct."""
    c = ffi.new("struct sr_parameters *")
    c.profile, c.sample = PROFILES.index(p.profile), WORDS[p.sample]
    if p.times_through_resends:
        c.sample = lib.SR_SAMPLE_THROUGH_RESENDS
    c.reach, c.times_handshake = WORDS[p.reach], p.times_handshake
    c.limit_before_mark = p.limit_before_mark
    c.min_rtt_window_ns = p.min_rtt_window_ns
    for name in (
        "initial_ns",
        "min_ns",
        "max_ns",
        "rttvar_floor_ns",
        "granularity_ns",
        "same_after_timeouts",
    ):
        setattr(c.rto, name, getattr(p.rto, name))
    c.rto.backoff_ends_at_cum_advance = p.rto.backoff_ends_at_cum_advance
    c.rto.backoff_ends_at_clean_ack = p.rto.backoff_ends_at_clean_ack
    rack = p.rack or RackParameters()
    c.rack.on = p.rack is not None
    c.rack.robust = rack.spurious_floor is robust
    c.rack.sacked_in_packets = rack.sacked_in_packets
    c.rack.reo_wnd.step = rack.reo_wnd.step
    c.rack.reo_wnd.dup_thresh = rack.reo_wnd.dup_thresh
    c.rack.reo_wnd.persist_recoveries = rack.reo_wnd.persist_recoveries
    if p.tlp:
        c.tlp = (True, *(getattr(p.tlp, name) for name in p.tlp.__slots__))
    if p.misses:
        m = p.misses
        c.misses = (
            True,
            m.threshold,
            WORDS[m.count_below],
            WORDS[m.repeat],
            m.split_paths,
            m.exits_first,
            m.as_usrsctp,
            m.as_pion,
        )
    if p.pion:
        c.pion = (True, *(getattr(p.pion, name) for name in p.pion.__slots__))
    c.t3.marks, c.t3.restarts = WORDS[p.t3.marks], WORDS[p.t3.restarts]
    c.t3.resend_restarts = WORDS[p.t3.resend_restarts]
    for name in T3_FIELDS:
        setattr(c.t3, name, getattr(p.t3, name))
    return c[0]


def _some(ns: int) -> int | None:
    return None if ns == NO_TIME else ns


def _tsns(tsns: Sequence[Tsn]) -> list[tuple[int]]:
    return [(tsn.value,) for tsn in tsns]


def _blocks(blocks: Sequence[tuple[Tsn, Tsn]]) -> list[tuple[tuple[int], tuple[int]]]:
    return [((first.value,), (last.value,)) for first, last in blocks]


class FeedbackInC:
    """Feedback as a C struct, valid as long as this is there: the lists are its own."""

    def __init__(self, event: Feedback) -> None:
        """Copy the feedback."""
        self._gaps = ffi.new("struct sr_tsn_range[]", _blocks(event.gaps))
        self._nr_gaps = ffi.new("struct sr_tsn_range[]", _blocks(event.nr_gaps))
        self._dups = ffi.new("struct sr_tsn[]", _tsns(event.dups))
        self.c = ffi.new(
            "struct sr_model_feedback *",
            {
                "time_ns": event.time_ns,
                "frame": event.frame,
                "cum_tsn": (event.cum_tsn.value,),
                "gaps": self._gaps,
                "gap_count": len(event.gaps),
                "nr_gaps": self._nr_gaps,
                "nr_gap_count": len(event.nr_gaps),
                "dups": self._dups,
                "dup_count": len(event.dups),
                "a_rwnd_bytes": event.a_rwnd_bytes or 0,
                "has_a_rwnd": event.a_rwnd_bytes is not None,
                "kind": list(SackKind).index(event.kind),
                "all_non_renegable": event.all_non_renegable,
                "lists_cut": event.lists_cut,
                "overtaken": event.overtaken,
                "packets": event.packets,
            },
        )


class CoreModel:
    """The C model with several senders, who know the same of the receiver."""

    def __init__(self, senders: Sequence[Parameters]) -> None:
        """Start before the first TSN is sent."""
        self._parameters = senders
        self._paths: list[str] = []
        known = {parameters.receiver for parameters in senders}
        assert len(known) == 1
        receiver = known.pop()
        reports = list(Answer).index(receiver.reports_duplicates)
        self._c = ffi.gc(
            lib.sr_model_new(
                ffi.new("struct sr_parameters[]", [in_c(p) for p in senders]),
                len(senders),
                (receiver.gap_block_cap or 0, reports),
            ),
            lib.sr_model_free,
        )
        assert self._c
        self.marks: list[list[Mark]] = [[] for _ in senders]
        self.expectations: list[list[Expectation]] = [[] for _ in senders]
        self.closed_probes: list[list[ProbeReport]] = [[] for _ in senders]
        self.reneged: list[list[tuple[int, Tsn]]] = [[] for _ in senders]
        self.broken_promises: list[list[tuple[int, Tsn]]] = [[] for _ in senders]
        self.withdrawn: list[list[tuple[Tsn, int]]] = [[] for _ in senders]
        self.queue_steps: list[list[QueueStep]] = [[] for _ in senders]

    @property
    def path_count(self) -> int:
        """How many paths were seen."""
        return len(self._paths)

    def path(self, name: str) -> int:
        """The number of a path, which it gets when it is seen first."""
        if name not in self._paths:
            self._paths.append(name)
        return self._paths.index(name)

    def warm(self, start: WarmStart) -> None:
        assert lib.sr_model_warm(
            self._c,
            ffi.new(
                "struct sr_warm_start *",
                (
                    self.path(start.path),
                    start.srtt_ns,
                    start.rttvar_ns,
                    start.min_rtt_ns,
                    start.path_min_rtt_ns,
                    start.reordering_seen,
                    start.reo_wnd_mult,
                ),
            ),
        )

    def feed(self, event: Event) -> None:
        match event:
            case Transmission():
                taken = self._sent(event)
            case Feedback():
                taken = self._feedback(event)
            case ForwardTsn():
                tsn = (event.new_cum_tsn.value,)
                taken = lib.sr_model_forward_tsn(self._c, event.time_ns, tsn)
            case RttMeasurement():
                path, tag = self.path(event.path), list(RttTag).index(event.tag)
                taken = lib.sr_model_rtt(self._c, event.time_ns, path, event.rtt_ns, tag)
            case TsnReset():
                taken = lib.sr_model_tsn_reset(self._c, event.time_ns, (event.next_tsn.value,))
        assert taken, event
        self._collect()
        stale = isinstance(event, Feedback) and lib.sr_model_last_feedback(self._c).stale
        observed = not isinstance(event, RttMeasurement) and not stale
        for sender in range(len(self._parameters)):
            if isinstance(event, Feedback):
                at_ns, reneged = event.time_ns, self._list(lib.sr_model_reneged, sender)
                self.reneged[sender] += [(at_ns, tsn) for tsn in reneged]
                broken = self._list(lib.sr_model_broken_promises, sender)
                self.broken_promises[sender] += [(at_ns, tsn) for tsn in broken]
            if observed:
                self._observe_queue(sender, event.time_ns)

    def time_passed(self, now_ns: int) -> None:
        assert lib.sr_model_time_passed(self._c, now_ns)
        self._collect()

    def next_timer_ns(self, sender: int) -> int | None:
        return _some(lib.sr_model_next_timer_ns(self._c, sender))

    def finish(self) -> None:
        lib.sr_model_finish(self._c)
        self._collect()
        assert not lib.sr_model_short_of_memory(self._c)

    def probes(self, sender: int) -> list[ProbeReport]:
        """Return the tail loss probes that were seen, the last one perhaps open."""
        last = lib.sr_model_last_probe(self._c, sender)
        closed = self.closed_probes[sender]
        if not last or (closed and closed[-1].frame == last.frame):
            return closed
        return [*closed, self._probe(last)]

    def state_of(self, sender: int, tsn: Tsn) -> str | None:
        return STATES[lib.sr_model_state_of(self._c, sender, (tsn.value,))]

    def misses(self, sender: int, tsn: Tsn) -> int | None:
        misses = lib.sr_model_misses(self._c, sender, (tsn.value,))
        return None if misses < 0 else misses

    def snapshot(self, sender: int, path: str) -> PathSnapshot:
        c = ffi.new("struct sr_path_snapshot *")
        assert lib.sr_model_snapshot(self._c, sender, self.path(path), c)
        xmit_ns = _some(c.rack_xmit_ns)
        return PathSnapshot(
            srtt_ns=_some(c.srtt_ns),
            rttvar_ns=_some(c.rttvar_ns),
            rto_ns=c.rto_ns,
            min_rtt_ns=_some(c.min_rtt_ns),
            rack_rtt_ns=c.rack_rtt_ns,
            rack_xmit_ns=xmit_ns,
            rack_tsn=None if xmit_ns is None else Tsn(c.rack_tsn.value),
            reo_wnd_ns=c.reo_wnd_ns,
            reo_wnd_mult=c.reo_wnd_mult,
            reordering_seen=c.reordering_seen,
            in_recovery=c.in_recovery,
            flight_bytes=c.flight_bytes,
            t3_ns=_some(c.t3_ns),
            pto_ns=_some(c.pto_ns),
            reo_ns=_some(c.reo_ns),
        )

    def _sent(self, event: Transmission) -> bool:
        chunks = [((d.tsn.value,), d.size_bytes, d.ack_now) for d in event.chunks]
        held = ffi.new("struct sr_model_data[]", chunks)
        path = self.path(event.path)
        c = ffi.new("struct sr_model_sent *", (event.time_ns, event.frame, path, held, len(chunks)))
        return bool(lib.sr_model_sent(self._c, c))

    def _feedback(self, event: Feedback) -> bool:
        feedback = FeedbackInC(event)
        return bool(lib.sr_model_feedback(self._c, feedback.c))

    def _list(self, ask: Any, sender: int) -> list[Tsn]:
        count = ask(self._c, sender, ffi.NULL, 0)
        tsns = ffi.new("struct sr_tsn[]", count)
        assert ask(self._c, sender, tsns, count) == count
        return [Tsn(tsn.value) for tsn in tsns]

    def _collect(self) -> None:
        count = ffi.new("size_t *")
        taken = lib.sr_model_take_marks(self._c, count)
        for mark in taken[0 : count[0]]:
            self.marks[mark.sender].append(
                Mark(
                    profile=PROFILES[mark.profile],
                    path=self._paths[mark.path],
                    tsn=Tsn(mark.tsn.value),
                    copy=mark.copy,
                    frame=mark.frame,
                    by_frame=mark.by_frame or None,
                    due_frame=mark.due_frame or None,
                    time_ns=mark.time_ns,
                    trigger=TRIGGERS[mark.trigger],
                    reo_wnd_ns=_some(mark.reo_wnd_ns),
                    rack_rtt_ns=_some(mark.rack_rtt_ns),
                    min_rtt_ns=_some(mark.min_rtt_ns),
                )
            )
        taken = lib.sr_model_take_expectations(self._c, count)
        for e in taken[0 : count[0]]:
            action = Action.PROBE if e.action == lib.SR_ACTION_PROBE else Action.T3
            path, tsn = self._paths[e.path], Tsn(e.tsn.value)
            expectation = Expectation(action, path, e.time_ns, tsn, e.armed_ns)
            self.expectations[e.sender].append(expectation)
        taken = lib.sr_model_take_withdrawals(self._c, count)
        for w in taken[0 : count[0]]:
            self.withdrawn[w.sender].append((Tsn(w.tsn.value), w.copy))
        taken = lib.sr_model_take_probes(self._c, count)
        for report in taken[0 : count[0]]:
            self.closed_probes[report.sender].append(self._probe(report))

    def _probe(self, c: Any) -> ProbeReport:
        return ProbeReport(
            path=self._paths[c.path],
            tsn=Tsn(c.tsn.value),
            frame=c.frame,
            kind=list(Probe)[c.kind],
            armed_ns=c.armed_ns,
            expected_ns=c.expected_ns,
            sent_ns=c.sent_ns,
            outcome=None if c.outcome == lib.SR_PROBE_WITHOUT_OUTCOME else OUTCOMES[c.outcome],
        )

    def _observe_queue(self, sender: int, now_ns: int) -> None:
        queue, steps = lib.sr_model_queue(self._c, sender), self.queue_steps[sender]
        step = QueueStep(
            now_ns, queue.chunks, queue.necessary_chunks, queue.bytes, queue.necessary_bytes
        )
        if steps and steps[-1].time_ns == now_ns:
            steps.pop()
        steps.append(step)
