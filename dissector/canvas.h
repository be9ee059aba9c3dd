/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A frame while it is painted: where fields are added, and what happened on it. Nothing is allocated for fields that
 * nobody asked for; the tree may be NULL. */
#ifndef SR_DISSECTOR_CANVAS_H
#define SR_DISSECTOR_CANVAS_H

#include "fields.h"
#include "recording.h"

struct sr_canvas {
    tvbuff_t *tvb; /* of the frame */
    packet_info *pinfo;
    proto_tree *tree; /* our own, or NULL */
    struct sr_recording *recording;
    const struct sr_link *links; /* of this frame */
    guint link_count;
    uint32_t events; /* 1 << enum sr_event */
    bool is_judged;  /* every row of this frame */
};

/* All return the item, NULL where there is no tree; all items are generated. */
proto_item *sr_add_uint(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint32_t value);
proto_item *sr_add_ulong(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint64_t value);
proto_item *sr_add_bool(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, bool value);
proto_item *sr_add_string(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, const char *value);
proto_item *sr_add_time(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, int64_t ns);
proto_item *sr_add_none(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field);

/* Found by filters, and not shown: what it says is in the tree already. */
void sr_add_sign(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field);

/* A frame number; 0 is none and adds nothing. */
proto_item *sr_add_frame(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint32_t frame);

/* A frame number whose presence alone tells: without a frame the value is 0, which would be a link to nowhere, so that
 * the tree shows `none` in its place. */
void sr_add_frame_or(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint32_t frame, const char *none);

/* From one time to another, where both are known. */
proto_item *sr_add_elapsed(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, int64_t then_ns,
                           int64_t now_ns);

/* A word of an enum, and what it means: its number, and the word as a hidden text. Adds nothing for SR_NO_WORD.
 * `texts` may be NULL. */
proto_item *sr_add_word(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, const char *const *words,
                        const char *const *texts, uint8_t word);

/* A class of 1 to 5 in words; 0 is none. */
proto_item *sr_add_class(struct sr_canvas *canvas, proto_tree *tree, enum sr_field field, uint8_t level);

/* Association, direction and path of a row. `from` is the side whose data it is, `path_from` the side that sent it. */
void sr_add_place(struct sr_canvas *canvas, proto_tree *tree, uint32_t assoc, uint8_t from, uint32_t path,
                  uint8_t path_from);

/* Whether anybody asks for the field. */
bool sr_is_asked_for(const struct sr_canvas *canvas, enum sr_field field);

/* Expert info on the item, and later the prefix of the Info column. Its words are always the same, so that summaries
 * count it; what is special is on the item. */
void sr_event(struct sr_canvas *canvas, proto_item *item, enum sr_event event);
/* What a class of 1 to 5 means. */
const char *sr_class_text(uint8_t level);

#endif
