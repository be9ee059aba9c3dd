/* SPDX-License-Identifier: BSD-2-Clause */
/* The packet that completes the number is answered at once; one that stays alone waits for the delay. */
#include "ack_habit.h"

#include "receiver.h"

#define TICK_NS INT64_C(10000000) /* timers of some stacks tick so often */
#define LONGEST_NS                                                                                                     \
    INT64_C(550000000) /* RFC 9260 section 6.2: it MUST NOT wait for more than 500 ms; and what hosts take */

enum { ENOUGH = 4 };

void sr_ack_habit_add(struct sr_ack_habit *habit, const struct sr_answer_seen *answer)
{
    habit->answers++;
    int64_t least_ns = answer->jitter_ns > TICK_NS ? answer->jitter_ns : TICK_NS;
    if (answer->waited_ns <= least_ns) {
        if (answer->packets < SR_MOST_PACKETS)
            habit->at_once[answer->packets]++;
        return;
    }
    if (answer->packets != 1 || answer->waited_ns > LONGEST_NS || habit->wait_count == SR_WAITS)
        return;
    habit->waits[habit->wait_count++] = (struct sr_range){
        .lo = answer->waited_ns - least_ns,
        .hi = answer->waited_ns + least_ns,
    };
}

struct sr_estimate sr_ack_habit_delay(const struct sr_ack_habit *habit)
{
    return sr_estimate_of(habit->waits, habit->wait_count, SR_ACK_DELAY_NS);
}

/* Where packets wait alone, one is not enough. */
struct sr_estimate sr_ack_habit_frequency(const struct sr_ack_habit *habit)
{
    uint32_t votes[SR_MOST_PACKETS];
    for (uint32_t packets = 0; packets < SR_MOST_PACKETS; packets++)
        votes[packets] = habit->at_once[packets];
    if (habit->wait_count > votes[1])
        votes[1] = 0;
    return sr_estimate_of_votes(votes, SR_MOST_PACKETS, ENOUGH);
}
