/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a pion has RACK, where its handshake does not tell (it has from 1.9.0 on). One that has not sends again what
 * was reported as missing three times, or when a timer expires: what the receiver has passed over and comes again
 * sooner, it cannot have sent, nor a probe. Away from the sender that tells more than the times of marks, which a loop
 * that varies makes wrong for both. */
#ifndef SR_JUDGE_EARLY_PION_H
#define SR_JUDGE_EARLY_PION_H

#include "cause.h"

/* Counts them (sr_fit.unmoved), when the replay has ended. */
void sr_count_unmoved(struct sr_causes *causes);

#endif
