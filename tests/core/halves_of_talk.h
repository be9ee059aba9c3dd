/* SPDX-License-Identifier: BSD-2-Clause */
/* Both directions of a talk that was judged, as a pass of the judge has them: for tests of one pass alone. */
#ifndef SR_TESTS_HALVES_OF_TALK_H
#define SR_TESTS_HALVES_OF_TALK_H

#include "talk.h"

#include "facts/loops.h"

/* Loops are measured. */
static inline struct sr_half *halves_of(struct talk *talk)
{
    struct sr_half *halves = calloc(2, sizeof *halves);
    assert_non_null(halves);
    for (unsigned from = 0; from < 2; from++) {
        halves[from].journal = (struct sr_journal *)(uintptr_t)sr_engine_journal(talk->engine);
        halves[from].association = sr_registry_at(sr_engine_associations(talk->engine), 0);
        halves[from].from = from;
        assert_true(sr_ledger_init(&halves[from].ledger));
    }
    assert_true(sr_measure_loops(halves));
    return halves;
}

static inline void halves_free(struct sr_half *halves)
{
    for (unsigned from = 0; from < 2; from++) {
        sr_ledger_free(&halves[from].ledger);
        free(halves[from].path_loops);
    }
    free(halves);
}

#endif
