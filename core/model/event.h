/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes before each event: time passes, and its TSNs and its path get a place. */
#ifndef SR_MODEL_EVENT_H
#define SR_MODEL_EVENT_H

#include "sender.h"

int64_t sr_event_seq(struct sr_model *model, struct sr_tsn tsn);

/* The place of a path, new if it was not seen before; false where there is none. */
bool sr_event_place(struct sr_model *model, uint32_t number, uint8_t *place);

/* Whether time can pass to an event. */
bool sr_event_is_ahead(const struct sr_model *model, int64_t until_ns);

/* Lets time pass up to an event. */
void sr_event_advance(struct sr_model *model, int64_t until_ns, bool inclusive);

#endif
