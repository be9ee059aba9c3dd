/* SPDX-License-Identifier: BSD-2-Clause */
/* What became of a copy sent after the one that arrived first: a report of a duplicate says that it arrived, too. */
#ifndef SR_JUDGE_LATER_COPY_H
#define SR_JUDGE_LATER_COPY_H

#include "../facts/half.h"

/* Its TSN is acknowledged. `of_later`: how many such copies there are. */
void sr_set_outcome_of_later(const struct sr_half *half, const struct sr_ledger_slot *slot, uint32_t of_later,
                             struct sr_transmission_row *row);

#endif
