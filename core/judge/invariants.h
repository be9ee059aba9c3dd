/* SPDX-License-Identifier: BSD-2-Clause */
/* What always holds of judged rows, whatever the capture was: docs/tables.md, "What always holds". */
#ifndef SR_JUDGE_INVARIANTS_H
#define SR_JUDGE_INVARIANTS_H

#include "../journal/journal.h"
#include "../journal/judgement.h"

/* Ends the program where one does not hold: for builds that are tested (SR_INVARIANTS). */
void sr_invariants(const struct sr_journal *journal, const struct sr_judgement *judgement);

#endif
