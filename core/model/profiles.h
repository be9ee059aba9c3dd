/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose sender is replayed: the parameters and rules of each profile, as data. A variant is a copy with other values.
 * Durations are in nanoseconds. */
#ifndef SR_MODEL_PROFILES_H
#define SR_MODEL_PROFILES_H

#include <stdbool.h>
#include <stdint.h>

#include "../names.h"

struct sr_fraction {
    uint32_t numerator, denominator; /* the denominator is not 0 */
};

/* Limits of the retransmission timeout: RFC 9260 section 16; stacks differ. */
struct sr_rto_parameters {
    int64_t initial_ns, min_ns, max_ns;
    int64_t rttvar_floor_ns;
    int64_t granularity_ns;
    uint32_t same_after_timeouts;     /* so many timeouts in a row do not double it (dcSCTP: 1) */
    bool min_is_fixed;                /* no option or sysctl changes min_ns (pion: rtoMin is a constant) */
    bool backoff_ends_at_cum_advance; /* and not with a measurement (pion, dcSCTP) */
    bool backoff_ends_at_clean_ack;   /* also when a chunk that was sent once is acknowledged (usrsctp: net_ack2) */
};

/* Which newly acknowledged chunk gives a round-trip sample. */
enum sr_sample_rule {
    SR_SAMPLE_ONE_TIMED_CHUNK, /* one at a time: RFC 9260, Linux */
    SR_SAMPLE_THROUGH_RESENDS, /* one at a time, which a resend of a lower TSN does not spoil: usrsctp (do_rtt) */
    SR_SAMPLE_NEWEST,          /* the newest clean chunk of every feedback: RFC 8985 */
    SR_SAMPLE_CUMULATIVE_WITHOUT_GAPS, /* the chunk that is the cumulative TSN, if there are no gaps: dcSCTP */
    SR_SAMPLE_FIRST_OF_FLIGHT,         /* the first that was not sent when the last sample was: pion */
    SR_SAMPLE_RULE_COUNT
};

/* The reordering window: RFC 8985 section 6.2 step 4. */
struct sr_reo_wnd_parameters {
    struct sr_fraction step; /* of min_RTT, by which it starts and grows */
    uint32_t dup_thresh;
    uint32_t persist_recoveries;
};

struct sr_rack_parameters {
    bool on;
    bool robust;            /* compare with the path's undelayed minimum, not with RACK.min_RTT as the sender has it */
    bool sacked_in_packets; /* RACK.segs_sacked counts distinct packets; else chunks */
    struct sr_reo_wnd_parameters reo_wnd;
};

/* Tail loss probes: RFC 8985 section 7. They need RACK. */
struct sr_tlp_parameters {
    bool on;
    struct sr_fraction srtt_factor;
    int64_t without_srtt_ns;
    int64_t max_ack_delay_ns; /* SACK.Delay (RFC 9260 section 16) */
    int64_t reaction_ns;      /* a packet that fits is taken for the probe until then after the timeout */
};

/* Below which TSN a missing report counts. */
enum sr_count_below {
    SR_COUNT_BELOW_HTNA,          /* the highest newly acknowledged: RFC 9260 */
    SR_COUNT_BELOW_HIGHEST_ACKED, /* newly or not: pion from 1.9.0 on */
};

/* Whether a TSN that was fast-retransmitted may be so again. */
enum sr_repeat {
    SR_REPEAT_NEVER,            /* RFC 9260 */
    SR_REPEAT_AFTER_NEWER_DATA, /* once data is acknowledged that was new after the last one: usrsctp */
    SR_REPEAT_ALWAYS,           /* each resend starts a new count: dcSCTP */
};

/* Missing reports: RFC 9260 section 7.2.4. */
struct sr_miss_parameters {
    bool on;
    uint8_t threshold;
    uint8_t count_below; /* enum sr_count_below */
    uint8_t repeat;      /* enum sr_repeat */
    bool split_paths;    /* only if something later on the same path is newly acknowledged (CMT) */
    bool exits_first;    /* a SACK that ends fast recovery is counted as outside it; RFC 9260 counts first */
    bool as_usrsctp;     /* they are counted as in usrsctp.c, where split_paths stands for CMT */
    bool as_pion;        /* counts and recovery are those of pion_misses.c, and T3-rtx ends fast recovery */
};

/* pion's own RACK and probe: its options (WithRACKOptions) and the terms of its probe timeout. */
struct sr_pion_parameters {
    bool on;
    int64_t reo_wnd_floor_ns;
    int64_t one_chunk_extra_ns, several_chunks_extra_ns;
    int64_t without_srtt_ns;
    uint32_t keep_inflated_sacks;
};

/* What T3-rtx marks beside the earliest outstanding chunk. */
enum sr_t3_marks {
    SR_T3_MARKS_EVERY_CHUNK,              /* RFC 9260 */
    SR_T3_MARKS_OLDER_THAN_RACK_RTT,      /* RFC 8985 section 6.3 */
    SR_T3_MARKS_OLDER_THAN_UNCLAMPED_RTO, /* than SRTT + 4 RTTVAR: usrsctp */
};

/* What restarts T3-rtx. */
enum sr_t3_restarts {
    SR_T3_RESTARTS_EARLIEST_ACKED,   /* RFC 9260 */
    SR_T3_RESTARTS_CUM_ADVANCED,     /* those of all addresses: usrsctp, dcSCTP */
    SR_T3_RESTARTS_PSEUDO_CUM_ACKED, /* that of an address when its earliest is acknowledged: usrsctp with CMT
                                        (new_pseudo_cumack) */
};

/* Which resends of the earliest outstanding chunk restart a T3-rtx that runs. */
enum sr_resend_restarts {
    SR_RESEND_RESTARTS_EACH,  /* RFC 9260 section 6.1 and 7.2.4 rule 4 */
    SR_RESEND_RESTARTS_FAST,  /* only fast retransmissions: usrsctp, dcSCTP */
    SR_RESEND_RESTARTS_NEVER, /* it is started only where it is off: sctp_transport_reset_t3_rtx of Linux, pion */
};

/* Up to which TSN one that is not acknowledged any more counts as taken back. */
enum sr_reach {
    SR_REACH_EVERYWHERE,        /* all that gap blocks can speak of: RFC 9260 */
    SR_REACH_IN_ORDER,          /* likewise, but of feedback that was overtaken */
    SR_REACH_TO_THE_LAST_BLOCK, /* if there is any: sctp_check_for_revoked of usrsctp */
    SR_REACH_WITHIN_THE_BLOCKS, /* NackBetweenAckBlocks of dcSCTP */
    SR_REACH_NOWHERE,           /* pion never clears `acked` */
};

struct sr_t3_parameters {
    uint8_t marks;             /* enum sr_t3_marks */
    uint8_t restarts;          /* enum sr_t3_restarts */
    uint8_t resend_restarts;   /* enum sr_resend_restarts */
    bool always_earliest;      /* the earliest outstanding chunk is marked whatever its age; not in usrsctp */
    bool restarts_itself;      /* after expiry, without a transmission (pion) */
    bool keeps_fast_recovery;  /* expiry in fast recovery does not end it (dcSCTP) */
    bool stops_without_flight; /* feedback turns it off when all that is outstanding is marked (usrsctp: flight_size) */
    bool seen_by_resend;       /* it can expire before its time: sr_timers_expire_early */
    int64_t tick_ns;           /* by this much where the stack counts time in ticks */
    bool in_wheel;             /* it is a timer of the Linux kernel, which may be late: sr_wheel_late_ns */
    bool repeats_window_probes; /* it runs for a zero window probe as for any data (the stacks) */
};

/* The kernel rounds a timeout up to a step of its level (calc_index, kernel/time/timer.c), which is eight steps of the
 * level below, and a level has the timeouts from 63 of those on (LVL_START, calc_wheel_index). */
static inline int64_t sr_wheel_late_ns(int64_t timeout_ns)
{
    return timeout_ns / 63 * 8;
}

/* A sender's loss detection. */
struct sr_parameters {
    uint8_t profile;        /* enum sr_profile */
    uint8_t sample;         /* enum sr_sample_rule */
    uint8_t reach;          /* enum sr_reach */
    bool times_handshake;   /* INIT and COOKIE-ECHO give round-trip samples (not in pion, dcSCTP, Linux) */
    bool limit_before_mark; /* a chunk that may not be sent again is given up where it would be marked */
    struct sr_rto_parameters rto;
    int64_t min_rtt_window_ns; /* of the minimum filter of RFC 8985 section 6.2 step 1 */
    struct sr_rack_parameters rack;
    struct sr_tlp_parameters tlp;
    struct sr_miss_parameters misses;
    struct sr_pion_parameters pion;
    struct sr_t3_parameters t3;
};

/* What is known of the other side. */
struct sr_receiver {
    uint32_t gap_block_cap;     /* the number of gap blocks after which it stops (Linux 16, dcSCTP 20); 0: none known */
    uint8_t reports_duplicates; /* enum sr_answer: whether it lists duplicate TSNs; pion never does */
};

struct sr_parameters sr_parameters_of(enum sr_profile profile);

/* A sender that counts missing reports does so by path, as with concurrent multipath transfer (CMT): split fast
 * retransmit of Iyengar, Amer, Stewart (2006). pion has one path. */
void sr_split_paths(struct sr_parameters *parameters);

/* pion/sctp up to 1.8.41: no RACK, no probe, reports count below the highest TSN newly acknowledged. */
struct sr_parameters sr_parameters_of_early_pion(void);

#endif
