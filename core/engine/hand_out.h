/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of the rows that were kept come next in a batch: each table on its own, from its first row to its last. Those
 * of transmissions come last, so that who sums up needs to keep none of them. */
#ifndef SR_ENGINE_HAND_OUT_H
#define SR_ENGINE_HAND_OUT_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"
#include "rows.h"

struct sr_hand_out {
    uint64_t next[SR_TABLE_COUNT]; /* row */
};

/* What the rows are taken from. */
struct sr_kept {
    struct sr_journal *journal;
    struct sr_judgement *judgement;
    const struct sr_registry *associations;
};

/* Looks at about `most` rows of each of the `tables` asked for, and appends those of its own associations with their
 * lists; false when none is left. */
bool sr_hand_out(struct sr_hand_out *out, const struct sr_kept *kept, uint32_t tables, size_t most,
                 struct sr_rows *rows);

#endif
