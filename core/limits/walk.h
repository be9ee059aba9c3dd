/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the walk along one direction is: what its sender has sent and heard, and up to when all is told. */
#ifndef SR_LIMITS_WALK_H
#define SR_LIMITS_WALK_H

#include "../facts/half.h"
#include "../wire/tsn.h"
#include "ack_clock.h"
#include "burst_limit.h"
#include "intervals.h"
#include "send_buffer.h"
#include "waits.h"
#include "windows.h"

enum { SR_LIMITS_LEAST = 2 }; /* class of what is named, at least */

/* What the sender has when something of the other side arrives: outstanding bytes are those of the journal at the tap,
 * and what has passed the tap since. */
struct sr_arrivals {
    struct sr_journal_pass pass;
    uint64_t sent_bytes; /* for the first time, before this place */
};

/* A loss is being repaired. */
struct sr_repair {
    enum sr_limit limit; /* SR_LIMIT_COUNT: none */
    uint8_t class;
    struct sr_tsn until;
};

struct sr_limits_walk {
    const struct sr_half *half;
    struct sr_journal *journal;
    struct sr_intervals intervals;
    struct sr_arrivals arrivals;
    struct sr_repair repair;
    struct sr_ack_clock clock;
    struct sr_send_buffer buffer;
    struct sr_burst_limit bursts;
    struct sr_windows windows;
    struct sr_wait before;            /* as it was before the feedback that came last, or several at about that time */
    uint64_t last_bytes;              /* outstanding before the last feedback alone */
    uint64_t sent_bytes, sent_chunks; /* for the first time */
    uint64_t outstanding_bytes, largest_bytes, packet_bytes;
    int64_t window_bytes, now_ns;
    int64_t sent_ns, closed_ns;         /* when a wait for the peer's window ended last */
    int64_t fed_ns, heard_ns, acked_ns; /* SR_NO_TIME: not since data was sent; but of `heard_ns`: never */
    int64_t fed_before_ns;              /* the feedback before that; likewise */
    uint32_t acked_frame, fed_frame;
    int64_t loop_ns, near_ns, feedback_ns;
    int64_t burst_ns, burst_most_ns; /* when what leaves together began, and how long it may take */
    struct sr_tsn highest;
    uint32_t frame; /* of the packet that was sent last */
    uint32_t first_path, burst_packets;
    uint32_t covered_frame;
    int64_t covered_ns;       /* of the last acknowledgement, or the last data */
    uint8_t class;            /* that a statement has at this tap */
    enum sr_limit last;       /* that data was sent after */
    bool reduced;             /* the congestion window, since the beginning, as far as that was captured */
    bool silence;             /* the wait in doubt was as long as a timeout, before the tap */
    bool begun, known, tells; /* without `tells` nothing will be known */
};

/* More than hosts take is not jitter. */
#define SR_LIMITS_MOST_JITTER_NS INT64_C(20000000)
/* Of a wait, in which data is there by chance in one of so many. */
#define SR_LIMITS_PART_OF_WAIT 4

int64_t sr_limits_since(int64_t now_ns, int64_t then_ns);

/* Whether the tap is not at the sender. */
bool sr_limits_away(const struct sr_limits_walk *walk);

struct sr_amount sr_limits_outstanding(const struct sr_limits_walk *walk);

/* What the sender has at that place. */
struct sr_wait sr_limits_wait_now(const struct sr_limits_walk *walk);

/* How long it takes over feedback, that came after a wait. */
int64_t sr_limits_reaction(const struct sr_limits_walk *walk, int64_t lasted_ns);

/* The sender waited for that, since what was told last. */
void sr_limits_add(struct sr_limits_walk *walk, int64_t end_ns, uint32_t end_frame, enum sr_limit limit, uint8_t class);

/* How sure it is, at this tap. */
uint8_t sr_limits_class(const struct sr_limits_walk *walk, enum sr_limit limit);

#endif
