/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sender of one direction waited for, from its first data to the last acknowledgement, when the verdicts are
 * known: rows of `limits`. */
#ifndef SR_LIMITS_LIMITS_H
#define SR_LIMITS_LIMITS_H

#include "../facts/half.h"
#include "../journal/judgement.h"

/* False when the disk or memory runs out. */
bool sr_limits(struct sr_judgement *judgement, const struct sr_half *half);

#endif
