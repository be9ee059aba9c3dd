/* SPDX-License-Identifier: BSD-2-Clause */
/* Which acknowledgements are believed. */
#ifndef SR_FACTS_BELIEF_H
#define SR_FACTS_BELIEF_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"
#include "../wire/time.h"

enum { SR_INVERTED_NS = 2000000 }; /* no response precedes its stimulus by more on one host */

/* Finds those that acknowledge what was sent only later. False when memory runs out. */
bool sr_belief(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement);

/* One with a wrong checksum was discarded (RFC 9260 section 6.8); one that acknowledges what was not yet sent comes
 * from no receiver. */
static inline bool sr_is_believed(const struct sr_sack_row *row)
{
    return row->crc != SR_CRC_BAD && !row->refuted;
}

/* Feedback that acknowledges it stands before it in the capture, and no further than interfaces or queues with a clock
 * or a buffer of their own bring packets out of their order. */
static inline bool sr_is_inverted(const struct sr_transmission_row *row)
{
    int64_t late_ns;
    return row->acked_frame != 0 && row->acked_frame < row->frame &&
           sr_elapsed(row->time_ns, row->acked_time_ns, &late_ns) && late_ns <= SR_INVERTED_NS;
}

#endif
