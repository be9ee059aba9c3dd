/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides by time which transmissions of a path are lost: RFC 8985 section 6.
 * ADAPTATION: everything here is per path. A SACK for what went over a faster path says nothing of a chunk on a slow
 * one. */
#ifndef SR_MODEL_RACK_H
#define SR_MODEL_RACK_H

#include "sender.h"

/* Steps 2 and 3: learns from what one feedback newly delivered on the path. */
void sr_rack_learn(struct sr_sender *sender, struct sr_sender_path *path, const struct sr_ack *ack,
                   const struct sr_path_news *news, uint8_t place);

/* RACK.segs_sacked: what of the path is selectively acknowledged on the scoreboard. */
uint32_t sr_rack_segs_sacked(const struct sr_sender *sender, const struct sr_board_path *path);

/* Step 5: marks what is lost now, and returns when to look again (SR_NO_TIME: only at feedback). `any` says whether
 * anything was marked. */
int64_t sr_rack_detect(struct sr_model *model, struct sr_sender *sender, uint8_t place, uint32_t by_frame, bool *any);

/* Section 6.3: whether a segment that is not the first one is lost at a timeout too. */
bool sr_rack_lost_at_rto(const struct sr_rack *rack, int64_t sent_ns, int64_t now_ns);

/* The oldest and the newest chunk in flight on a path for this sender; NULL without one. */
struct sr_chunk *sr_rack_oldest(struct sr_board *board, const struct sr_sender *sender, uint8_t place);
struct sr_chunk *sr_rack_newest(struct sr_board *board, const struct sr_sender *sender, uint8_t place);

#endif
