/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the data of a side is numbered anew: SSN/TSN resets that were performed (RFC 6525 section 5.2.4). */
#ifndef SR_TIMELINE_NUMBERING_H
#define SR_TIMELINE_NUMBERING_H

#include "../journal/journal.h"
#include "../wire/tsn.h"

/* The next TSN of the data of a side, as a RE-CONFIG has it; false where it resets nothing. */
bool sr_numbered_anew(const struct sr_journal *journal, const struct sr_control_row *row, unsigned from,
                      struct sr_tsn *next);

#endif
