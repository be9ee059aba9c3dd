/* SPDX-License-Identifier: BSD-2-Clause */
/* What one feedback newly acknowledges of a path's last transmissions. */
#ifndef SR_MODEL_PATH_NEWS_H
#define SR_MODEL_PATH_NEWS_H

#include "chunk.h"
#include "model.h"

struct sr_path_news {
    uint32_t count;
    bool earliest_acked; /* the earliest outstanding chunk of the path */
    bool cum_acked;      /* anything cumulatively, also what a gap block had acknowledged before */
    bool taken_back;
    bool clean_acked;        /* anything that was transmitted once */
    int64_t lowest, highest; /* sequence numbers */
    int64_t lowest_original; /* of those that were sent once only; SR_NO_SEQ without one */
    struct sr_send_time newest_original;
    int64_t newest_original_seq;
    int64_t timed_ns[SR_SAMPLE_RULE_COUNT]; /* by rule, time sent of what it samples; SR_NO_TIME without one */
    /* for each sender that counts as usrsctp */
    int64_t lowest_unmarked[SR_MODEL_SENDERS],
        highest_unmarked[SR_MODEL_SENDERS]; /* above the cumulative TSN, of what it had not marked; SR_NO_SEQ */
    uint8_t new_ack; /* a bit for each, if something it had not marked, or taken back, is acknowledged: saw_newack */
};

#endif
