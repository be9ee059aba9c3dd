/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes sooner after the first report that it is missing than the loop was sent before that report came: what
 * association/kind.c says where the loop is known. */
#include "overtaken.h"

#include "../books/belief.h"
#include "../wire/time.h"

/* A copy before it was not seen. */
static bool came_too_soon(const struct sr_half *half, const struct sr_transmission_row *row)
{
    int64_t loop_ns = half->measured.sender_loop_ns;
    int64_t first_ns = sr_reports_missed(&half->reports, half->journal, row).first_ns;
    return first_ns != SR_NO_TIME && first_ns < loop_ns - loop_ns / 16;
}

void sr_find_overtaken(struct sr_half *half)
{
    const struct sr_measured *measured = &half->measured;
    struct sr_journal_pass pass = {.next = half->association->entries.first};
    struct sr_entry entry;
    if (!measured->resends || !measured->inferred || measured->vantage == SR_VANTAGE_SENDER)
        return;
    while (sr_journal_pass(half->journal, &pass, &entry)) {
        if (entry.table == SR_ENTRY_SACK) {
            const struct sr_sack_row *sack = sr_sack_at(half->journal, entry.row);
            if (sack->from != half->from && sr_is_believed(sack))
                sr_reports_add(&half->reports, entry.row + 1);
        } else if (entry.table == SR_ENTRY_TRANSMISSION) {
            struct sr_transmission_row *row = sr_transmission_at(half->journal, entry.row);
            if (row->from == half->from && row->kind == SR_KIND_RETRANSMISSION && row->prev_row == 0 &&
                row->copy == 1 && !row->sent_before && came_too_soon(half, row))
                row->kind = SR_KIND_REORDERED;
        }
    }
    half->reports = (struct sr_reports){0};
}
