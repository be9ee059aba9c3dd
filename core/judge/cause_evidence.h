/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cause of a resend rests on: the codes K (docs/verdicts.md, "Evidence"). */
#ifndef SR_JUDGE_CAUSE_EVIDENCE_H
#define SR_JUDGE_CAUSE_EVIDENCE_H

#include "cause.h"

/* One that was told by what the chosen sender had marked, or by its timers; its cause is set. */
void sr_cause_evidence(const struct sr_half *half, const struct sr_explained *explained, unsigned chosen,
                       struct sr_transmission_row *row);

#endif
