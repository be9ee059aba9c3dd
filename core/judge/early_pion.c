/* SPDX-License-Identifier: BSD-2-Clause */
/* What neither marks nor the occasion of a pion without RACK explain. Where a path that stood still lets go, what comes
 * tells nothing of when it was sent. */
#include "early_pion.h"

#include "occasion.h"

enum { EARLY = SR_SENDER_EARLY_PION };

static bool is_unknown(const struct sr_half *half, const struct sr_explained *explained, struct sr_episode *episode)
{
    const struct sr_transmission_row *row = sr_half_tx(half, explained->row + 1);
    return sr_occasion_tells(half, episode, explained, row, EARLY) &&
           sr_occasion_cause(half, explained, row, EARLY, episode) == SR_CAUSE_UNKNOWN;
}

void sr_count_unmoved(struct sr_causes *causes)
{
    const struct sr_half *half = causes->half;
    struct sr_episode episode = {0};
    if (sr_sender_family(half) != SR_FAMILY_PION || sr_announces_rack(half))
        return;
    for (uint32_t i = 0; i < causes->explained_count; i++) {
        const struct sr_explained *explained = sr_causes_explained(causes, i);
        bool unknown = is_unknown(half, explained, &episode);
        causes->fit[EARLY].unmoved += unknown && explained->passed_over && !explained->released;
        sr_half_give_back(half, i, explained->row);
    }
}
