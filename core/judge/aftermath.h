/* SPDX-License-Identifier: BSD-2-Clause */
/* What came of each probe and of each timeout, when the verdicts are known. */
#ifndef SR_JUDGE_AFTERMATH_H
#define SR_JUDGE_AFTERMATH_H

#include "../journal/judgement.h"
#include "cause.h"

/* False when the disk or memory runs out. */
bool sr_aftermath(struct sr_judgement *judgement, struct sr_causes *causes);

#endif
