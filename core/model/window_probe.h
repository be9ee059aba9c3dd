/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides whether a packet is a zero window probe: RFC 9260 section 6.1. Its repetitions have a rule of their own, and
 * in RFC 8985 and RFC 9260 it arms no timer until the window opens or other data follows. */
#ifndef SR_MODEL_WINDOW_PROBE_H
#define SR_MODEL_WINDOW_PROBE_H

#include "tlp.h"

/* Whether this packet, just recorded, for which the window is too small, is one for this sender, which then remembers
 * it. */
bool sr_is_window_probe(struct sr_model *model, struct sr_sender *sender, const struct sr_packet_view *packet);

/* Whether the advertised window is too small for the first of these chunks that is on the board. */
bool sr_window_is_closed(const struct sr_model *model, const int64_t *seqs, size_t count);

#endif
