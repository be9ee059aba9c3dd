/* SPDX-License-Identifier: BSD-2-Clause */
/* Every path of a capture once, so that a row names it by number. */
#ifndef SR_ENGINE_PATHS_H
#define SR_ENGINE_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "../buffer.h"

/* Source then destination, each the 16 bytes of an address and its family; family 0 where no IP lies below. */
struct sr_path {
    uint8_t bytes[34];
};

/* Beyond them a path has no number: that is 9 MiB, and addresses that many are made up. */
#define SR_PATHS_LIMIT 262144
#define SR_NO_PATH UINT32_MAX

struct sr_paths {
    struct sr_buffer list;  /* struct sr_path, by number */
    struct sr_buffer slots; /* uint32_t: hash table of numbers from 1, 0 where free; half of it stays free */
    uint32_t latest[2];     /* numbers from 1 of those asked for last: most packets go there and back; 0: none */
};

void sr_paths_free(struct sr_paths *paths);

/* Whether the two, by number, have the same source, or the same destination. */
bool sr_paths_same_source(const struct sr_paths *paths, uint32_t one, uint32_t other);
bool sr_paths_same_destination(const struct sr_paths *paths, uint32_t one, uint32_t other);

/* Its number, SR_NO_PATH beyond the limit or when memory runs out (then a buffer has failed). */
uint32_t sr_paths_number(struct sr_paths *paths, const struct sr_path *path);

#endif
