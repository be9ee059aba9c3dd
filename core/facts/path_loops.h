/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop from the tap to the receiver and back, of each path where a direction has several. */
#ifndef SR_FACTS_PATH_LOOPS_H
#define SR_FACTS_PATH_LOOPS_H

#include "half.h"

enum { SR_LOOPS = 8 /* of a direction, those that its first packets take */ };

struct sr_path_loop {
    uint32_t path;
    int64_t known_ns; /* by what is answered at once; SR_NO_TIME without */
    struct sr_quantiles samples;
    int64_t typical_ns; /* of sr_receiver_loop; SR_NO_TIME: nobody knows */
};

struct sr_path_loops {
    uint32_t count;
    struct sr_path_loop at[SR_LOOPS];
};

/* Whether the sides have several addresses. */
bool sr_has_several_paths(const struct sr_association *association);

/* Something of the path's loop is seen; NULL where the direction has but one path, or too many. */
struct sr_path_loop *sr_path_loop_at(struct sr_half *half, uint32_t path);

/* One of several paths. */
int64_t sr_typical_of_path(const struct sr_path_loops *loops, uint32_t path);

/* How soon an answer to what takes it passes the tap; SR_NO_TIME where nobody knows. */
static inline int64_t sr_typical_to(const struct sr_half *half, uint32_t path)
{
    return half->path_loops ? sr_typical_of_path(half->path_loops, path) : half->measured.receiver.typical_ns;
}

#endif
