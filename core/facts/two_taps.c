/* SPDX-License-Identifier: BSD-2-Clause */
/* A pass over the rows of the association. */
#include "two_taps.h"

enum { MOST = 2 };

static void doubt(uint8_t *class)
{
    if (*class > MOST)
        *class = MOST;
}

/* It may be a copy at the other tap, or sent again. */
static void know_nothing(struct sr_transmission_row *row)
{
    row->outcome = SR_OUTCOME_UNRESOLVED;
    row->outcome_class = 1;
    if (row->kind != SR_KIND_RETRANSMISSION)
        return;
    sr_transmission_undetermined(row);
    row->probe = SR_NO_WORD;
    row->probe_class = 0;
}

void sr_doubt_two_taps(struct sr_journal *journal, const struct sr_association *association)
{
    struct sr_journal_pass pass = {.next = association->entries.first};
    struct sr_entry entry;
    if (!sr_has_two_taps(association))
        return;
    bool unsure = sr_is_doubled_unsurely(association);
    while (sr_journal_pass(journal, &pass, &entry)) {
        if (entry.table == SR_ENTRY_SACK)
            doubt(&sr_sack_at(journal, entry.row)->reneged_class);
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        struct sr_transmission_row *row = sr_transmission_at(journal, entry.row);
        if (unsure)
            know_nothing(row);
        doubt(&row->outcome_class);
        doubt(&row->verdict_class);
        doubt(&row->cause_class);
        doubt(&row->probe_class);
    }
}
