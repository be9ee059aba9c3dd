/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many TSNs between the highest so far and a new highest one were not seen at this tap. */
#ifndef SR_DISSECTOR_HOLES_H
#define SR_DISSECTOR_HOLES_H

#include <glib.h>

#include "journal/journal.h"

struct sr_holes {
    GArray *highest; /* by association and side */
    GArray *list;    /* in the order of rows */
    uint64_t last;   /* where the search was last */
};

void sr_holes_begin(struct sr_holes *holes);
void sr_holes_end(struct sr_holes *holes);

/* A row as it was written; each once, in their order. */
void sr_holes_note(struct sr_holes *holes, const struct sr_transmission_row *row, uint64_t number);

/* 0: none. */
uint32_t sr_holes_before(struct sr_holes *holes, uint64_t row);

#endif
