/* SPDX-License-Identifier: BSD-2-Clause */
/* Each path has a loop of its own: what is answered over one says nothing of when it would be over another. */
#include "path_loops.h"

#include "../wire/time.h"

bool sr_has_several_paths(const struct sr_association *association)
{
    return association->side[0].addresses > 1 || association->side[1].addresses > 1;
}

/* Its place, or `count`. */
static uint32_t find(const struct sr_path_loops *loops, uint32_t path)
{
    uint32_t at = 0;
    while (at < loops->count && loops->at[at].path != path)
        at++;
    return at;
}

struct sr_path_loop *sr_path_loop_at(struct sr_half *half, uint32_t path)
{
    struct sr_path_loops *loops = half->path_loops;
    if (!loops)
        return NULL;
    uint32_t at = find(loops, path);
    if (at == SR_LOOPS)
        return NULL;
    if (at == loops->count)
        loops->at[loops->count++] = (struct sr_path_loop){.path = path, .known_ns = SR_NO_TIME};
    return &loops->at[at];
}

int64_t sr_typical_of_path(const struct sr_path_loops *loops, uint32_t path)
{
    uint32_t at = find(loops, path);
    return at < loops->count ? loops->at[at].typical_ns : SR_NO_TIME;
}
