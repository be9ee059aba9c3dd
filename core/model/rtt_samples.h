/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which newly acknowledged chunk gives a round-trip sample: one rule per stack, at most one sample for each
 * path and feedback. None can reach the time of a retransmitted chunk. Senders with the same rule share its answer. */
#ifndef SR_MODEL_RTT_SAMPLES_H
#define SR_MODEL_RTT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/time.h"
#include "chunk.h"
#include "path_news.h"
#include "profiles.h"

/* Remembers which TSNs were retransmitted when, to answer the second half of Karn's rule: a list that rises in both,
 * since a later retransmission of a lower TSN makes earlier ones of higher TSNs irrelevant. */
struct sr_karn_fence {
    struct sr_fence_post {
        int64_t time_ns, seq;
    } * posts;
    uint32_t first, count, room; /* the posts from `first` on */
};

void sr_fence_free(struct sr_karn_fence *fence);

/* A copy in another's place, which is not freed; false without memory. */
bool sr_fence_copy(struct sr_karn_fence *to, const struct sr_karn_fence *from);

/* What was retransmitted before `oldest_ns`, or all but the last below `una`, says nothing more. False without memory.
 */
bool sr_fence_retransmitted(struct sr_karn_fence *fence, int64_t seq, int64_t now_ns, int64_t oldest_ns, int64_t una);

/* Whether no TSN up to this one was retransmitted since it was sent. */
bool sr_fence_clean(const struct sr_karn_fence *fence, int64_t seq, int64_t sent_ns);

/* What a rule remembers of a path between feedbacks. */
struct sr_timing {
    int64_t timed_seq;             /* SR_NO_SEQ: none */
    int64_t timed_through_resends; /* likewise, where only a resend of itself spoils it */
    int64_t next_seq;              /* pion: what was sent from here on is fit; SR_NO_SEQ: all */
};

/* RFC 9260 section 6.3.1 C4: a measurement each round trip, so another chunk is timed next. */
static inline void sr_timing_given_up(struct sr_timing *timing, int64_t seq)
{
    if (timing->timed_seq == seq)
        timing->timed_seq = SR_NO_SEQ;
    if (timing->timed_through_resends == seq)
        timing->timed_through_resends = SR_NO_SEQ;
}

/* Sees each newly acknowledged chunk in order of TSN, while its state says how it was in flight. */
static inline void sr_timing_delivered(struct sr_timing *timing, struct sr_path_news *news,
                                       const struct sr_chunk *chunk)
{
    bool original = chunk->state == SR_CHUNK_STATE_FIRST_FLIGHT;
    if (chunk->seq == timing->timed_seq) {
        /* RFC 9260 section 6.3.1 C4: a measurement each round trip, and no more than one. */
        timing->timed_seq = SR_NO_SEQ;
        if (original)
            news->timed_ns[SR_SAMPLE_ONE_TIMED_CHUNK] = chunk->time_ns;
    }
    if (chunk->seq == timing->timed_through_resends) {
        timing->timed_through_resends = SR_NO_SEQ;
        if (original)
            news->timed_ns[SR_SAMPLE_THROUGH_RESENDS] = chunk->time_ns;
    }
    if (original && chunk->seq >= timing->next_seq && news->timed_ns[SR_SAMPLE_FIRST_OF_FLIGHT] == SR_NO_TIME)
        news->timed_ns[SR_SAMPLE_FIRST_OF_FLIGHT] = chunk->time_ns;
}

#endif
