/* SPDX-License-Identifier: BSD-2-Clause */
/* What lies between the answers to a second packet and those to a packet alone is a timer if it is the same again and
 * again. Where no packet had a second one, the handshake tells, which is answered at once too. */
#include "at_once.h"

#include "../names.h"
#include "../wire/time.h"

enum {
    ENOUGH = 4, /* answers: fewer do not show what is typical */
    COOKIE_BYTES =
        528, /* a COOKIE ECHO has as many about, as a packet that every path takes (RFC 1122 section 3.3.3) */
};

#define TICK_NS INT64_C(10000000) /* timers of some stacks tick so often */

void sr_at_once_add(struct sr_at_once_seen *seen, const struct sr_sack_row *row)
{
    if (row->rtt_ns == SR_NO_TIME)
        return;
    if (row->rtt_tag != SR_RTT_TAG_DELAYED) {
        sr_quantiles_add(&seen->prompt, row->rtt_ns);
        return;
    }
    sr_quantiles_add(&seen->alone, row->rtt_ns);
    bool larger = row->newly_acked_bytes > seen->largest_bytes;
    if (larger)
        seen->largest_bytes = row->newly_acked_bytes;
    if (larger || (row->newly_acked_bytes == seen->largest_bytes && row->rtt_ns < seen->soonest_ns))
        seen->soonest_ns = row->rtt_ns;
}

/* A slow link takes longer over a packet that is larger than those of the handshake: by as many parts of its loop at
 * most, if all of that was the link, and by no more than the soonest answer to one of that size came later. */
static int64_t by_size_ns(const struct sr_at_once_seen *seen, int64_t known_ns)
{
    double more = (double)seen->largest_bytes / COOKIE_BYTES - 1;
    int64_t most_ns = more > 0 ? (int64_t)(more * (double)known_ns) : 0, once_ns = seen->soonest_ns - known_ns;
    return once_ns >= 0 && once_ns < most_ns ? once_ns : most_ns;
}

/* Twice what jitter explains, or the tick of a timer: as in core/judge/reading.c. */
static int64_t most_of(int64_t jitter_ns, int64_t tick_ns)
{
    return 2 * jitter_ns > tick_ns ? 2 * jitter_ns : tick_ns;
}

/* By how much most answers to packets alone come later, within a tick or two, as of one timer; 0: they do not wait. */
static int64_t wait_of(struct sr_at_once_seen *seen, int64_t loop_ns, int64_t most_ns)
{
    if (seen->alone.count < ENOUGH)
        return 0;
    int64_t low_ns = sr_quantiles_quantile(&seen->alone, 100), high_ns = sr_quantiles_quantile(&seen->alone, 900);
    bool waits = high_ns - low_ns <= 2 * TICK_NS && low_ns - loop_ns > most_ns;
    return waits ? sr_quantiles_quantile(&seen->alone, 500) - loop_ns : 0;
}

bool sr_at_once_was_seen(const struct sr_at_once_seen *seen)
{
    return seen->prompt.count >= ENOUGH;
}

struct sr_at_once sr_at_once_of(struct sr_at_once_seen *seen, int64_t known_ns, struct sr_at_once otherwise)
{
    struct sr_at_once found = otherwise;
    if (sr_at_once_was_seen(seen)) {
        int64_t median_ns = sr_quantiles_quantile(&seen->prompt, 500);
        if (median_ns > otherwise.loop_ns)
            return otherwise;
        found.loop_ns = median_ns;
        found.jitter_ns = sr_quantiles_quantile(&seen->prompt, 900) - seen->prompt.least;
        found.wait_ns = wait_of(seen, median_ns, most_of(found.jitter_ns, TICK_NS));
        return found;
    }
    if (known_ns == SR_NO_TIME || known_ns > otherwise.loop_ns)
        return otherwise;
    int64_t most_ns = by_size_ns(seen, known_ns);
    int64_t wait_ns = wait_of(seen, known_ns, most_ns > TICK_NS ? most_ns : TICK_NS);
    return wait_ns > 0 ? (struct sr_at_once){.loop_ns = known_ns, .wait_ns = wait_ns} : otherwise;
}

/* Of a timer that was seen, a tick; else two. */
int64_t sr_at_once_most_ns(const struct sr_at_once *at_once)
{
    return most_of(at_once->jitter_ns, at_once->wait_ns > 0 ? TICK_NS : 2 * TICK_NS);
}
