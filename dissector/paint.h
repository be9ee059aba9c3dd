/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown on a frame: the rows that were recorded of it, judged or not. */
#ifndef SR_DISSECTOR_PAINT_H
#define SR_DISSECTOR_PAINT_H

#include "canvas.h"

/* Rows that a frame shows, for who counts them. */
struct sr_painted {
    struct sr_recording *recording;
    struct sr_span transmissions, sacks;
};

/* False where nothing was recorded of the frame. */
bool sr_paint(struct sr_recording *recording, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, int protocol,
              struct sr_painted *painted);

void sr_paint_transmission(struct sr_canvas *canvas, uint64_t number);
void sr_paint_sack(struct sr_canvas *canvas, uint64_t number);
/* What this frame reveals of others. */
void sr_paint_revealed(struct sr_canvas *canvas);

/* For all subtrees. */
extern gint sr_ett[3];
enum { SR_ETT_FRAME, SR_ETT_CHUNK, SR_ETT_PART };

#endif
