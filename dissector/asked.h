/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields that filters, columns and statistics ask for in the first pass, which does not know them yet: what was left
 * out or counted as nothing for it is told, as an empty answer looks like a true one. */
#ifndef SR_DISSECTOR_ASKED_H
#define SR_DISSECTOR_ASKED_H

#include "fields.h"

enum { SR_ASKED_WORDS = (SR_FIELD_COUNT + SR_EVENT_COUNT + 63) / 64 };

/* Of a file. */
struct sr_asked {
    uint64_t first[SR_ASKED_WORDS], second[SR_ASKED_WORDS]; /* by pass: a bit for each field, then for each event */
    bool has_first, has_second;                             /* it was looked at */
};

/* What the frame that is being dissected is dissected for. In tshark all frames of a pass are alike. */
void sr_asked_in_first_pass(struct sr_asked *asked);
void sr_asked_first_pass_ends(const struct sr_asked *asked); /* no frame is being dissected */
void sr_asked_in_second_pass(struct sr_asked *asked);

/* Whether the first pass was asked for what is known later. */
bool sr_asked_too_early(const struct sr_asked *asked);

/* The file is closed. What was asked for in vain is told in one line, once; `dropped`: frames that a read filter did
 * not let pass were recorded. */
void sr_asked_end(const struct sr_asked *asked, bool dropped);

#endif
