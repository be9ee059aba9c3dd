/* SPDX-License-Identifier: BSD-2-Clause */
/* When data was outstanding and nothing more of it could be delivered, and what it waited for: as recovery/stalls.py.
 * The cumulative TSN is what all deliveries wait for in the end (RFC 9260 section 6.2.1). It stands still from when it
 * was reached, or from when what lies behind it was sent, until the lowest TSN not acknowledged is. */
#ifndef SR_FINDINGS_STALLS_H
#define SR_FINDINGS_STALLS_H

#include "findings.h"

#define SR_NEVER INT64_MAX

/* By the TSN that everything waited for. */
struct sr_stall {
    uint32_t tsn, frame; /* of its first copy */
    uint32_t place;      /* while they are chosen */
    int64_t begin_ns;
    int64_t end_ns;           /* when it was acknowledged; SR_NEVER: not in this capture */
    int64_t resent, timeouts; /* times that it was sent again, of them by a timer */
    int64_t needed;           /* of `resent` */
    int64_t needed_timeouts;  /* of both */
    int64_t window_probes;    /* of `resent` */
    int64_t has_finding;      /* of the needed by a timer those that another finding tells of */
};

/* What may be one: a direction's first copies, of one after the other. */
struct sr_standing_still {
    struct sr_buffer chunks; /* those of a direction */
    struct sr_buffer found;  /* struct sr_stall */
};

/* Adds those of side `from` to `stalls`, the longest, in the order of their beginnings: what stood still for longer
 * than `least_ns`, or until the end. False when memory runs out. */
bool sr_stalls_find(struct sr_standing_still *still, const struct sr_engine *engine,
                    const struct sr_association *association, unsigned from, int64_t least_ns,
                    struct sr_buffer *stalls);
void sr_standing_still_free(struct sr_standing_still *still);

/* A retransmission of one of them; `has_finding` where another finding says what it waited for. */
void sr_stalls_add(struct sr_buffer *stalls, const struct sr_transmission_row *row, uint8_t verdict, bool has_finding);

static inline uint32_t sr_stalls_count(const struct sr_buffer *stalls)
{
    return (uint32_t)(stalls->length / sizeof(struct sr_stall));
}

static inline struct sr_stall *sr_stalls_at(const struct sr_buffer *stalls, uint32_t at)
{
    return (struct sr_stall *)(void *)stalls->bytes + at;
}

#endif
