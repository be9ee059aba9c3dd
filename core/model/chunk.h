/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of a TSN that was sent, for all senders alike. What only one sender holds of it is beside: whether it
 * is marked lost (`lost`), and its missing reports. */
#ifndef SR_MODEL_CHUNK_H
#define SR_MODEL_CHUNK_H

#include <stdbool.h>
#include <stdint.h>

#include "tsn_line.h"

/* When a packet left: the order of everything sent. Chunks of one packet are simultaneous.
 * ADAPTATION: RFC 8985 breaks ties of time by sequence number (RACK_sent_after). In SCTP a retransmitted TSN is lower
 * than what was sent before it, while the order of frames is the order of sending, so the frame breaks ties. */
struct sr_send_time {
    int64_t time_ns; /* RFC 8985 section 4: granularity far below a quarter of any minimum RTT */
    uint32_t frame;
};

static inline bool sr_sent_before(struct sr_send_time a, struct sr_send_time b)
{
    return a.time_ns < b.time_ns || (a.time_ns == b.time_ns && a.frame < b.frame);
}

/* The phases of a TSN's life. A round-trip time can only be asked of a first flight: a chunk that was acknowledged, or
 * sent twice, is never in that state again, so Karn's rule cannot be broken. */
enum sr_chunk_state {
    SR_CHUNK_STATE_NONE,
    SR_CHUNK_STATE_FIRST_FLIGHT,  /* sent once, not acknowledged */
    SR_CHUNK_STATE_REPEAT_FLIGHT, /* sent more than once, or acknowledged once and then reneged upon */
    SR_CHUNK_STATE_GAP_ACKED,     /* received out of order; the receiver may still renege */
    SR_CHUNK_STATE_NR_ACKED,      /* received out of order and not renegable: the sender has freed it */
    SR_CHUNK_STATE_CUM_ACKED,     /* below the cumulative ack point: gone, kept for a while as history */
    SR_CHUNK_STATE_ABANDONED,     /* given up by FORWARD-TSN, and not yet below the cumulative ack point */
};

/* Slot of the ring: 56 bytes. */
struct sr_chunk {
    int64_t seq;     /* whose slot it is */
    int64_t time_ns; /* of its last transmission; not of a redundant one */
    int64_t order;   /* of that transmission among all, as long as it may be outstanding (again): send_order.h */
    uint32_t frame;  /* of that transmission */
    uint32_t packet; /* number of its packet in the scoreboard's books */
    uint32_t bytes;  /* user data */
    uint32_t copies; /* transmissions, redundant ones too */
    uint32_t copy;   /* number of the last one that was not redundant */
    uint8_t state;   /* enum sr_chunk_state */
    uint8_t path;    /* of the last transmission that was not redundant */
    uint8_t lost;    /* a bit for each sender that has marked it, and not seen it sent again */
    uint8_t fast;    /* a bit for each sender that fast-retransmitted it */
    uint8_t again;   /* of those, a bit for each to whom data was acknowledged since that was new after that */
    bool ack_now;
    bool moved; /* the last transmission went over another path than the one before */
};

static inline struct sr_send_time sr_sent_at(const struct sr_chunk *chunk)
{
    return (struct sr_send_time){chunk->time_ns, chunk->frame};
}

/* Whether an acknowledgement is still waited for: in flight or marked lost. */
static inline bool sr_outstanding(const struct sr_chunk *chunk)
{
    return chunk->state == SR_CHUNK_STATE_FIRST_FLIGHT || chunk->state == SR_CHUNK_STATE_REPEAT_FLIGHT;
}

static inline bool sr_acked_out_of_order(const struct sr_chunk *chunk)
{
    return chunk->state == SR_CHUNK_STATE_GAP_ACKED || chunk->state == SR_CHUNK_STATE_NR_ACKED;
}

#endif
