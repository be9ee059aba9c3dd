/* SPDX-License-Identifier: BSD-2-Clause */
/* The value under which most timeouts come when T3-rtx expires: max(RTO.Min, SRTT + 4 RTTVAR), doubled with each that
 * goes before (RFC 9260 section 6.3.1 C6 and section 6.3.3 E2). */
#include "timeouts.h"

/* What a busy host takes, and what two clocks that tick are apart. */
#define LATE_NS INT64_C(12000000)
/* A timer of the Linux kernel is late by up to an eighth: each level of its wheel is eight times as coarse as the one
 * below, and has timeouts from eight of its steps on (kernel/time/timer.c). */
#define LATE_SHARE 8
#define EARLY_NS INT64_C(1000000)

enum { MOST_DOUBLINGS = 16 };

void sr_timeouts_add(struct sr_timeouts *timeouts, struct sr_timeout timeout, uint32_t row, uint32_t prev_row,
                     int64_t time_ns)
{
    int64_t since_ns;
    bool again = timeouts->row != 0 && timeouts->row == prev_row;
    if (timeouts->row != 0 && sr_elapsed(time_ns, timeouts->time_ns, &since_ns))
        for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
            /* It was started anew at the timeout before (RFC 9260 section 6.3.3 E3), whatever the sender is. */
            int64_t *after_ns = &timeout.after_ns[sender];
            if (again || (*after_ns != SR_NO_TIME && *after_ns > since_ns))
                *after_ns = since_ns;
        }
    timeout.doublings = (uint8_t)(again && timeouts->doublings < MOST_DOUBLINGS ? timeouts->doublings + 1 : 0);
    timeout.unmeasured = timeouts->row != 0 ? timeouts->unmeasured : 0;
    timeouts->row = row + 1;
    timeouts->time_ns = time_ns;
    timeouts->doublings = timeout.doublings;
    timeouts->unmeasured = (uint8_t)(timeout.unmeasured + (timeout.unmeasured < MOST_DOUBLINGS));
    if (timeouts->count < SR_TIMEOUTS)
        timeouts->at[timeouts->count++] = timeout;
}

/* What RTO.Min would be if nothing else made this timeout as long as it was. */
static int64_t most_of(const struct sr_timeout *timeout, unsigned sender, const struct sr_parameters *parameters)
{
    int64_t after_ns = timeout->after_ns[sender];
    uint8_t doublings = parameters->rto.backoff_ends_at_cum_advance ? timeout->doublings : timeout->unmeasured;
    return after_ns == SR_NO_TIME ? SR_NO_TIME : after_ns >> doublings;
}

/* usrsctp marks what is older than SRTT + 4 RTTVAR: where nothing is, its timer expires unseen and is started anew. A
 * tick must be a small part of it, or all times would fit. */
static int64_t since_unseen(const struct sr_parameters *parameters, int64_t once_ns, int64_t rto_ns)
{
    const int64_t ticks = 4;
    bool unseen = parameters->t3.marks == SR_T3_MARKS_OLDER_THAN_UNCLAMPED_RTO;
    int64_t early_ns = parameters->t3.tick_ns + EARLY_NS;
    if (!unseen || rto_ns < ticks * parameters->t3.tick_ns || once_ns < rto_ns)
        return once_ns;
    return rto_ns - early_ns + (once_ns - rto_ns + early_ns) % rto_ns;
}

static bool comes_after(const struct sr_parameters *parameters, int64_t once_ns, int64_t rto_ns, int64_t jitter_ns)
{
    int64_t late_ns = rto_ns / LATE_SHARE > LATE_NS ? rto_ns / LATE_SHARE : LATE_NS;
    int64_t since_ns = since_unseen(parameters, once_ns, rto_ns);
    return since_ns >= rto_ns - parameters->t3.tick_ns - EARLY_NS - jitter_ns &&
           since_ns <= rto_ns + late_ns + jitter_ns;
}

/* 1: with this RTO.Min it would have come when it did; -1: it would have come later; 0: sooner, unless something
 * unseen started the timer anew. Away from the sender what looks like a round trip may be none: SRTT is a bound only
 * where it is kept. */
static int says(const struct sr_timeout *timeout, unsigned sender, const struct sr_parameters *parameters,
                int64_t rto_min_ns, int64_t jitter_ns)
{
    int64_t least_ns = timeout->least_ns[sender], once_ns = most_of(timeout, sender, parameters);
    if (once_ns == SR_NO_TIME || least_ns == SR_NO_TIME)
        return 0;
    if (once_ns < rto_min_ns - parameters->t3.tick_ns - EARLY_NS - jitter_ns)
        return -1;
    return comes_after(parameters, once_ns, rto_min_ns, jitter_ns) ||
           (least_ns > rto_min_ns && comes_after(parameters, once_ns, least_ns, jitter_ns));
}

struct tally {
    int64_t fits, score; /* the latter less those that come too soon */
};

static struct tally count(const struct sr_timeouts *timeouts, unsigned sender, const struct sr_parameters *parameters,
                          int64_t rto_min_ns, int64_t jitter_ns)
{
    struct tally tally = {0};
    for (uint32_t i = 0; i < timeouts->count; i++) {
        int said = says(&timeouts->at[i], sender, parameters, rto_min_ns, jitter_ns);
        tally.fits += said > 0;
        tally.score += said;
    }
    return tally;
}

/* Of its profile, whose timer was seen to expire. */
static int64_t score_of_profile(const struct sr_timeouts *timeouts, unsigned sender,
                                const struct sr_parameters *parameters, int64_t jitter_ns)
{
    int64_t score = 0;
    for (uint32_t i = 0; i < timeouts->count; i++) {
        const struct sr_timeout *timeout = &timeouts->at[i];
        bool expired = timeout->expired >> sender & 1;
        score += expired ? 1 : says(timeout, sender, parameters, parameters->rto.min_ns, jitter_ns);
    }
    return score;
}

/* Where T3-rtx ticks it expires up to a tick too early: the latest is the value. Elsewhere hosts are late: the soonest
 * is. */
static bool is_better(const struct sr_parameters *parameters, int64_t value_ns, int64_t best_ns)
{
    return parameters->t3.tick_ns > 0 ? value_ns > best_ns : value_ns < best_ns;
}

int64_t sr_timeouts_rto_min(const struct sr_timeouts *timeouts, unsigned sender, const struct sr_parameters *parameters,
                            int64_t jitter_ns, int64_t needed)
{
    int64_t most = score_of_profile(timeouts, sender, parameters, jitter_ns), best_ns = SR_NO_TIME;
    for (uint32_t i = 0; i < timeouts->count; i++) {
        int64_t value_ns = most_of(&timeouts->at[i], sender, parameters);
        /* What is longer may have been started anew by what the tap did not see. */
        if (value_ns == SR_NO_TIME || value_ns <= 0 || value_ns >= parameters->rto.min_ns)
            continue;
        struct tally tally = count(timeouts, sender, parameters, value_ns, jitter_ns);
        bool as_good = tally.score == most && best_ns != SR_NO_TIME;
        if (tally.fits >= needed && (tally.score > most || (as_good && is_better(parameters, value_ns, best_ns)))) {
            most = tally.score;
            best_ns = value_ns;
        }
    }
    return best_ns;
}
