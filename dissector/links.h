/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be said on a frame because of another one: the next copy of a TSN, which feedback reveals a loss, where a
 * profile marks it, probes, storms, which resend a duplicate report concerns, what feedback newly acknowledges. Made
 * anew from each judgement. */
#ifndef SR_DISSECTOR_LINKS_H
#define SR_DISSECTOR_LINKS_H

#include <glib.h>

#include "engine/engine.h"
#include "journal/judgement.h"

enum sr_link_what {
    SR_LINK_REVEALS, /* `number`: row of the lost transmission */
    SR_LINK_MARKED,  /* `number`: mark of the transmission `row` */
    SR_LINK_MARKS,   /* `number`: mark that is decided here */
    SR_LINK_PROBE,   /* `number`: probe */
    SR_LINK_STORM,   /* `number`: storm */
    SR_LINK_DUP_OF   /* `number`: row of the retransmission that the SACK `row` reports as duplicate */
};

struct sr_link {
    uint32_t frame; /* on which it is said */
    uint32_t what;
    uint32_t number;
    uint32_t row;
};

/* Of the transmissions that a SACK newly acknowledges 1 + row of the first and of the last; 0 without. */
struct sr_acks {
    uint32_t first, last;
};

struct sr_links {
    GArray *next;  /* uint32_t by transmission: 1 + row of the next copy that the sender sent, 0 without */
    GArray *acks;  /* struct sr_acks by SACK */
    GArray *list;  /* struct sr_link, by frame */
    uint64_t last; /* where the search was last */
};

void sr_links_begin(struct sr_links *links);
void sr_links_end(struct sr_links *links);

/* Of the marks those of `profile`. */
void sr_links_make(struct sr_links *links, const struct sr_engine *engine, enum sr_profile profile);

/* The links of a frame side by side, and how many. */
const struct sr_link *sr_links_of(struct sr_links *links, uint32_t frame, guint *count);

/* Of a SACK by its row. */
struct sr_acks sr_links_acks(const struct sr_links *links, uint64_t sack);

/* 1 + the row of the next copy, 0 without. */
uint32_t sr_links_next_copy(const struct sr_links *links, uint64_t row);

/* The frame that shows that a transmission was lost: the feedback that caused its next copy, that copy where a timer
 * sent it, else where its fate became known; 0 where none does. */
uint32_t sr_links_reveals(const struct sr_links *links, const struct sr_journal *journal, uint64_t row);

#endif
