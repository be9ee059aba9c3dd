/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether the capture holds data behind the feedback that acknowledges it, as interfaces or queues with a clock or a
 * buffer of their own bring it out of its order. */
#ifndef SR_BOOKS_INVERTED_H
#define SR_BOOKS_INVERTED_H

#include "../journal/rows.h"
#include "../wire/time.h"

enum { SR_INVERTED_NS = 2000000 }; /* no response precedes its stimulus by more on one host */

static inline bool sr_is_inverted(const struct sr_transmission_row *row)
{
    int64_t late_ns;
    return row->acked_frame != 0 && row->acked_frame < row->frame &&
           sr_elapsed(row->time_ns, row->acked_time_ns, &late_ns) && late_ns <= SR_INVERTED_NS;
}

#endif
