/* SPDX-License-Identifier: BSD-2-Clause */
/* How two lists of runs differ: one walk over both. */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

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

void sr_runs_subtract(struct sr_runs *difference, const struct sr_runs *a, const struct sr_runs *b, int64_t from,
                      int64_t end)
{
    difference->count = 0;
    size_t j = 0;
    for (size_t i = 0; i < a->count && a->at[i].first < end; i++) {
        struct sr_run left = a->at[i];
        left.first = left.first < from ? from : left.first;
        left.end = left.end > end ? end : left.end;
        while (j < b->count && b->at[j].end <= left.first)
            j++;
        if (j < b->count && b->at[j].first <= left.first && b->at[j].end >= left.end)
            continue;
        for (size_t k = j; k < b->count && b->at[k].first < left.end && left.first < left.end; k++) {
            if (b->at[k].first > left.first)
                difference->at[difference->count++] = (struct sr_run){left.first, b->at[k].first};
            left.first = b->at[k].end;
            j = k;
        }
        if (left.first < left.end)
            difference->at[difference->count++] = left;
    }
}

bool sr_runs_within(const struct sr_runs *a, const struct sr_runs *b, int64_t from)
{
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        int64_t first = a->at[i].first < from ? from : a->at[i].first, end = a->at[i].end;
        if (first >= end)
            continue;
        while (j < b->count && b->at[j].end <= first)
            j++;
        if (j == b->count || b->at[j].first > first || b->at[j].end < end)
            return false;
    }
    return true;
}

bool sr_runs_equal(const struct sr_runs *a, const struct sr_runs *b)
{
    return a->count == b->count && (a->count == 0 || memcmp(a->at, b->at, a->count * sizeof *a->at) == 0);
}

/* The first run that ends after `seq`. */
static size_t place_of(const struct sr_runs *runs, int64_t seq)
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
    size_t i = place_of(runs, seq);
    return i < runs->count && runs->at[i].first <= seq;
}

void sr_runs_take_out(struct sr_runs *runs, int64_t seq)
{
    size_t i = place_of(runs, seq);
    if (i == runs->count || runs->at[i].first > seq)
        return;
    struct sr_run *run = &runs->at[i];
    struct sr_run after = {seq + 1, run->end};
    run->end = seq;
    if (run->first < run->end && after.first < after.end) {
        memmove(run + 2, run + 1, (runs->count - i - 1) * sizeof *run);
        run[1] = after;
        runs->count++;
    } else if (after.first < after.end) {
        *run = after;
    } else if (run->first == run->end) {
        memmove(run, run + 1, (runs->count - i - 1) * sizeof *run);
        runs->count--;
    }
}
