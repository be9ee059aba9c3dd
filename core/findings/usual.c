/* SPDX-License-Identifier: BSD-2-Clause */
/* How long round trips usually take: of each tag at most so many are kept, those at even distances. */
#include "resends.h"

#include <stdlib.h>

#include "../journal/judgement.h"

enum { MOST = 1 << 17 }; /* as recovery/round_trips.py */

/* Of a direction. */
struct tally {
    uint64_t counts[SR_RTT_TAG_COUNT];
    uint64_t every; /* one of so many is kept: a power of two */
    uint64_t begin, length;
};

/* The sample's direction, where it wants to know; a retransmission's says nothing. */
static struct sr_resends *wants(const struct sr_resends_list *list, const struct sr_rtt_sample_row *sample)
{
    struct sr_resends *of = sample->tag == SR_RTT_TAG_RTX ? NULL : sr_resends_of(list, sample->assoc, sample->from);
    return of && of->wants_usual ? of : NULL;
}

/* Room for what is kept of all. */
static uint64_t make_room(struct tally *tallies, uint32_t count)
{
    uint64_t room = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct tally *tally = &tallies[i];
        tally->every = 1;
        tally->begin = room;
        for (unsigned tag = 0; tag < SR_RTT_TAG_COUNT; tag++)
            while ((tally->counts[tag] + tally->every - 1) / tally->every > MOST)
                tally->every *= 2;
        for (unsigned tag = 0; tag < SR_RTT_TAG_COUNT; tag++) {
            room += (tally->counts[tag] + tally->every - 1) / tally->every;
            tally->counts[tag] = 0;
        }
    }
    return room;
}

static int by_length(const void *left, const void *right)
{
    int64_t one = *(const int64_t *)left, other = *(const int64_t *)right;
    return (one > other) - (one < other);
}

static int64_t median(int64_t *kept, uint64_t count)
{
    uint64_t middle = count / 2;
    qsort(kept, count, sizeof *kept, by_length);
    return (int64_t)(((double)kept[count % 2 ? middle : middle - 1] + (double)kept[middle]) / 2);
}

static int64_t *gather(const struct sr_resends_list *list, const struct sr_spool *samples, struct tally *tallies)
{
    for (uint64_t i = 0; i < samples->count; i++) {
        const struct sr_rtt_sample_row *sample = sr_spool_at(samples, i);
        const struct sr_resends *of = wants(list, sample);
        if (of)
            tallies[of - list->of].counts[sample->tag]++;
    }
    int64_t *kept = calloc(make_room(tallies, list->count) + 1, sizeof *kept);
    for (uint64_t i = 0; kept && i < samples->count; i++) {
        const struct sr_rtt_sample_row *sample = sr_spool_at(samples, i);
        const struct sr_resends *of = wants(list, sample);
        struct tally *tally = of ? &tallies[of - list->of] : NULL;
        if (tally && tally->counts[sample->tag]++ % tally->every == 0)
            kept[tally->begin + tally->length++] = sample->rtt_ns;
    }
    return kept;
}

bool sr_usual_find(const struct sr_resends_list *list, const struct sr_spool *samples)
{
    struct tally *tallies = calloc((size_t)list->count + 1, sizeof *tallies);
    int64_t *kept = tallies ? gather(list, samples, tallies) : NULL;
    for (uint32_t i = 0; kept && i < list->count; i++)
        if (tallies[i].length > 0)
            list->of[i].usual_ns = median(kept + tallies[i].begin, tallies[i].length);
    bool done = kept != NULL;
    free(kept);
    free(tallies);
    return done;
}
