/* SPDX-License-Identifier: BSD-2-Clause */
/* A pass over one direction, with feedback where the sender would have it if its host took no time. */
#include "late.h"

#include <stdlib.h>

#include "../books/belief.h"
#include "../timeline/numbering.h"

/* At a host that answers so soon, feedback that passed the tap has been seen by the time of the next packet. */
#define SHORT_LOOP_NS INT64_C(200000)

struct sr_model_feedback sr_feedback_of(const struct sr_half *half, const struct sr_sack_row *row)
{
    uint32_t gaps = row->gaps, all = (uint32_t)row->gaps + row->nr_gaps;
    const uint32_t *lists = all + row->dups > 0 ? sr_numbers_at(half->journal, row->lists) : NULL;
    if (all > SR_REPLAY_BLOCKS)
        gaps = all = 0;
    const struct sr_tsn_range *blocks = (const struct sr_tsn_range *)lists; /* first and last of each, as they are */
    return (struct sr_model_feedback){
        .time_ns = sr_half_fed_ns(half, row->time_ns),
        .frame = row->frame,
        .cum_tsn = sr_tsn(row->cum_tsn),
        .gaps = blocks,
        .gap_count = gaps,
        .nr_gaps = blocks ? blocks + gaps : NULL,
        .nr_gap_count = all - gaps,
        .dups = (const struct sr_tsn *)(lists ? lists + 2 * ((uint32_t)row->gaps + row->nr_gaps) : NULL),
        .dup_count = row->dups,
        .a_rwnd_bytes = row->a_rwnd,
        .has_a_rwnd = row->kind != SR_SACK_KIND_SHUTDOWN,
        .kind = row->kind,
        .packets = sr_sack_packets(row),
        .overtaken = row->stale,
        .all_non_renegable = sr_sack_promises_all(row),
    };
}

/* The next entry of a table from where the pass has got to, of the data's sender or of the other side; 1 + its row, 0
 * without. On the way to a transmission the TSNs may be numbered anew. */
static uint32_t next_row(const struct sr_half *half, enum sr_entry_table table, struct sr_journal_pass *pass,
                         struct sr_crossing *crossing)
{
    struct sr_entry entry;
    struct sr_tsn next;
    while (sr_journal_pass(half->journal, pass, &entry)) {
        if (table == SR_ENTRY_TRANSMISSION && entry.table == SR_ENTRY_CONTROL &&
            sr_numbered_anew(half->journal, sr_control_at(half->journal, entry.row), half->from, &next))
            sr_crossing_tsn_reset(crossing, next);
        if (entry.table != table)
            continue;
        if (table == SR_ENTRY_SACK) {
            const struct sr_sack_row *sack = sr_sack_at(half->journal, entry.row);
            if (sack->from != half->from && sr_is_believed(sack))
                return entry.row + 1;
        }
        if (table != SR_ENTRY_TRANSMISSION)
            continue;
        const struct sr_transmission_row *row = sr_transmission_at(half->journal, entry.row);
        if (row->from == half->from && (row->kind == SR_KIND_ORIGINAL || row->kind == SR_KIND_RETRANSMISSION))
            return entry.row + 1;
    }
    return 0;
}

bool sr_find_late(const struct sr_half *half, struct sr_crossing **crossing)
{
    struct sr_journal_pass sent_pass = {.next = half->association->entries.first}, sack_pass = sent_pass;
    *crossing = NULL;
    if (!half->measured.resends || half->measured.sender_loop_ns < SHORT_LOOP_NS)
        return true;
    if (!(*crossing = sr_crossing_new()))
        return false;
    uint32_t sent = next_row(half, SR_ENTRY_TRANSMISSION, &sent_pass, *crossing);
    uint32_t sack = next_row(half, SR_ENTRY_SACK, &sack_pass, *crossing);
    while (sent != 0) {
        const struct sr_transmission_row *row = sr_half_tx(half, sent);
        if (sack != 0 && sr_half_fed_ns(half, sr_half_sack(half, sack)->time_ns) <= row->time_ns) {
            struct sr_model_feedback feedback = sr_feedback_of(half, sr_half_sack(half, sack));
            sr_crossing_feedback(*crossing, sack, &feedback);
            sack = next_row(half, SR_ENTRY_SACK, &sack_pass, *crossing);
        } else {
            sr_crossing_sent(*crossing, row->frame, row->time_ns, sr_tsn(row->tsn));
            sent = next_row(half, SR_ENTRY_TRANSMISSION, &sent_pass, *crossing);
        }
    }
    return true;
}
