/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which senders keep the same books. All do until feedback takes something back for some and not for others:
 * stacks differ in how far up they look for that. From then on those have a scoreboard of their own, and all that hangs
 * on it. That happens at most once for each rule of enum sr_reach. */
#ifndef SR_MODEL_FORK_H
#define SR_MODEL_FORK_H

#include "sender.h"

/* Before the feedback in `model->received` is applied: the senders that do not agree with the one that looks furthest
 * leave for a fork of their own, which is next in line. False without memory. */
bool sr_model_part(struct sr_model *model);

/* Notes how far up the senders of a fork look. */
void sr_model_note_reaches(struct sr_model *model);

/* How far up the senders look; they agree. */
int64_t sr_model_reach(const struct sr_model *model);

/* The one of the forks that has this sender. */
const struct sr_model *sr_model_of(const struct sr_model *model, uint32_t sender);

/* One fork only, without the outbox. */
void sr_fork_free(struct sr_model *model);

#endif
