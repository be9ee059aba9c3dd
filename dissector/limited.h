/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sender of a direction waited for, by time: rows of `limits` where they are looked for. */
#ifndef SR_DISSECTOR_LIMITED_H
#define SR_DISSECTOR_LIMITED_H

#include <glib.h>

#include "engine/engine.h"
#include "journal/judgement.h"
#include "sorted.h"

/* One direction's rows of `limits`, which stand side by side in the order of time. */
struct sr_limited {
    uint32_t assoc;
    uint8_t from;
    struct sr_span rows;
};

/* struct sr_limited by association and side. */
struct sr_limited_list {
    GArray *directions;
};

void sr_limited_begin(struct sr_limited_list *list);
void sr_limited_end(struct sr_limited_list *list);

/* Made anew from each judgement. */
void sr_limited_make(struct sr_limited_list *list, const struct sr_judgement *judgement);

/* The interval that a chunk ends or is sent in; NULL for what its sender sent first, or did not send. */
const struct sr_limit_row *sr_limited_before(const struct sr_limited_list *list, const struct sr_judgement *judgement,
                                             const struct sr_transmission_row *row);

#endif
