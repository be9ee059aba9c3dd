/* SPDX-License-Identifier: BSD-2-Clause */
/* What of a SACK the one before said already. A receiver with many holes says nearly the same again and again: whoever
 * took all of the one before need not look at that part of the next. */
#ifndef SR_ENGINE_TOLD_BEFORE_H
#define SR_ENGINE_TOLD_BEFORE_H

#include "../journal/journal.h"

/* Both are of one side of an association, one after the other, and the later one's lists are the journal's last. Sets
 * `told` of it: its first gaps that the one before has too, with the same holes between them, and what that one has
 * below them is acknowledged. Only well-formed gaps are compared: they rise. A list that is all told is kept once. */
void sr_told_before(struct sr_journal *journal, const struct sr_sack_row *before, struct sr_sack_row *row);

#endif
