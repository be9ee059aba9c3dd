/* SPDX-License-Identifier: BSD-2-Clause */
/* The passes of the judge, over one association after the other. */
#include "verdicts.h"

#include <stdlib.h>

#include "../association/kind.h"
#include "../books/belief.h"
#include "../books/figures.h"
#include "../books/filtered.h"
#include "../facts/loops.h"
#include "../facts/missing.h"
#include "../facts/overtaken.h"
#include "../facts/two_taps.h"
#include "../limits/limits.h"
#include "../timeline/numbering.h"
#include "../wire/chunk.h"
#include "../wire/forward_tsn.h"
#include "../wire/time.h"
#include "aftermath.h"
#include "by_network.h"
#include "fates.h"
#include "packets.h"
#include "place.h"
#include "rack_state.h"
#include "repeated_outcome.h"
#include "replay.h"
#include "verdict.h"

static bool may_learn(const struct sr_half halves[2])
{
    return sr_fates_may_learn(&halves[0]) || sr_fates_may_learn(&halves[1]);
}

/* The acknowledgements and transmissions of both directions, in order; who learns stops when all is known. */
static void fates_pass(struct sr_half halves[2])
{
    struct sr_journal *journal = halves->journal;
    struct sr_journal_pass pass = {.next = halves->association->entries.first};
    struct sr_entry entry;
    bool writes = halves->deciding && (halves[0].measured.resends || halves[1].measured.resends);

    while ((halves->deciding || may_learn(halves)) && sr_journal_pass(journal, &pass, &entry)) {
        switch ((enum sr_entry_table)entry.table) {
        case SR_ENTRY_TRANSMISSION:
            if (writes)
                sr_journal_will_write(journal, &entry);
            sr_fates_sent(&halves[sr_transmission_at(journal, entry.row)->from], entry.row);
            break;
        case SR_ENTRY_SACK: {
            const struct sr_sack_row *row = sr_sack_at(journal, entry.row);
            if (sr_is_believed(row))
                sr_fates_feedback(&halves[1 - row->from], entry.row);
            else
                sr_ledger_pass_over(&halves[1 - row->from].ledger);
            break;
        }
        case SR_ENTRY_CONTROL: {
            const struct sr_control_row *row = sr_control_at(journal, entry.row);
            if (row->whole && sr_is_forward_tsn(row->type))
                sr_fates_forward(&halves[row->from], sr_tsn(row->tsn));
            if (row->type == SR_CHUNK_PACKET_DROP)
                sr_fates_dropped(&halves[1 - row->from], row);
            struct sr_tsn next;
            for (unsigned from = 0; from < 2; from++)
                if (sr_numbered_anew(journal, row, from, &next))
                    sr_fates_reset(&halves[from], next);
            break;
        }
        }
    }
    for (int from = 0; from < 2; from++)
        sr_fates_end(&halves[from]);
}

static bool has_duplicates(const struct sr_half *half)
{
    const uint32_t *kinds = half->association->side[half->from].data.kinds;
    return kinds[SR_KIND_NETWORK_DUPLICATE] + kinds[SR_KIND_CAPTURE_DUPLICATE] > 0;
}

/* What is repeated fares as what it repeats. */
static void duplicates_pass(struct sr_half halves[2], bool found)
{
    struct sr_journal *journal = halves->journal;
    struct sr_journal_pass pass = {.next = halves->association->entries.first};
    struct sr_entry entry;

    if (!found && !has_duplicates(&halves[0]) && !has_duplicates(&halves[1]))
        return;
    while (sr_journal_pass(journal, &pass, &entry)) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        struct sr_transmission_row *row = sr_transmission_at(journal, entry.row);
        if (sr_is_duplicate(row->kind))
            sr_set_outcome_of_repeated(&halves[row->from], row);
    }
}

/* What the passes add to the figures: mostly nothing, and then they are left where they lie. */
static void note_figures(struct sr_judgement *judgement, const struct sr_half *half, const struct sr_causes *causes)
{
    uint64_t lost_tsns = sr_is_doubled_unsurely(half->association) ? 0 : half->lost_tsns;
    if (lost_tsns == 0 && causes->marks_left_out == 0 && causes->beyond == 0)
        return;
    struct sr_direction_figures *figures = sr_figures_kept(judgement, 2 * half->association->number + half->from);
    if (!figures) /* without data */
        return;
    figures->lost_tsns = lost_tsns;
    figures->marks_left_out = causes->marks_left_out;
    if (causes->beyond > figures->withdrawn_beyond)
        figures->withdrawn_beyond = causes->beyond;
}

/* Rows here and there were looked at: they would stay in memory with all that lies around them. Of associations with
 * few packets several are looked at before, as each time goes with the length of the journal. `looked_at` counts
 * packets. */
static void give_back(struct sr_journal *journal, uint64_t *looked_at)
{
    /* With 64 KiB around each packet, of each table, or five times that where 256 KiB were written at once. */
    enum { WORTH_IT = 1 << 16, PACKETS = 128 };
    if (*looked_at < PACKETS)
        return;
    *looked_at = 0;
    if (journal->transmissions.count > WORTH_IT)
        sr_spool_done(&journal->transmissions);
    if (journal->sacks.count > WORTH_IT)
        sr_spool_done(&journal->sacks);
}

static bool judge_association(struct sr_half halves[2], struct sr_causes causes[2], struct sr_judgement *judgement,
                              uint64_t *path, uint64_t *looked_at)
{
    uint64_t packets = halves->association->packets;
    if (!sr_measure_loops(halves))
        return false;
    sr_find_overtaken(&halves[0]);
    sr_find_overtaken(&halves[1]);
    sr_find_missing(&halves[0]);
    sr_find_missing(&halves[1]);
    if (may_learn(halves))
        fates_pass(halves); /* what it takes to decide */
    bool by_network = false;
    for (int from = 0; from < 2; from++) {
        causes[from].half = &halves[from];
        sr_causes_begin(&causes[from]);
        bool replays = halves[from].association->side[from].data.chunks > 0 && !judgement->filtered;
        if (replays && !sr_replay(&halves[from], &causes[from]))
            return false;
        by_network |= sr_find_repeated_by_network(&causes[from]);
        sr_place(judgement, path, &halves[from], &causes[from]);
        *looked_at += packets;
        give_back(halves[from].journal, looked_at);
    }
    halves[0].deciding = halves[1].deciding = true;
    fates_pass(halves);
    sr_share_fates(halves);
    duplicates_pass(halves, by_network);
    sr_doubt_two_taps(halves->journal, halves->association);
    for (int from = 0; from < 2; from++) {
        sr_causes_resolve(&causes[from]);
        if (!sr_aftermath(judgement, &causes[from]) || !sr_limits(judgement, &halves[from]))
            return false;
        note_figures(judgement, &halves[from], &causes[from]);
        *looked_at += packets;
        give_back(halves[from].journal, looked_at);
    }
    return true;
}

/* Seen from the data of the other side, the tap is at the other end; nothing is told of that side's sender. */
static struct sr_told mirrored(struct sr_told told)
{
    told.loop = false;
    told.profile = 0;
    if (told.vantage == 1 + SR_VANTAGE_SENDER)
        told.vantage = 1 + SR_VANTAGE_RECEIVER;
    else if (told.vantage == 1 + SR_VANTAGE_RECEIVER)
        told.vantage = 1 + SR_VANTAGE_SENDER;
    return told;
}

static struct sr_told told_of(struct sr_told told, const struct sr_association *association, unsigned from)
{
    return from == sr_data_sender(association) ? told : mirrored(told);
}

bool sr_verdicts(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement)
{
    struct sr_half *halves = calloc(2, sizeof *halves);
    struct sr_ledger ledgers[2];
    struct sr_causes causes[2] = {{.tables = judgement}, {.tables = judgement}};
    uint64_t path = 0, looked_at = 0;
    bool ok = halves && sr_states_begin(journal, judgement) && sr_ledger_init(&ledgers[0]);
    if (ok && !sr_ledger_init(&ledgers[1])) {
        sr_ledger_free(&ledgers[0]);
        ok = false;
    }
    if (!ok) {
        free(halves);
        return false;
    }
    for (unsigned from = 0; from < 2; from++) {
        sr_spool_init(&causes[from].instants, &journal->store, sizeof(struct sr_instant));
        sr_spool_init(&causes[from].explained, &journal->store, sizeof(struct sr_explained));
        sr_spool_init(&causes[from].new_data_probes, &journal->store, sizeof(struct sr_new_data_probe));
    }
    uint32_t count = sr_registry_count(associations);
    for (uint32_t number = 0; ok && number < count && !sr_journal_is_stopped(journal); number++) {
        if (!sr_is_own(judgement->share, number))
            continue;
        for (unsigned from = 0; from < 2; from++)
            halves[from] = (struct sr_half){
                .journal = journal,
                .association = sr_registry_at(associations, number),
                .from = from,
                .told = told_of(judgement->told, sr_registry_at(associations, number), from),
                .ledger = ledgers[from],
            };
        ok = judge_association(halves, causes, judgement, &path, &looked_at);
        for (int from = 0; from < 2; from++) {
            ledgers[from] = halves[from].ledger;
            free(halves[from].path_loops);
        }
    }
    if (ok && judgement->filtered)
        sr_filtered_leave_open(journal);
    for (int from = 0; from < 2; from++)
        sr_causes_free(&causes[from]);
    sr_ledger_free(&ledgers[0]);
    sr_ledger_free(&ledgers[1]);
    free(halves);
    return ok;
}
