/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets that are owed after a timeout, and a silence compared with the timers. */
#include "tail.h"

#include "../wire/time.h"

/* Userland timers tick every 10 ms. */
#define TICK_NS INT64_C(12000000)
#define EXACT_NS INT64_C(2000000)

void sr_tail_begin(struct sr_tail *tail)
{
    *tail = (struct sr_tail){
        .feedback_ns = SR_NO_TIME,
        .data_ns = SR_NO_TIME,
        .flight_ns = {SR_NO_TIME, SR_NO_TIME},
        .burst_ns = SR_NO_TIME,
        .cause = SR_CAUSE_COUNT,
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

static int64_t longest_rto(const struct sr_tail_timers *timers)
{
    int64_t longest_ns = 0;
    for (int i = 0; i < SR_TAIL_TIMEOUTS; i++)
        if (timers->rto_ns[i] != SR_NO_TIME && timers->rto_ns[i] > longest_ns)
            longest_ns = timers->rto_ns[i];
    return longest_ns;
}

/* The PTO runs from the last new data, or from the last acknowledgement. */
static int64_t probe_since(const struct sr_tail *tail)
{
    return tail->feedback_ns > tail->data_ns ? tail->feedback_ns : tail->data_ns;
}

/* The timers of pion are exact. */
static bool is_probe(const struct sr_tail *tail, const struct sr_tail_timers *timers, int64_t now_ns)
{
    for (int i = 0; i < SR_TAIL_TIMEOUTS; i++)
        if (fits(now_ns, probe_since(tail), timers->pto_ns[i], EXACT_NS + timers->jitter_ns))
            return true;
    return false;
}

/* Since the last data; INT64_MAX where there was none. */
static int64_t silence_of(const struct sr_tail *tail, int64_t now_ns)
{
    int64_t silent_ns;
    return sr_elapsed(now_ns, tail->data_ns, &silent_ns) ? silent_ns : INT64_MAX;
}

static void found(struct sr_tail *tail, enum sr_cause cause, uint8_t class)
{
    tail->cause = (uint8_t)cause;
    tail->cause_class = class;
}

/* Later than the earliest probe, and sooner than a timeout: what packets wait before the tap makes the sender's round
 * trips longer than those that are seen there, and its PTO twice as much. */
static bool may_be_probe(const struct sr_tail *tail, const struct sr_tail_timers *timers, int64_t now_ns)
{
    int64_t silent_ns;
    return timers->probes && timers->pto_ns[0] != SR_NO_TIME && sr_elapsed(now_ns, probe_since(tail), &silent_ns) &&
           silent_ns > timers->pto_ns[0] && silent_ns < longest_rto(timers) / 4 * 3;
}

/* A timer has sent it. While something is outstanding that was seen, a timeout would send that first, and a probe would
 * not (RFC 8985 section 7.3). */
static void by_timer(struct sr_tail *tail, const struct sr_tail_timers *timers, const struct sr_tail_chunk *chunk)
{
    bool timeout = tail->outstanding == 0;
    if (timeout && is_timeout(tail, timers, chunk->time_ns))
        found(tail, SR_CAUSE_T3, 3);
    else if (is_probe(tail, timers, chunk->time_ns))
        found(tail, SR_CAUSE_TLP, 3);
    else if (may_be_probe(tail, timers, chunk->time_ns))
        found(tail, SR_CAUSE_TLP, 2);
    else if (timeout)
        found(tail, SR_CAUSE_T3, 2);
    if (tail->cause == SR_CAUSE_COUNT)
        return;
    /* After longer than any timer runs once, what is missing was partly sent again by the timers before. */
    bool again = silence_of(tail, chunk->time_ns) > longest_rto(timers) / 2 * 3;
    tail->owed = again ? 0 : chunk->missing - chunk->skipped - 1;
}

/* What else was lost then follows in order as the window opens (RFC 9260 section 6.3.3, E3), or is lost again. */
static void after_it(struct sr_tail *tail, const struct sr_tail_chunk *chunk)
{
    tail->owed -= chunk->missing < tail->owed ? chunk->missing : tail->owed;
    if (tail->owed == 0)
        return;
    tail->owed--;
    found(tail, SR_CAUSE_T3_GBN, 3);
}

void sr_tail_look(struct sr_tail *tail, const struct sr_tail_timers *timers, const struct sr_tail_chunk *chunk)
{
    if (tail->frame == chunk->frame) /* chunks of a packet are sent again together */
        return;
    tail->frame = chunk->frame;
    found(tail, SR_CAUSE_COUNT, 0);
    if (!chunk->silent) {
        after_it(tail, chunk);
        return;
    }
    tail->owed = 0;
    if (chunk->missing > chunk->skipped && chunk->alone && tail->open == 0)
        by_timer(tail, timers, chunk);
}

void sr_tail_sent(struct sr_tail *tail, int64_t now_ns, int64_t round_trip_ns)
{
    int64_t after_feedback_ns;
    tail->silent_ns = silence_of(tail, now_ns);
    bool silence = tail->silent_ns > round_trip_ns;
    silence &= !sr_elapsed(now_ns, tail->feedback_ns, &after_feedback_ns) || after_feedback_ns > round_trip_ns;
    if (silence && tail->cause == SR_CAUSE_COUNT)
        tail->burst_ns = now_ns;
    if (tail->outstanding == 0 && tail->flight_ns[0] != now_ns) {
        tail->flight_ns[1] = tail->flight_ns[0];
        tail->flight_ns[0] = now_ns;
    }
    tail->data_ns = now_ns;
}

void sr_tail_timeout(struct sr_tail *tail, const struct sr_tail_timers *timers, uint32_t missing)
{
    /* By now they are backed off: to twice what ran where they expired once, to four times what ran for three where
     * they did so twice (RFC 9260 section 6.3.3, E2). */
    bool again = tail->silent_ns > longest_rto(timers) / 8 * 5;
    tail->owed = again || tail->open > 0 ? 0 : missing;
}
