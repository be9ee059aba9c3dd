/* SPDX-License-Identifier: BSD-2-Clause */
/* No packet of the input is without data, and there should be some: a receiver that has nothing to send with its SACK
 * sends it alone, 500 ms after the data came at the latest (RFC 9260 section 6.2), and where it is lost the sender's
 * timer sends the data again (section 6.3.3). A chunk for which neither comes was answered by what is not there. */
#include "filtered.h"

#include "../wire/time.h"
#include "figures.h"

/* What a SACK may wait, and RTO.Initial (RFC 9260 section 16) for the way there and back. */
#define LONGEST_WAIT_NS INT64_C(1500000000)

void sr_filtered_waited(struct sr_direction *direction, const struct sr_transmission_row *row, int64_t now_ns)
{
    int64_t waited_ns;
    if (!sr_elapsed(now_ns, row->time_ns, &waited_ns) || waited_ns <= LONGEST_WAIT_NS)
        return;
    if (direction->figures.overdue_tsns++ == 0)
        direction->figures.overdue_frame = row->frame;
}

void sr_filtered_end(struct sr_book *book, struct sr_direction *direction, int64_t now_ns)
{
    struct sr_window *window = &direction->window;
    if (!book->judgement->only_data || !direction->sent)
        return;
    struct sr_tsn tsn = window->base;
    for (; sr_tsn_set_next_missing(&window->received, &tsn, window->highest); tsn = sr_tsn_add(tsn, 1)) {
        const struct sr_window_tsn *entry = sr_window_at(window, tsn);
        if (entry->first_row != 0 && !entry->sent_again && !entry->abandoned && entry->acked_frame == 0)
            sr_filtered_waited(direction, sr_transmission_at(book->journal, entry->first_row - 1), now_ns);
    }
}

/* Where the other side was not captured at all its SACKs are missing, too. */
bool sr_is_filtered(const struct sr_registry *associations, const struct sr_judgement *judgement)
{
    if (!judgement->only_data)
        return false;
    for (uint32_t i = 0; i < 2 * sr_registry_count(associations); i++)
        if (sr_figures_of(judgement, i)->overdue_tsns > 0 &&
            sr_registry_at(associations, i / 2)->side[1 - i % 2].packets > 0)
            return true;
    return false;
}

void sr_filtered_leave_open(struct sr_journal *journal)
{
    for (uint32_t i = 0; i < journal->transmissions.count; i++) {
        struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (row->outcome == SR_OUTCOME_LOST) {
            row->outcome = SR_OUTCOME_UNRESOLVED;
            row->outcome_class = 0;
        }
        if (row->kind == SR_KIND_RETRANSMISSION)
            sr_transmission_undetermined(row);
    }
}
