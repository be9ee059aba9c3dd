/* SPDX-License-Identifier: BSD-2-Clause */
/* After how many packets a receiver acknowledges, and for how long it waits for them: SACK frequency and SACK.Delay
 * (RFC 9260 sections 6.2 and 16), as its own answers show them. */
#ifndef SR_FACTS_ACK_HABIT_H
#define SR_FACTS_ACK_HABIT_H

#include <stdbool.h>

#include "estimate.h"

enum {
    SR_MOST_PACKETS = 9, /* a SACK for so many packets, or more, says nothing */
    SR_WAITS = 64,       /* of a direction, that are looked at: the first */
};

/* A SACK with no gap before it and none in it, alone in its packet, of packets that were sent once. */
struct sr_answer_seen {
    uint32_t packets;  /* that it is the first to acknowledge */
    int64_t waited_ns; /* since the last of them, beyond the loop to the receiver */
    int64_t jitter_ns;
};

struct sr_ack_habit {
    uint32_t at_once[SR_MOST_PACKETS]; /* answers to so many packets that did not wait */
    struct sr_range waits[SR_WAITS];   /* of a packet alone */
    uint32_t wait_count;
    uint32_t answers; /* so far */
};

/* More would tell no more. */
static inline bool sr_ack_habit_is_known(const struct sr_ack_habit *habit)
{
    const uint32_t enough = 256;
    return habit->answers >= enough;
}

void sr_ack_habit_add(struct sr_ack_habit *habit, const struct sr_answer_seen *answer);

struct sr_estimate sr_ack_habit_delay(const struct sr_ack_habit *habit);

/* Packets to a SACK. */
struct sr_estimate sr_ack_habit_frequency(const struct sr_ack_habit *habit);

#endif
