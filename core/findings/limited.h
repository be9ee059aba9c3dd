/* SPDX-License-Identifier: BSD-2-Clause */
/* Directions that one limit held back for most of a notable transfer, out of the rows of `limits`: as
 * recovery/limited.py. */
#ifndef SR_FINDINGS_LIMITED_H
#define SR_FINDINGS_LIMITED_H

#include "findings.h"

struct sr_limited_direction {
    uint32_t assoc;
    uint8_t from;
    uint8_t limit;              /* enum sr_limit */
    int64_t time_ns, whole_ns;  /* from its first data to the last acknowledgement */
    uint64_t outstanding_bytes; /* the most meanwhile */
    int64_t a_rwnd;             /* the largest; SR_NO_TIME: none was told */
    int64_t round_trip_ns;      /* of its first path, wherever the tap is; 0 or SR_NO_TIME: not known */
    struct sr_look look;        /* what the longest of its intervals begin with */
};

/* Appends those in scope, by association and side. */
void sr_limited_find(struct sr_buffer *limited, const struct sr_findings_asked *asked);

/* What is said of one. */
void sr_limited_tell(struct sr_findings *findings, const struct sr_limited_direction *one);

#endif
