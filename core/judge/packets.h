/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SR_JUDGE_PACKETS_H
#define SR_JUDGE_PACKETS_H

#include "../facts/half.h"

/* Once all outcomes of both directions are known but for those of what is repeated. */
void sr_share_fates(struct sr_half halves[2]);

#endif
