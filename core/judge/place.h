/* SPDX-License-Identifier: BSD-2-Clause */
/* The columns of `paths` that say where the tap is and whose sender this is. */
#ifndef SR_JUDGE_PLACE_H
#define SR_JUDGE_PLACE_H

#include "../journal/judgement.h"
#include "cause.h"

/* Of a direction, on all rows of its paths, which lie side by side from row `*next` on. */
void sr_place(struct sr_judgement *judgement, uint64_t *next, const struct sr_half *half,
              const struct sr_causes *causes);

#endif
