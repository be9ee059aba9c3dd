/* SPDX-License-Identifier: BSD-2-Clause */
/* How long feedback takes from the tap to the sender, and what it moves back, where the handshake's loop explains
 * little. */
#ifndef SR_JUDGE_LOOP_FIT_H
#define SR_JUDGE_LOOP_FIT_H

#include "replay.h"

/* Replays the direction with other loops, if need be, and stays with the one that leaves fewest unexplained. False when
 * memory runs out. */
bool sr_loop_fit(struct sr_half *half, struct sr_causes *causes, const struct sr_parameters *senders);

#endif
