/* SPDX-License-Identifier: BSD-2-Clause */
/* What a talk that was judged says of the limits of side A, as text. */
#ifndef SR_TESTS_LIMITS_OF_TALK_H
#define SR_TESTS_LIMITS_OF_TALK_H

#include "talk_text.h"

/* In ms, with the most that was outstanding, and what was held back of SACKs. */
static inline const char *limits_of(struct talk *talk)
{
    const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
    talk->length = 0;
    talk->text[0] = '\0';
    for (uint64_t i = 0; i < judgement->limits.count; i++) {
        const struct sr_limit_row *one = sr_spool_visit(&judgement->limits, i);
        if (one->from == A)
            add(talk, "%s%s/%u %lld ms %u", talk->length ? ", " : "", sr_limit_names[one->limit], one->limit_class,
                (long long)((one->end_ns - one->begin_ns + 500000) / 1000000), (unsigned)one->outstanding_bytes);
        if (one->from == A && one->held_ns > 0)
            add(talk, " held %lld ms", (long long)((one->held_ns + 500000) / 1000000));
    }
    return talk->text;
}

#endif
