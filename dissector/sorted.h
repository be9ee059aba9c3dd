/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a number stands in rows that are in the order of it. */
#ifndef SR_DISSECTOR_SORTED_H
#define SR_DISSECTOR_SORTED_H

#include <stdint.h>

/* Side by side. */
struct sr_span {
    uint64_t first, count;
};

typedef uint64_t sr_key_of(const void *rows, uint64_t at);

/* The rows with this key. `last` is where the search was last: mostly it goes on there. */
struct sr_span sr_sorted_span(sr_key_of *key_of, const void *rows, uint64_t count, uint64_t key, uint64_t *last);

/* Where they begin, or would; `last` as above. */
uint64_t sr_sorted_first(sr_key_of *key_of, const void *rows, uint64_t count, uint64_t key, const uint64_t *last);

#endif
