/* SPDX-License-Identifier: BSD-2-Clause */
/* On which side of the tap packets of a direction were lost: the tap is not at that side. */
#ifndef SR_FACTS_LOSSES_H
#define SR_FACTS_LOSSES_H

#include <stdbool.h>
#include <stdint.h>

#include "../journal/rows.h"
#include "../names.h"
#include "../wire/tsn.h"

struct sr_half;
struct sr_ledger_slot;

struct sr_losses {
    struct sr_tsn first; /* that was seen */
    int64_t holes;       /* TSNs between those that were seen, of which no copy was */
    uint32_t before;     /* TSNs sent again of which no copy was seen, within the capture */
    uint32_t behind;     /* copies sent again of what was seen, when the receiver had what passed the tap after it */
    uint32_t arrived;    /* 1 + row of the last copy that the receiver is known to have; 0: none */
    uint32_t least_rwnd; /* that the receiver told */
    uint32_t most_rwnd;
};

/* A copy passes the tap. `slot` as it was before; `highest` too, NULL: there was none. */
void sr_losses_sent(struct sr_half *half, const struct sr_transmission_row *row, const struct sr_ledger_slot *slot,
                    const struct sr_tsn *highest);

/* Feedback does. */
void sr_losses_told(struct sr_losses *losses, const struct sr_sack_row *row);

/* A TSN is acknowledged: of several copies which one came is not known. */
void sr_losses_acked(struct sr_losses *losses, const struct sr_ledger_slot *slot);

/* The tap cannot be there. */
bool sr_losses_contradict(const struct sr_losses *losses, enum sr_vantage vantage);

#endif
