/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether feedback comes in step with what was sent again: then it answers that, and nothing before. */
#ifndef SR_JUDGE_STEP_H
#define SR_JUDGE_STEP_H

#include "candidates.h"

/* Whether this acknowledgement of the TSN is in step with its last copy: into `step`, which the next one follows. */
void sr_step_take(const struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_covered *covered,
                  struct sr_step *step);

/* Whether the acknowledgement before, in step with another copy, would have told of this one. */
bool sr_step_rules_out(const struct sr_half *half, const struct sr_acknowledgement *answer,
                       const struct sr_covered *covered, const struct sr_sent_copy *copy);

#endif
