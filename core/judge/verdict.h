/* SPDX-License-Identifier: BSD-2-Clause */
/* What the evidence on a TSN makes of its copies: their outcome, and whether each resend was needed (docs/verdicts.md,
 * "Evidence"). */
#ifndef SR_JUDGE_VERDICT_H
#define SR_JUDGE_VERDICT_H

#include "../facts/half.h"

/* A TSN leaves the ledger: nothing more will be learned of it. `context` is its half; rows are written in the last
 * pass. */
void sr_verdict_leaves(void *context, const struct sr_ledger_slot *slot);

/* This copy was lost, or one before the first that was seen: without that it would not have been needed. */
bool sr_shows_loss(const struct sr_transmission_row *row);

/* A TSN too far from all others for any of it to be known. */
void sr_verdict_out_of_reach(const struct sr_half *half, struct sr_transmission_row *row);

#endif
