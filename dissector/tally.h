/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many transmissions of a direction have each word: what both kinds of statistics show. */
#ifndef SR_DISSECTOR_TALLY_H
#define SR_DISSECTOR_TALLY_H

#include "paint.h"

enum sr_tally_what {
    SR_TALLY_KIND,
    SR_TALLY_CAUSE,
    SR_TALLY_VERDICT,
    SR_TALLY_OUTCOME,
    SR_TALLY_PROBE,
    SR_TALLY_MARK, /* of the chosen profile, by whether it was right */
    SR_TALLY_COUNT,
};
extern const char *const sr_tally_titles[SR_TALLY_COUNT];

typedef void sr_tally_one(void *to, uint32_t assoc, uint8_t from, enum sr_tally_what what, const char *word);

/* Calls `one` for each word of each transmission of a frame; unjudged ones have a kind, as far as it was known, and
 * no other. */
void sr_tally(const struct sr_painted *painted, uint32_t frame, sr_tally_one *one, void *to);

#endif
