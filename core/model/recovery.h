/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides whether a sender is in fast or timeout recovery, and when that ends. RFC 9260 section 7.2.4 rule 6 has one
 * exit point per association, so this is not per path. */
#ifndef SR_MODEL_RECOVERY_H
#define SR_MODEL_RECOVERY_H

#include <stdbool.h>
#include <stdint.h>

enum sr_phase { SR_PHASE_NONE, SR_PHASE_FAST, SR_PHASE_RTO };

struct sr_recovery {
    int64_t exit_seq;
    enum sr_phase phase;
};

/* Leaves recovery if the cumulative TSN reaches the exit point; says whether it did. */
static inline bool sr_recovery_exits_at(struct sr_recovery *recovery, int64_t cum)
{
    /* RFC 9260 section 7.2.4 rule 6: all TSNs up to and including the exit point are acknowledged.
     * RFC 9260 section 6.2.1 D.iv: the Cumulative TSN Ack matches or exceeds the exit point. */
    if (recovery->phase == SR_PHASE_NONE || cum < recovery->exit_seq)
        return false;
    recovery->phase = SR_PHASE_NONE;
    return true;
}

#endif
