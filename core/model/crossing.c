/* SPDX-License-Identifier: BSD-2-Clause */
/* Who acknowledged what first, for as long as a resend may tell that it came too late. */
#include "crossing.h"

#include <stdlib.h>

#include "../wire/tsn_reset.h"
#include "seq_set.h"
#include "tsn_line.h"

enum { SMALLEST = 4096 }; /* slots */

/* The first acknowledgement of a TSN. */
struct acked {
    int64_t seq, time_ns;
    uint32_t by; /* number of the feedback; 0: the slot is empty */
};

struct release {
    uint32_t feedback, sent;
};

struct sr_crossing {
    struct sr_tsn_line line;
    struct sr_seq_sets in_flight;
    struct acked *acked; /* ring */
    uint32_t capacity;   /* of both */
    int64_t una, lowest, highest;
    struct sr_tsn_reset reset; /* that the numbering began with, if any */
    struct release *releases;
    size_t count, room, asked;
    bool sorted;
};

struct sr_crossing *sr_crossing_new(void)
{
    struct sr_crossing *crossing = calloc(1, sizeof *crossing);
    if (!crossing)
        return NULL;
    crossing->in_flight.lanes = 1;
    return crossing;
}

void sr_crossing_free(struct sr_crossing *crossing)
{
    if (!crossing)
        return;
    sr_seq_sets_free(&crossing->in_flight);
    free(crossing->acked);
    free(crossing->releases);
    free(crossing);
}

static struct acked *slot_of(struct acked *ring, uint32_t capacity, int64_t seq)
{
    return &ring[(uint32_t)seq & (capacity - 1)];
}

/* The lowest that may be in flight. */
static int64_t first(const struct sr_crossing *crossing)
{
    return crossing->una > crossing->lowest ? crossing->una : crossing->lowest;
}

static bool reach(struct sr_crossing *crossing, int64_t from, int64_t end)
{
    uint32_t capacity = crossing->capacity ? crossing->capacity : SMALLEST;
    if (end - from > SR_MODEL_WINDOW)
        return false;
    while (capacity < end - from)
        capacity *= 2;
    if (capacity == crossing->capacity)
        return true;
    struct acked *ring = calloc(capacity, sizeof *ring);
    if (!ring || !sr_seq_sets_grow(&crossing->in_flight, capacity, first(crossing), crossing->highest + 1)) {
        free(ring);
        return false;
    }
    for (uint32_t i = 0; i < crossing->capacity; i++)
        if (crossing->acked[i].by != 0)
            *slot_of(ring, capacity, crossing->acked[i].seq) = crossing->acked[i];
    free(crossing->acked);
    crossing->acked = ring;
    crossing->capacity = capacity;
    return true;
}

static bool add_release(struct sr_crossing *crossing, struct release release)
{
    if (crossing->count == crossing->room) {
        size_t room = crossing->room ? crossing->room * 2 : 64;
        struct release *releases = realloc(crossing->releases, room * sizeof *releases);
        if (!releases)
            return false;
        crossing->releases = releases;
        crossing->room = room;
    }
    crossing->releases[crossing->count++] = release;
    return true;
}

bool sr_crossing_sent(struct sr_crossing *crossing, uint32_t number, int64_t time_ns, struct sr_tsn tsn)
{
    if (!crossing->line.begun) {
        crossing->line = (struct sr_tsn_line){tsn.value, true};
        crossing->lowest = crossing->highest = tsn.value;
    }
    int64_t seq = sr_line_seq(&crossing->line, tsn);
    if (crossing->capacity > 0) {
        const struct acked *acked = slot_of(crossing->acked, crossing->capacity, seq);
        if (acked->by != 0 && acked->seq == seq)
            return time_ns - acked->time_ns > SR_REACTION_NS ||
                   add_release(crossing, (struct release){acked->by, number});
    }
    if (seq < crossing->una)
        return true;
    int64_t from = seq < first(crossing) ? seq : first(crossing);
    if (!reach(crossing, from, (seq > crossing->highest ? seq : crossing->highest) + 1))
        return false;
    crossing->lowest = seq < crossing->lowest ? seq : crossing->lowest;
    crossing->highest = seq > crossing->highest ? seq : crossing->highest;
    sr_seq_set_add(&crossing->in_flight, 0, seq);
    return true;
}

/* What of these is in flight is acknowledged. */
static void acknowledge(struct sr_crossing *crossing, int64_t from, int64_t end, struct acked acked)
{
    from = from > first(crossing) ? from : first(crossing);
    end = end < crossing->highest + 1 ? end : crossing->highest + 1;
    for (int64_t at = sr_seq_set_next(&crossing->in_flight, 0, from, end); at < end;
         at = sr_seq_set_next(&crossing->in_flight, 0, at + 1, end)) {
        sr_seq_set_remove(&crossing->in_flight, 0, at);
        acked.seq = at;
        *slot_of(crossing->acked, crossing->capacity, at) = acked;
    }
}

bool sr_crossing_feedback(struct sr_crossing *crossing, uint32_t number, const struct sr_model_feedback *feedback)
{
    const struct sr_tsn_range *lists[] = {feedback->gaps, feedback->nr_gaps};
    const size_t counts[] = {feedback->gap_count, feedback->nr_gap_count};
    const struct acked acked = {.time_ns = feedback->time_ns, .by = number};
    if (crossing->capacity == 0)
        return true;
    int64_t cum = sr_line_seq(&crossing->line, feedback->cum_tsn);
    if (cum < crossing->una - 1 || cum > crossing->highest + SR_MODEL_WINDOW)
        return true;
    acknowledge(crossing, INT64_MIN, cum + 1, acked);
    crossing->una = cum + 1;
    crossing->line.reference = cum;
    for (int list = 0; list < 2; list++)
        for (size_t i = 0; i < counts[list]; i++) {
            const struct sr_tsn_range *block = &lists[list][i];
            acknowledge(crossing, sr_line_seq(&crossing->line, block->first),
                        sr_line_seq(&crossing->line, block->last) + 1, acked);
        }
    return true;
}

void sr_crossing_tsn_reset(struct sr_crossing *crossing, struct sr_tsn next)
{
    int64_t nxt = crossing->highest + 1;
    if (crossing->capacity == 0 || !sr_tsn_resets(crossing->reset, sr_tsn_at(crossing->highest), next))
        return;
    acknowledge(crossing, INT64_MIN, nxt, (struct acked){0});
    crossing->una = crossing->lowest = nxt + (int64_t)(next.value - (uint32_t)nxt);
    crossing->highest = crossing->una - 1;
    crossing->line.reference = crossing->una;
    crossing->reset = (struct sr_tsn_reset){next, true};
}

static int in_order(const void *a, const void *b)
{
    const struct release *one = a, *other = b;
    if (one->feedback != other->feedback)
        return one->feedback < other->feedback ? -1 : 1;
    return one->sent < other->sent ? -1 : one->sent > other->sent;
}

uint32_t sr_crossing_release(struct sr_crossing *crossing, uint32_t feedback)
{
    uint32_t last = 0;
    if (!crossing->sorted && crossing->count > 0)
        qsort(crossing->releases, crossing->count, sizeof *crossing->releases, in_order);
    crossing->sorted = true;
    while (crossing->asked < crossing->count && crossing->releases[crossing->asked].feedback < feedback)
        crossing->asked++;
    for (size_t i = crossing->asked; i < crossing->count && crossing->releases[i].feedback == feedback; i++)
        last = crossing->releases[i].sent;
    return last;
}
