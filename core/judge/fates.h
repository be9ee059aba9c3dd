/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of each TSN by its first acknowledgement: candidates.h, reading.h. verdict.h takes it from there. */
#ifndef SR_JUDGE_FATES_H
#define SR_JUDGE_FATES_H

#include "../facts/half.h"

/* Before the first pass, when the loops are measured: whether there is something to be learned in it. */
bool sr_fates_may_learn(const struct sr_half *half);

/* A transmission, an acknowledgement and a FORWARD-TSN, in the order of the capture. */
void sr_fates_sent(struct sr_half *half, uint32_t row);
void sr_fates_feedback(struct sr_half *half, uint32_t row);
void sr_fates_forward(struct sr_half *half, struct sr_tsn new_cum);

/* A PACKET-DROP chunk names TSNs: what was seen of them was dropped. */
void sr_fates_dropped(struct sr_half *half, const struct sr_control_row *row);
/* TSNs are numbered anew: what is not acknowledged is given up (RFC 6525 section 5.1.4, C2). */
void sr_fates_reset(struct sr_half *half, struct sr_tsn next);

/* After the last of them: what is still open is closed, and the half is ready for another pass. */
void sr_fates_end(struct sr_half *half);

#endif
