/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of probes and storms. */
#include "aftermath.h"

#include "../facts/repeated.h"
#include "../wire/time.h"

enum { STORM = 3 }; /* resends of one timeout, half of them spurious */

static enum sr_probe_outcome outcome_of(const struct sr_half *half, const struct sr_transmission_row *row)
{
    if (row->verdict == SR_VERDICT_SPURIOUS)
        return SR_PROBE_OUTCOME_SPURIOUS;
    if (row->probe == SR_PROBE_NEW_DATA && row->outcome == SR_OUTCOME_ACKED && !row->acked_by_gap)
        return SR_PROBE_OUTCOME_SPURIOUS; /* all before it had arrived */
    if (row->outcome == SR_OUTCOME_LOST)
        return SR_PROBE_OUTCOME_PROBE_LOST;
    if (row->outcome != SR_OUTCOME_ACKED || row->acked_frame == 0)
        return SR_PROBE_OUTCOME_UNRESOLVED;
    if (row->acked_by_gap)
        return SR_PROBE_OUTCOME_TAIL_LOSS_REVEALED;
    return row->verdict == SR_VERDICT_NEEDED && half->measured.dups_reported ? SR_PROBE_OUTCOME_REPAIRED_SINGLE_LOSS
                                                                             : SR_PROBE_OUTCOME_REPAIRED_OR_ACK_LOSS;
}

static bool write_probe(struct sr_judgement *judgement, const struct sr_half *half, uint32_t row_number,
                        int64_t armed_ns, int64_t due_ns)
{
    const struct sr_transmission_row *row = sr_transmission_at(half->journal, row_number);
    struct sr_probe_row *probe = sr_spool_append(&judgement->probes);
    if (!probe)
        return false;
    *probe = (struct sr_probe_row){
        .anchor_ns = armed_ns,
        .pto_ns = SR_NO_TIME,
        .assoc = row->assoc,
        .path = row->path,
        .tsn = row->tsn,
        .frame = row->frame,
        .from = row->from,
        .kind = row->probe,
        .class = row->probe_class,
        .outcome = (uint8_t)outcome_of(half, row),
    };
    sr_elapsed(due_ns, armed_ns, &probe->pto_ns);
    return true;
}

/* Those with new data that were sent before a row. */
static bool write_new_data(struct sr_judgement *judgement, const struct sr_causes *causes, uint64_t *next,
                           uint32_t before)
{
    for (; *next < causes->new_data_probes.count; ++*next) {
        const struct sr_new_data_probe *probe = sr_spool_visit(&causes->new_data_probes, *next);
        if (probe->row >= before)
            return true;
        if (probe->alone && !write_probe(judgement, causes->half, probe->row, probe->armed_ns, probe->due_ns))
            return false;
    }
    return true;
}

/* All of a direction, in order. */
static bool write_probes(struct sr_judgement *judgement, struct sr_causes *causes)
{
    const struct sr_half *half = causes->half;
    uint64_t new_data = 0;
    for (uint32_t i = 0; i < causes->explained_count; i++) {
        const struct sr_explained *resend = sr_causes_explained(causes, i);
        sr_half_give_back(half, i, resend->row);
        if (sr_transmission_at(half->journal, resend->row)->probe == SR_NO_WORD)
            continue;
        if (!write_new_data(judgement, causes, &new_data, resend->row) ||
            !write_probe(judgement, half, resend->row, resend->probe_armed_ns, resend->probe_due_ns))
            return false;
    }
    return write_new_data(judgement, causes, &new_data, UINT32_MAX);
}

/* The timeout that begins at resend `first`; the first that is not of it any more. */
static uint32_t weigh(const struct sr_half *half, struct sr_causes *causes, uint32_t first, struct sr_storm_row *storm)
{
    const struct sr_transmission_row *begin =
        sr_transmission_at(half->journal, sr_causes_explained(causes, first)->row);
    *storm = (struct sr_storm_row){
        .time_ns = begin->time_ns,
        .assoc = begin->assoc,
        .path = begin->path,
        .frame = begin->frame,
        .from = begin->from,
    };
    uint32_t i = first;
    for (; i < causes->explained_count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(half->journal, sr_causes_explained(causes, i)->row);
        sr_half_give_back(half, i, sr_causes_explained(causes, i)->row);
        bool same_packet = row->cause == SR_CAUSE_T3 && row->frame == begin->frame;
        if (i > first && row->cause == SR_CAUSE_T3 && !same_packet)
            break;
        if (row->cause != SR_CAUSE_T3_GBN && row->cause != SR_CAUSE_T3)
            continue;
        bool spurious = row->verdict == SR_VERDICT_SPURIOUS && row->verdict_class >= 3;
        storm->retransmissions++;
        storm->spurious += spurious;
        storm->bytes_wasted += spurious ? row->bytes : 0;
        storm->recent += sr_is_within_round_trip(half, row, begin->time_ns); /* RFC 8985 section 3.5 */
        storm->avoidable += sr_causes_explained(causes, i)->cause[SR_SENDER_RFC8985] == SR_CAUSE_UNKNOWN;
        sr_elapsed(row->time_ns, begin->time_ns, &storm->duration_ns);
    }
    return i;
}

bool sr_aftermath(struct sr_judgement *judgement, struct sr_causes *causes)
{
    const struct sr_half *half = causes->half;
    if (!write_probes(judgement, causes))
        return false;
    for (uint32_t i = 0; i < causes->explained_count;) {
        struct sr_storm_row storm;
        sr_half_give_back(half, i, sr_causes_explained(causes, i)->row);
        if (sr_transmission_at(half->journal, sr_causes_explained(causes, i)->row)->cause != SR_CAUSE_T3) {
            i++;
            continue;
        }
        i = weigh(half, causes, i, &storm);
        if (storm.retransmissions < STORM || storm.spurious * 2 < storm.retransmissions)
            continue;
        struct sr_storm_row *row = sr_spool_append(&judgement->storms);
        if (!row)
            return false;
        *row = storm;
    }
    return true;
}
