/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet with the bytes of an original, sooner than a round trip after it, that neither replay nor occasion explains:
 * nothing moved its sender. What fills a gap may be sent again once more, for each of several SACKs. */
#include "by_network.h"

#include "../association/kind.h"
#include "../facts/repeated.h"

static bool is_repeated(const struct sr_half *half, const struct sr_transmission_row *row)
{
    if (row->cause != SR_CAUSE_UNKNOWN || !sr_is_within_round_trip(half, row, row->time_ns))
        return false;
    const struct sr_transmission_row *before = sr_half_tx(half, row->prev_row);
    return before->kind == SR_KIND_ORIGINAL && before->frame != row->frame &&
           sr_comes_as_repeated(half, row, SR_LEAST_RTO_NS);
}

bool sr_find_repeated_by_network(struct sr_causes *causes)
{
    const struct sr_half *half = causes->half;
    bool found = false;
    for (uint32_t i = 0; i < causes->explained_count; i++) {
        uint32_t number = sr_causes_explained(causes, i)->row;
        struct sr_transmission_row *row = sr_transmission_at(half->journal, number);
        sr_half_give_back(half, i, number);
        if (!is_repeated(half, row))
            continue;
        row->kind = SR_KIND_NETWORK_DUPLICATE;
        row->cause = SR_NO_WORD;
        row->cause_class = 0;
        row->evidence = 0;
        found = true;
    }
    return found;
}
