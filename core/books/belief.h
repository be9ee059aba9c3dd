/* SPDX-License-Identifier: BSD-2-Clause */
/* Which acknowledgements are believed. */
#ifndef SR_FACTS_BELIEF_H
#define SR_FACTS_BELIEF_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"

/* Finds those that acknowledge what was sent only later. False when memory runs out. */
bool sr_belief(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement);

/* One with a wrong checksum was discarded (RFC 9260 section 6.8); one that acknowledges what was not yet sent comes
 * from no receiver. */
static inline bool sr_is_believed(const struct sr_sack_row *row)
{
    return row->crc != SR_CRC_BAD && !row->refuted;
}

#endif
