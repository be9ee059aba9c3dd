/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rows of the journal are of a frame: they are in the order of frames, so that nothing has to be kept for it. */
#ifndef SR_DISSECTOR_FRAME_ROWS_H
#define SR_DISSECTOR_FRAME_ROWS_H

#include "journal/journal.h"
#include "sorted.h"

/* Where the search was last, of transmissions and of SACKs: frames are mostly asked for one after the other. */
struct sr_frame_rows {
    uint64_t transmission, sack;
};

struct sr_span sr_transmissions_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame);
struct sr_span sr_sacks_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame);

/* The first SACK of the frame, or of the next that has one; their number where none has. */
uint64_t sr_first_sack_of(struct sr_frame_rows *last, const struct sr_journal *journal, uint32_t frame);

#endif
