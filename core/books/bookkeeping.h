/* SPDX-License-Identifier: BSD-2-Clause */
/* What follows from the journal without a model of recovery: which feedback acknowledges what, round-trip samples, the
 * retransmission queue, what a receiver takes back. */
#ifndef SR_BOOKS_BOOKKEEPING_H
#define SR_BOOKS_BOOKKEEPING_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"

/* One walk through the journal; fills the columns of transmissions and sacks that need nothing else, and the samples,
 * paths and figures. False when memory or the disk runs out. */
bool sr_bookkeeping(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement);

#endif
