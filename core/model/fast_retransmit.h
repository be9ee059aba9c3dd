/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides by counting which chunks are lost: the missing reports of RFC 9260 section 7.2.4. The rule is one; who counts
 * which reports, and whether a TSN may be fast-retransmitted again, differs between stacks. */
#ifndef SR_MODEL_FAST_RETRANSMIT_H
#define SR_MODEL_FAST_RETRANSMIT_H

#include "sender.h"

/* Counts one feedback's missing reports, and marks the chunks whose threshold is reached; whether there are any. */
bool sr_count_misses(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame);

#endif
