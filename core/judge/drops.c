/* SPDX-License-Identifier: BSD-2-Clause */
/* Which PACKET-DROP chunk made the sender repeat a TSN (draft-stewart-tsvwg-sctp-pktdrprep). */
#include "cause.h"

void sr_causes_dropped(struct sr_causes *causes, const struct sr_control_row *row, int64_t time_ns)
{
    if (row->count > 0)
        causes->drops[causes->drop_count++ % SR_DROPS] = (struct sr_drop){time_ns, row->lists, row->count, row->frame};
}

static bool names(const struct sr_causes *causes, const struct sr_drop *drop, struct sr_tsn tsn)
{
    enum { LOOKED_AT = 256 }; /* more chunks than a packet of Ethernet has */
    const uint32_t *list = sr_numbers_at(causes->half->journal, drop->lists);
    for (uint32_t i = 0; i < drop->count && i < LOOKED_AT; i++)
        if (list[i] == tsn.value)
            return true;
    return false;
}

uint32_t sr_causes_dropped_by(const struct sr_causes *causes, struct sr_tsn tsn, int64_t time_ns)
{
    uint32_t kept = causes->drop_count < SR_DROPS ? causes->drop_count : SR_DROPS;
    int64_t since_ns;
    for (uint32_t i = 0; i < kept; i++) {
        const struct sr_drop *drop = &causes->drops[i];
        if (sr_elapsed(time_ns, drop->time_ns, &since_ns) && since_ns >= 0 &&
            since_ns <= SR_REACTS_WITHIN_NS + causes->half->measured.receiver.jitter_ns && names(causes, drop, tsn))
            return drop->frame;
    }
    return 0;
}
