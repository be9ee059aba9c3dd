/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks where the last search ended, then in halves. */
#include "sorted.h"

#include <stdbool.h>

/* The first row whose key is not below `key`. */
static uint64_t lower_bound(sr_key_of *key_of, const void *rows, uint64_t count, uint64_t key)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (key_of(rows, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t sr_sorted_first(sr_key_of *key_of, const void *rows, uint64_t count, uint64_t key, const uint64_t *last)
{
    uint64_t first = *last <= count ? *last : count;
    bool fits = (first == 0 || key_of(rows, first - 1) < key) && (first == count || key_of(rows, first) >= key);
    return fits ? first : lower_bound(key_of, rows, count, key);
}

struct sr_span sr_sorted_span(sr_key_of *key_of, const void *rows, uint64_t count, uint64_t key, uint64_t *last)
{
    uint64_t first = sr_sorted_first(key_of, rows, count, key, last);
    uint64_t end = first;
    while (end < count && key_of(rows, end) == key)
        end++;
    *last = end;
    return (struct sr_span){first, end - first};
}
