/* SPDX-License-Identifier: BSD-2-Clause */
/* Which feedback the sender of a direction cannot have had when it passed the tap: model/crossing.h. */
#ifndef SR_FACTS_LATE_H
#define SR_FACTS_LATE_H

#include "../model/crossing.h"
#include "half.h"

/* Most blocks of one acknowledgement that the model is told. */
enum { SR_REPLAY_BLOCKS = 4096 };

/* Looks through the direction: `*crossing` tells the frame of the resend that each acknowledgement, by 1 + its row, has
 * to wait for; null where nothing was sent again. False when memory runs out. */
bool sr_find_late(const struct sr_half *half, struct sr_crossing **crossing);

/* An acknowledgement as the model takes it, when the sender has it; its lists are the journal's. */
struct sr_model_feedback sr_feedback_of(const struct sr_half *half, const struct sr_sack_row *row);

#endif
