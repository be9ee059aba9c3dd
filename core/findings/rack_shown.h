/* SPDX-License-Identifier: BSD-2-Clause */
/* What the marks of RACK-TLP show of each transmission, also of copies that were not seen. */
#ifndef SR_FINDINGS_RACK_SHOWN_H
#define SR_FINDINGS_RACK_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "../buffer.h"
#include "../journal/journal.h"
#include "../journal/judgement.h"

/* Of several marks the one that says most counts. */
struct sr_shown {
    int64_t lead_ns; /* how much earlier than the sender it would have sent it again; 0: not, or not shown */
    bool marked;
    bool by_rack; /* not by a timeout, which any sender has */
};

struct sr_shown_marks {
    struct sr_shown *of;     /* by transmission */
    struct sr_buffer unseen; /* by copy that was not seen */
};

/* False when memory runs out. To be given to sr_shown_free anyway. */
bool sr_shown_begin(struct sr_shown_marks *marks, uint64_t transmissions);

void sr_shown_add(struct sr_shown_marks *marks, const struct sr_rack_mark_row *mark);

/* All are added. */
void sr_shown_end(struct sr_shown_marks *marks);

/* Of the copy before a retransmission. */
struct sr_shown sr_shown_of(const struct sr_shown_marks *marks, const struct sr_transmission_row *row);

void sr_shown_free(struct sr_shown_marks *marks);

#endif
