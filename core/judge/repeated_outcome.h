/* SPDX-License-Identifier: BSD-2-Clause */
/* What became of a packet that the network or the capture repeats: what became of that which it repeats. */
#ifndef SR_JUDGE_REPEATED_OUTCOME_H
#define SR_JUDGE_REPEATED_OUTCOME_H

#include "../facts/half.h"

/* The outcome of what it repeats is known. */
void sr_set_outcome_of_repeated(const struct sr_half *half, struct sr_transmission_row *row);

#endif
