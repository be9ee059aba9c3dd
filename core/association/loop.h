/* SPDX-License-Identifier: BSD-2-Clause */
/* How long it takes from the tap to a side and back: measured on what a side answers at once. */
#ifndef SR_ASSOCIATION_LOOP_H
#define SR_ASSOCIATION_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct sr_loop {
    int64_t asked_ns;    /* when that which the side has to answer passed the tap */
    int64_t shortest_ns; /* from that to its answer */
    uint8_t asked;       /* how often since the last answer: 2 for more */
    bool known;
};

/* From INIT ACK to COOKIE ECHO. What comes after RTO.Initial may be the second one, sent when T1-cookie expired, whose
 * first was lost before the tap (RFC 9260 section 5.1.3 and 16: a second; RFC 4960: three, as is a second and then
 * two). What is left is the loop then, and less than it on a path that takes as long. */
int64_t sr_loop_without_t1(int64_t elapsed_ns);

/* A chunk of this type passes the tap, sent by side `from` of the two. */
void sr_loop_chunk(struct sr_loop *const loops[2], unsigned from, uint8_t type, int64_t time_ns);

#endif
