/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order in which a frame is painted, and its Info column. */
#include "paint.h"

#include "preferences.h"

gint sr_ett[3] = {-1, -1, -1};

/* Chunks in the order of the packet. */
static void paint_chunks(struct sr_canvas *canvas, const struct sr_painted *painted)
{
    const struct sr_journal *journal = sr_recording_journal(canvas->recording);
    uint64_t data = painted->transmissions.first, data_end = data + painted->transmissions.count;
    uint64_t sack = painted->sacks.first, sack_end = sack + painted->sacks.count;
    while (data < data_end || sack < sack_end) {
        bool data_next = sack == sack_end || (data < data_end && sr_transmission_at(journal, data)->chunk <
                                                                     sr_sack_at(journal, sack)->chunk);
        if (data_next)
            sr_paint_transmission(canvas, data++);
        else
            sr_paint_sack(canvas, sack++);
    }
}

static void prefix_info(const struct sr_canvas *canvas)
{
    if (!sr_preferences.shows_info)
        return;
    for (int event = SR_EVENT_COUNT - 1; event >= 0; event--)
        if (canvas->events >> event & 1 && sr_event_prefixes[event])
            col_prepend_fstr(canvas->pinfo->cinfo, COL_INFO, "[%s] ", sr_event_prefixes[event]);
}

static void say_what_failed(struct sr_canvas *canvas)
{
    if (canvas->recording->is_renumbered)
        sr_event(canvas, canvas->tree, SR_EVENT_RENUMBERED);
    if (canvas->recording->has_failed)
        sr_event(canvas, canvas->tree, SR_EVENT_FAILED);
}

static void find_rows(struct sr_recording *recording, uint32_t frame, struct sr_painted *painted)
{
    const struct sr_journal *journal = sr_recording_journal(recording);
    *painted = (struct sr_painted){
        .recording = recording,
        .transmissions = sr_transmissions_of(&recording->last, journal, frame),
        .sacks = sr_sacks_of(&recording->last, journal, frame),
    };
}

bool sr_paint(struct sr_recording *recording, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, int protocol,
              struct sr_painted *painted)
{
    struct sr_canvas canvas = {.tvb = tvb, .pinfo = pinfo, .recording = recording};
    if (!recording->engine)
        return false;
    find_rows(recording, pinfo->num, painted);
    canvas.is_judged = painted->transmissions.first + painted->transmissions.count <= recording->judged_transmissions &&
                       painted->sacks.first + painted->sacks.count <= recording->judged_sacks;
    if (canvas.is_judged)
        canvas.links = sr_links_of(&recording->links, pinfo->num, &canvas.link_count);
    if (painted->transmissions.count == 0 && painted->sacks.count == 0 && canvas.link_count == 0)
        return false;

    proto_item *item = tree ? proto_tree_add_item(tree, protocol, tvb, 0, 0, ENC_NA) : NULL;
    proto_item_set_generated(item);
    canvas.tree = item ? proto_item_add_subtree(item, sr_ett[SR_ETT_FRAME]) : NULL;
    if (recording->is_renumbered || recording->has_failed) {
        say_what_failed(&canvas);
        return false;
    }
    if (!canvas.is_judged)
        sr_add_bool(&canvas, canvas.tree, SR_FIELD_PROVISIONAL, true);
    paint_chunks(&canvas, painted);
    sr_paint_revealed(&canvas);
    if (canvas.events)
        sr_add_none(&canvas, canvas.tree, SR_FIELD_ANALYSIS_FLAGS);
    prefix_info(&canvas);
    return true;
}
