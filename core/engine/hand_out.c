/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows are copied out of the journal; their lists begin anew in each batch. */
#include "hand_out.h"

#include "../books/figures.h"
#include "../judge/rack_state.h"
#include "associations.h"

enum { NUMBERS_OF_A_ROW = 16 }; /* a long list counts as further rows: a SACK may have thousands of blocks */

static uint64_t transmissions(uint64_t next, const struct sr_kept *kept, size_t most, struct sr_rows *rows)
{
    struct sr_journal *journal = kept->journal;
    for (; most > 0 && next < journal->transmissions.count; most--, next++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, next);
        if (sr_is_own(kept->judgement->share, row->assoc))
            sr_buffer_append(&rows->tables[SR_TABLE_TRANSMISSIONS], row, sizeof *row);
    }
    sr_spool_done_before(&journal->transmissions, next);
    return next;
}

/* Where the list begins in the batch. */
static uint64_t copy_list(struct sr_buffer *numbers, const struct sr_spool *from, uint64_t first, uint32_t count)
{
    uint64_t at = numbers->length / sizeof(uint32_t);
    if (count > 0)
        sr_buffer_append(numbers, sr_spool_visit(from, first), count * sizeof(uint32_t));
    return at;
}

static uint64_t sacks(uint64_t next, const struct sr_kept *kept, size_t most, struct sr_rows *rows)
{
    struct sr_journal *journal = kept->journal;
    size_t taken = 0;
    for (; taken < most && next < journal->sacks.count; next++) {
        struct sr_sack_row row = *sr_sack_at(journal, next);
        if (!sr_is_own(kept->judgement->share, row.assoc)) {
            taken++;
            continue;
        }
        uint32_t count = 2 * ((uint32_t)row.gaps + row.nr_gaps) + row.dups;
        row.lists = copy_list(&rows->numbers, &journal->numbers, row.lists, count);
        row.reneged = copy_list(&rows->numbers, &journal->judged, row.reneged, row.reneged_count);
        sr_buffer_append(&rows->tables[SR_TABLE_SACKS], &row, sizeof row);
        taken += 1 + (count + row.reneged_count) / NUMBERS_OF_A_ROW;
    }
    sr_spool_done_before(&journal->sacks, next);
    return next;
}

/* The books are kept of all associations: other rows are only written of its own. */
static uint64_t rtt_samples(uint64_t next, struct sr_judgement *judgement, size_t most, struct sr_buffer *to)
{
    for (; most > 0 && next < judgement->rtt_samples.count; most--, next++) {
        const struct sr_rtt_sample_row *row = sr_spool_at(&judgement->rtt_samples, next);
        if (sr_is_own(judgement->share, row->assoc))
            sr_buffer_append(to, row, sizeof *row);
    }
    sr_spool_done_before(&judgement->rtt_samples, next);
    return next;
}

/* Some of each SACK, whosever it is. */
static uint64_t rack_state(uint64_t next, const struct sr_kept *kept, size_t most, struct sr_buffer *to)
{
    struct sr_spool *from = &kept->judgement->rack_state;
    uint32_t each = sr_states_of_a_sack(kept->judgement);
    for (; most > 0 && next < from->count; most--, next++) {
        const struct sr_sack_row *sack = sr_spool_visit(&kept->journal->sacks, next / each);
        if (sr_is_own(kept->judgement->share, sack->assoc))
            sr_buffer_append(to, sr_spool_at(from, next), sizeof(struct sr_rack_state_row));
    }
    sr_spool_done_before(from, next);
    return next;
}

static uint64_t from_spool(uint64_t next, struct sr_spool *from, size_t size, size_t most, struct sr_buffer *to)
{
    for (; most > 0 && next < from->count; most--, next++)
        sr_buffer_append(to, sr_spool_at(from, next), size);
    sr_spool_done_before(from, next);
    return next;
}

/* Those of a variant that the sender is not have no profile. */
static uint64_t marks(uint64_t next, struct sr_spool *from, size_t most, struct sr_buffer *to)
{
    for (; most > 0 && next < from->count; most--, next++) {
        const struct sr_rack_mark_row *row = sr_spool_at(from, next);
        if (row->profile != SR_NO_WORD)
            sr_buffer_append(to, row, sizeof *row);
    }
    sr_spool_done_before(from, next);
    return next;
}

static uint64_t associations(uint64_t next, const struct sr_kept *kept, size_t most, struct sr_rows *rows)
{
    uint64_t count = sr_figures_count(kept->judgement) / 2; /* those that were judged */
    for (; most > 0 && next < count; most--, next++) {
        uint32_t number = (uint32_t)next;
        const struct sr_association *association = sr_registry_at(kept->associations, number);
        if (!association->joined && sr_is_own(kept->judgement->share, number))
            sr_association_row(association, sr_figures_of(kept->judgement, 2 * number),
                               sr_figures_of(kept->judgement, 2 * number + 1), rows);
    }
    return next;
}

static uint64_t hand_out(enum sr_table table, uint64_t next, const struct sr_kept *kept, size_t most,
                         struct sr_rows *rows)
{
    struct sr_judgement *judgement = kept->judgement;
    struct sr_buffer *to = &rows->tables[table];
    switch (table) {
    case SR_TABLE_TRANSMISSIONS: return transmissions(next, kept, most, rows);
    case SR_TABLE_SACKS: return sacks(next, kept, most, rows);
    case SR_TABLE_RTT_SAMPLES: return rtt_samples(next, judgement, most, to);
    case SR_TABLE_RACK_MARKS: return marks(next, &judgement->rack_marks, most, to);
    case SR_TABLE_RACK_STATE: return rack_state(next, kept, most, to);
    case SR_TABLE_PROBES: return from_spool(next, &judgement->probes, sizeof(struct sr_probe_row), most, to);
    case SR_TABLE_STORMS: return from_spool(next, &judgement->storms, sizeof(struct sr_storm_row), most, to);
    case SR_TABLE_LIMITS: return from_spool(next, &judgement->limits, sizeof(struct sr_limit_row), most, to);
    case SR_TABLE_WINDOWS: return from_spool(next, &judgement->windows, sizeof(struct sr_window_row), most, to);
    case SR_TABLE_COUNTS: return from_spool(next, &judgement->counts, sizeof(struct sr_count_row), most, to);
    case SR_TABLE_PATHS: return from_spool(next, &judgement->paths, sizeof(struct sr_path_row), most, to);
    case SR_TABLE_ASSOCIATIONS: return associations(next, kept, most, rows);
    case SR_TABLE_CHUNKS:
    case SR_TABLE_COUNT: break;
    }
    return next;
}

/* Of these tables; false when nothing is left of them. */
static bool hand_out_of(struct sr_hand_out *out, const struct sr_kept *kept, uint32_t tables, size_t most,
                        struct sr_rows *rows)
{
    bool any = false;
    for (enum sr_table table = 0; table < SR_TABLE_COUNT; table++) {
        if (!(tables >> table & 1))
            continue;
        uint64_t before = out->next[table];
        out->next[table] = hand_out(table, before, kept, most, rows);
        any |= out->next[table] > before;
    }
    return any;
}

bool sr_hand_out(struct sr_hand_out *out, const struct sr_kept *kept, uint32_t tables, size_t most,
                 struct sr_rows *rows)
{
    static const uint32_t transmissions = UINT32_C(1) << SR_TABLE_TRANSMISSIONS;
    return hand_out_of(out, kept, tables & ~transmissions, most, rows) ||
           hand_out_of(out, kept, tables & transmissions, most, rows);
}
