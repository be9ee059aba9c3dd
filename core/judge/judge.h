/* SPDX-License-Identifier: BSD-2-Clause */
/* What the whole of a capture says of each row: passes over the journal, one after the other. */
#ifndef SR_JUDGE_JUDGE_H
#define SR_JUDGE_JUDGE_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"

void sr_judgement_init(struct sr_judgement *judgement, struct sr_journal *journal);
void sr_judgement_free(struct sr_judgement *judgement);

/* Judges the journal as far as it goes, anew each time. False when memory or the disk runs out, and
 * soon after the journal was stopped. */
bool sr_judge(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement);

#endif
