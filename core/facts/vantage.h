/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the tap is on the way of a direction, and when its sender has what passed the tap (docs/verdict-rules.md,
 * "Where the tap is"). */
#ifndef SR_FACTS_VANTAGE_H
#define SR_FACTS_VANTAGE_H

#include "half.h"

/* By the loops that were measured, the hop limits, and what was told. */
void sr_conclude_vantage(struct sr_half *half);

#endif
