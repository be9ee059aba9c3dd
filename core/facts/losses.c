/* SPDX-License-Identifier: BSD-2-Clause */
/* What was sent again though no copy had passed the tap was lost before it; what was overtaken by packets that passed
 * the tap later, behind it. */
#include "losses.h"

#include "../association/kind.h"
#include "half.h"

/* A hole opens above the highest, and is filled by what comes late or is sent again. */
static void note_hole(struct sr_losses *losses, struct sr_tsn tsn, const struct sr_tsn *highest, bool first_copy)
{
    if (!highest) {
        losses->first = tsn;
        return;
    }
    int64_t ahead = sr_tsn_distance(tsn, *highest);
    if (ahead > 1)
        losses->holes += ahead - 1;
    else if (first_copy && ahead < 0 && sr_tsn_after(tsn, losses->first))
        losses->holes--;
}

void sr_losses_sent(struct sr_half *half, const struct sr_transmission_row *row, const struct sr_ledger_slot *slot,
                    const struct sr_tsn *highest)
{
    struct sr_measured *measured = &half->measured;
    struct sr_losses *losses = &measured->losses;
    note_hole(losses, sr_tsn(row->tsn), highest, slot->copies == 0);
    if (row->kind != SR_KIND_RETRANSMISSION)
        return;
    struct sr_tsn sent_before = measured->has_before ? measured->before : sr_tsn(losses->first.value - 1);
    if (slot->copies == 0)
        losses->before += sr_tsn_after(sr_tsn(row->tsn), sent_before);
    else if (!slot->acked && slot->last_row < losses->arrived)
        losses->behind += sr_half_tx(half, slot->last_row)->frame != sr_half_tx(half, losses->arrived)->frame;
}

void sr_losses_told(struct sr_losses *losses, const struct sr_sack_row *row)
{
    if (row->kind == SR_SACK_KIND_SHUTDOWN)
        return;
    if (losses->most_rwnd == 0 || row->a_rwnd < losses->least_rwnd)
        losses->least_rwnd = row->a_rwnd;
    if (row->a_rwnd > losses->most_rwnd)
        losses->most_rwnd = row->a_rwnd;
}

void sr_losses_acked(struct sr_losses *losses, const struct sr_ledger_slot *slot)
{
    if (slot->copies == 1 && !slot->unseen_before && slot->last_row > losses->arrived)
        losses->arrived = slot->last_row;
}

/* Of what the capture left out most arrived, and leaves a hole. A host throws away what it has no room for, as dcSCTP
 * does before its window is closed, and may throw away one chunk for another reason. Packets come to the receiver in
 * the order in which they pass a tap beside it. */
bool sr_losses_contradict(const struct sr_losses *losses, enum sr_vantage vantage)
{
    if (vantage == SR_VANTAGE_SENDER)
        return losses->before > 0 && losses->before > losses->holes;
    return vantage == SR_VANTAGE_RECEIVER && losses->behind > 1 && losses->least_rwnd >= losses->most_rwnd / 4;
}
