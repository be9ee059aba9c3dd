/* SPDX-License-Identifier: BSD-2-Clause */
/* What neither marks nor the occasion of a pion without RACK explain: a probe, or what the receiver has passed over.
 * Where a path that stood still lets go, the latter tells nothing of when it was sent. */
#include "early_pion.h"

#include "occasion.h"

static enum sr_cause cause_of(const struct sr_half *half, const struct sr_explained *explained, unsigned sender,
                              struct sr_episode *episode)
{
    const struct sr_transmission_row *row = sr_half_tx(half, explained->row + 1);
    return sr_occasion_tells(half, episode, explained, row, sender)
               ? sr_occasion_cause(half, explained, row, sender, episode)
               : (enum sr_cause)explained->cause[sender];
}

void sr_count_unmoved(struct sr_causes *causes)
{
    const struct sr_half *half = causes->half;
    struct sr_episode early = {0}, with_rack = {0};
    if (sr_sender_family(half) != SR_FAMILY_PION || sr_announces_rack(half))
        return;
    for (uint32_t i = 0; i < causes->explained_count; i++) {
        const struct sr_explained *explained = sr_causes_explained(causes, i);
        bool unknown = cause_of(half, explained, SR_SENDER_EARLY_PION, &early) == SR_CAUSE_UNKNOWN;
        bool probe = cause_of(half, explained, SR_SENDER_PION, &with_rack) == SR_CAUSE_TLP;
        struct sr_fit *fit = &causes->fit[SR_SENDER_EARLY_PION];
        fit->probed += unknown && probe;
        fit->unmoved += unknown && !probe && explained->passed_over && !explained->released;
        sr_half_give_back(half, i, explained->row);
    }
}
