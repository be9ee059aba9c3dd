/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of the journal by their frame. */
#include "frame_rows.h"

static uint64_t frame_of_transmission(const void *journal, uint64_t row)
{
    return sr_transmission_at(journal, row)->frame;
}

static uint64_t frame_of_sack(const void *journal, uint64_t row)
{
    return sr_sack_at(journal, row)->frame;
}

struct sr_span sr_transmissions_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame)
{
    return sr_sorted_span(frame_of_transmission, journal, journal->transmissions.count, frame, &last->transmission);
}

struct sr_span sr_sacks_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame)
{
    return sr_sorted_span(frame_of_sack, journal, journal->sacks.count, frame, &last->sack);
}

uint64_t sr_first_sack_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame)
{
    last->sack = sr_sorted_first(frame_of_sack, journal, journal->sacks.count, frame, &last->sack);
    return last->sack;
}
