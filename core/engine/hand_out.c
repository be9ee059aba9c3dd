/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows are copied out of the journal; their lists begin anew in each batch. */
#include "hand_out.h"

enum { NUMBERS_OF_A_ROW = 16 }; /* a long list counts as further rows: a SACK may have thousands of blocks */

static uint64_t transmissions(uint64_t next, struct sr_journal *journal, size_t most, struct sr_rows *rows)
{
    for (; most > 0 && next < journal->transmissions.count; most--, next++)
        sr_buffer_append(&rows->tables[SR_TABLE_TRANSMISSIONS], sr_transmission_at(journal, next),
                         sizeof(struct sr_transmission_row));
    sr_spool_done_before(&journal->transmissions, next);
    return next;
}

/* Where the list begins in the batch. */
static uint64_t copy_list(struct sr_buffer *numbers, const struct sr_spool *from, uint64_t first, uint32_t count)
{
    uint64_t at = numbers->length / sizeof(uint32_t);
    if (count > 0)
        sr_buffer_append(numbers, sr_spool_at(from, first), count * sizeof(uint32_t));
    return at;
}

static uint64_t sacks(uint64_t next, struct sr_journal *journal, size_t most, struct sr_rows *rows)
{
    size_t taken = 0;
    uint64_t lists = 0;
    for (; taken < most && next < journal->sacks.count; next++) {
        struct sr_sack_row row = *sr_sack_at(journal, next);
        uint32_t count = 2 * ((uint32_t)row.gaps + row.nr_gaps) + row.dups;
        lists = count > 0 ? row.lists : lists;
        row.lists = copy_list(&rows->numbers, &journal->numbers, row.lists, count);
        row.reneged = copy_list(&rows->numbers, &journal->judged, row.reneged, row.reneged_count);
        sr_buffer_append(&rows->tables[SR_TABLE_SACKS], &row, sizeof row);
        taken += 1 + (count + row.reneged_count) / NUMBERS_OF_A_ROW;
    }
    sr_spool_done_before(&journal->sacks, next);
    sr_spool_done_before(&journal->numbers, lists);
    return next;
}

bool sr_hand_out(struct sr_hand_out *out, struct sr_journal *journal, uint32_t tables, size_t most,
                 struct sr_rows *rows)
{
    uint64_t before = 0, after = 0;
    for (int table = 0; table < SR_TABLE_COUNT; table++) {
        uint64_t *next = &out->next[table];
        before += *next;
        if (tables >> table & 1) {
            switch ((enum sr_table)table) {
            case SR_TABLE_TRANSMISSIONS: *next = transmissions(*next, journal, most, rows); break;
            case SR_TABLE_SACKS: *next = sacks(*next, journal, most, rows); break;
            case SR_TABLE_CHUNKS:
            case SR_TABLE_COUNT: break;
            }
        }
        after += *next;
    }
    return after > before;
}
