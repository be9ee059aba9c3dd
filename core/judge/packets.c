/* SPDX-License-Identifier: BSD-2-Clause */
/* What is sent in one packet arrives together or not at all: where duplicate reports leave it open whether a copy came,
 * the chunks beside it tell. */
#include "packets.h"

#include "../association/kind.h"
#include "verdict.h"

/* A copy after one that came, of which there was no report, or no report that is told apart from others. */
static bool is_left_open(const struct sr_transmission_row *row)
{
    enum { UNSURE = 2 };
    return row->kind == SR_KIND_RETRANSMISSION && row->verdict == SR_VERDICT_SPURIOUS && row->outcome_class == UNSURE;
}

/* Rows `first` up to before `end` are of one packet. Whether any changed. */
static bool share(struct sr_journal *journal, uint32_t first, uint32_t end)
{
    enum { SURE = 4, LIKELY = 3 };
    bool came = false, lost = false, any_open = false;
    for (uint32_t i = first; i < end; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        came |= row->outcome == SR_OUTCOME_ACKED && row->outcome_class >= SURE;
        lost |= row->outcome == SR_OUTCOME_LOST && row->outcome_class >= LIKELY;
        any_open |= is_left_open(row);
    }
    if (!any_open || came == lost)
        return false;
    for (uint32_t i = first; i < end; i++) {
        struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (!is_left_open(row))
            continue;
        row->outcome = came ? SR_OUTCOME_ACKED : SR_OUTCOME_LOST;
        row->outcome_class = came ? SURE : LIKELY;
    }
    return true;
}

/* It is the first copy of its TSN that was lost, or shows that one before it was. The limit bounds the cost of a TSN
 * with thousands of copies. */
static bool is_first_lost(const struct sr_half *half, const struct sr_transmission_row *row)
{
    enum { LOOKED_AT = 64 };
    if (!sr_shows_loss(row))
        return false;
    for (int i = 0; i < LOOKED_AT && row->prev_row != 0; i++) {
        row = sr_half_left(half, row->prev_row);
        if (sr_shows_loss(row))
            return false;
    }
    return true;
}

static void count_again(struct sr_half halves[2])
{
    struct sr_journal_pass pass = {.next = halves->association->entries.first};
    struct sr_entry entry;
    halves[0].lost_tsns = halves[1].lost_tsns = 0;
    while (sr_journal_pass(halves->journal, &pass, &entry)) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        const struct sr_transmission_row *row = sr_transmission_at(halves->journal, entry.row);
        struct sr_half *half = &halves[row->from];
        half->lost_tsns += !sr_is_duplicate(row->kind) && is_first_lost(half, row);
    }
}

void sr_share_fates(struct sr_half halves[2])
{
    struct sr_journal *journal = halves->journal;
    struct sr_journal_pass pass = {.next = halves->association->entries.first};
    struct sr_entry entry;
    uint32_t first = 0, end = 0, frame = 0;
    bool asked = false, changed = false;
    for (int from = 0; from < 2; from++)
        asked |= halves[from].measured.resends && halves[from].measured.dups_reported;
    while (asked && sr_journal_pass(journal, &pass, &entry)) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        const struct sr_transmission_row *row = sr_transmission_at(journal, entry.row);
        if (sr_is_duplicate(row->kind))
            continue;
        if (row->frame != frame || entry.row != end) {
            changed |= share(journal, first, end);
            first = entry.row;
            frame = row->frame;
        }
        end = entry.row + 1;
    }
    changed |= share(journal, first, end);
    if (changed)
        count_again(halves);
}
