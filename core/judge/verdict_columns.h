/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes what was found of a copy into its row. */
#ifndef SR_JUDGE_VERDICT_COLUMNS_H
#define SR_JUDGE_VERDICT_COLUMNS_H

#include "../facts/half.h"
#include "evidence.h"

/* What the books took for final is not where nothing is known, or where a verdict rests on more. */
void sr_set_outcome(struct sr_transmission_row *row, enum sr_outcome outcome, uint8_t class);

/* Of a retransmission, and no other. It is never surer than that the sender did send it again. */
void sr_set_verdict(const struct sr_half *half, struct sr_transmission_row *row, enum sr_verdict verdict, uint8_t class,
                    uint64_t evidence);

#endif
