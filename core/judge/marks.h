/* SPDX-License-Identifier: BSD-2-Clause */
/* What a replayed sender last said of a TSN, and when. */
#ifndef SR_JUDGE_MARKS_H
#define SR_JUDGE_MARKS_H

#include "cause.h"

/* The whole of a struct sr_saying. */
struct sr_said {
    struct sr_instant at;
    uint32_t copy, mark_row;
    bool any;
};

/* What the sender last said of the TSN with these marks, which may be null. */
struct sr_said sr_marks_said(const struct sr_causes *causes, const struct sr_tsn_marks *marks, unsigned sender);

/* The mark speaks neither for the sender nor against it. */
void sr_marks_withdrawn(struct sr_fit *fit, const struct sr_said *said);

/* The event of that number; NULL: long ago. */
struct sr_mark_event *sr_marks_event(struct sr_mark_history *history, uint32_t number);

#endif
