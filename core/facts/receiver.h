/* SPDX-License-Identifier: BSD-2-Clause */
/* When a receiver acknowledges: its rule, replayed over arrivals that are taken for given (evidence S19). */
#ifndef SR_FACTS_RECEIVER_H
#define SR_FACTS_RECEIVER_H

#include "../wire/sack.h"
#include "../wire/tsn.h"

/* RFC 9260 section 6.2: for every second packet, and at once while there are gaps and for what has the I bit. The first
 * two differ in the rest. */
enum sr_ack_rule {
    SR_ACK_RULE_PROMPT, /* also at once when the last gap closes, and for a packet that brings nothing new */
    SR_ACK_RULE_PION,   /* such packets count like any other */
    SR_ACK_RULE_EVERY,  /* every packet at once: RFC 9260 section 6.2 allows it */
    SR_ACK_RULE_COUNT,
};

/* SACK.Delay (RFC 9260 section 16). */
#define SR_ACK_DELAY_NS INT64_C(200000000)

struct sr_arrival {
    int64_t time_ns; /* at the tap */
    uint32_t frame;
    struct sr_tsn tsn;
    bool asks; /* the I bit: for an answer at once */
};

/* What the receiver has before the arrivals: the last acknowledgement seen. */
struct sr_received {
    struct sr_tsn cum;
    const uint32_t *blocks; /* first and last TSN of each */
    uint32_t block_count;
};

enum { SR_ARRIVALS = 64, SR_ANSWERS = 64 };

/* The times at which its answers to the arrivals pass the tap, a loop after each, or after the delay; how many.
 * Arrivals are in order of time, at most SR_ARRIVALS. */
uint32_t sr_receiver_answers(enum sr_ack_rule rule, const struct sr_received *before, const struct sr_arrival *arrivals,
                             uint32_t count, int64_t loop_ns, int64_t delay_ns, int64_t answers_ns[SR_ANSWERS]);

#endif
