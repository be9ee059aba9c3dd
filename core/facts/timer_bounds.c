/* SPDX-License-Identifier: BSD-2-Clause */
/* A timeout takes max(RTO.Min, SRTT + 4 RTTVAR), before the first measurement RTO.Initial, after another timeout twice
 * as long, never more than RTO.Max (RFC 9260 sections 6.3.1 and 6.3.3): each that is seen bounds one of them. */
#include "timer_bounds.h"

enum {
    MOST_SHIFT = 3, /* what is doubled more often may have met RTO.Max */
    THOUSANDTHS = 1000
};

/* A clock that jumps makes other silences; what is shorter fits all that is computed here. */
#define LONGEST_NS (INT64_MAX / (2 * THOUSANDTHS))

static bool is_told(int64_t took_ns)
{
    return took_ns != SR_NO_TIME && took_ns <= LONGEST_NS;
}

/* What the timer was set to when it took so long: it ticks, the host is late, and the path holds packets up. */
static struct sr_range set_to(const struct sr_parameters *parameters, int64_t took_ns, int64_t jitter_ns)
{
    int64_t wheel_ns = parameters->t3.in_wheel ? sr_wheel_late_ns(took_ns) : 0;
    int64_t late_ns = wheel_ns > SR_TIMEOUT_LATE_NS ? wheel_ns : SR_TIMEOUT_LATE_NS;
    return (struct sr_range){took_ns - late_ns - jitter_ns,
                             took_ns + parameters->t3.tick_ns + SR_TIMEOUT_EARLY_NS + jitter_ns};
}

static struct sr_range before_back_off(struct sr_range set, unsigned shift)
{
    return (struct sr_range){set.lo >> shift, set.hi >> shift};
}

/* Of RTO.Min only what came when this sender's timer expired tells: what else was sent after a silence may be anything.
 * Away from the sender the round trips that it had measured are not known so well that what is longer is RTO.Min. */
static struct sr_estimate initial_or_min(const struct sr_timeouts *timeouts, unsigned sender,
                                         const struct sr_parameters *parameters, struct sr_timer_view view,
                                         bool measured)
{
    int64_t jitter_ns = view.jitter_ns;
    struct sr_range ranges[SR_TIMEOUTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < timeouts->count; i++) {
        const struct sr_timeout *timeout = &timeouts->at[i];
        int64_t least_ns = timeout->least_ns[sender];
        unsigned shift = sr_timeout_shift(timeout, parameters);
        if (!is_told(timeout->after_ns[sender]) || shift > MOST_SHIFT || (least_ns != SR_NO_TIME) != measured ||
            (measured && !(timeout->expired >> sender & 1)))
            continue;
        struct sr_range range = before_back_off(set_to(parameters, timeout->after_ns[sender], jitter_ns), shift);
        if (!view.at_sender && range.hi < SR_SHORTEST_SET_RTO_NS) /* it had expired before, and was started anew */
            continue;
        if (measured && (!view.at_sender || least_ns >= range.lo))
            range.lo = SR_NO_TIME; /* the round trips alone make it as long */
        ranges[count++] = range;
    }
    return sr_estimate_of(ranges, count, measured ? parameters->rto.min_ns : parameters->rto.initial_ns);
}

/* A second timeout of the same TSN. */
static bool is_repeated(const struct sr_timeout *timeout, unsigned sender, const struct sr_parameters *parameters)
{
    return is_told(timeout->after_ns[sender]) && is_told(timeout->before_ns[sender]) &&
           timeout->doublings > parameters->rto.same_after_timeouts;
}

/* It took as long as the one before, which had been made longer: it cannot become any longer. */
static bool is_longest(const struct sr_timeout *timeout, unsigned sender, const struct sr_parameters *parameters,
                       int64_t jitter_ns)
{
    struct sr_range set = set_to(parameters, timeout->after_ns[sender], jitter_ns);
    struct sr_range before = set_to(parameters, timeout->before_ns[sender], jitter_ns);
    return set.lo <= before.hi && before.lo <= set.hi;
}

static struct sr_estimate longest(const struct sr_timeouts *timeouts, unsigned sender,
                                  const struct sr_parameters *parameters, int64_t jitter_ns)
{
    struct sr_range ranges[SR_TIMEOUTS];
    struct sr_estimate seen = SR_NO_ESTIMATE;
    uint32_t count = 0;
    for (uint32_t i = 0; i < timeouts->count; i++) {
        const struct sr_timeout *timeout = &timeouts->at[i];
        if (!is_repeated(timeout, sender, parameters))
            continue;
        struct sr_range set = set_to(parameters, timeout->after_ns[sender], jitter_ns);
        if (seen.lo == SR_NO_TIME || set.lo > seen.lo)
            seen.lo = set.lo; /* it is no shorter than what was seen */
        seen.count++;
        if (timeout->doublings > parameters->rto.same_after_timeouts + 1 &&
            is_longest(timeout, sender, parameters, jitter_ns))
            ranges[count++] = set;
    }
    return count > 0 ? sr_estimate_of(ranges, count, parameters->rto.max_ns) : seen;
}

static struct sr_estimate back_off(const struct sr_timeouts *timeouts, unsigned sender,
                                   const struct sr_parameters *parameters, int64_t jitter_ns)
{
    struct sr_range ranges[SR_TIMEOUTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < timeouts->count; i++) {
        const struct sr_timeout *timeout = &timeouts->at[i];
        if (!is_repeated(timeout, sender, parameters) || is_longest(timeout, sender, parameters, jitter_ns))
            continue;
        struct sr_range set = set_to(parameters, timeout->after_ns[sender], jitter_ns);
        struct sr_range before = set_to(parameters, timeout->before_ns[sender], jitter_ns);
        if (before.lo <= 0)
            continue;
        ranges[count++] = (struct sr_range){set.lo * THOUSANDTHS / before.hi, set.hi * THOUSANDTHS / before.lo};
    }
    return sr_estimate_of(ranges, count, 2 * THOUSANDTHS);
}

struct sr_timer_bounds sr_timer_bounds(const struct sr_timeouts *timeouts, unsigned sender,
                                       const struct sr_parameters *parameters, struct sr_timer_view view)
{
    return (struct sr_timer_bounds){
        .initial = initial_or_min(timeouts, sender, parameters, view, false),
        .min = initial_or_min(timeouts, sender, parameters, view, true),
        .max = longest(timeouts, sender, parameters, view.jitter_ns),
        .backoff = back_off(timeouts, sender, parameters, view.jitter_ns),
    };
}
