# SPDX-License-Identifier: BSD-2-Clause
"""Decides whose sender is replayed: the parameters and rules of each profile, as data.

A variant is made with `dataclasses.replace`. Stacks were read in source: pion/sctp v1.8.41,
v1.11.3, v1.12.0; usrsctp 0.9.5.0; dcsctp; Linux net/sctp.
"""

from dataclasses import dataclass, field, replace

from sctp_rack.names import Answer, Profile
from sctp_rack.reference.fast_retransmit import (
    MissParameters,
    after_newer_data,
    always,
    highest_acked,
)
from sctp_rack.reference.pion import PionParameters
from sctp_rack.reference.rack import RackParameters, robust
from sctp_rack.reference.reneging import (
    Reach,
    everywhere,
    in_order,
    nowhere,
    up_to_the_last_block,
    within_the_blocks,
)
from sctp_rack.reference.rtt import RtoParameters
from sctp_rack.reference.rtt_samples import (
    SampleRule,
    cumulative_without_gaps,
    first_of_flight,
    newest,
    one_timed_chunk,
)
from sctp_rack.reference.t3 import (
    T3Parameters,
    cum_advanced,
    fast_retransmission,
    no_resend,
    older_than_rack_rtt,
    older_than_unclamped_rto,
    pseudo_cum_acked,
)
from sctp_rack.reference.tlp import TlpParameters

MS = 1_000_000


@dataclass(frozen=True, slots=True)
class ReceiverTraits:
    """What is known of the other side.

    `gap_block_cap`: the number of gap blocks after which it stops (Linux 16, dcsctp 20), None if
    it has no known cap. `reports_duplicates`: whether it lists duplicate TSNs; pion never does.
    """

    gap_block_cap: int | None = None
    reports_duplicates: Answer = Answer.UNKNOWN


@dataclass(frozen=True, slots=True)
class Parameters:
    """A sender's loss detection. None for a detector means that this sender has none.

    `times_through_resends`: a resend of a lower TSN does not spoil a sample (usrsctp: do_rtt is of
    one chunk). `reach`: how far up a TSN that is not acknowledged any more counts as taken back.
    `limit_before_mark`: a chunk that may not be sent again is given up where it would be marked.
    `times_handshake` says whether INIT and COOKIE-ECHO give round-trip samples (not in pion:
    setNewRTT, nor in dcSCTP, nor in Linux: sctp_transport_update_rto). `min_rtt_window_ns` is the
    length of the minimum filter of RFC 8985 section 6.2 step 1.
    """

    profile: Profile
    rto: RtoParameters = field(default_factory=RtoParameters)
    sample: SampleRule = one_timed_chunk
    times_handshake: bool = True
    times_through_resends: bool = False
    reach: Reach = everywhere
    limit_before_mark: bool = False
    min_rtt_window_ns: int = 30_000 * MS
    rack: RackParameters | None = None
    tlp: TlpParameters | None = None
    misses: MissParameters | None = None
    pion: PionParameters | None = None
    t3: T3Parameters = field(default_factory=T3Parameters)
    receiver: ReceiverTraits = field(default_factory=ReceiverTraits)


def rfc8985(*, robust_rtt: bool = False) -> Parameters:
    """Return RACK-TLP; `robust_rtt` compares with the path's own minimum round trip."""
    # RFC 8985 §9.2 6675: MUST NOT be used with RFC 6675: no counting of missing reports here.
    return Parameters(
        profile=Profile.RFC8985,
        sample=newest,
        reach=in_order,  # what is back in flight is old, and RACK would mark it at once
        rack=RackParameters(spurious_floor=robust) if robust_rtt else RackParameters(),
        # RFC 8985 §4 tlp: it needs RACK, so no other profile has it.
        tlp=TlpParameters(),
        t3=T3Parameters(marks=older_than_rack_rtt),
    )


def rfc9260() -> Parameters:
    """Return three missing reports and T3-rtx, as in RFC 9260."""
    return Parameters(profile=Profile.RFC9260, misses=MissParameters())


def pion(*, newly_acked_only: bool = False) -> Parameters:
    """Return pion/sctp.

    From v1.9.0 on, misses count below the highest TSN acknowledged, newly or not. With
    `newly_acked_only` they count as up to v1.8.41, which has no RACK and no probe.
    """
    counting = MissParameters(as_pion=True)
    without_rack = Parameters(
        profile=Profile.PION,
        rto=RtoParameters(granularity_ns=0, backoff_ends_at_cum_advance=True),
        sample=first_of_flight,
        times_handshake=False,
        reach=nowhere,
        misses=counting,
        t3=T3Parameters(
            restarts_itself=True, resend_restarts=no_resend, repeats_window_probes=True
        ),
    )
    if newly_acked_only:
        return without_rack
    return replace(
        without_rack,
        misses=replace(counting, count_below=highest_acked),
        pion=PionParameters(),
    )


def usrsctp(*, cmt: bool = False) -> Parameters:
    """Return usrsctp and FreeBSD; `cmt` counts missing reports per path (split fast retransmit)."""
    return Parameters(
        profile=Profile.USRSCTP,
        rto=RtoParameters(backoff_ends_at_clean_ack=True),
        times_through_resends=True,
        reach=up_to_the_last_block,
        limit_before_mark=True,
        misses=MissParameters(as_usrsctp=True, repeat=after_newer_data, split_paths=cmt),
        t3=T3Parameters(
            marks=older_than_unclamped_rto,
            restarts=pseudo_cum_acked if cmt else cum_advanced,
            always_earliest=False,
            resend_restarts=fast_retransmission,
            stops_without_flight=True,
            seen_by_resend=True,
            # user_sctp_timer_iterate: a tick every 10 ms
            tick_ns=10 * MS,
            repeats_window_probes=True,
        ),
    )


def dcsctp() -> Parameters:
    """Return dcSCTP: RetransmissionQueue, OutstandingData, RetransmissionTimeout and Timer."""
    return Parameters(
        profile=Profile.DCSCTP,
        limit_before_mark=True,
        rto=RtoParameters(
            initial_ns=500 * MS,
            min_ns=400 * MS,
            rttvar_floor_ns=220 * MS // 8,
            granularity_ns=0,
            # Timer::get_backoff_duration doubles from the second expiry on.
            same_after_timeouts=1,
            # Timer::Start forgets the expirations, and HandleSack starts it anew.
            backoff_ends_at_cum_advance=True,
        ),
        sample=cumulative_without_gaps,
        # ObserveRTT is called for SACKs and HEARTBEAT-ACKs only.
        times_handshake=False,
        reach=within_the_blocks,
        # HandleSack: exit fast recovery before continuing processing.
        misses=MissParameters(repeat=always, exits_first=True),
        t3=T3Parameters(
            restarts=cum_advanced,
            resend_restarts=fast_retransmission,
            keeps_fast_recovery=True,
            seen_by_resend=True,
            repeats_window_probes=True,
        ),
    )


def linux() -> Parameters:
    """Return Linux net/sctp."""
    return Parameters(
        profile=Profile.LINUX,
        times_handshake=False,
        rto=RtoParameters(initial_ns=3_000 * MS),
        misses=MissParameters(exits_first=True),
        t3=T3Parameters(resend_restarts=no_resend, repeats_window_probes=True),
    )


PROFILES = {
    Profile.RFC8985: rfc8985,
    Profile.RFC9260: rfc9260,
    Profile.PION: pion,
    Profile.USRSCTP: usrsctp,
    Profile.DCSCTP: dcsctp,
    Profile.LINUX: linux,
}
