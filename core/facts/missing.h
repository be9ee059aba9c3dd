/* SPDX-License-Identifier: BSD-2-Clause */
/* Which chunk, seen once and in order, had been sent before in a packet that never passed the tap. A silence that fits
 * a timer proves nothing: who writes once a second, or when asked, is silent too. More packets missing than TSNs do,
 * where the sender counts the packets of this association alone. Likewise, how many packets of the receiver are
 * missing: only those can have been feedback that was lost. */
#ifndef SR_FACTS_MISSING_H
#define SR_FACTS_MISSING_H

#include "half.h"

/* When the frame before passed the tap, of either side. */
struct sr_silence {
    uint32_t frame;
    int64_t time_ns, before_ns; /* SR_NO_TIME: there was none */
};

void sr_silence_begin(struct sr_silence *silence);
void sr_silence_frame(struct sr_silence *silence, uint32_t frame, int64_t time_ns);

/* Before the frame; at least as long as the shortest timer of its sender. */
bool sr_silence_is_timeout(const struct sr_silence *silence, const struct sr_half *half);

/* Whether the sender counts the packets of this association alone: measured.counts_packets. */
void sr_find_missing(struct sr_half *half);

/* How many packets of the receiver did not pass the tap between this feedback and the row before; false where its count
 * does not tell. */
bool sr_feedback_missing(const struct sr_half *half, const struct sr_sack_row *feedback, uint32_t *packets);

#endif
