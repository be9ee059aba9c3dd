/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop from the tap to the receiver and back, of each path where a direction has several. */
#ifndef SR_JUDGE_PATH_LOOPS_H
#define SR_JUDGE_PATH_LOOPS_H

#include "half.h"

enum { SR_LOOPS = 8 /* of a direction, those that its first packets take */ };

struct sr_path_loop {
    uint32_t path;
    int64_t known_ns; /* by what is answered at once; SR_NO_TIME without */
    struct sr_quantiles samples;
    struct sr_receiver_loop loop;
};

struct sr_path_loops {
    uint32_t count;
    struct sr_path_loop at[SR_LOOPS];
    struct sr_receiver_loop unknown; /* of a path that shows none */
};

/* Whether the sides have several addresses. */
bool sr_has_several_paths(const struct sr_association *association);

/* Something of the path's loop is seen; NULL where the direction has but one path, or too many. */
struct sr_path_loop *sr_path_loop_at(struct sr_half *half, uint32_t path);

/* One of several paths. */
const struct sr_receiver_loop *sr_loop_of_path(const struct sr_half *half, uint32_t path);

/* What is known of it: `typical_ns` is SR_NO_TIME where that is nothing. Of the only path it is what was measured. */
static inline const struct sr_receiver_loop *sr_loop_to(const struct sr_half *half, uint32_t path)
{
    return half->path_loops ? sr_loop_of_path(half, path) : &half->measured.receiver;
}

#endif
