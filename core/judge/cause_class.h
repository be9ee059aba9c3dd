/* SPDX-License-Identifier: BSD-2-Clause */
/* How sure a cause is. */
#ifndef SR_JUDGE_CAUSE_CLASS_H
#define SR_JUDGE_CAUSE_CLASS_H

#include "cause.h"

/* That of the mark that the sender `chosen` had put on it. */
uint8_t sr_cause_class(const struct sr_causes *causes, const struct sr_explained *explained, unsigned chosen);

/* That of what the occasion tells. */
uint8_t sr_cause_class_by_occasion(const struct sr_causes *causes, const struct sr_explained *explained,
                                   unsigned chosen, enum sr_cause cause);

#endif
