/* SPDX-License-Identifier: BSD-2-Clause */
/* What a round-trip sample does: a row of its table, the least of its path, and the timeout of RFC 9260. */
#include <stdlib.h>

#include "../wire/time.h"
#include "book.h"
#include "heartbeats.h"

struct sr_direction_path *sr_book_path(struct sr_book *book, struct sr_direction *direction, uint32_t path)
{
    for (uint32_t i = 0; i < direction->path_count; i++)
        if (direction->paths[i].path == path)
            return &direction->paths[i];
    if (direction->path_count == SR_DIRECTION_PATHS)
        return NULL;
    size_t size = (direction->path_count + 1u) * sizeof *direction->paths;
    struct sr_direction_path *paths = realloc(direction->paths, size);
    if (!paths) {
        book->failed = true;
        return NULL;
    }
    direction->paths = paths;
    struct sr_direction_path *added = &paths[direction->path_count++];
    *added = (struct sr_direction_path){.min_rtt_ns = SR_NO_TIME, .path = path};
    return added;
}

static void note_delay(struct sr_direction_figures *figures, const struct sr_sample *sample)
{
    if (sample->tag == SR_RTT_TAG_DELAYED) {
        if (figures->delay_longest_ns == SR_NO_TIME || sample->rtt_ns > figures->delay_longest_ns)
            figures->delay_longest_ns = sample->rtt_ns;
    } else if (figures->delay_base_ns == SR_NO_TIME || sample->rtt_ns < figures->delay_base_ns) {
        figures->delay_base_ns = sample->rtt_ns;
    }
}

void sr_book_sample(struct sr_book *book, struct sr_direction *direction, uint32_t assoc, uint8_t from,
                    const struct sr_sample *sample)
{
    struct sr_rtt_sample_row *row = sr_spool_append(&book->judgement->rtt_samples);
    if (!row) {
        book->failed = true;
        return;
    }
    *row = (struct sr_rtt_sample_row){
        .time_ns = sample->time_ns,
        .rtt_ns = sample->rtt_ns,
        .frame = sample->frame,
        .assoc = assoc,
        .path = sample->path,
        .from = from,
        .tag = (uint8_t)sample->tag,
    };
    struct sr_direction_path *path = sr_book_path(book, direction, sample->path);
    if (!path || sample->tag == SR_RTT_TAG_RTX)
        return;
    note_delay(&direction->figures, sample);
    sr_heartbeats_work(direction, sample->path);
    if (sample->tag != SR_RTT_TAG_DELAYED && (path->min_rtt_ns == SR_NO_TIME || sample->rtt_ns < path->min_rtt_ns))
        path->min_rtt_ns = sample->rtt_ns;
    /* RFC 9260 section 6.3.1: no more than one measurement in a round trip. */
    if (sample->sent_row >= path->measured_row) {
        sr_rto_measured(&path->rto, sample->rtt_ns);
        path->measured_row = book->transmissions;
    }
}
