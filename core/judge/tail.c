/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing a silence with the timers. */
#include "tail.h"

#include "../wire/time.h"

/* Userland timers tick every 10 ms. */
#define TICK_NS INT64_C(12000000)
#define AT_ONCE_NS INT64_C(1000000)
#define EXACT_NS INT64_C(2000000)

void sr_tail_begin(struct sr_tail *tail)
{
    *tail = (struct sr_tail){
        .feedback_ns = SR_NO_TIME,
        .data_ns = SR_NO_TIME,
        .flight_ns = {SR_NO_TIME, SR_NO_TIME},
        .burst_ns = SR_NO_TIME,
    };
}

static bool fits(int64_t now_ns, int64_t since_ns, int64_t timeout_ns, int64_t tolerance_ns)
{
    int64_t elapsed_ns;
    return timeout_ns != SR_NO_TIME && sr_elapsed(now_ns, since_ns, &elapsed_ns) &&
           elapsed_ns >= timeout_ns - tolerance_ns && elapsed_ns <= timeout_ns + tolerance_ns;
}

static int64_t tolerance(const struct sr_tail_timers *timers, int64_t timeout_ns, int64_t share)
{
    int64_t least_ns = TICK_NS + timers->jitter_ns;
    return timeout_ns / share > least_ns ? timeout_ns / share : least_ns;
}

/* T3-rtx runs from the first packet of the flight, or of the burst, or from the last acknowledgement: stacks differ in
 * what restarts it. */
static bool is_timeout(const struct sr_tail *tail, const struct sr_tail_timers *timers, int64_t now_ns)
{
    const int64_t since_ns[] = {tail->feedback_ns, tail->flight_ns[0], tail->flight_ns[1], tail->burst_ns,
                                tail->data_ns};
    int64_t silent_ns;
    if (!sr_elapsed(now_ns, tail->data_ns, &silent_ns))
        return false;
    for (int i = 0; i < SR_TAIL_TIMEOUTS; i++)
        for (int j = 0; j < 5; j++)
            if (silent_ns >= timers->rto_ns[i] / 4 * 3 &&
                fits(now_ns, since_ns[j], timers->rto_ns[i], tolerance(timers, timers->rto_ns[i], 100)))
                return true;
    return false;
}

/* The PTO runs from the last new data, or from the last acknowledgement; the timers of pion are exact. */
static bool is_probe(const struct sr_tail *tail, const struct sr_tail_timers *timers, int64_t now_ns)
{
    int64_t last_ns = tail->feedback_ns > tail->data_ns ? tail->feedback_ns : tail->data_ns;
    for (int i = 0; i < SR_TAIL_TIMEOUTS; i++)
        if (fits(now_ns, last_ns, timers->pto_ns[i], EXACT_NS + timers->jitter_ns))
            return true;
    return false;
}

/* Each acknowledgement lets it send one packet at once, and those account for all up to this one: its window allows no
 * more, and so it probes with new data (RFC 8985 section 7.3). */
static bool has_more_to_send(const struct sr_tail *tail, uint32_t skipped)
{
    return tail->clocked && skipped == tail->answers;
}

enum sr_cause sr_tail_of(const struct sr_tail *tail, const struct sr_tail_timers *timers, int64_t now_ns,
                         uint32_t skipped)
{
    int64_t since_ns;
    if (!sr_elapsed(now_ns, tail->feedback_ns, &since_ns))
        return SR_CAUSE_COUNT;
    if (tail->recovering && tail->outstanding == 0 && since_ns >= -timers->jitter_ns &&
        since_ns <= TICK_NS + timers->jitter_ns)
        return SR_CAUSE_T3_GBN;
    if (tail->flight < 2) /* one packet after the other may be all that there is to send */
        return SR_CAUSE_COUNT;
    if (tail->outstanding == 0 && is_timeout(tail, timers, now_ns))
        return SR_CAUSE_T3;
    if (has_more_to_send(tail, skipped))
        return SR_CAUSE_COUNT;
    return is_probe(tail, timers, now_ns) ? SR_CAUSE_TLP : SR_CAUSE_COUNT;
}

void sr_tail_sent(struct sr_tail *tail, int64_t now_ns, int64_t round_trip_ns, enum sr_cause cause)
{
    int64_t silent_ns, after_data_ns;
    bool silence = !sr_elapsed(now_ns, tail->data_ns, &after_data_ns) || after_data_ns > round_trip_ns;
    silence &= !sr_elapsed(now_ns, tail->feedback_ns, &silent_ns) || silent_ns > round_trip_ns;
    tail->clocked = sr_elapsed(now_ns, tail->feedback_ns, &silent_ns) && silent_ns <= AT_ONCE_NS;
    if (cause == SR_CAUSE_COUNT) {
        tail->recovering = false;
        if (silence) {
            tail->burst_ns = now_ns;
            tail->flight = 0;
        }
    } else {
        tail->flight = 0; /* messages at a regular distance must not be taken for one probe after the other */
        tail->recovering = cause == SR_CAUSE_T3 || cause == SR_CAUSE_T3_GBN;
    }
    if (tail->outstanding == 0 && tail->flight_ns[0] != now_ns) {
        tail->flight_ns[1] = tail->flight_ns[0];
        tail->flight_ns[0] = now_ns;
    }
    tail->data_ns = now_ns;
    tail->answers = 0;
    tail->flight++;
}
