/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a frame reveals of others: losses, and marks of the chosen profile. None of it is an event of this frame. */
#include "paint.h"

static void paint_loss(struct sr_canvas *canvas, const struct sr_transmission_row *lost)
{
    proto_item *item = sr_add_uint(canvas, canvas->tree, SR_FIELD_ANALYSIS_LOST_TSN, lost->tsn);
    proto_tree *tree = item ? proto_item_add_subtree(item, sr_ett[SR_ETT_PART]) : NULL;
    proto_item_append_text(item, ", copy %u in frame %u", lost->copy, lost->frame);
    sr_add_frame(canvas, tree, SR_FIELD_ANALYSIS_LOST_FRAME, lost->frame);
    sr_add_sign(canvas, tree, SR_FIELD_ANALYSIS_LOSS_REVEALED);
}

static void paint_mark(struct sr_canvas *canvas, const struct sr_rack_mark_row *mark)
{
    proto_item *item = sr_add_uint(canvas, canvas->tree, SR_FIELD_ANALYSIS_RACK_LOST_TSN, mark->tsn);
    proto_tree *tree = item ? proto_item_add_subtree(item, sr_ett[SR_ETT_PART]) : NULL;
    if (mark->frame)
        proto_item_append_text(item, ", copy %u in frame %u, by %s", mark->copy, mark->frame,
                               sr_profile_texts[mark->profile]);
    sr_add_frame(canvas, tree, SR_FIELD_ANALYSIS_RACK_LOST_FRAME, mark->frame);
    sr_add_sign(canvas, tree, SR_FIELD_ANALYSIS_RACK_MARKS);
}

void sr_paint_revealed(struct sr_canvas *canvas)
{
    const struct sr_engine *engine = canvas->recording->engine;
    for (guint i = 0; i < canvas->link_count; i++) {
        const struct sr_link *link = &canvas->links[i];
        if (link->what == SR_LINK_REVEALS)
            paint_loss(canvas, sr_transmission_at(sr_engine_journal(engine), link->number));
        else if (link->what == SR_LINK_MARKS)
            paint_mark(canvas, sr_spool_at(&sr_engine_judgement(engine)->rack_marks, link->number));
    }
}
