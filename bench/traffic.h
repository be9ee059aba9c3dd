/* SPDX-License-Identifier: BSD-2-Clause */
/* A bulk transfer over a lossy link, as a capture at the sender sees it. Deterministic in its options. */
#ifndef BENCH_TRAFFIC_H
#define BENCH_TRAFFIC_H

#include "frames.h"

struct traffic_options {
    uint64_t packets; /* to write: the four of the handshake, then DATA and SACK */
    uint32_t payload; /* bytes of user data in each DATA chunk */
    uint32_t window;  /* packets in flight */
    uint64_t seed;
};

/* False when memory runs out or a frame cannot be written. */
bool traffic_run(const struct traffic_options *options, struct frames *frames);

#endif
