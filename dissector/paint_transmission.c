/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown of a DATA or I-DATA chunk: which copy it is, why it was sent again, whether that was needed, and what
 * became of it. */
#include "paint.h"

#include "association/kind.h"
#include "association/registry.h"

struct chunk {
    struct sr_canvas *canvas;
    const struct sr_transmission_row *row;
    uint64_t number;
    proto_item *item;
    proto_tree *tree;
};

static void paint_relative(const struct chunk *chunk)
{
    const struct sr_registry *associations = sr_engine_associations(chunk->canvas->recording->engine);
    if (chunk->row->assoc == SR_NO_ASSOCIATION || !sr_is_asked_for(chunk->canvas, SR_FIELD_DATA_TSN_RELATIVE))
        return;
    const struct sr_side *side = &sr_registry_at(associations, chunk->row->assoc)->side[chunk->row->from];
    sr_add_uint(chunk->canvas, chunk->tree, SR_FIELD_DATA_TSN_RELATIVE, chunk->row->tsn - side->data.first_tsn);
}

/* Formatted in one go: there are many. */
static proto_item *add_chunk(const struct sr_canvas *canvas, const struct sr_transmission_row *row, uint8_t kind)
{
    int hf = sr_hf[SR_FIELD_DATA_TSN];
    if (!canvas->tree)
        return NULL;
    if (row->assoc == SR_NO_ASSOCIATION)
        return proto_tree_add_uint(canvas->tree, hf, canvas->tvb, 0, 0, row->tsn);
    if (!sr_is_duplicate(kind) || row->prev_frame == 0)
        return proto_tree_add_uint_format(canvas->tree, hf, canvas->tvb, 0, 0, row->tsn, "TSN: %u, copy %u: %s",
                                          row->tsn, row->copy, sr_kind_names[kind]);
    return proto_tree_add_uint_format(canvas->tree, hf, canvas->tvb, 0, 0, row->tsn, "TSN: %u: %s of frame %u",
                                      row->tsn, sr_kind_names[kind], row->prev_frame);
}

static void paint_copy(const struct chunk *chunk, uint8_t kind)
{
    struct sr_canvas *canvas = chunk->canvas;
    const struct sr_transmission_row *row = chunk->row;
    sr_add_word(canvas, chunk->tree, SR_FIELD_ANALYSIS_KIND, sr_kind_names, NULL, kind);
    sr_add_uint(canvas, chunk->tree, SR_FIELD_ANALYSIS_COPY, row->copy);
    if (kind == SR_KIND_RETRANSMISSION)
        sr_add_frame_or(canvas, chunk->tree, SR_FIELD_ANALYSIS_RETRANSMISSION, row->prev_frame,
                        "Retransmission of a copy that the capture does not hold");
    else
        sr_add_frame(canvas, chunk->tree, SR_FIELD_ANALYSIS_DUPLICATE_OF, row->prev_frame);
    if (row->first_frame != row->frame || row->copy > 1)
        sr_add_frame(canvas, chunk->tree, SR_FIELD_ANALYSIS_RETRANSMISSION_FIRST, row->first_frame);
}

/* What speaks for it: the codes from one on and before another. */
static void paint_evidence(const struct chunk *chunk, enum sr_evidence from, enum sr_evidence end)
{
    for (unsigned code = from; code < end; code++)
        if (chunk->row->evidence >> code & 1)
            sr_add_word(chunk->canvas, chunk->tree, SR_FIELD_ANALYSIS_EVIDENCE, sr_evidence_names, sr_evidence_texts,
                        (uint8_t)code);
}

static void paint_cause(const struct chunk *chunk)
{
    struct sr_canvas *canvas = chunk->canvas;
    const struct sr_transmission_row *row = chunk->row;
    sr_add_word(canvas, chunk->tree, SR_FIELD_ANALYSIS_CAUSE, sr_cause_names, sr_cause_texts, row->cause);
    sr_add_class(canvas, chunk->tree, SR_FIELD_ANALYSIS_CAUSE_CLASS, row->cause_class);
    sr_add_frame(canvas, chunk->tree, SR_FIELD_ANALYSIS_TRIGGER, row->trigger_frame);
    paint_evidence(chunk, SR_EVIDENCE_K1, SR_EVIDENCE_COUNT);
    if (row->cause != SR_NO_WORD)
        proto_item_append_text(chunk->item, ", %s", sr_cause_names[row->cause]);
}

static void paint_verdict(const struct chunk *chunk)
{
    struct sr_canvas *canvas = chunk->canvas;
    const struct sr_transmission_row *row = chunk->row;
    uint8_t told = sr_overridden(&canvas->recording->overrides, row);
    uint8_t verdict = told == SR_NO_WORD ? row->verdict : told;
    if (verdict == SR_NO_WORD)
        return;
    proto_item *item =
        sr_add_word(canvas, chunk->tree, SR_FIELD_ANALYSIS_VERDICT, sr_verdict_names, sr_verdict_texts, verdict);
    proto_item_append_text(chunk->item, ", %s (%s)", sr_verdict_names[verdict],
                           told == SR_NO_WORD ? sr_class_text(row->verdict_class) : "as told");
    if (told == SR_NO_WORD) {
        sr_add_class(canvas, chunk->tree, SR_FIELD_ANALYSIS_VERDICT_CLASS, row->verdict_class);
        paint_evidence(chunk, 0, SR_EVIDENCE_K1);
    }
    if (verdict == SR_VERDICT_SPURIOUS)
        sr_event(canvas, item, SR_EVENT_ANALYSIS_SPURIOUS);
}

static enum sr_event event_of_cause(uint8_t cause)
{
    switch (cause) {
    case SR_CAUSE_T3:
    case SR_CAUSE_T3_GBN: return SR_EVENT_ANALYSIS_TIMEOUT_RETRANSMISSION;
    case SR_CAUSE_FAST:
    case SR_CAUSE_FAST_DEFERRED:
    case SR_CAUSE_EARLY_RETRANSMIT: return SR_EVENT_ANALYSIS_FAST_RETRANSMISSION;
    case SR_CAUSE_RACK:
    case SR_CAUSE_RACK_TIMER:
    case SR_CAUSE_RACK_RTX: return SR_EVENT_ANALYSIS_RACK_RETRANSMISSION;
    case SR_CAUSE_TLP: return SR_EVENT_ANALYSIS_TAIL_LOSS_PROBE;
    default: return SR_EVENT_ANALYSIS_OTHER_RETRANSMISSION;
    }
}

/* A spurious one and a probe say so instead of their cause. */
static void say_kind(const struct chunk *chunk, uint8_t kind, bool is_judged)
{
    struct sr_canvas *canvas = chunk->canvas;
    const struct sr_transmission_row *row = chunk->row;
    if (kind == SR_KIND_REORDERED)
        sr_event(canvas, chunk->item, SR_EVENT_ANALYSIS_REORDERED);
    else if (kind == SR_KIND_CONFLICTING)
        sr_event(canvas, chunk->item, SR_EVENT_ANALYSIS_CONFLICTING);
    else if (kind == SR_KIND_NETWORK_DUPLICATE)
        sr_event(canvas, chunk->item, SR_EVENT_ANALYSIS_NETWORK_DUPLICATE);
    else if (kind == SR_KIND_CAPTURE_DUPLICATE)
        sr_event(canvas, chunk->item, SR_EVENT_ANALYSIS_CAPTURE_DUPLICATE);
    else if (is_judged && row->probe != SR_NO_WORD)
        sr_event(canvas, chunk->item, SR_EVENT_ANALYSIS_TAIL_LOSS_PROBE);
    else if (kind == SR_KIND_RETRANSMISSION &&
             (!is_judged || sr_verdict_of(&canvas->recording->overrides, row) != SR_VERDICT_SPURIOUS))
        sr_event(canvas, chunk->item, is_judged ? event_of_cause(row->cause) : SR_EVENT_ANALYSIS_OTHER_RETRANSMISSION);
}

/* Of the TSN: a copy that was lost has it from another one. */
static void paint_acknowledgement(const struct chunk *chunk)
{
    const struct sr_transmission_row *row = chunk->row;
    if (row->acked_frame == 0)
        return;
    proto_item *items[] = {
        sr_add_frame(chunk->canvas, chunk->tree, SR_FIELD_ANALYSIS_ACKED_IN, row->acked_frame),
        sr_add_elapsed(chunk->canvas, chunk->tree, SR_FIELD_ANALYSIS_ACKED_AFTER, row->time_ns, row->acked_time_ns),
    };
    for (unsigned i = 0; row->outcome == SR_OUTCOME_LOST && i < 2; i++)
        if (items[i])
            proto_item_append_text(items[i], " (another copy of it arrived)");
}

static void paint_fate(const struct chunk *chunk)
{
    struct sr_canvas *canvas = chunk->canvas;
    const struct sr_transmission_row *row = chunk->row;
    const struct sr_journal *journal = sr_recording_journal(canvas->recording);
    uint32_t next = sr_links_next_copy(&canvas->recording->links, chunk->number);

    proto_item *item =
        sr_add_word(canvas, chunk->tree, SR_FIELD_ANALYSIS_OUTCOME, sr_outcome_names, sr_outcome_texts, row->outcome);
    sr_add_class(canvas, chunk->tree, SR_FIELD_ANALYSIS_OUTCOME_CLASS, row->outcome_class);
    paint_acknowledgement(chunk);
    if (row->dup_frame)
        sr_add_frame(canvas, chunk->tree, SR_FIELD_ANALYSIS_DUPLICATE_REPORTED_IN, row->dup_frame);
    if (next)
        sr_add_frame(canvas, chunk->tree, SR_FIELD_ANALYSIS_RETRANSMITTED_IN,
                     sr_transmission_at(journal, next - 1)->frame);
    sr_add_frame(canvas, chunk->tree, SR_FIELD_ANALYSIS_RESOLVED_IN, row->resolved_frame);
    if (row->outcome == SR_OUTCOME_LOST) {
        sr_add_frame_or(canvas, chunk->tree, SR_FIELD_ANALYSIS_LOST,
                        sr_links_reveals(&canvas->recording->links, journal, chunk->number),
                        "Nothing in the capture reveals the loss");
        proto_item_append_text(chunk->item, ", lost (%s)", sr_class_text(row->outcome_class));
        sr_event(canvas, item, SR_EVENT_ANALYSIS_LOST_TRANSMISSION);
    } else if (row->outcome == SR_OUTCOME_ABANDONED) {
        proto_item_append_text(chunk->item, ", abandoned");
        sr_event(canvas, item, SR_EVENT_ANALYSIS_ABANDONED);
    }
}

/* No event: a model says it, which may not be the sender's. */
static void paint_mark(const struct chunk *chunk, const struct sr_rack_mark_row *mark)
{
    struct sr_canvas *canvas = chunk->canvas;
    proto_item *item = sr_add_uint(canvas, chunk->tree, SR_FIELD_ANALYSIS_RACK_LOST, mark->tsn);
    proto_tree *tree = item ? proto_item_add_subtree(item, sr_ett[SR_ETT_PART]) : NULL;
    proto_item_append_text(item, " by %s", sr_profile_texts[mark->profile]);
    sr_add_frame(canvas, tree, SR_FIELD_ANALYSIS_RACK_LOST_IN, mark->by_frame);
    sr_add_elapsed(canvas, tree, SR_FIELD_ANALYSIS_RACK_LOST_AFTER, chunk->row->time_ns, mark->time_ns);
    sr_add_word(canvas, tree, SR_FIELD_ANALYSIS_RACK_LOST_TRIGGER, sr_trigger_names, sr_trigger_texts, mark->trigger);
    sr_add_word(canvas, tree, SR_FIELD_ANALYSIS_RACK_LOST_RESOLUTION, sr_resolution_names, sr_resolution_texts,
                mark->resolution);
    sr_add_time(canvas, tree, SR_FIELD_ANALYSIS_RACK_LOST_REO_WND, mark->reo_wnd_ns);
    sr_add_time(canvas, tree, SR_FIELD_ANALYSIS_RACK_LOST_LEAD, mark->sender_lead_ns);
    sr_add_sign(canvas, tree, SR_FIELD_ANALYSIS_RACK_MARK);
}

static void paint_probe(const struct chunk *chunk, const struct sr_probe_row *probe)
{
    struct sr_canvas *canvas = chunk->canvas;
    sr_add_time(canvas, chunk->tree, SR_FIELD_ANALYSIS_PROBE_PTO, probe->pto_ns);
    sr_add_word(canvas, chunk->tree, SR_FIELD_ANALYSIS_PROBE_OUTCOME, sr_probe_outcome_names, sr_probe_outcome_texts,
                probe->outcome);
}

static void paint_storm(const struct chunk *chunk, const struct sr_storm_row *storm)
{
    struct sr_canvas *canvas = chunk->canvas;
    proto_item *item = sr_add_uint(canvas, chunk->tree, SR_FIELD_ANALYSIS_STORM, storm->retransmissions);
    proto_tree *tree = item ? proto_item_add_subtree(item, sr_ett[SR_ETT_PART]) : NULL;
    sr_add_uint(canvas, tree, SR_FIELD_ANALYSIS_STORM_SPURIOUS, storm->spurious);
    sr_add_ulong(canvas, tree, SR_FIELD_ANALYSIS_STORM_BYTES_WASTED, storm->bytes_wasted);
    sr_add_time(canvas, tree, SR_FIELD_ANALYSIS_STORM_DURATION, storm->duration_ns);
    sr_event(canvas, item, SR_EVENT_ANALYSIS_STORM_BEGINS);
}

/* What the tables beside the journal say of this chunk. A storm begins with the first chunk of its packet. */
static void paint_linked(const struct chunk *chunk)
{
    const struct sr_recording *recording = chunk->canvas->recording;
    const struct sr_journal *journal = sr_recording_journal(recording);
    const struct sr_judgement *judgement = sr_engine_judgement(recording->engine);
    const struct sr_transmission_row *row = chunk->row;
    bool is_first = chunk->number == 0 || sr_transmission_at(journal, chunk->number - 1)->frame != row->frame;
    for (guint i = 0; i < chunk->canvas->link_count; i++) {
        const struct sr_link *link = &chunk->canvas->links[i];
        if (link->what == SR_LINK_MARKED && link->row == chunk->number)
            paint_mark(chunk, sr_spool_at(&judgement->rack_marks, link->number));
        if (link->what == SR_LINK_PROBE) {
            const struct sr_probe_row *probe = sr_spool_at(&judgement->probes, link->number);
            if (probe->tsn == row->tsn && probe->assoc == row->assoc && probe->from == row->from)
                paint_probe(chunk, probe);
        }
        if (link->what == SR_LINK_STORM && is_first)
            paint_storm(chunk, sr_spool_at(&judgement->storms, link->number));
    }
}

/* Looked for only where one of its fields is asked for: every chunk would have it. */
static void paint_limit(const struct chunk *chunk)
{
    struct sr_canvas *canvas = chunk->canvas;
    unsigned field = SR_FIELD_ANALYSIS_LIMIT;
    while (field <= SR_FIELD_ANALYSIS_LIMIT_CLASS && !sr_is_asked_for(canvas, field))
        field++;
    if (field > SR_FIELD_ANALYSIS_LIMIT_CLASS)
        return;
    const struct sr_judgement *judgement = sr_engine_judgement(canvas->recording->engine);
    const struct sr_limit_row *limit = sr_limited_before(&canvas->recording->limited, judgement, chunk->row);
    if (!limit)
        return;
    sr_add_word(canvas, chunk->tree, SR_FIELD_ANALYSIS_LIMIT, sr_limit_names, sr_limit_texts, limit->limit);
    sr_add_class(canvas, chunk->tree, SR_FIELD_ANALYSIS_LIMIT_CLASS, limit->limit_class);
}

static void paint_hole(const struct chunk *chunk)
{
    uint32_t missing = sr_holes_before(&chunk->canvas->recording->holes, chunk->number);
    if (missing == 0)
        return;
    proto_item *item = sr_add_uint(chunk->canvas, chunk->tree, SR_FIELD_ANALYSIS_LOST_SEGMENT, missing);
    sr_event(chunk->canvas, item, SR_EVENT_ANALYSIS_HOLE);
}

/* What becomes of it: only of associations that are followed (SR_ASSOCIATIONS_LIMIT). */
static void paint_followed(const struct chunk *chunk, uint8_t kind)
{
    struct sr_canvas *canvas = chunk->canvas;
    const struct sr_transmission_row *row = chunk->row;
    paint_copy(chunk, kind);
    paint_hole(chunk);
    say_kind(chunk, kind, canvas->is_judged);
    if (!canvas->is_judged)
        return;
    paint_cause(chunk);
    paint_verdict(chunk);
    sr_add_word(canvas, chunk->tree, SR_FIELD_ANALYSIS_PROBE, sr_probe_names, sr_probe_texts, row->probe);
    sr_add_class(canvas, chunk->tree, SR_FIELD_ANALYSIS_PROBE_CLASS, row->probe_class);
    paint_linked(chunk);
    paint_fate(chunk);
    paint_limit(chunk);
}

void sr_paint_transmission(struct sr_canvas *canvas, uint64_t number)
{
    const struct sr_journal *journal = sr_recording_journal(canvas->recording);
    struct chunk chunk = {.canvas = canvas, .row = sr_transmission_at(journal, number), .number = number};
    const struct sr_transmission_row *row = chunk.row;
    uint8_t kind = canvas->is_judged ? row->kind : row->seen_kind;

    chunk.item = add_chunk(canvas, row, kind);
    proto_item_set_generated(chunk.item);
    chunk.tree = chunk.item ? proto_item_add_subtree(chunk.item, sr_ett[SR_ETT_CHUNK]) : NULL;
    if (row->assoc != SR_NO_ASSOCIATION)
        paint_followed(&chunk, kind);
    if (!chunk.tree)
        return;
    paint_relative(&chunk);
    sr_add_uint(canvas, chunk.tree, SR_FIELD_DATA_CHUNK, row->chunk);
    sr_add_uint(canvas, chunk.tree, SR_FIELD_DATA_BYTES, row->bytes);
    sr_add_word(canvas, chunk.tree, SR_FIELD_DATA_CRC, sr_crc_names, NULL, row->crc);
    sr_add_place(canvas, chunk.tree, row->assoc, row->from, row->path, row->from);
}
