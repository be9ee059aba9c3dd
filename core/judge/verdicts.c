/* SPDX-License-Identifier: BSD-2-Clause */
/* The passes of the judge, over one association after the other. */
#include "verdicts.h"

#include <stdlib.h>

#include "../wire/chunk.h"
#include "fates.h"
#include "loops.h"
#include "place.h"
#include "replay.h"

/* The acknowledgements and transmissions of both directions, in order. */
static void fates_pass(struct sr_half halves[2])
{
    struct sr_journal *journal = halves[0].journal;
    uint32_t next = halves[0].association->entries.first;
    struct sr_entry entry;

    while (sr_journal_follow(journal, &next, &entry)) {
        switch ((enum sr_entry_table)entry.table) {
        case SR_ENTRY_TRANSMISSION: sr_fates_sent(&halves[sr_transmission_at(journal, entry.row)->from], entry.row); break;
        case SR_ENTRY_SACK: sr_fates_feedback(&halves[1 - sr_sack_at(journal, entry.row)->from], entry.row); break;
        case SR_ENTRY_CONTROL: {
            const struct sr_control_row *row = sr_control_at(journal, entry.row);
            if (row->whole && (row->type == SR_CHUNK_FORWARD_TSN || row->type == SR_CHUNK_I_FORWARD_TSN))
                sr_fates_forward(&halves[row->from], sr_tsn(row->tsn));
            break;
        }
        }
    }
    for (int from = 0; from < 2; from++)
        sr_fates_end(&halves[from]);
}

static bool judge_association(struct sr_half halves[2], struct sr_causes *causes, struct sr_judgement *judgement,
                              size_t *path)
{
    if (!sr_measure_loops(halves))
        return false;
    fates_pass(halves); /* what it takes to decide */
    causes->first_mark = causes->tables->rack_marks.count;
    for (int from = 0; from < 2; from++) {
        sr_causes_end(causes);
        if (halves[from].association->side[from].data.chunks > 0 && !sr_replay(&halves[from], causes))
            return false;
        sr_place(judgement, path, &halves[from], causes);
    }
    halves[0].deciding = halves[1].deciding = true;
    fates_pass(halves);
    for (int from = 0; from < 2; from++) {
        causes->half = &halves[from];
        sr_causes_resolve(causes);
    }
    return true;
}

bool sr_verdicts(struct sr_journal *journal, const struct sr_registry *associations,
                 struct sr_judgement *judgement)
{
    struct sr_half *halves = calloc(2, sizeof *halves);
    struct sr_ledger ledgers[2];
    struct sr_causes causes = {.tables = judgement};
    size_t path = 0;
    bool ok = halves && sr_ledger_init(&ledgers[0]);
    if (ok && !sr_ledger_init(&ledgers[1])) {
        sr_ledger_free(&ledgers[0]);
        ok = false;
    }
    if (!ok) {
        free(halves);
        return false;
    }
    for (uint32_t number = 0; ok && number < sr_registry_count(associations); number++) {
        for (unsigned from = 0; from < 2; from++)
            halves[from] = (struct sr_half){
                .journal = journal,
                .association = sr_registry_at(associations, number),
                .from = from,
                .ledger = ledgers[from],
            };
        ok = judge_association(halves, &causes, judgement, &path);
        for (int from = 0; from < 2; from++)
            ledgers[from] = halves[from].ledger;
    }
    free(causes.marks);
    free(causes.explained);
    sr_ledger_free(&ledgers[0]);
    sr_ledger_free(&ledgers[1]);
    free(halves);
    return ok;
}
