/* SPDX-License-Identifier: BSD-2-Clause */
/* What is queued leaves as far as feedback lets it, at once (RFC 9260 section 6.1 B): there are no more bursts than
 * feedback. A slow link before the tap spreads a burst, but no further than its packets take there, which packets that
 * passed close together show (packet pairs: Keshav 1991, section 4). */
#include "ack_clock.h"

enum {
    /* Two bursts for each feedback, as where a receiver acknowledges every second packet of an application's (RFC 9260
     * section 6.2), add up; one for each does not, nor do four for three. */
    BURST = 2,
    FEEDBACK = 3,
    OWED_MOST = 8, /* four bursts of the other kind show that it has changed */
    FREE = 4,
    PER_BYTES = 1024,
    FASTER = 2,
};

void sr_ack_clock_feedback(struct sr_ack_clock *clock)
{
    clock->owed -= clock->owed < FEEDBACK ? clock->owed : FEEDBACK;
}

void sr_ack_clock_burst(struct sr_ack_clock *clock)
{
    clock->owed = clock->owed + BURST < OWED_MOST ? clock->owed + BURST : OWED_MOST;
}

static int64_t pace_of(int64_t apart_ns, uint64_t bytes)
{
    return bytes > 0 && apart_ns < INT64_MAX / PER_BYTES ? apart_ns * PER_BYTES / (int64_t)bytes : INT64_MAX;
}

void sr_ack_clock_packet(struct sr_ack_clock *clock, int64_t apart_ns, uint64_t bytes)
{
    int64_t pace_ns = pace_of(apart_ns, bytes);
    if (clock->paces == SR_CLOCK_FASTEST && pace_ns >= clock->pace_ns[SR_CLOCK_FASTEST - 1])
        return;
    clock->paces += clock->paces < SR_CLOCK_FASTEST;
    uint32_t at = clock->paces - 1;
    for (; at > 0 && clock->pace_ns[at - 1] > pace_ns; at--)
        clock->pace_ns[at] = clock->pace_ns[at - 1];
    clock->pace_ns[at] = pace_ns;
}

/* The second longest: one may be chance. */
static int64_t second_longest(const struct sr_ack_clock *clock)
{
    int64_t longest_ns = 0, second_ns = 0;
    for (uint32_t at = 0; at < SR_CLOCK_LAGS && at < clock->lags; at++) {
        if (clock->lag_ns[at] > longest_ns) {
            second_ns = longest_ns;
            longest_ns = clock->lag_ns[at];
        } else if (clock->lag_ns[at] > second_ns) {
            second_ns = clock->lag_ns[at];
        }
    }
    return second_ns;
}

void sr_ack_clock_lag(struct sr_ack_clock *clock, int64_t lag_ns)
{
    clock->lag_ns[clock->lags++ % SR_CLOCK_LAGS] = lag_ns;
    if (clock->lags >= SR_CLOCK_LAGS / 2)
        clock->reaction_ns = second_longest(clock);
}

bool sr_ack_clock_runs_free(const struct sr_ack_clock *clock, int64_t apart_ns, uint64_t bytes)
{
    bool spread =
        clock->paces < SR_CLOCK_FASTEST || pace_of(apart_ns, bytes) / FASTER < clock->pace_ns[SR_CLOCK_FASTEST - 1];
    return clock->owed >= FREE && !spread;
}
