/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture times: int64 nanoseconds since the Unix epoch, and what lies between two of them. */
#ifndef SR_WIRE_TIME_H
#define SR_WIRE_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Of a packet for which the capture has no time. */
#define SR_NO_TIME INT64_MIN

/* No clock that works is outside of 1896 to 2116; within it the time between two packets, and any timeout more,
 * fits int64. */
#define SR_EARLIEST_NS (-(INT64_C(1) << 61))
#define SR_LATEST_NS (INT64_C(1) << 62)

/* A time beyond the range at its end, SR_NO_TIME as it is. */
static inline int64_t sr_time_within(int64_t time_ns)
{
    if (time_ns == SR_NO_TIME)
        return SR_NO_TIME;
    return time_ns < SR_EARLIEST_NS ? SR_EARLIEST_NS : time_ns > SR_LATEST_NS ? SR_LATEST_NS : time_ns;
}

/* What is a while after it; of no time no time. */
static inline int64_t sr_time_after(int64_t time_ns, int64_t while_ns)
{
    return time_ns == SR_NO_TIME ? SR_NO_TIME : time_ns + while_ns;
}

/* Nanoseconds from `then` to `now`, at the ends of the range where they leave it, so that the sign can be turned;
 * false where one has no time. */
static inline bool sr_elapsed(int64_t now_ns, int64_t then_ns, int64_t *elapsed_ns)
{
    if (now_ns == SR_NO_TIME || then_ns == SR_NO_TIME)
        return false;
    if (__builtin_sub_overflow(now_ns, then_ns, elapsed_ns))
        *elapsed_ns = now_ns > then_ns ? INT64_MAX : -INT64_MAX;
    return true;
}

/* As sr_elapsed; 0 where one has no time. */
static inline int64_t sr_between(int64_t now_ns, int64_t then_ns)
{
    int64_t elapsed_ns;
    return sr_elapsed(now_ns, then_ns, &elapsed_ns) ? elapsed_ns : 0;
}

/* As sr_elapsed, and false for what no round trip takes: no packet lives longer than two minutes (RFC 9293 section
 * 3.4.1), but a clock may jump. */
static inline bool sr_round_trip_between(int64_t now_ns, int64_t then_ns, int64_t *rtt_ns)
{
    const int64_t longest_ns = INT64_C(240000000000);
    return sr_elapsed(now_ns, then_ns, rtt_ns) && *rtt_ns >= 0 && *rtt_ns <= longest_ns;
}

#endif
