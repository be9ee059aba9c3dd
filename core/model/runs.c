/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs in order, and what is in one of two lists: one walk over both. */
#include "runs.h"

#include <stdlib.h>

void sr_runs_free(struct sr_runs *runs)
{
    free(runs->at);
    *runs = (struct sr_runs){0};
}

bool sr_runs_reserve(struct sr_runs *runs, size_t more)
{
    if (runs->room - runs->count >= more)
        return true;
    size_t room = runs->room ? runs->room * 2 : 16;
    while (room < runs->count + more)
        room *= 2;
    struct sr_run *at = realloc(runs->at, room * sizeof *at);
    if (!at)
        return false;
    runs->at = at;
    runs->room = room;
    return true;
}

static int by_first(const void *a, const void *b)
{
    const struct sr_run *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

void sr_runs_sort(struct sr_runs *runs)
{
    size_t count = runs->count;
    qsort(runs->at, count, sizeof *runs->at, by_first);
    runs->count = 0;
    for (size_t i = 0; i < count; i++)
        sr_runs_append(runs, runs->at[i]);
}

void sr_runs_unite(struct sr_runs *both, const struct sr_runs *a, const struct sr_runs *b)
{
    both->count = 0;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        bool from_a = j == b->count || (i < a->count && a->at[i].first <= b->at[j].first);
        sr_runs_append(both, from_a ? a->at[i++] : b->at[j++]);
    }
}

size_t sr_runs_place(const struct sr_runs *runs, int64_t seq)
{
    size_t low = 0, high = runs->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (runs->at[middle].end <= seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool sr_runs_have(const struct sr_runs *runs, int64_t seq)
{
    size_t i = sr_runs_place(runs, seq);
    return i < runs->count && runs->at[i].first <= seq;
}
