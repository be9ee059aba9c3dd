/* SPDX-License-Identifier: BSD-2-Clause */
/* How many transmissions of each direction have each kind, cause, verdict and outcome. */
#ifndef SR_JUDGE_COUNTS_H
#define SR_JUDGE_COUNTS_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"

/* After every pass that writes to transmissions. False when memory runs out. */
bool sr_counts(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement);

#endif
