/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks where the last search ended, then in halves. */
#include "frame_rows.h"

typedef uint32_t frame_of(const struct sr_journal *journal, uint64_t row);

static uint32_t frame_of_transmission(const struct sr_journal *journal, uint64_t row)
{
    return sr_transmission_at(journal, row)->frame;
}

static uint32_t frame_of_sack(const struct sr_journal *journal, uint64_t row)
{
    return sr_sack_at(journal, row)->frame;
}

/* The first row whose frame is not before `frame`. */
static uint64_t lower_bound(frame_of *of, const struct sr_journal *journal, uint64_t count, uint32_t frame)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (of(journal, middle) < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct sr_span span(frame_of *of, uint64_t *last, const struct sr_journal *journal, uint64_t count,
                           uint32_t frame)
{
    uint64_t first = *last <= count ? *last : count;
    bool fits = (first == 0 || of(journal, first - 1) < frame) && (first == count || of(journal, first) >= frame);
    if (!fits)
        first = lower_bound(of, journal, count, frame);
    uint64_t end = first;
    while (end < count && of(journal, end) == frame)
        end++;
    *last = end;
    return (struct sr_span){first, end - first};
}

struct sr_span sr_transmissions_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame)
{
    return span(frame_of_transmission, &last->transmission, journal, journal->transmissions.count, frame);
}

struct sr_span sr_sacks_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame)
{
    return span(frame_of_sack, &last->sack, journal, journal->sacks.count, frame);
}
