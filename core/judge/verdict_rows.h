/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of the tables that the recovery model and the verdicts fill. Fields are ordered by size. */
#ifndef SR_JUDGE_VERDICT_ROWS_H
#define SR_JUDGE_VERDICT_ROWS_H

#include <stdint.h>

#include "../journal/spool.h"

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
    uint8_t profile; /* enum sr_profile; SR_NO_WORD: of a variant that is not the sender's */
    uint8_t sender;  /* enum sr_sender; stays inside the core */
    uint8_t trigger; /* enum sr_trigger */
    uint8_t resolution; /* enum sr_resolution */
};

struct sr_verdict_tables {
    struct sr_spool rack_marks; /* struct sr_rack_mark_row */
};

#endif
