/* SPDX-License-Identifier: BSD-2-Clause */
/* The gaps of both side by side, after those that the cumulative TSN has passed. */
#include "told_before.h"

#include <string.h>

#include "../wire/tsn.h"

static bool is_plain(const struct sr_sack_row *row)
{
    return row->gaps > 0 && row->nr_gaps == 0 && row->malformed == 0;
}

void sr_told_before(struct sr_journal *journal, const struct sr_sack_row *before, struct sr_sack_row *row)
{
    if (!is_plain(before) || !is_plain(row))
        return;
    const uint32_t *old = sr_numbers_at(journal, before->lists), *new = sr_numbers_at(journal, row->lists);
    uint32_t passed = 0, told = 0;
    while (passed < before->gaps && !sr_tsn_after(sr_tsn(old[2 * passed + 1]), sr_tsn(row->cum_tsn)))
        passed++;
    old += 2 * passed;
    uint32_t most = before->gaps - passed < row->gaps ? before->gaps - passed : row->gaps;
    while (told < most && memcmp(old + 2 * told, new + 2 * told, 2 * sizeof *old) == 0)
        told++;
    row->told = (uint16_t)told;
    if (told < row->gaps || row->dups > 0)
        return;
    sr_spool_take_back(&journal->numbers, 2 * told);
    row->lists = before->lists + 2 * passed;
}
