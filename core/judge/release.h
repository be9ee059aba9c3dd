/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a path that stood still gives back what it held: then feedback answers the first copies. */
#ifndef SR_JUDGE_RELEASE_H
#define SR_JUDGE_RELEASE_H

#include "candidates.h"

/* Of a TSN that was sent again: whether only its first copy can have come first, into what this feedback says. */
void sr_release_take(const struct sr_covered *covered, struct sr_release_told *told);

/* Behind all that this feedback is the first to report. */
void sr_release_end(struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_release_told *told);

/* Whether copies that were sent after the first cannot have come yet. */
bool sr_release_rules_out(const struct sr_half *half, const struct sr_acknowledgement *answer,
                          const struct sr_covered *covered);

#endif
