/* SPDX-License-Identifier: BSD-2-Clause */
/* Replays one direction through the recovery model, in the order in which its sender saw things: feedback reaches it a
 * loop after it passed the tap. */
#ifndef SR_JUDGE_REPLAY_H
#define SR_JUDGE_REPLAY_H

#include "../facts/half.h"
#include "cause.h"

/* As often as it takes: replays.c. False when memory runs out, as likewise below. */
bool sr_replay(struct sr_half *half, struct sr_causes *causes);

/* With senders that have these parameters, until so many resends have told whose loss detection sent them. */
bool sr_replay_once(struct sr_half *half, struct sr_causes *causes, const struct sr_parameters *senders, uint32_t most);

/* As if it had not been replayed before. */
bool sr_replay_again(struct sr_half *half, struct sr_causes *causes, const struct sr_parameters *senders,
                     uint32_t most);

#endif
