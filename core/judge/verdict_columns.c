/* SPDX-License-Identifier: BSD-2-Clause */
#include "verdict_columns.h"

#include "../association/kind.h"
#include "../facts/repeated.h"

void sr_set_outcome(struct sr_transmission_row *row, enum sr_outcome outcome, uint8_t class)
{
    if (outcome == SR_OUTCOME_UNRESOLVED)
        row->resolved_frame = 0;
    row->outcome = (uint8_t)outcome;
    row->outcome_class = class;
}

/* How sure it is that the sender did send it again, and no network that repeats packets: a replay that had marked it
 * may be wrong, what only the occasion tells more often. 0: nothing that was seen moved the sender, and no timer is so
 * short. */
static uint8_t class_of_sent_again(const struct sr_half *half, const struct sr_transmission_row *row)
{
    if (!sr_comes_as_repeated(half, row, SR_LEAST_RTO_NS))
        return 5;
    bool marked = (row->evidence & SR_EVIDENCE_OF_CAUSES) != 0;
    if (row->cause == SR_CAUSE_UNKNOWN || (row->cause == SR_CAUSE_T3 && !marked))
        return 0;
    return marked ? 4 : 3;
}

void sr_set_verdict(const struct sr_half *half, struct sr_transmission_row *row, enum sr_verdict verdict, uint8_t class,
                    uint64_t evidence)
{
    if (row->kind != SR_KIND_RETRANSMISSION)
        return;
    uint8_t most = class_of_sent_again(half, row);
    row->resolved_frame = 0;
    row->verdict = (uint8_t)(most > 0 ? verdict : SR_VERDICT_UNDETERMINED);
    row->verdict_class = most == 0 ? 2 : class < most ? class : most;
    row->evidence = (row->evidence & SR_EVIDENCE_OF_CAUSES) | evidence;
}
