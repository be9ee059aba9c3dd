/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of the rows that were kept come next in a batch: each table on its own, from its first row to its last. */
#ifndef SR_ENGINE_HAND_OUT_H
#define SR_ENGINE_HAND_OUT_H

#include "../journal/journal.h"
#include "rows.h"

struct sr_hand_out {
    uint64_t next[SR_TABLE_COUNT]; /* row */
};

/* Appends about `most` rows of the `tables` asked for, with their lists; false when none is left. */
bool sr_hand_out(struct sr_hand_out *out, struct sr_journal *journal, uint32_t tables, size_t most,
                 struct sr_rows *rows);

#endif
