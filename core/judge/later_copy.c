/* SPDX-License-Identifier: BSD-2-Clause */
#include "later_copy.h"

#include "../books/belief.h"
#include "../facts/path_loops.h"
#include "../wire/time.h"
#include "first_arrival.h"
#include "reading.h"
#include "verdict_columns.h"

/* usrsctp rebuilds an acknowledgement that waits to be sent, when the list of duplicates is empty again: of what
 * arrives so close together there may be no report. */
static bool came_together(const struct sr_half *half, const struct sr_ledger_slot *slot,
                          const struct sr_transmission_row *row)
{
    const int64_t together_ns = 1000000;
    int64_t apart_ns;
    return slot->first_candidate != 0 &&
           sr_elapsed(row->time_ns, sr_half_left(half, slot->first_candidate)->time_ns, &apart_ns) &&
           apart_ns <= together_ns;
}

/* Whether feedback passed the tap when a report of this copy would have: what comes twice is reported at once (RFC 9260
 * section 6.2), with the next SACK and with no other. */
static bool report_was_due(const struct sr_half *half, const struct sr_ledger_slot *slot,
                           const struct sr_transmission_row *row)
{
    enum { LOOKED_AT = 1024 }; /* acknowledgements, also of others: a limit on what a copy costs */
    enum { FULL = 16 };        /* Linux reports no more at once (SCTP_MAX_DUP_TSNS), usrsctp and dcSCTP 20 */
    const struct sr_receiver_loop *loop = &half->measured.receiver;
    int64_t typical_ns = sr_typical_to(half, row->path),
            latest_ns = sr_time_after(typical_ns, sr_reading_tolerance_ns(half));
    if (typical_ns == SR_NO_TIME)
        return true;
    uint32_t count = (uint32_t)half->journal->sacks.count;
    for (uint32_t i = 0, number = slot->acked_by; i < LOOKED_AT; i++, number++) {
        if (number > count)
            return false;
        const struct sr_sack_row *sack = sr_half_sack(half, number);
        int64_t after_ns = sr_between(sack->time_ns, row->time_ns);
        if (after_ns > latest_ns)
            return false;
        bool may_report =
            sr_is_believed(sack) && sack->repeats == 0 && sack->kind != SR_SACK_KIND_SHUTDOWN && sack->dups < FULL;
        if (may_report && sack->assoc == row->assoc && sack->from != half->from && after_ns >= loop->floor_ns)
            return true;
    }
    return true;
}

/* At its own tap: a closed window lets the receiver throw away whatever comes, and one that says nothing any more may
 * have gone. */
static bool may_be_thrown_away(const struct sr_half *half, const struct sr_transmission_row *row)
{
    return row->met_closed || half->feedback == 0 || sr_half_sack(half, half->feedback)->frame < row->frame;
}

void sr_set_outcome_of_later(const struct sr_half *half, const struct sr_ledger_slot *slot, uint32_t of_later,
                             struct sr_transmission_row *row)
{
    if (sr_is_vantage(half, SR_VANTAGE_RECEIVER))
        sr_set_outcome(row, SR_OUTCOME_ACKED,
                       may_be_thrown_away(half, row) ? sr_class_of_likely(half, 4) : sr_class_of_seen(half));
    else if (!half->measured.dups_reported)
        sr_set_outcome(row, SR_OUTCOME_ACKED, 2); /* most do */
    else if (slot->dups == 0 && came_together(half, slot, row))
        sr_set_outcome(row, SR_OUTCOME_ACKED, 2);
    else if (slot->dups >= of_later)
        sr_set_outcome(row, SR_OUTCOME_ACKED, 4);
    else if (row->reported)
        sr_set_outcome(row, SR_OUTCOME_ACKED, 3);
    else if (!report_was_due(half, slot, row))
        sr_set_outcome(row, SR_OUTCOME_ACKED, 2); /* most do, and its report was lost */
    else
        sr_set_outcome(row, SR_OUTCOME_LOST, 2); /* or its report was lost among others */
}
