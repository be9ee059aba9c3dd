/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which feedback the sender cannot have had yet, though the capture shows it already.
 * ADAPTATION: a host takes its time between its tap and its stack, both ways. No stack sends a TSN again that it knows
 * to be acknowledged; so a resend soon after such feedback left the stack before the feedback came to it. The feedback
 * then belongs behind the resend, and what followed it too.
 *
 * All of one direction is told, in the order of the capture, before the model gets it in the sender's order. Cost is
 * O(1) for each TSN sent or acknowledged and each block. */
#ifndef SR_MODEL_CROSSING_H
#define SR_MODEL_CROSSING_H

#include "model.h"

/* How long after its cause a packet can pass the tap; the reaction_ns of struct sr_tlp_parameters is the same. */
#define SR_REACTION_NS INT64_C(20000000)

struct sr_crossing;

struct sr_crossing *sr_crossing_new(void); /* null without memory */
void sr_crossing_free(struct sr_crossing *crossing);

/* Events, in order of time. `number` is the caller's, and rises. False where memory is short or a TSN is out of
 * SR_MODEL_WINDOW: then it is passed over. */
bool sr_crossing_sent(struct sr_crossing *crossing, uint32_t number, int64_t time_ns, struct sr_tsn tsn);
bool sr_crossing_feedback(struct sr_crossing *crossing, uint32_t number, const struct sr_model_feedback *feedback);

/* TSNs are numbered anew (RFC 6525 section 5.2.4), if they do not go on with this one, and that was not told before. */
void sr_crossing_tsn_reset(struct sr_crossing *crossing, struct sr_tsn next);

/* Of feedback that comes too early, the number of the last resend that it has to wait for; 0 for any other. Asked when
 * all is told, with numbers that rise. */
uint32_t sr_crossing_release(struct sr_crossing *crossing, uint32_t feedback);

#endif
