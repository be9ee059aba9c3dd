/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs of sequence numbers in ascending order that do not touch: what feedback says was received. */
#ifndef SR_MODEL_RUNS_H
#define SR_MODEL_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sr_run {
    int64_t first, end; /* the last one is before `end` */
};

struct sr_runs {
    struct sr_run *at;
    size_t count, room;
};

void sr_runs_free(struct sr_runs *runs);

/* Room for more; false without memory. All below need it beforehand. */
bool sr_runs_reserve(struct sr_runs *runs, size_t more);

/* Appends a run at or after the start of the last one, and joins them where they touch. */
static inline void sr_runs_append(struct sr_runs *runs, struct sr_run run)
{
    struct sr_run *last = runs->count ? &runs->at[runs->count - 1] : NULL;
    if (last && run.first <= last->end)
        last->end = run.end > last->end ? run.end : last->end;
    else
        runs->at[runs->count++] = run;
}

/* Brings runs that were put in in any order into theirs. */
void sr_runs_sort(struct sr_runs *runs);

static inline void sr_runs_copy(struct sr_runs *to, const struct sr_runs *from)
{
    to->count = from->count;
    for (size_t i = 0; i < from->count; i++)
        to->at[i] = from->at[i];
}

/* What is in `a` or in `b`. */
void sr_runs_unite(struct sr_runs *both, const struct sr_runs *a, const struct sr_runs *b);
/* The first run that ends after `seq`; their number where there is none. */
size_t sr_runs_place(const struct sr_runs *runs, int64_t seq);
bool sr_runs_have(const struct sr_runs *runs, int64_t seq);

#endif
