/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture times: int64 nanoseconds since the Unix epoch, and what lies between two of them. */
#ifndef SR_WIRE_TIME_H
#define SR_WIRE_TIME_H

#include <stdbool.h>
#include <stdint.h>

/* Of a packet for which the capture has no time. */
#define SR_NO_TIME INT64_MIN

/* Nanoseconds from `then` to `now`, at the ends of the range where they leave it; false where one has no time. */
static inline bool sr_elapsed(int64_t now_ns, int64_t then_ns, int64_t *elapsed_ns)
{
    if (now_ns == SR_NO_TIME || then_ns == SR_NO_TIME)
        return false;
    if (__builtin_sub_overflow(now_ns, then_ns, elapsed_ns))
        *elapsed_ns = now_ns > then_ns ? INT64_MAX : INT64_MIN;
    return true;
}

#endif
