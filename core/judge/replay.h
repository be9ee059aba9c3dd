/* SPDX-License-Identifier: BSD-2-Clause */
/* Replays one direction through the recovery model, in the order in which its sender saw things: feedback reaches it a
 * loop after it passed the tap. */
#ifndef SR_JUDGE_REPLAY_H
#define SR_JUDGE_REPLAY_H

#include "../facts/half.h"
#include "cause.h"

/* False when memory runs out. */
bool sr_replay(struct sr_half *half, struct sr_causes *causes);

#endif
