/* SPDX-License-Identifier: BSD-2-Clause */
/* How far the tap is from both ends. */
#ifndef SR_FACTS_LOOPS_H
#define SR_FACTS_LOOPS_H

#include "half.h"

/* The first pass over the association: both directions' loops. False when memory runs out. */
bool sr_measure_loops(struct sr_half halves[2]);

#endif
