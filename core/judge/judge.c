/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of the passes: each may rest on what those before it wrote. */
#include "judge.h"

#include "../books/belief.h"
#include "../books/bookkeeping.h"
#include "../books/filtered.h"
#include "../wire/time.h"
#include "counts.h"
#include "invariants.h"
#include "verdicts.h"

typedef bool pass(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement);

void sr_judgement_init(struct sr_judgement *judgement, struct sr_journal *journal)
{
    *judgement = (struct sr_judgement){.end_ns = SR_NO_TIME};
    sr_spool_init(&judgement->rtt_samples, &journal->store, sizeof(struct sr_rtt_sample_row));
    sr_spool_init(&judgement->rack_marks, &journal->store, sizeof(struct sr_rack_mark_row));
    sr_spool_init(&judgement->rack_state, &journal->store, sizeof(struct sr_rack_state_row));
    sr_spool_init(&judgement->probes, &journal->store, sizeof(struct sr_probe_row));
    sr_spool_init(&judgement->storms, &journal->store, sizeof(struct sr_storm_row));
    sr_spool_init(&judgement->limits, &journal->store, sizeof(struct sr_limit_row));
    sr_spool_init(&judgement->windows, &journal->store, sizeof(struct sr_window_row));
    sr_spool_init(&judgement->counts, &journal->store, sizeof(struct sr_count_row));
    sr_spool_init(&judgement->paths, &journal->store, sizeof(struct sr_path_row));
    sr_spool_init(&judgement->figures, &journal->store, sizeof(struct sr_direction_figures));
}

void sr_judgement_free(struct sr_judgement *judgement)
{
    sr_spool_free(&judgement->rtt_samples);
    sr_spool_free(&judgement->rack_marks);
    sr_spool_free(&judgement->rack_state);
    sr_spool_free(&judgement->probes);
    sr_spool_free(&judgement->storms);
    sr_spool_free(&judgement->limits);
    sr_spool_free(&judgement->windows);
    sr_spool_free(&judgement->counts);
    sr_spool_free(&judgement->paths);
    sr_spool_free(&judgement->figures);
    sr_buffer_free(&judgement->figures_of);
}

static void clear(struct sr_journal *journal, struct sr_judgement *judgement)
{
    sr_spool_clear(&journal->judged);
    sr_spool_clear(&judgement->rtt_samples);
    sr_spool_clear(&judgement->rack_marks);
    sr_spool_clear(&judgement->rack_state);
    sr_spool_clear(&judgement->probes);
    sr_spool_clear(&judgement->storms);
    sr_spool_clear(&judgement->limits);
    sr_spool_clear(&judgement->windows);
    sr_spool_clear(&judgement->counts);
    sr_spool_clear(&judgement->paths);
    sr_spool_clear(&judgement->figures);
    judgement->figures_of.length = 0;
}

/* The books are kept anew where they say that packets were filtered out: round trips mean nothing then. */
static bool keep_books(struct sr_journal *journal, const struct sr_registry *associations,
                       struct sr_judgement *judgement)
{
    clear(journal, judgement);
    judgement->filtered = false;
    if (!sr_bookkeeping(journal, associations, judgement))
        return false;
    if (!sr_is_filtered(associations, judgement))
        return true;
    clear(journal, judgement);
    judgement->filtered = true;
    return sr_bookkeeping(journal, associations, judgement);
}

static pass *const passes[] = {
    sr_belief,
    keep_books,
    sr_verdicts,
    sr_counts,
};

bool sr_judge(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement)
{
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        if (!passes[i](journal, associations, judgement) || sr_journal_is_stopped(journal))
            return false;
#ifdef SR_INVARIANTS
    sr_invariants(journal, judgement);
#endif
    return true;
}
