/* SPDX-License-Identifier: BSD-2-Clause */
/* Which copy of a TSN came first by the receiver's own rule of when it acknowledges (evidence S19, S12). */
#ifndef SR_JUDGE_READING_H
#define SR_JUDGE_READING_H

#include "candidates.h"

/* Sets what the slot says of it: one of several candidates, several, or none. */
void sr_reading_of(const struct sr_half *half, const struct sr_acknowledgement *answer,
                   const struct sr_covered *covered);

/* How much later than at its time an answer may come. */
int64_t sr_reading_tolerance_ns(const struct sr_half *half);

/* Whether the rule is still to be learned: only where nothing else tells it, and so many votes settle it. */
bool sr_reading_wants_votes(const struct sr_half *half);

/* An acknowledgement of TSNs that were all sent once says which rule the receiver has, where the rules differ. */
void sr_reading_vote(struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_ledger_slot *only);

/* After the last vote: how long the receiver delays. */
void sr_reading_conclude(struct sr_measured *measured);

#endif
