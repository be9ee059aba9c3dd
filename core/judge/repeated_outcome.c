/* SPDX-License-Identifier: BSD-2-Clause */
#include "repeated_outcome.h"

#include "../association/kind.h"
#include "first_arrival.h"
#include "verdict_columns.h"

/* The transmission that it repeats: the latest or the first copy (sr_kind_of), so few rows back where nothing odd goes
 * on. The limit bounds the cost of a TSN with thousands of rows; beyond it, what was seen before stands for it. */
static const struct sr_transmission_row *repeated_by(const struct sr_half *half, const struct sr_transmission_row *row)
{
    enum { LOOKED_AT = 8 };
    uint32_t number = row->prev_row;
    for (int i = 0; i < LOOKED_AT && number != 0; i++) {
        const struct sr_transmission_row *same = sr_half_left(half, number);
        if (same->copy == row->copy)
            return same;
        number = same->prev_row;
    }
    return row->prev_row ? sr_half_left(half, row->prev_row) : NULL;
}

void sr_set_outcome_of_repeated(const struct sr_half *half, struct sr_transmission_row *row)
{
    const struct sr_transmission_row *same = repeated_by(half, row);
    if (!same) {
        sr_set_outcome(row, SR_OUTCOME_UNRESOLVED, 1);
        return;
    }
    bool arrived = same->outcome == SR_OUTCOME_ACKED && row->kind == SR_KIND_NETWORK_DUPLICATE;
    sr_set_outcome(row, (enum sr_outcome)same->outcome, same->outcome_class);
    row->acked_frame = same->acked_frame;
    row->acked_time_ns = same->acked_time_ns;
    bool resolved = same->resolved_frame != 0 && row->kind == SR_KIND_CAPTURE_DUPLICATE;
    row->resolved_frame = !resolved ? 0 : same->resolved_frame > row->frame ? same->resolved_frame : row->frame;
    if (arrived)
        row->outcome_class = sr_class_of_likely(half, 2);
    else if (row->kind == SR_KIND_NETWORK_DUPLICATE && row->outcome_class > 3)
        row->outcome_class = 3; /* what says that the receiver did not have it says so of both */
}
