/* SPDX-License-Identifier: BSD-2-Clause */
/* What the journal means: from rows as they were seen to the columns that need the whole of an association. */
#ifndef SR_JUDGE_VERDICTS_H
#define SR_JUDGE_VERDICTS_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"

/* Fills the later columns of all rows. It may be repeated when more was seen. False when memory runs out. */
bool sr_verdicts(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement);

#endif
