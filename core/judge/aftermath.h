/* SPDX-License-Identifier: BSD-2-Clause */
/* What came of each probe and of each timeout, when the verdicts are known (recovery model, sections 10 and 11.4). */
#ifndef SR_JUDGE_AFTERMATH_H
#define SR_JUDGE_AFTERMATH_H

#include "cause.h"
#include "judgement.h"

/* False when the disk or memory runs out. */
bool sr_aftermath(struct sr_judgement *judgement, struct sr_causes *causes);

#endif
