/* SPDX-License-Identifier: BSD-2-Clause */
/* The passes of the judge, over one association after the other. */
#include "judge.h"

#include <stdlib.h>

#include "../wire/chunk.h"
#include "fates.h"
#include "measure.h"

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

static bool judge_association(struct sr_half halves[2])
{
    if (!sr_measure(halves))
        return false;
    fates_pass(halves); /* what it takes to decide */
    halves[0].deciding = halves[1].deciding = true;
    fates_pass(halves);
    return true;
}

bool sr_judge(struct sr_journal *journal, const struct sr_registry *associations)
{
    struct sr_half *halves = calloc(2, sizeof *halves);
    struct sr_board boards[2];
    bool ok = halves && sr_board_init(&boards[0]);
    if (ok && !sr_board_init(&boards[1])) {
        sr_board_free(&boards[0]);
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
                .board = boards[from],
            };
        ok = judge_association(halves);
        for (int from = 0; from < 2; from++)
            boards[from] = halves[from].board;
    }
    sr_board_free(&boards[0]);
    sr_board_free(&boards[1]);
    free(halves);
    return ok;
}
