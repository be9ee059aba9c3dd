/* SPDX-License-Identifier: BSD-2-Clause */
/* pion reports no duplicates, and yet each counts as a packet (handleData, handlePeerLastTSNAndAcknowledgement of
 * 1.8.41 to 1.12.1): with a gap, or where the I bit asks for it (RFC 7053), it answers each packet at once, else each
 * second one. Feedback that brings nothing new was made for duplicates, and so was half of what brings one packet.
 * Packets come in order, as a rule: what was sent again before a TSN that was sent once is answered before that is. A
 * copy came as a duplicate, or its original behind it, where from the first answer to its TSN up to then there are as
 * many duplicates as packets from it on. */
#include "unreported.h"

#include "../wire/time.h"
#include "reading.h"

bool sr_leaves_traces(const struct sr_half *half)
{
    return half->deciding && half->measured.resends && sr_is_silent(half);
}

void sr_unreported_sent(struct sr_half *half, uint32_t row)
{
    struct sr_unreported *unreported = &half->unreported;
    unreported->at_once |= (sr_half_tx(half, row)->flags & SR_DATA_IMMEDIATE) != 0;
    if (row <= half->measured.unsure) /* what was not captured may have been sent again, too */
        return;
    if (unreported->again_end - unreported->again_begin == SR_RECENT) /* the first is forgotten */
        unreported->again_begin++;
    unreported->again[unreported->again_end++ % SR_RECENT] = row;
}

/* Another chunk lies before it in its packet. */
static bool is_behind_another(const struct sr_half *half, uint32_t row)
{
    return row > 1 && sr_half_tx(half, row - 1)->frame == sr_half_tx(half, row)->frame;
}

void sr_unreported_covers(const struct sr_half *half, struct sr_ledger_slot *slot, struct sr_reported *reported)
{
    const struct sr_transmission_row *tx = sr_half_tx(half, slot->last_row);
    slot->duplicates_before = half->unreported.duplicates;
    reported->several |= reported->frame != 0 && reported->frame != tx->frame;
    reported->bundled |= is_behind_another(half, slot->last_row);
    reported->frame = tx->frame;
    reported->at_once |= (tx->flags & SR_DATA_IMMEDIATE) != 0;
    if (slot->copies == 1 && !slot->unseen_before && slot->last_row > reported->once)
        reported->once = slot->last_row;
}

/* So many that it was made for, at least. */
static uint32_t duplicates_of(const struct sr_half *half, const struct sr_acknowledgement *answer,
                              const struct sr_reported *reported)
{
    const struct sr_sack_row *before = answer->before, *row = answer->row;
    bool gaps = row->gaps > 0;
    /* Its timer had expired: it answers one packet. */
    bool alone = sr_between(row->time_ns, before->time_ns) >= SR_ACK_DELAY_NS - sr_reading_tolerance_ns(half);
    if (reported->frame == 0)
        return gaps || alone || half->unreported.at_once ? 1 : 2;
    if (gaps || alone || reported->several || reported->at_once)
        return 0;
    /* Of a packet that closes a gap, one chunk may have been answered at once, since those behind it were missing. */
    return before->gaps > 0 && reported->bundled ? 0 : 1;
}

/* Which copies left traces of what was sent again before the TSN of row `once`, which came; of none where that is 0. */
static void take_traces(struct sr_half *half, uint32_t once)
{
    struct sr_unreported *unreported = &half->unreported;
    uint32_t end = unreported->again_begin, packets = 0, frame = 0;
    while (end != unreported->again_end && unreported->again[end % SR_RECENT] < once)
        end++;
    for (uint32_t at = end; at-- != unreported->again_begin;) {
        const struct sr_transmission_row *tx = sr_half_tx(half, unreported->again[at % SR_RECENT]);
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(tx->tsn));
        packets += tx->frame != frame;
        frame = tx->frame;
        if (slot && slot->acked_by != 0 && unreported->duplicates - slot->duplicates_before >= packets)
            slot->traces++;
    }
    unreported->again_begin = end;
}

void sr_unreported_feedback(struct sr_half *half, const struct sr_acknowledgement *answer,
                            const struct sr_reported *reported)
{
    struct sr_unreported *unreported = &half->unreported;
    /* A FORWARD-TSN is answered, too. */
    if (!answer->before || answer->row->repeats != 0 || half->has_forward)
        return;
    unreported->duplicates += duplicates_of(half, answer, reported);
    take_traces(half, reported->once);
}

bool sr_all_left_traces(const struct sr_ledger_slot *slot)
{
    return slot->traces + 1u >= slot->copies;
}
