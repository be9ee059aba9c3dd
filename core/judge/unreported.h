/* SPDX-License-Identifier: BSD-2-Clause */
/* Duplicates at a receiver that reports none leave a trace: it answers them (evidence S22). */
#ifndef SR_JUDGE_UNREPORTED_H
#define SR_JUDGE_UNREPORTED_H

#include "candidates.h"

/* What feedback is the first to report, as far as it tells how many packets it answers. */
struct sr_reported {
    uint32_t frame; /* of one of their packets; 0: nothing is reported first */
    bool several;   /* they came in several packets */
    bool bundled;   /* a chunk that lies behind another in its packet is among them */
    bool at_once;   /* the sender asked to answer one of them at once: I bit (RFC 7053) */
    uint32_t once;  /* 1 + row of the latest that was sent once; 0: none */
};

/* Whether traces are looked for: its receiver reports no duplicates. */
bool sr_leaves_traces(const struct sr_half *half);

/* Of its retransmissions; of feedback, each TSN that it is the first to report, and then the whole. */
void sr_unreported_sent(struct sr_half *half, uint32_t row);
void sr_unreported_covers(const struct sr_half *half, struct sr_ledger_slot *slot, struct sr_reported *reported);
void sr_unreported_feedback(struct sr_half *half, const struct sr_acknowledgement *answer,
                            const struct sr_reported *reported);

/* Of a TSN with several copies: whether all left a trace but one. */
bool sr_all_left_traces(const struct sr_ledger_slot *slot);

#endif
