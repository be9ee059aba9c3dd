/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts that the user knows better than the capture tells: shown, counted and filtered in place of the engine's. */
#ifndef SR_DISSECTOR_OVERRIDES_H
#define SR_DISSECTOR_OVERRIDES_H

#include "wireshark.h"
/* after it */
#include "journal/journal.h"

struct sr_overrides {
    GArray *list;
};

/* `FRAME=verdict` or `FRAME/TSN=verdict`, with commas between. Says which of them is none, and returns the others, to
 * be freed; NULL where all are understood. */
char *sr_overrides_understood(const char *text);

/* Those that are understood. */
void sr_overrides_begin(struct sr_overrides *overrides, const char *text);
void sr_overrides_end(struct sr_overrides *overrides);

/* The verdict on a retransmission; SR_NO_WORD where the user says nothing. */
uint8_t sr_overridden(const struct sr_overrides *overrides, const struct sr_transmission_row *row);

/* The same, or the engine's. */
uint8_t sr_verdict_of(const struct sr_overrides *overrides, const struct sr_transmission_row *row);

#endif
