/* SPDX-License-Identifier: BSD-2-Clause */
/* What judging makes beside the rows of the journal: rows of the tables that speak of samples, paths and associations,
 * and figures of a direction that findings are made of. Fields are ordered by size. */
#ifndef SR_JOURNAL_TABLES_H
#define SR_JOURNAL_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "../names.h"

struct sr_rtt_sample_row {
    int64_t time_ns;
    int64_t rtt_ns;
    uint32_t frame;
    uint32_t assoc;
    uint32_t path; /* of what was answered */
    uint8_t from;  /* side that sent what was answered */
    uint8_t tag;   /* enum sr_rtt_tag */
};

struct sr_count_row {
    uint64_t transmissions, tsns, bytes;
    uint32_t assoc;
    uint8_t from;
    uint8_t what; /* enum sr_count_what */
    uint8_t word; /* of that enum */
};

struct sr_path_row {
    int64_t loop_lo_ns, loop_hi_ns; /* SR_NO_TIME: null, also the next six */
    int64_t loop_fitted_ns;
    int64_t srtt_ns, min_rtt_ns, rto_ns;
    int64_t reordering_max_ns;
    /* parameters of the hosts, between which they lie: SR_NO_TIME: null; a back-off below 0, too */
    int64_t rto_initial_lo_ns, rto_initial_hi_ns, rto_min_lo_ns, rto_min_hi_ns, rto_max_lo_ns, rto_max_hi_ns;
    int64_t sack_delay_lo_ns, sack_delay_hi_ns;
    float rto_backoff_lo, rto_backoff_hi;
    uint16_t rto_initial_count, rto_min_count, rto_max_count, rto_backoff_count; /* observations, up to 65,535 */
    uint16_t sack_delay_count, sack_frequency_count, missing_reports_count;
    uint8_t sack_frequency_lo, sack_frequency_hi, missing_reports_lo, missing_reports_hi; /* 0: null */
    int64_t unclamped_rto_ns; /* SRTT + 4 RTTVAR; stays inside the core */
    uint32_t assoc;
    uint32_t path;
    uint32_t reordering_max_tsn;
    float profile_score; /* below 0: null */
    uint8_t from;
    uint8_t vantage, vantage_class; /* enum sr_vantage or SR_NO_WORD; a class of 0 is null */
    uint8_t profile;                /* enum sr_profile or SR_NO_WORD */
    uint8_t sender_has_rack;        /* enum sr_answer or SR_NO_WORD */
    uint8_t dup_capable;            /* enum sr_answer or SR_NO_WORD */
    uint8_t told;                   /* 1 << enum sr_told_what */
    uint8_t sender_known;           /* enum sr_answer */
};

/* Each time a profile marks a transmission lost. */
struct sr_rack_mark_row {
    int64_t time_ns;
    int64_t reo_wnd_ns, rack_rtt_ns, min_rtt_ns; /* SR_NO_TIME: null, also the next */
    int64_t sender_lead_ns;
    uint32_t assoc;
    uint32_t path;
    uint32_t tsn;
    uint32_t copy;
    uint32_t frame;      /* of the marked transmission; 0: it was not seen */
    uint32_t by_frame;   /* 0: a timer */
    uint32_t marked_row; /* 1 + row of the marked transmission; 0: it was not seen; stays inside the core */
    uint8_t from;
    uint8_t profile;    /* enum sr_profile; SR_NO_WORD: of a variant that is not the sender's */
    uint8_t sender;     /* enum sr_sender; stays inside the core */
    uint8_t trigger;    /* enum sr_trigger */
    uint8_t resolution; /* enum sr_resolution */
};

/* A tail loss probe. */
struct sr_probe_row {
    int64_t anchor_ns, pto_ns; /* SR_NO_TIME: null */
    uint32_t assoc;
    uint32_t path;
    uint32_t tsn;
    uint32_t frame;
    uint8_t from;
    uint8_t kind;    /* enum sr_probe */
    uint8_t class;   /* 1 to 5 */
    uint8_t outcome; /* enum sr_probe_outcome */
};

/* What one timeout sent again. */
struct sr_storm_row {
    int64_t time_ns, duration_ns;
    uint64_t bytes_wasted;
    uint32_t assoc;
    uint32_t path;
    uint32_t frame;
    uint32_t retransmissions, spurious, recent, avoidable;
    uint8_t from;
};

/* What the sender of a direction waited for in an interval. */
struct sr_limit_row {
    int64_t begin_ns, end_ns;
    uint64_t bytes, outstanding_bytes;
    int64_t a_rwnd;  /* SR_NO_TIME: null */
    int64_t held_ns; /* of it, acknowledgements that ended a wait in it had been held back for so long */
    uint32_t assoc;
    uint32_t begin_frame, end_frame;
    uint8_t from;
    uint8_t limit;       /* enum sr_limit */
    uint8_t limit_class; /* 1 to 5 */
};

/* A round trip of a direction. */
struct sr_window_row {
    int64_t begin_ns, end_ns;
    uint64_t outstanding_bytes, acked_bytes;
    int64_t a_rwnd, a_rwnd_most, cwnd_least, cwnd_most, ssthresh; /* SR_NO_TIME: null */
    uint32_t packets, chunks;                                     /* that left in it for the first time */
    uint32_t assoc;
    uint32_t begin_frame, end_frame;
    uint8_t from;
    uint8_t cwnd_profile; /* enum sr_profile; SR_NO_WORD: it may be several */
};

/* What a profile knows when its sender has a SACK. */
struct sr_rack_state_row {
    int64_t srtt_ns, rttvar_ns, min_rtt_ns; /* SR_NO_TIME: null, also the next six */
    int64_t rack_rtt_ns, rack_xmit_ns, reo_wnd_ns, rto_ns, pto_ns;
    uint64_t flight_bytes, cwnd_hint_bytes;
    uint32_t frame, chunk;
    uint32_t rack_tsn;
    uint8_t profile; /* enum sr_profile; SR_NO_WORD: nothing is known */
    uint8_t reordering_seen, in_recovery;
};

/* Bytes over time, of the retransmission queue. */
struct sr_queue_use {
    double busy_ns;      /* time with something in it */
    double necessary_ns; /* that time, each moment weighted by the share of its bytes that may still be needed */
};

/* Where HEARTBEATs go that nobody answers. */
struct sr_silent_path {
    uint32_t path;
    uint32_t heartbeats; /* in a row, the last ones */
    uint32_t frame;      /* of the first of them */
};

enum { SR_SILENT_PATHS = 4 };

/* A direction is the data of one side, and what the other says of it. Frames are 0 where there is none. */
struct sr_direction_figures {
    struct sr_queue_use use, use_in_loss;
    uint64_t acked_tsns, acked_bytes;       /* seen and acknowledged, each once */
    uint64_t abandoned_tsns;                /* by FORWARD-TSN, unacknowledged */
    uint64_t unseen_tsns;                   /* acknowledged and never seen, though data was seen before */
    uint64_t withdrawn_tsns;                /* gap acknowledgements taken back */
    uint64_t withdrawn_proven_tsns;         /* of them in class 5 */
    uint64_t marks_left_out;                /* rows of rack_marks beyond what is kept */
    uint64_t withdrawn_beyond;              /* SACKs that take back more than SR_MODEL_TAKEN_BACK allows */
    uint64_t withdrawn_resent;              /* chunks sent again while they were taken back */
    uint64_t queued_bytes, necessary_bytes; /* at the end */
    uint64_t sacks_of_packets[4];           /* SACKs without blocks and duplicates that newly acknowledge 1, 2, 3, or
                                               more packets with data */
    int64_t first_data_ns, last_data_ns, last_acked_ns; /* SR_NO_TIME: never */
    int64_t zero_window_longest_ns;
    int64_t clock_step_ns;    /* the longest */
    int64_t delay_longest_ns; /* of samples tagged `delayed`: SR_NO_TIME without */
    int64_t delay_base_ns;    /* the shortest other sample: SR_NO_TIME without */
    int64_t rto_ns;           /* the longest of its paths */
    uint32_t unseen_frame;    /* of the first feedback for one */
    uint32_t withdrawn_frame; /* first SACK that takes one back */
    uint64_t lost_tsns;       /* of which at least one copy was lost */
    uint32_t inverted;        /* chunks that the capture holds after the feedback that acknowledges them */
    uint32_t inverted_frame;
    uint32_t clock_steps, clock_step_frame; /* times that the clock stepped forward or the sender stood still */
    uint32_t capture_duplicates;
    uint32_t capture_duplicate_frame;
    uint32_t stale_sacks, stale_frame;
    uint32_t truncated_sacks, truncated_frame, truncated_blocks;
    uint32_t zero_windows, zero_window_frame, zero_window_end_frame; /* frames of the longest; the last may be 0 */
    uint32_t last_data_frame;
    uint32_t sent_again_since_feedback; /* retransmissions since the last feedback, to the end */
    uint32_t overdue_tsns;              /* sent once, and so long without feedback as no receiver waits: filtered.h */
    uint32_t overdue_frame;
    uint32_t silent_paths; /* some of them are kept: */
    struct sr_silent_path silent[SR_SILENT_PATHS];
};

/* Of each direction the same columns; a time of SR_NO_TIME and a share below 0 are null. */
struct sr_association_row {
    uint64_t a, b; /* index into the pool of text: address and port */
    uint64_t packets;
    uint64_t chunks_a2b, chunks_b2a;
    uint64_t bytes_a2b, bytes_b2a;
    uint64_t acked_bytes_a2b, acked_bytes_b2a;
    int64_t goodput_a2b, goodput_b2a; /* bits per second */
    int64_t lost_tsns_a2b, lost_tsns_b2a;
    double rtxq_util_a2b, rtxq_util_b2a;
    double rtxq_util_loss_a2b, rtxq_util_loss_b2a;
    uint32_t assoc;
    uint32_t joined; /* 1 + number of its other half; 0: null */
    uint32_t a_length, b_length;
    uint32_t vtag_a, vtag_b;
    uint32_t first_frame, last_frame;
    uint32_t features; /* 1 << enum sr_feature */
    uint8_t vtag_a_known, vtag_b_known;
    uint8_t started; /* enum sr_started */
    uint8_t ended;   /* enum sr_ended */
};

#endif
