/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of an association that was captured at two places of its path. */
#ifndef SR_FACTS_TWO_TAPS_H
#define SR_FACTS_TWO_TAPS_H

#include "../association/association.h"
#include "../journal/journal.h"

/* No class of its rows is above 2: each tap has first what its own side sends, and nothing says how far apart their
 * clocks are. Where it cannot be told either what was sent again, nothing is said of it. */
void sr_doubt_two_taps(struct sr_journal *journal, const struct sr_association *association);

#endif
