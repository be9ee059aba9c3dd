/* SPDX-License-Identifier: BSD-2-Clause */
/* The profiles. Stacks were read in source: pion/sctp v1.8.41, v1.11.3, v1.12.0; usrsctp 0.9.5.0; dcsctp; Linux
 * net/sctp. */
#include "profiles.h"

#define MS INT64_C(1000000)

static struct sr_parameters rfc9260(void)
{
    return (struct sr_parameters){
        .profile = SR_PROFILE_RFC9260,
        .sample = SR_SAMPLE_ONE_TIMED_CHUNK,
        .times_handshake = true,
        .rto = {.initial_ns = 1000 * MS, .min_ns = 1000 * MS, .max_ns = 60000 * MS, .granularity_ns = MS},
        .min_rtt_window_ns = 30000 * MS,
        .misses = {.on = true, .threshold = 3},
        .t3 = {.always_earliest = true},
    };
}

/* RFC 8985 section 9.2: it MUST NOT be used with RFC 6675, so nothing counts missing reports here. */
static struct sr_parameters rfc8985(void)
{
    struct sr_parameters p = rfc9260();
    p.profile = SR_PROFILE_RFC8985;
    p.sample = SR_SAMPLE_NEWEST;
    p.reach = SR_REACH_IN_ORDER; /* what is back in flight is old, and RACK would mark it at once */
    p.misses.on = false;
    p.rack = (struct sr_rack_parameters){
        .on = true,
        .sacked_in_packets = true,
        .reo_wnd = {.step = {1, 4}, .dup_thresh = 3, .persist_recoveries = 16},
    };
    p.tlp = (struct sr_tlp_parameters){
        .on = true,
        .srtt_factor = {2, 1},
        .without_srtt_ns = 1000 * MS,
        .max_ack_delay_ns = 200 * MS,
        .reaction_ns = 20 * MS,
    };
    p.t3.marks = SR_T3_MARKS_OLDER_THAN_RACK_RTT;
    return p;
}

struct sr_parameters sr_parameters_of_early_pion(void)
{
    struct sr_parameters p = rfc9260();
    p.profile = SR_PROFILE_PION;
    p.sample = SR_SAMPLE_FIRST_OF_FLIGHT;
    p.reach = SR_REACH_NOWHERE;
    p.times_handshake = false;
    p.rto.granularity_ns = 0;
    p.rto.min_is_fixed = true;
    p.rto.backoff_ends_at_cum_advance = true;
    p.misses.as_pion = true;
    p.t3.resend_restarts = SR_RESEND_RESTARTS_NEVER;
    p.t3.restarts_itself = p.t3.repeats_window_probes = true;
    return p;
}

static struct sr_parameters pion(void)
{
    struct sr_parameters p = sr_parameters_of_early_pion();
    p.misses.count_below = SR_COUNT_BELOW_HIGHEST_ACKED;
    p.pion = (struct sr_pion_parameters){
        .on = true,
        .one_chunk_extra_ns = 200 * MS,
        .several_chunks_extra_ns = 2 * MS,
        .without_srtt_ns = 1000 * MS,
        .keep_inflated_sacks = 16,
    };
    return p;
}

static struct sr_parameters usrsctp(void)
{
    struct sr_parameters p = rfc9260();
    p.profile = SR_PROFILE_USRSCTP;
    p.sample = SR_SAMPLE_THROUGH_RESENDS;
    p.reach = SR_REACH_TO_THE_LAST_BLOCK;
    p.limit_before_mark = true;
    p.rto.backoff_ends_at_clean_ack = true;
    p.misses.as_usrsctp = true;
    p.misses.repeat = SR_REPEAT_AFTER_NEWER_DATA;
    p.t3 = (struct sr_t3_parameters){
        .marks = SR_T3_MARKS_OLDER_THAN_UNCLAMPED_RTO,
        .restarts = SR_T3_RESTARTS_CUM_ADVANCED,
        .resend_restarts = SR_RESEND_RESTARTS_FAST,
        .stops_without_flight = true,
        .seen_by_resend = true,
        .tick_ns = 10 * MS, /* user_sctp_timer_iterate: a tick every 10 ms */
        .repeats_window_probes = true,
    };
    return p;
}

static struct sr_parameters dcsctp(void)
{
    struct sr_parameters p = rfc9260();
    p.profile = SR_PROFILE_DCSCTP;
    p.sample = SR_SAMPLE_CUMULATIVE_WITHOUT_GAPS;
    p.reach = SR_REACH_WITHIN_THE_BLOCKS;
    p.limit_before_mark = true;
    p.times_handshake = false; /* ObserveRTT is called for SACKs and HEARTBEAT-ACKs only */
    p.rto.initial_ns = 500 * MS;
    p.rto.min_ns = 400 * MS;
    p.rto.rttvar_floor_ns = 220 * MS / 8;
    p.rto.granularity_ns = 0;
    p.rto.same_after_timeouts = 1;            /* Timer::get_backoff_duration doubles from the second expiry on */
    p.rto.backoff_ends_at_cum_advance = true; /* Timer::Start forgets the expirations, and HandleSack starts it anew */
    p.misses.repeat = SR_REPEAT_ALWAYS;
    p.misses.exits_first = true; /* HandleSack: exit fast recovery before continuing processing */
    p.t3.restarts = SR_T3_RESTARTS_CUM_ADVANCED;
    p.t3.resend_restarts = SR_RESEND_RESTARTS_FAST;
    p.t3.keeps_fast_recovery = p.t3.seen_by_resend = true;
    p.t3.repeats_window_probes = true;
    return p;
}

static struct sr_parameters kernel(void)
{
    struct sr_parameters p = rfc9260();
    p.profile = SR_PROFILE_LINUX;
    p.times_handshake = false; /* sctp_transport_update_rto is called for DATA and HEARTBEAT-ACKs only */
    p.rto.initial_ns = 3000 * MS;
    p.misses.exits_first = true; /* sctp_transport_raise_cwnd comes before sctp_mark_missing */
    p.t3.resend_restarts = SR_RESEND_RESTARTS_NEVER;
    p.t3.in_wheel = p.t3.repeats_window_probes = true;
    return p;
}

void sr_split_paths(struct sr_parameters *parameters)
{
    parameters->misses.split_paths = parameters->misses.on && !parameters->misses.as_pion;
    if (parameters->misses.as_usrsctp)
        parameters->t3.restarts = SR_T3_RESTARTS_PSEUDO_CUM_ACKED;
}

struct sr_parameters sr_parameters_of(enum sr_profile profile)
{
    switch (profile) {
    case SR_PROFILE_RFC8985: return rfc8985();
    case SR_PROFILE_PION: return pion();
    case SR_PROFILE_USRSCTP: return usrsctp();
    case SR_PROFILE_DCSCTP: return dcsctp();
    case SR_PROFILE_LINUX: return kernel();
    case SR_PROFILE_RFC9260: break;
    }
    return rfc9260();
}
