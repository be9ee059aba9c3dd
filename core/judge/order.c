/* SPDX-License-Identifier: BSD-2-Clause */
/* What is sent after something that had not come when an acknowledgement was sent had not come either, unless the
 * network is known to reorder as far: that was the answer to a copy before. */
#include "order.h"

#include "../books/rto.h"
#include "../wire/time.h"

/* Of what was answered before this feedback, the copies that were sent after that of row `behind`. */
static void rule_out_later(struct sr_half *half, const struct sr_acknowledgement *answer, uint32_t behind)
{
    uint32_t looked = half->recent_at < SR_RECENT ? half->recent_at : SR_RECENT;
    for (uint32_t back = 1; back <= looked; back++) {
        uint32_t number = half->recent[(half->recent_at - back) % SR_RECENT];
        if (number <= behind)
            return;
        const struct sr_transmission_row *tx = sr_half_tx(half, number);
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(tx->tsn));
        bool answered = slot && slot->acked_by != 0 && slot->acked_by < answer->number;
        /* Where all its copies were sent later, one of them overtook: that tells nothing of which. */
        bool in_order = answered && slot->first_candidate <= behind;
        if (in_order && slot->candidates > 1 && slot->last_candidate == number)
            sr_candidates_not_last(half, slot, behind);
    }
}

/* The receiver reports a duplicate with what it sends next (RFC 9260 section 6.2). Of several copies it speaks of the
 * last at most. */
void sr_order_reported(struct sr_half *half, const struct sr_acknowledgement *answer, const uint32_t *dups)
{
    uint32_t reported = UINT32_MAX;
    for (uint32_t i = 0; i < answer->row->dups; i++) {
        const struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(dups[i]));
        if (slot && slot->copies > 1 && slot->last_row < reported)
            reported = slot->last_row;
    }
    rule_out_later(half, answer, reported);
}

/* Within RTO.Min (RFC 9260 section 16) and a loop: what takes longer would have been sent again, perhaps unseen. */
static bool is_answered_soon(const struct sr_half *half, const struct sr_acknowledgement *answer,
                             const struct sr_transmission_row *row)
{
    int64_t loop_ns = sr_typical_to(half, row->path);
    return sr_between(answer->row->time_ns, row->time_ns) <= SR_RTO_MIN_NS + (loop_ns == SR_NO_TIME ? 0 : loop_ns);
}

/* The receiver says all that it has got (section 6.2.1), as far as there is room. */
void sr_order_arrived(struct sr_half *half, const struct sr_acknowledgement *answer, uint32_t oldest)
{
    if (oldest >= half->open_until || !answer->before || answer->doubtful)
        return;
    const struct sr_transmission_row *row = sr_half_tx(half, oldest);
    if (is_answered_soon(half, answer, row) && sr_has_room_for(half, answer->before, sr_tsn(row->tsn)))
        rule_out_later(half, answer, oldest);
}
