/* SPDX-License-Identifier: BSD-2-Clause */
/* The value under which most timeouts come when T3-rtx expires: max(RTO.Min, SRTT + 4 RTTVAR), doubled with each that
 * goes before (RFC 9260 section 6.3.1 C6 and section 6.3.3 E2). */
#include "timeouts.h"

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
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        timeout.before_ns[sender] = again ? timeouts->after_ns[sender] : SR_NO_TIME;
        timeouts->after_ns[sender] = timeout.after_ns[sender];
    }
    timeout.doublings = again ? (uint8_t)(timeouts->doublings + (timeouts->doublings < MOST_DOUBLINGS)) : 0;
    timeout.unmeasured = timeouts->row != 0 ? timeouts->unmeasured : 0;
    timeouts->row = row + 1;
    timeouts->time_ns = time_ns;
    timeouts->doublings = timeout.doublings;
    timeouts->unmeasured = (uint8_t)(timeout.unmeasured + (timeout.unmeasured < MOST_DOUBLINGS));
    if (timeouts->count < SR_TIMEOUTS)
        timeouts->at[timeouts->count++] = timeout;
}

unsigned sr_timeout_shift(const struct sr_timeout *timeout, const struct sr_parameters *parameters)
{
    uint8_t doublings = parameters->rto.backoff_ends_at_cum_advance ? timeout->doublings : timeout->unmeasured;
    uint32_t same = parameters->rto.same_after_timeouts;
    return doublings > same ? doublings - same : 0;
}

/* What RTO.Min would be if nothing else made this timeout as long as it was. */
static int64_t most_of(const struct sr_timeout *timeout, unsigned sender, const struct sr_parameters *parameters)
{
    int64_t after_ns = timeout->after_ns[sender];
    return after_ns == SR_NO_TIME ? SR_NO_TIME : after_ns >> sr_timeout_shift(timeout, parameters);
}

/* usrsctp marks what is older than SRTT + 4 RTTVAR: where nothing is, its timer expires unseen and is started anew. A
 * tick must be a small part of it, or all times would fit. */
static int64_t since_unseen(const struct sr_parameters *parameters, int64_t once_ns, int64_t rto_ns)
{
    const int64_t ticks = 4;
    bool unseen = parameters->t3.marks == SR_T3_MARKS_OLDER_THAN_UNCLAMPED_RTO;
    int64_t early_ns = parameters->t3.tick_ns + SR_TIMEOUT_EARLY_NS;
    if (!unseen || rto_ns < ticks * parameters->t3.tick_ns || once_ns < rto_ns)
        return once_ns;
    return rto_ns - early_ns + (once_ns - rto_ns + early_ns) % rto_ns;
}

/* Whatever the profile: any stack may run in a kernel whose timers are late. */
static bool comes_after(const struct sr_parameters *parameters, int64_t once_ns, int64_t rto_ns, int64_t jitter_ns)
{
    int64_t wheel_ns = sr_wheel_late_ns(rto_ns),
            late_ns = wheel_ns > SR_TIMEOUT_LATE_NS ? wheel_ns : SR_TIMEOUT_LATE_NS;
    int64_t since_ns = since_unseen(parameters, once_ns, rto_ns);
    return since_ns >= rto_ns - parameters->t3.tick_ns - SR_TIMEOUT_EARLY_NS - jitter_ns &&
           since_ns <= rto_ns + late_ns + jitter_ns;
}

/* How a timeout goes with an RTO.Min. */
enum fit {
    FIT_TOO_SOON,
    FIT_LATE,   /* something unseen may have started the timer anew */
    FIT_ALIKE,  /* but for the round trips: away from the sender what looks like one may be none */
    FIT_EXACTLY /* it comes when it should */
};

static enum fit fit_of(const struct sr_timeout *timeout, unsigned sender, const struct sr_parameters *parameters,
                       int64_t rto_min_ns, int64_t jitter_ns)
{
    int64_t least_ns = timeout->least_ns[sender], once_ns = most_of(timeout, sender, parameters);
    if (once_ns == SR_NO_TIME || least_ns == SR_NO_TIME)
        return FIT_LATE;
    if (once_ns < rto_min_ns - parameters->t3.tick_ns - SR_TIMEOUT_EARLY_NS - jitter_ns)
        return FIT_TOO_SOON;
    if (comes_after(parameters, once_ns, least_ns > rto_min_ns ? least_ns : rto_min_ns, jitter_ns))
        return FIT_EXACTLY;
    return comes_after(parameters, once_ns, rto_min_ns, jitter_ns) ? FIT_ALIKE : FIT_LATE;
}

struct tally {
    uint32_t of[FIT_EXACTLY + 1];
};

static struct tally tally_of(const struct sr_timeouts *timeouts, unsigned sender,
                             const struct sr_parameters *parameters, int64_t rto_min_ns, int64_t jitter_ns)
{
    struct tally tally = {0};
    for (uint32_t i = 0; i < timeouts->count; i++)
        tally.of[fit_of(&timeouts->at[i], sender, parameters, rto_min_ns, jitter_ns)]++;
    return tally;
}

static int64_t score_of(const struct tally *tally)
{
    return (int64_t)tally->of[FIT_EXACTLY] + tally->of[FIT_ALIKE] - tally->of[FIT_TOO_SOON];
}

/* Those that come alike show a value of their own only together. */
static bool is_enough(const struct tally *tally, uint32_t needed)
{
    enum { TOGETHER = 3 };
    return tally->of[FIT_EXACTLY] >= needed || tally->of[FIT_EXACTLY] + tally->of[FIT_ALIKE] >= TOGETHER;
}

/* With RTO.Min of a profile it comes when it should. */
static bool is_explained(const struct sr_timeout *timeout, const struct sr_parameters senders[SR_SENDER_COUNT],
                         int64_t jitter_ns)
{
    bool explained = timeout->expired != 0;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        explained |= fit_of(timeout, sender, &senders[sender], senders[sender].rto.min_ns, jitter_ns) > FIT_LATE;
    return explained;
}

/* Where T3-rtx ticks it expires up to a tick too early: the latest is the value. Elsewhere hosts are late: the soonest
 * is. */
static bool is_better(const struct sr_parameters *parameters, int64_t value_ns, int64_t best_ns)
{
    return parameters->t3.tick_ns > 0 ? value_ns > best_ns : value_ns < best_ns;
}

int64_t sr_timeouts_rto_min(const struct sr_timeouts *timeouts, unsigned sender,
                            const struct sr_parameters senders[SR_SENDER_COUNT], struct sr_timeout_limits limits)
{
    const struct sr_parameters *parameters = &senders[sender];
    int64_t most = 0, best_ns = SR_NO_TIME;
    for (uint32_t i = 0; i < timeouts->count; i++) {
        bool explained = is_explained(&timeouts->at[i], senders, limits.jitter_ns);
        most += explained ? 1 : -1;
        if (explained && limits.needed < 2)
            limits.needed = 2; /* one that is not may be anything */
    }
    for (uint32_t i = 0; i < timeouts->count; i++) {
        int64_t value_ns = most_of(&timeouts->at[i], sender, parameters);
        /* What is longer may have been started anew by what the tap did not see. */
        if (value_ns == SR_NO_TIME || value_ns < limits.round_trip_ns || value_ns >= parameters->rto.min_ns)
            continue;
        struct tally tally = tally_of(timeouts, sender, parameters, value_ns, limits.jitter_ns);
        int64_t score = score_of(&tally);
        bool as_good = score == most && best_ns != SR_NO_TIME && is_better(parameters, value_ns, best_ns);
        if (is_enough(&tally, limits.needed) && (score > most || as_good)) {
            most = score;
            best_ns = value_ns;
        }
    }
    return best_ns;
}
