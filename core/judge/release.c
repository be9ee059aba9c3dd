/* SPDX-License-Identifier: BSD-2-Clause */
/* A path that stood still, and lost nothing, gives back what it held in order and at its own pace: of what was sent
 * again meanwhile the first copies come. That shows where feedback comes sooner than the second copies can have been
 * answered. While more goes on to come at that pace, with no gap, it is more of what was held: had the path lost the
 * rest, the first answer to what was sent again would be late by a part of a loop. */
#include "release.h"

#include "../wire/time.h"

enum { SURE = 2 }; /* acknowledgements one after the other, of first copies that are sent again: one may be by chance */

void sr_release_take(const struct sr_covered *covered, struct sr_release_told *told)
{
    bool first = covered->candidate_count == 1 && covered->candidates[0] == 0;
    told->first |= first;
    told->other |= !first;
}

/* As soon after the one before as those before that, and within half of a loop. */
static bool goes_on(const struct sr_half *half, int64_t time_ns)
{
    const struct sr_release *release = &half->release;
    int64_t apart_ns = sr_between(time_ns, release->time_ns), least_ns = half->measured.receiver.least_ns;
    if (release->count == 0 || least_ns == SR_NO_TIME)
        return false;
    int64_t most_ns = release->count > 1 ? release->apart_ns + release->apart_ns / 2 : least_ns / 2;
    return apart_ns <= most_ns && apart_ns <= least_ns / 2;
}

void sr_release_end(struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_release_told *told)
{
    struct sr_release *release = &half->release;
    bool more = goes_on(half, answer->row->time_ns);
    int64_t apart_ns = sr_between(answer->row->time_ns, release->time_ns);
    if (told->other || (!more && !told->first)) {
        *release = (struct sr_release){0};
        return;
    }
    if (!more)
        *release = (struct sr_release){0};
    else if (apart_ns > release->apart_ns)
        release->apart_ns = apart_ns;
    release->count += told->first;
    release->time_ns = answer->row->time_ns;
}

bool sr_release_rules_out(const struct sr_half *half, const struct sr_acknowledgement *answer,
                          const struct sr_covered *covered)
{
    bool overtaken = covered->copies[0].overtaken.lead_ns >= 0;
    return half->release.count >= SURE && !overtaken && !half->path_loops && goes_on(half, answer->row->time_ns);
}
