/* SPDX-License-Identifier: BSD-2-Clause */
/* Each path has a loop of its own: what is answered over one says nothing of when it would be over another. */
#include "path_loops.h"

#include "../wire/time.h"

/* Fewer answers do not show what is typical. */
enum { ENOUGH = 3 };

bool sr_has_several_paths(const struct sr_association *association)
{
    return association->side[0].addresses > 1 || association->side[1].addresses > 1;
}

static struct sr_path_loop *find(struct sr_path_loops *loops, uint32_t path)
{
    for (uint32_t i = 0; i < loops->count; i++)
        if (loops->at[i].path == path)
            return &loops->at[i];
    return NULL;
}

struct sr_path_loop *sr_path_loop_at(struct sr_half *half, uint32_t path)
{
    struct sr_path_loops *loops = half->path_loops;
    if (!loops)
        return NULL;
    struct sr_path_loop *loop = find(loops, path);
    if (loop || loops->count == SR_LOOPS)
        return loop;
    loop = &loops->at[loops->count++];
    loop->path = path;
    loop->known_ns = SR_NO_TIME;
    return loop;
}

const struct sr_receiver_loop *sr_loop_of_path(const struct sr_half *half, uint32_t path)
{
    const struct sr_path_loop *loop = find(half->path_loops, path);
    bool known = loop && (loop->known_ns != SR_NO_TIME || loop->samples.count >= ENOUGH);
    return known ? &loop->loop : &half->path_loops->unknown;
}
