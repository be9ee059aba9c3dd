/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a direction come one behind the other. */
#include "limited.h"

#include <stdlib.h>
#include <string.h>

#include "../journal/judgement.h"
#include "cuts.h"
#include "find.h"

enum { CLASSES = 6 };

/* Of one limit. */
struct sum {
    int64_t time_ns, by_class[CLASSES];
    uint64_t outstanding_bytes;
    int64_t a_rwnd;
    int64_t lengths[SR_MOST_FRAMES]; /* of the longest intervals, the longest first */
    struct sr_look begins;           /* what they begin with */
};

struct sums {
    uint32_t assoc;
    uint8_t from;
    uint64_t bytes;
    int64_t whole_ns;
    struct sum of[SR_LIMIT_COUNT];
};

static void take_length(struct sum *sum, int64_t length_ns, uint32_t frame)
{
    uint32_t at = sum->begins.count;
    while (at > 0 && sum->lengths[at - 1] < length_ns)
        at--;
    if (at == SR_MOST_FRAMES)
        return;
    uint32_t moved = (sum->begins.count < SR_MOST_FRAMES ? sum->begins.count : SR_MOST_FRAMES - 1) - at;
    memmove(sum->lengths + at + 1, sum->lengths + at, moved * sizeof *sum->lengths);
    memmove(sum->begins.frames + at + 1, sum->begins.frames + at, moved * sizeof *sum->begins.frames);
    sum->begins.count += sum->begins.count < SR_MOST_FRAMES;
    sum->lengths[at] = length_ns;
    sum->begins.frames[at] = frame;
}

static void take(struct sums *sums, const struct sr_limit_row *row)
{
    struct sum *sum = &sums->of[row->limit];
    int64_t length_ns = row->end_ns - row->begin_ns;
    bool first = sum->begins.count == 0;
    sums->bytes += row->bytes;
    sums->whole_ns += length_ns;
    sum->time_ns += length_ns;
    sum->by_class[row->limit_class] += length_ns;
    if (row->outstanding_bytes > sum->outstanding_bytes)
        sum->outstanding_bytes = row->outstanding_bytes;
    if (first || row->a_rwnd > sum->a_rwnd)
        sum->a_rwnd = row->a_rwnd;
    take_length(sum, length_ns, row->begin_frame);
}

/* The highest class that half of its time has, or a higher one. */
static int class_of(const struct sum *sum)
{
    int64_t at_least_ns = 0;
    for (int class = CLASSES - 1; class > 0; class --) {
        at_least_ns += sum->by_class[class];
        if (2 * at_least_ns >= sum->time_ns)
            return class;
    }
    return 0;
}

/* Of nobody's limit nothing is told, and not where nothing is known. */
static void end(struct sr_buffer *limited, const struct sums *sums)
{
    uint8_t most = 0;
    for (uint8_t limit = 1; limit < SR_LIMIT_COUNT; limit++)
        if (sums->of[limit].time_ns > sums->of[most].time_ns)
            most = limit;
    const struct sum *sum = &sums->of[most];
    struct sr_limited_direction one = {
        .assoc = sums->assoc,
        .from = sums->from,
        .limit = most,
        .time_ns = sum->time_ns,
        .whole_ns = sums->whole_ns,
        .outstanding_bytes = sum->outstanding_bytes,
        .a_rwnd = sum->a_rwnd,
        .round_trip_ns = SR_NO_TIME,
    };
    if (sums->bytes < SR_NOTABLE_BYTES || sum->time_ns < SR_LONG_NS || most == SR_LIMIT_APPLICATION ||
        most == SR_LIMIT_UNKNOWN || SR_LIMITED_PART * sum->time_ns < sums->whole_ns || class_of(sum) < SR_LIMITED_CLASS)
        return;
    for (uint32_t i = 0; i < sum->begins.count; i++)
        sr_look_at_lowest(&one.look, sum->begins.frames[i]);
    sr_buffer_append(limited, &one, sizeof one);
}

static int by_direction(const void *left, const void *right)
{
    const struct sr_limited_direction *one = left, *other = right;
    if (one->assoc != other->assoc)
        return one->assoc < other->assoc ? -1 : 1;
    return one->from - other->from;
}

static int64_t round_trip_of(const struct sr_path_row *path)
{
    if (path->srtt_ns == SR_NO_TIME)
        return 0;
    bool whole = path->vantage == SR_VANTAGE_SENDER || path->loop_lo_ns == SR_NO_TIME;
    return whole ? path->srtt_ns : path->srtt_ns + path->loop_lo_ns;
}

static void take_round_trips(struct sr_limited_direction *limited, size_t count, const struct sr_spool *paths)
{
    for (uint64_t i = 0; i < paths->count; i++) {
        const struct sr_path_row *path = sr_spool_at(paths, i);
        const struct sr_limited_direction wanted = {.assoc = path->assoc, .from = path->from};
        struct sr_limited_direction *one = bsearch(&wanted, limited, count, sizeof wanted, by_direction);
        if (one && one->round_trip_ns == SR_NO_TIME)
            one->round_trip_ns = round_trip_of(path);
    }
}

void sr_limited_find(struct sr_buffer *limited, const struct sr_findings_asked *asked)
{
    const struct sr_spool *rows = &sr_engine_judgement(asked->engine)->limits;
    struct sums sums = {0};
    for (uint64_t i = 0; i < rows->count; i++) {
        const struct sr_limit_row *row = sr_spool_at(rows, i);
        if (!sr_findings_tell_of(asked, row->assoc))
            continue;
        if (row->assoc != sums.assoc || row->from != sums.from) {
            end(limited, &sums);
            sums = (struct sums){.assoc = row->assoc, .from = row->from};
        }
        take(&sums, row);
    }
    end(limited, &sums);
    size_t count = limited->length / sizeof(struct sr_limited_direction);
    if (count == 0)
        return;
    qsort(limited->bytes, count, sizeof(struct sr_limited_direction), by_direction);
    take_round_trips((void *)limited->bytes, count, &sr_engine_judgement(asked->engine)->paths);
}
