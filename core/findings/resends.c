/* SPDX-License-Identifier: BSD-2-Clause */
/* One pass over the tables that judging left, then over the transmissions in their order. */
#include "resends.h"

#include <stdlib.h>

#include "../journal/judgement.h"
#include "cuts.h"
#include "find.h"
#include "rack_shown.h"
#include "stalls.h"

#define SLACK_NS INT64_C(10000000)  /* what clocks and hosts add to a wait that ends with a timer */
#define AT_ONCE_NS INT64_C(1000000) /* leads below are the time that a host needs to act */
enum { STORM = 3 };                 /* retransmissions of a timeout */
enum { LIKELY = 3 };                /* the class of a cause: below it something else may well have sent it */

struct gathering {
    const struct sr_findings_asked *asked;
    const struct sr_judgement *judgement;
    const struct sr_journal *journal;
    struct sr_resends_list *resends;
    struct sr_shown_marks shown;
};

static int64_t lesser(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

static int64_t greater(int64_t one, int64_t other)
{
    return one > other ? one : other;
}

static struct sr_resends *of_direction(const struct gathering *all, uint32_t assoc, unsigned from)
{
    return sr_resends_of(all->resends, assoc, from);
}

static void take_paths(const struct gathering *all)
{
    for (uint64_t i = 0; i < all->judgement->paths.count; i++) {
        const struct sr_path_row *path = sr_spool_at(&all->judgement->paths, i);
        struct sr_resends *of = of_direction(all, path->assoc, path->from);
        if (!of)
            continue;
        int64_t min_rtt_ns = path->min_rtt_ns == SR_NO_TIME ? 0 : path->min_rtt_ns;
        of->min_rtt_ns = of->has_paths ? lesser(of->min_rtt_ns, min_rtt_ns) : min_rtt_ns;
        of->srtt_ns = greater(of->srtt_ns, path->srtt_ns);
        of->reports_no_duplicates |= path->dup_capable == SR_ANSWER_NO;
        of->has_paths = true;
    }
}

/* Longest that a SACK was late that may have been delayed, over the shortest round trip. */
static void take_delays(const struct gathering *all)
{
    for (uint64_t i = 0; i < all->judgement->rtt_samples.count; i++) {
        const struct sr_rtt_sample_row *sample = sr_spool_at(&all->judgement->rtt_samples, i);
        struct sr_resends *of = of_direction(all, sample->assoc, sample->from);
        if (!of || sample->tag == SR_RTT_TAG_RTX)
            continue;
        of->shortest_ns = lesser(of->shortest_ns, sample->rtt_ns);
        if (sample->tag == SR_RTT_TAG_DELAYED)
            of->delayed_ns = greater(of->delayed_ns, sample->rtt_ns);
    }
    for (uint32_t i = 0; i < all->resends->count; i++) {
        struct sr_resends *of = &all->resends->of[i];
        of->sack_delay_ns = of->delayed_ns > 0 ? of->delayed_ns - of->shortest_ns : 0;
        of->soon_ns = of->min_rtt_ns + greater(of->sack_delay_ns, SR_SACK_DELAY_NS) + SLACK_NS;
    }
}

static void take_marks(struct gathering *all)
{
    for (uint64_t i = 0; i < all->judgement->rack_marks.count; i++) {
        const struct sr_rack_mark_row *mark = sr_spool_at(&all->judgement->rack_marks, i);
        struct sr_resends *of = of_direction(all, mark->assoc, mark->from);
        if (mark->profile != SR_PROFILE_RFC8985 || !of)
            continue;
        of->false_marks += mark->resolution == SR_RESOLUTION_FALSE_MARK;
        if (mark->marked_row <= all->journal->transmissions.count)
            sr_shown_add(&all->shown, mark);
    }
    sr_shown_end(&all->shown);
}

/* A retransmission, and what is known of the copy before. */
struct resent {
    const struct sr_transmission_row *row;
    uint8_t verdict;
    int64_t waited_ns; /* SR_NO_TIME: not known */
    struct sr_shown shown;
};

static void add_wait(struct sr_group *group, int64_t waits, int64_t shortest_ns, int64_t longest_ns)
{
    group->shortest_ns = group->waits > 0 ? lesser(group->shortest_ns, shortest_ns) : shortest_ns;
    group->longest_ns = group->waits > 0 ? greater(group->longest_ns, longest_ns) : longest_ns;
    group->waits += waits;
}

static void add(struct sr_group *group, const struct resent *one)
{
    group->count++;
    group->packets += one->row->frame != group->last_frame;
    group->last_frame = one->row->frame;
    sr_look_at(&group->look, one->row->frame);
    group->spared += one->row->prev_frame != 0 && !one->shown.marked;
    if (one->waited_ns != SR_NO_TIME)
        add_wait(group, 1, one->waited_ns, one->waited_ns);
}

static void add_all(struct sr_group *group, const struct sr_group *later)
{
    group->count += later->count;
    group->packets += later->packets;
    for (uint32_t i = 0; i < later->look.count; i++)
        sr_look_at(&group->look, later->look.frames[i]);
    group->spared += later->spared;
    if (later->waits > 0)
        add_wait(group, later->waits, later->shortest_ns, later->longest_ns);
}

static void take_timeout(struct sr_timeout *to, const struct sr_timeout *one)
{
    add_all(&to->resent, &one->resent);
    add_all(&to->arrived, &one->arrived);
    to->spurious += one->spurious;
    to->spurious_bytes += one->spurious_bytes;
    to->young += one->young;
}

static void end_timeout(struct sr_resends *of)
{
    const struct sr_timeout *open = &of->open;
    if (!of->has_open)
        return;
    of->has_open = false;
    if (open->resent.count < STORM || 2 * open->spurious < open->resent.count) {
        take_timeout(&of->calm, open);
    } else if (sr_resends_storms(of) < SR_MOST_STORMS) {
        sr_buffer_append(&of->storms, open, sizeof *open);
    } else {
        of->more_storms++;
        take_timeout(&of->other_storms, open);
    }
}

static bool is_by_feedback(uint8_t cause)
{
    return cause == SR_CAUSE_FAST || cause == SR_CAUSE_FAST_DEFERRED || cause == SR_CAUSE_RACK ||
           cause == SR_CAUSE_RACK_TIMER || cause == SR_CAUSE_RACK_RTX;
}

static void add_spurious(struct sr_resends *of, const struct resent *one)
{
    uint8_t cause = one->row->cause;
    if (is_by_feedback(cause) && one->row->copy == 2)
        add(&of->reordered, one);
    if (is_by_feedback(cause) && one->row->copy > 2)
        add(&of->under_way, one);
    bool by_timer = (cause == SR_CAUSE_T3 || cause == SR_CAUSE_TLP) && one->row->cause_class >= LIKELY;
    if (by_timer && one->waited_ns != SR_NO_TIME && one->waited_ns <= of->soon_ns) {
        add(&of->too_soon, one);
        of->too_soon_probes += cause == SR_CAUSE_TLP;
    }
}

static int64_t known(int64_t time_ns)
{
    return time_ns == SR_NO_TIME ? 0 : time_ns;
}

/* Chunks in the packet of the first are of the same timeout, as is what was marked by it and sent later. */
static void add_to_timeout(struct sr_resends *of, const struct resent *one)
{
    const struct sr_transmission_row *row = one->row;
    if (!of->has_open || (row->cause == SR_CAUSE_T3 && of->open.frame != row->frame)) {
        end_timeout(of);
        of->open = (struct sr_timeout){.frame = row->frame, .time_ns = row->time_ns};
        of->has_open = true;
    }
    struct sr_timeout *open = &of->open;
    add(&open->resent, one);
    if (one->verdict != SR_VERDICT_SPURIOUS)
        return;
    open->spurious++;
    open->spurious_bytes += row->bytes;
    /* of its wait, what cwnd held it back after the timeout does not count */
    open->young += one->waited_ns != SR_NO_TIME && known(open->time_ns) - (row->time_ns - one->waited_ns) < of->srtt_ns;
    if (row->cause == SR_CAUSE_T3_GBN)
        add(&open->arrived, one);
}

/* Whether a finding says that it waited for T3-rtx. */
static bool add_needed(struct sr_resends *of, const struct resent *one)
{
    if (one->row->copy > 2) {
        add(&of->lost_again, one);
        of->led += one->shown.lead_ns >= AT_ONCE_NS;
        of->longest_lead_ns = greater(of->longest_lead_ns, one->shown.lead_ns);
        return true;
    }
    if (one->row->copy == 2 && one->row->cause == SR_CAUSE_T3 && !one->shown.by_rack) {
        add(&of->tail, one);
        return true;
    }
    return false;
}

static void take_resent(const struct gathering *all, struct sr_resends *of, const struct sr_transmission_row *row)
{
    const struct sr_findings_asked *asked = all->asked;
    struct resent one = {
        .row = row,
        .verdict = asked->verdict_of ? asked->verdict_of(asked->overrides, row) : row->verdict,
        .waited_ns = SR_NO_TIME,
        .shown = sr_shown_of(&all->shown, row),
    };
    if (row->prev_row != 0)
        (void)sr_elapsed(row->time_ns, sr_transmission_at(all->journal, row->prev_row - 1)->time_ns, &one.waited_ns);
    of->undetermined += one.verdict == SR_NO_WORD || one.verdict == SR_VERDICT_UNDETERMINED;
    if (one.verdict == SR_VERDICT_SPURIOUS)
        add_spurious(of, &one);
    bool by_timeout = row->cause == SR_CAUSE_T3 || row->cause == SR_CAUSE_T3_GBN;
    if (by_timeout)
        add_to_timeout(of, &one);
    bool has_finding = by_timeout && one.verdict == SR_VERDICT_NEEDED && add_needed(of, &one);
    sr_stalls_add(&of->stalls, row, one.verdict, has_finding);
}

static bool look_for_stalls(const struct gathering *all, struct sr_standing_still *still, struct sr_resends *of,
                            int64_t round_trip_ns)
{
    const struct sr_engine *engine = all->asked->engine;
    of->stalls.length = 0;
    return sr_stalls_find(still, engine, sr_registry_at(sr_engine_associations(engine), of->assoc), of->from,
                          SR_HEALTHY_NS + SR_REPAIR_ROUNDS * round_trip_ns, &of->stalls);
}

/* A path that is well delivers sooner, even what is repaired by feedback. */
static bool find_stalls(const struct gathering *all)
{
    struct sr_standing_still still = {{0}, {0}};
    bool done = true, wanted = false;
    if (sr_engine_filtered(all->asked->engine))
        return true;
    for (uint32_t i = 0; done && i < all->resends->count; i++) {
        struct sr_resends *of = &all->resends->of[i];
        done = look_for_stalls(all, &still, of, of->srtt_ns);
        for (uint32_t at = 0; at < sr_stalls_count(&of->stalls); at++)
            of->wants_usual |= sr_stalls_at(&of->stalls, at)->end_ns != SR_NEVER;
        wanted |= of->wants_usual;
    }
    if (done && wanted)
        done = sr_usual_find(all->resends, &all->judgement->rtt_samples);
    for (uint32_t i = 0; done && i < all->resends->count; i++) {
        struct sr_resends *of = &all->resends->of[i];
        if (of->usual_ns > of->srtt_ns)
            done = look_for_stalls(all, &still, of, of->usual_ns);
    }
    sr_standing_still_free(&still);
    return done;
}

static bool take_resends(const struct gathering *all)
{
    bool failed = all->shown.unseen.failed;
    for (uint64_t i = 0; i < all->journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(all->journal, i);
        struct sr_resends *of = row->kind == SR_KIND_RETRANSMISSION ? of_direction(all, row->assoc, row->from) : NULL;
        if (of)
            take_resent(all, of, row);
    }
    for (uint32_t i = 0; i < all->resends->count; i++) {
        end_timeout(&all->resends->of[i]);
        failed |= all->resends->of[i].storms.failed;
    }
    return !failed;
}

static void want(const struct gathering *all, uint32_t assoc, unsigned from)
{
    if (sr_findings_tell_of(all->asked, assoc))
        all->resends->place_of[2 * assoc + from] = 1;
}

/* Those of which a finding may tell: what was sent again, or that no duplicates are reported. */
static bool begin_directions(struct gathering *all)
{
    struct sr_resends_list *list = all->resends;
    for (uint64_t i = 0; i < all->journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(all->journal, i);
        if (row->kind == SR_KIND_RETRANSMISSION)
            want(all, row->assoc, row->from);
    }
    for (uint64_t i = 0; i < all->judgement->paths.count; i++) {
        const struct sr_path_row *path = sr_spool_at(&all->judgement->paths, i);
        if (path->dup_capable == SR_ANSWER_NO)
            want(all, path->assoc, path->from);
    }
    for (uint32_t i = 0; i < list->directions; i++)
        if (list->place_of[i] != 0)
            list->place_of[i] = ++list->count;
    list->of = calloc((size_t)list->count + 1, sizeof *list->of);
    for (uint32_t i = 0; list->of && i < list->directions; i++)
        if (list->place_of[i] != 0)
            list->of[list->place_of[i] - 1] =
                (struct sr_resends){.assoc = i / 2, .from = i % 2, .shortest_ns = INT64_MAX};
    return list->of;
}

bool sr_resends_find(struct sr_resends_list *list, const struct sr_findings_asked *asked)
{
    struct gathering all = {
        .asked = asked,
        .judgement = sr_engine_judgement(asked->engine),
        .journal = sr_engine_journal(asked->engine),
        .resends = list,
    };
    list->directions = 2 * sr_findings_associations(asked);
    list->place_of = calloc((size_t)list->directions + 1, sizeof *list->place_of);
    bool shown = sr_shown_begin(&all.shown, all.journal->transmissions.count);
    bool done = list->place_of && shown && begin_directions(&all);
    if (done) {
        take_paths(&all);
        take_delays(&all);
        take_marks(&all);
        done = find_stalls(&all) && take_resends(&all);
    }
    sr_shown_free(&all.shown);
    return done;
}

void sr_resends_free(struct sr_resends_list *list)
{
    for (uint32_t i = 0; list->of && i < list->count; i++) {
        sr_buffer_free(&list->of[i].storms);
        sr_buffer_free(&list->of[i].stalls);
    }
    free(list->of);
    free(list->place_of);
}
