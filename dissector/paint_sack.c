/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown of a SACK, an NR-SACK or the cumulative TSN of a SHUTDOWN: its blocks as absolute TSNs, what it newly
 * acknowledges, what is still missing, and what the sender knows when it has it. */
#include "paint.h"

#include <stdlib.h>

#include "association/registry.h"
#include "judge/rack_state.h"
#include "preferences.h"
#include "sack_info.h"

struct sack {
    struct sr_canvas *canvas;
    const struct sr_sack_row *row;
    const uint32_t *gaps, *nr_gaps, *dups; /* NULL where there are none */
    uint64_t number;
    proto_item *item;
    proto_tree *tree;
};

/* A block as offsets from the cumulative TSN: no further than 65535 (RFC 9260 section 3.3.4). */
struct block {
    uint32_t first, last;
};

/* A run of TSNs: how it is called, and its fields. */
struct run {
    const char *name;
    enum sr_field first, last, count; /* `count` may be SR_FIELD_COUNT: none */
};

static const struct run gap_run = {"Gap block", SR_FIELD_SACK_GAP_START_TSN, SR_FIELD_SACK_GAP_END_TSN,
                                   SR_FIELD_SACK_GAP_TSNS};
static const struct run nr_gap_run = {"NR-gap block", SR_FIELD_SACK_NR_GAP_START_TSN, SR_FIELD_SACK_NR_GAP_END_TSN,
                                      SR_FIELD_SACK_NR_GAP_TSNS};
static const struct run missing_run = {"Missing", SR_FIELD_SACK_MISSING_START_TSN, SR_FIELD_SACK_MISSING_END_TSN,
                                       SR_FIELD_COUNT};

static bool is_asked_for(const struct sr_canvas *canvas, const struct run *run)
{
    return sr_is_asked_for(canvas, run->first) || sr_is_asked_for(canvas, run->last) ||
           (run->count < SR_FIELD_COUNT && sr_is_asked_for(canvas, run->count));
}

static void paint_run(const struct sack *sack, const struct run *run, uint32_t first, uint32_t last)
{
    struct sr_canvas *canvas = sack->canvas;
    uint32_t tsns = last - first + 1;
    proto_item *item =
        proto_tree_add_uint_format(sack->tree, sr_hf[run->first], canvas->tvb, 0, 0, first,
                                   "%s: TSN %u to %u (%u TSN%s)", run->name, first, last, tsns, tsns == 1 ? "" : "s");
    proto_item_set_generated(item);
    proto_tree *tree = proto_item_add_subtree(item, sr_ett[SR_ETT_PART]);
    sr_add_uint(canvas, tree, run->last, last);
    if (run->count < SR_FIELD_COUNT)
        sr_add_uint(canvas, tree, run->count, tsns);
}

static void paint_blocks(const struct sack *sack, const uint32_t *tsns, uint32_t count, const struct run *run)
{
    if (count == 0 || !is_asked_for(sack->canvas, run))
        return;
    for (uint32_t i = 0; i < count; i++, tsns += 2)
        paint_run(sack, run, tsns[0], tsns[1]);
}

static uint32_t add_blocks(struct block *blocks, uint32_t used, const uint32_t *tsns, uint32_t count, uint32_t cum)
{
    for (uint32_t i = 0; i < count; i++, tsns += 2) {
        struct block block = {tsns[0] - cum, tsns[1] - cum};
        if (block.first <= block.last)
            blocks[used++] = block;
    }
    return used;
}

static int by_first(const void *one, const void *two)
{
    const struct block *a = one, *b = two;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Runs between the blocks of both kinds; RFC 9260 and the NR-SACK draft let them come in any order. */
static void paint_missing(const struct sack *sack)
{
    struct sr_canvas *canvas = sack->canvas;
    const struct sr_sack_row *row = sack->row;
    uint32_t count = (uint32_t)row->gaps + row->nr_gaps, used = 0, missing = 0, reached = 0;
    bool asked = sr_is_asked_for(canvas, SR_FIELD_SACK_MISSING) || is_asked_for(canvas, &missing_run);
    if (count == 0 || !asked)
        return;
    struct block *blocks = wmem_alloc_array(canvas->pinfo->pool, struct block, count);
    used = add_blocks(blocks, used, sack->gaps, row->gaps, row->cum_tsn);
    used = add_blocks(blocks, used, sack->nr_gaps, row->nr_gaps, row->cum_tsn);
    qsort(blocks, used, sizeof *blocks, by_first);
    for (uint32_t i = 0; i < used; i++) {
        if (blocks[i].first > reached + 1) {
            uint32_t first = row->cum_tsn + reached + 1, last = row->cum_tsn + blocks[i].first - 1;
            paint_run(sack, &missing_run, first, last);
            missing += last - first + 1;
        }
        if (blocks[i].last > reached)
            reached = blocks[i].last;
    }
    sr_add_uint(canvas, sack->tree, SR_FIELD_SACK_MISSING, missing);
    proto_item_append_text(sack->item, ", %u TSN%s missing", missing, missing == 1 ? "" : "s");
}

static void paint_acks(const struct sack *sack)
{
    struct sr_canvas *canvas = sack->canvas;
    const struct sr_journal *journal = sr_recording_journal(canvas->recording);
    struct sr_acks acks = sr_links_acks(&canvas->recording->links, sack->number);
    if (acks.first == 0)
        return;
    sr_add_frame(canvas, sack->tree, SR_FIELD_SACK_ACKS_FIRST, sr_transmission_at(journal, acks.first - 1)->frame);
    sr_add_frame(canvas, sack->tree, SR_FIELD_SACK_ACKS_LAST, sr_transmission_at(journal, acks.last - 1)->frame);
}

static void paint_dups(const struct sack *sack)
{
    struct sr_canvas *canvas = sack->canvas;
    const struct sr_journal *journal = sr_recording_journal(canvas->recording);
    for (uint32_t i = 0; i < sack->row->dups; i++) {
        proto_item *item = sr_add_uint(canvas, sack->tree, SR_FIELD_SACK_DUP_TSN, sack->dups[i]);
        proto_tree *tree = item ? proto_item_add_subtree(item, sr_ett[SR_ETT_PART]) : NULL;
        for (guint k = 0; k < canvas->link_count; k++) {
            const struct sr_link *link = &canvas->links[k];
            if (link->what != SR_LINK_DUP_OF || link->row != sack->number)
                continue;
            const struct sr_transmission_row *copy = sr_transmission_at(journal, link->number);
            if (copy->tsn != sack->dups[i])
                continue;
            sr_add_frame(canvas, tree, SR_FIELD_SACK_DUP_OF, copy->frame);
            proto_item_append_text(item, ", sent again in frame %u", copy->frame);
            break;
        }
    }
}

/* usrsctp counts the packets that a SACK answers (CMT); an A bit makes every block non-renegable, and two places for
 * it are in use. */
static void paint_flags(const struct sack *sack)
{
    enum { A_PUBLISHED = 0x04, A_OTHER = 0x01, DAC_SHIFT = 6 };
    struct sr_canvas *canvas = sack->canvas;
    const struct sr_sack_row *row = sack->row;
    sr_add_uint(canvas, sack->tree, SR_FIELD_SACK_FLAGS, row->flags);
    if (row->kind == SR_SACK_KIND_NR_SACK && row->flags & (A_PUBLISHED | A_OTHER))
        sr_add_uint(canvas, sack->tree, SR_FIELD_SACK_A_BIT, row->flags & (A_PUBLISHED | A_OTHER));
    if (row->kind != SR_SACK_KIND_SHUTDOWN && row->flags >> DAC_SHIFT)
        sr_add_uint(canvas, sack->tree, SR_FIELD_SACK_DAC, row->flags >> DAC_SHIFT);
}

static void paint_malformed(const struct sack *sack)
{
    for (unsigned anomaly = 0; anomaly < SR_SACK_ANOMALY_COUNT; anomaly++) {
        if (!(sack->row->malformed >> anomaly & 1))
            continue;
        proto_item *item = sr_add_word(sack->canvas, sack->tree, SR_FIELD_SACK_MALFORMED, sr_sack_anomaly_names,
                                       sr_sack_anomaly_texts, (uint8_t)anomaly);
        sr_event(sack->canvas, item, SR_EVENT_SACK_IS_MALFORMED);
    }
}

/* RFC 9260 section 3.3.4: what a gap block acknowledged may be taken back, what an NR-gap block did may not. */
static void paint_reneged(const struct sack *sack)
{
    const struct sr_journal *journal = sr_recording_journal(sack->canvas->recording);
    if (sack->row->reneged_count == 0)
        return;
    const uint32_t *reneged = sr_spool_at(&journal->judged, sack->row->reneged);
    proto_item *item = NULL;
    for (uint32_t i = 0; i < sack->row->reneged_count; i++)
        item = sr_add_uint(sack->canvas, sack->tree, SR_FIELD_ANALYSIS_RENEGED, reneged[i]);
    sr_add_class(sack->canvas, sack->tree, SR_FIELD_ANALYSIS_RENEGED_CLASS, sack->row->reneged_class);
    sr_event(sack->canvas, item, SR_EVENT_ANALYSIS_RENEGING);
}

static void paint_judged(const struct sack *sack)
{
    struct sr_canvas *canvas = sack->canvas;
    const struct sr_sack_row *row = sack->row;
    paint_acks(sack);
    sr_add_time(canvas, sack->tree, SR_FIELD_SACK_RTT, row->rtt_ns);
    sr_add_word(canvas, sack->tree, SR_FIELD_SACK_RTT_TAG, sr_rtt_tag_names, sr_rtt_tag_texts, row->rtt_tag);
    sr_add_bool(canvas, sack->tree, SR_FIELD_SACK_STALE, row->stale);
    sr_add_bool(canvas, sack->tree, SR_FIELD_SACK_TRUNCATED, row->truncated);
    proto_item_append_text(sack->item, "%s%s", row->stale ? ", stale" : "", row->truncated ? ", truncated" : "");
    paint_reneged(sack);
    sr_add_uint(canvas, sack->tree, SR_FIELD_OUTSTANDING_BYTES, row->rtxq_necessary_bytes);
    sr_add_uint(canvas, sack->tree, SR_FIELD_RTXQ_BYTES, row->rtxq_bytes);
    sr_add_uint(canvas, sack->tree, SR_FIELD_RTXQ_NECESSARY_BYTES, row->rtxq_necessary_bytes);
}

/* What RACK-TLP knows: the first of the rows. */
static void paint_state(const struct sack *sack)
{
    struct sr_canvas *canvas = sack->canvas;
    const struct sr_judgement *judgement = sr_engine_judgement(canvas->recording->engine);
    uint64_t number = sack->number * (uint64_t)sr_states_of_a_sack(judgement);
    if (!sack->tree || number >= judgement->rack_state.count)
        return;
    const struct sr_rack_state_row *state = sr_spool_at(&judgement->rack_state, number);
    if (state->profile == SR_NO_WORD)
        return;
    proto_tree *tree = proto_tree_add_subtree_format(sack->tree, canvas->tvb, 0, 0, sr_ett[SR_ETT_PART], NULL,
                                                     "State of the sender by %s", sr_profile_texts[state->profile]);
    proto_item_set_generated(proto_tree_get_parent(tree));
    sr_add_time(canvas, tree, SR_FIELD_SRTT, state->srtt_ns);
    sr_add_time(canvas, tree, SR_FIELD_RTTVAR, state->rttvar_ns);
    sr_add_time(canvas, tree, SR_FIELD_MIN_RTT, state->min_rtt_ns);
    sr_add_time(canvas, tree, SR_FIELD_RACK_RTT, state->rack_rtt_ns);
    proto_item *xmit = sr_add_elapsed(canvas, tree, SR_FIELD_RACK_XMIT, sack->row->time_ns, state->rack_xmit_ns);
    proto_item_append_text(xmit, " from this frame");
    if (state->rack_xmit_ns != SR_NO_TIME)
        sr_add_uint(canvas, tree, SR_FIELD_RACK_TSN, state->rack_tsn);
    sr_add_time(canvas, tree, SR_FIELD_REO_WND, state->reo_wnd_ns);
    sr_add_time(canvas, tree, SR_FIELD_RTO, state->rto_ns);
    sr_add_elapsed(canvas, tree, SR_FIELD_PTO, sack->row->time_ns, state->pto_ns);
    sr_add_bool(canvas, tree, SR_FIELD_REORDERING_SEEN, state->reordering_seen);
    sr_add_bool(canvas, tree, SR_FIELD_IN_RECOVERY, state->in_recovery);
    sr_add_ulong(canvas, tree, SR_FIELD_FLIGHT_BYTES, state->flight_bytes);
    sr_add_ulong(canvas, tree, SR_FIELD_CWND_HINT_BYTES, state->cwnd_hint_bytes);
}

/* False where no data of the direction was seen. */
static bool relative(const struct sack *sack, uint32_t *cum_tsn)
{
    const struct sr_registry *associations = sr_engine_associations(sack->canvas->recording->engine);
    const struct sr_sack_row *row = sack->row;
    if (row->assoc == SR_NO_ASSOCIATION)
        return false;
    const struct sr_side *side = &sr_registry_at(associations, row->assoc)->side[row->from ^ 1];
    *cum_tsn = row->cum_tsn - side->data.first_tsn;
    return side->data.chunks > 0;
}

static void paint_relative(const struct sack *sack)
{
    uint32_t cum_tsn;
    if (sr_is_asked_for(sack->canvas, SR_FIELD_SACK_CUM_TSN_RELATIVE) && relative(sack, &cum_tsn))
        sr_add_uint(sack->canvas, sack->tree, SR_FIELD_SACK_CUM_TSN_RELATIVE, cum_tsn);
}

/* TSNs as the built-in dissector shows those of SACKs; it says enough of a SACK without blocks, and there are many. */
static void say_in_info(const struct sack *sack)
{
    const struct sr_sack_row *row = sack->row;
    uint32_t shown = row->cum_tsn;
    if (!sr_preferences.shows_info || (row->kind != SR_SACK_KIND_NR_SACK && row->gaps == 0))
        return;
    if (sr_preferences_relative_tsns() && !relative(sack, &shown))
        shown = row->cum_tsn;
    sr_say_sack(sack->canvas, row, sack->gaps, sack->nr_gaps, row->cum_tsn - shown);
}

static void paint_lists(const struct sack *sack)
{
    const struct sr_sack_row *row = sack->row;
    paint_blocks(sack, sack->gaps, row->gaps, &gap_run);
    paint_blocks(sack, sack->nr_gaps, row->nr_gaps, &nr_gap_run);
    paint_missing(sack);
    paint_dups(sack);
}

static void point_to_lists(struct sack *sack)
{
    const struct sr_journal *journal = sr_recording_journal(sack->canvas->recording);
    uint32_t blocks = (uint32_t)sack->row->gaps + sack->row->nr_gaps;
    if (blocks + sack->row->dups == 0)
        return;
    sack->gaps = sr_numbers_at(journal, sack->row->lists);
    sack->nr_gaps = sack->gaps + 2 * (uint32_t)sack->row->gaps;
    sack->dups = sack->gaps + 2 * blocks;
}

void sr_paint_sack(struct sr_canvas *canvas, uint64_t number)
{
    static const char *const kinds[] = {"SACK", "NR-SACK", "SHUTDOWN"};
    struct sack sack = {.canvas = canvas, .number = number};
    const struct sr_sack_row *row = sr_sack_at(sr_recording_journal(canvas->recording), number);
    if (!sr_preferences.shows_sacks)
        return;
    sack.row = row;
    point_to_lists(&sack);
    if (canvas->tree) {
        sack.item = proto_tree_add_uint_format(canvas->tree, sr_hf[SR_FIELD_SACK_CUM_TSN], canvas->tvb, 0, 0,
                                               row->cum_tsn, "%s up to TSN %u, %u newly acknowledged", kinds[row->kind],
                                               row->cum_tsn, row->newly_acked);
        proto_item_set_generated(sack.item);
        sack.tree = proto_item_add_subtree(sack.item, sr_ett[SR_ETT_CHUNK]);
    }
    sr_add_word(canvas, sack.tree, SR_FIELD_SACK_KIND, sr_sack_kind_names, NULL, row->kind);
    paint_relative(&sack);
    if (row->kind != SR_SACK_KIND_SHUTDOWN) {
        proto_item *item = sr_add_uint(canvas, sack.tree, SR_FIELD_A_RWND, row->a_rwnd);
        if (row->a_rwnd == 0)
            sr_event(canvas, item, SR_EVENT_ANALYSIS_ZERO_WINDOW);
    }
    if (row->assoc != SR_NO_ASSOCIATION) {
        sr_add_uint(canvas, sack.tree, SR_FIELD_SACK_NEWLY_ACKED, row->newly_acked);
        sr_add_uint(canvas, sack.tree, SR_FIELD_SACK_NEWLY_ACKED_BYTES, row->newly_acked_bytes);
    }
    if (sack.tree)
        paint_lists(&sack);
    paint_malformed(&sack);
    say_in_info(&sack);
    if (row->repeats != 0) {
        sr_add_frame(canvas, sack.tree, SR_FIELD_ANALYSIS_DUPLICATE_OF, row->repeats);
    } else if (canvas->is_judged && row->assoc != SR_NO_ASSOCIATION) {
        paint_judged(&sack);
        paint_state(&sack);
    }
    if (!sack.tree)
        return;
    paint_flags(&sack);
    sr_add_uint(canvas, sack.tree, SR_FIELD_SACK_CHUNK, row->chunk);
    sr_add_place(canvas, sack.tree, row->assoc, row->from ^ 1, row->path, row->from);
}
