/* SPDX-License-Identifier: BSD-2-Clause */
/* The hash table of paths. */
#include "paths.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

void sr_paths_free(struct sr_paths *paths)
{
    sr_buffer_free(&paths->list);
    sr_buffer_free(&paths->slots);
}

static uint32_t hash(const struct sr_path *path)
{
    uint64_t mixed = 0, word;
    for (size_t at = 0; at + sizeof word <= sizeof path->bytes; at += sizeof word) {
        memcpy(&word, path->bytes + at, sizeof word);
        mixed = (mixed ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        mixed ^= mixed >> 32;
    }
    uint16_t rest;
    memcpy(&rest, path->bytes + sizeof path->bytes - sizeof rest, sizeof rest);
    mixed = (mixed ^ rest) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32);
}

static uint32_t count_of(const struct sr_paths *paths)
{
    return (uint32_t)(paths->list.length / sizeof(struct sr_path));
}

/* The slot that holds the path, or the free one where it belongs. */
static uint32_t *slot_of(const struct sr_paths *paths, const struct sr_path *path)
{
    const struct sr_path *list = (const struct sr_path *)paths->list.bytes;
    uint32_t *slots = (uint32_t *)paths->slots.bytes;
    uint32_t last = (uint32_t)(paths->slots.length / sizeof *slots) - 1;

    for (uint32_t at = hash(path) & last;; at = (at + 1) & last)
        if (slots[at] == 0 || memcmp(&list[slots[at] - 1], path, sizeof *path) == 0)
            return &slots[at];
}

/* False when memory runs out. */
static bool grow(struct sr_paths *paths)
{
    size_t bytes = paths->slots.length ? paths->slots.length * 2 : FIRST_SLOTS * sizeof(uint32_t);
    struct sr_buffer slots = {0};
    if (!sr_buffer_extend(&slots, bytes)) {
        paths->slots.failed = true;
        return false;
    }
    memset(slots.bytes, 0, bytes);
    sr_buffer_free(&paths->slots);
    paths->slots = slots;
    const struct sr_path *list = (const struct sr_path *)paths->list.bytes;
    for (uint32_t number = 0; number < count_of(paths); number++)
        *slot_of(paths, &list[number]) = number + 1;
    return true;
}

/* Among those asked for last; 0 without. */
static uint32_t one_of_latest(const struct sr_paths *paths, const struct sr_path *path)
{
    const struct sr_path *list = (const struct sr_path *)paths->list.bytes;
    for (int i = 0; i < 2; i++)
        if (paths->latest[i] != 0 && memcmp(&list[paths->latest[i] - 1], path, sizeof *path) == 0)
            return paths->latest[i];
    return 0;
}

static uint32_t noted(struct sr_paths *paths, uint32_t number)
{
    paths->latest[1] = paths->latest[0];
    paths->latest[0] = number + 1;
    return number;
}

uint32_t sr_paths_number(struct sr_paths *paths, const struct sr_path *path)
{
    uint32_t latest = one_of_latest(paths, path);
    if (latest != 0)
        return latest - 1;
    uint32_t count = count_of(paths);
    if (2 * (size_t)count >= paths->slots.length / sizeof(uint32_t) && !grow(paths))
        return SR_NO_PATH;
    uint32_t *slot = slot_of(paths, path);
    if (*slot)
        return noted(paths, *slot - 1);
    if (count == SR_PATHS_LIMIT)
        return SR_NO_PATH;
    sr_buffer_append(&paths->list, path, sizeof *path);
    if (paths->list.failed)
        return SR_NO_PATH;
    *slot = count + 1;
    return noted(paths, count);
}

/* One of the two ends, at its place in the path. */
static bool same_end(const struct sr_paths *paths, uint32_t one, uint32_t other, size_t at)
{
    const struct sr_path *list = (const struct sr_path *)paths->list.bytes;
    return one == other || (one < count_of(paths) && other < count_of(paths) &&
                            memcmp(list[one].bytes + at, list[other].bytes + at, sizeof *list / 2) == 0);
}

bool sr_paths_same_source(const struct sr_paths *paths, uint32_t one, uint32_t other)
{
    return same_end(paths, one, other, 0);
}

bool sr_paths_same_destination(const struct sr_paths *paths, uint32_t one, uint32_t other)
{
    return same_end(paths, one, other, sizeof(struct sr_path) / 2);
}
