/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over the tables that judging left, then over the transmissions in their order. */
#include "resends.h"

#define SLACK_NS INT64_C(10000000)  /* what clocks and hosts add to a wait that ends with a timer */
#define AT_ONCE_NS INT64_C(1000000) /* leads below are the time that a host needs to act */
enum { STORM = 3 };                 /* retransmissions of a timeout */

/* What RACK-TLP said of a transmission; of several marks the one that says most counts. */
struct said {
    int64_t lead_ns;
    bool marked, shown;
};

/* A copy that was not seen. */
struct unseen {
    uint32_t assoc, tsn;
    uint8_t from;
    struct said said;
};

struct gathering {
    const struct sr_recording *recording;
    const struct sr_judgement *judgement;
    GArray *resends; /* struct sr_resends */
    GHashTable *by_direction;
    GArray *said;   /* struct said, by transmission */
    GArray *unseen; /* struct unseen, sorted */
};

static struct sr_resends *of_direction(const struct gathering *all, uint32_t assoc, unsigned from)
{
    if (assoc == SR_NO_ASSOCIATION)
        return NULL;
    gpointer at = g_hash_table_lookup(all->by_direction, GUINT_TO_POINTER(2 * assoc + from + 1));
    return at ? &g_array_index(all->resends, struct sr_resends, GPOINTER_TO_UINT(at) - 1) : NULL;
}

static void take_paths(const struct gathering *all)
{
    for (uint64_t i = 0; i < all->judgement->paths.count; i++) {
        const struct sr_path_row *path = sr_spool_at(&all->judgement->paths, i);
        struct sr_resends *of = of_direction(all, path->assoc, path->from);
        if (!of)
            continue;
        int64_t min_rtt_ns = path->min_rtt_ns == SR_NO_TIME ? 0 : path->min_rtt_ns;
        of->min_rtt_ns = of->has_paths ? MIN(of->min_rtt_ns, min_rtt_ns) : min_rtt_ns;
        of->srtt_ns = MAX(of->srtt_ns, path->srtt_ns);
        of->reports_no_duplicates |= path->dup_capable == SR_ANSWER_NO;
        of->has_paths = true;
    }
}

/* Longest that a SACK was late that may have been delayed, over the shortest round trip. */
static void take_delays(const struct gathering *all)
{
    guint count = all->resends->len;
    int64_t *longest = g_new0(int64_t, count), *shortest = g_new0(int64_t, count);
    for (guint i = 0; i < count; i++)
        shortest[i] = INT64_MAX;
    for (uint64_t i = 0; i < all->judgement->rtt_samples.count; i++) {
        const struct sr_rtt_sample_row *sample = sr_spool_at(&all->judgement->rtt_samples, i);
        struct sr_resends *of = of_direction(all, sample->assoc, sample->from);
        if (!of || sample->tag == SR_RTT_TAG_RTX)
            continue;
        gsize at = (gsize)(of - (struct sr_resends *)(void *)all->resends->data);
        shortest[at] = MIN(shortest[at], sample->rtt_ns);
        if (sample->tag == SR_RTT_TAG_DELAYED)
            longest[at] = MAX(longest[at], sample->rtt_ns);
    }
    for (guint i = 0; i < count; i++) {
        struct sr_resends *of = &g_array_index(all->resends, struct sr_resends, i);
        of->sack_delay_ns = longest[i] > 0 ? longest[i] - shortest[i] : 0;
        of->soon_ns = of->min_rtt_ns + MAX(of->sack_delay_ns, SR_SACK_DELAY_NS) + SLACK_NS;
    }
    g_free(longest);
    g_free(shortest);
}

static gint by_copy(gconstpointer one, gconstpointer other)
{
    const struct unseen *a = one, *b = other;
    if (a->assoc != b->assoc)
        return a->assoc < b->assoc ? -1 : 1;
    if (a->from != b->from)
        return (int)a->from - (int)b->from;
    return a->tsn < b->tsn ? -1 : a->tsn > b->tsn;
}

static void add_said(struct said *to, struct said more)
{
    if (more.lead_ns > to->lead_ns || (more.lead_ns == to->lead_ns && more.shown >= to->shown))
        *to = more;
}

static void take_marks(const struct gathering *all)
{
    for (uint64_t i = 0; i < all->judgement->rack_marks.count; i++) {
        const struct sr_rack_mark_row *mark = sr_spool_at(&all->judgement->rack_marks, i);
        if (mark->profile != SR_PROFILE_RFC8985)
            continue;
        struct said said = {.marked = true};
        said.shown = mark->trigger == SR_TRIGGER_ACK || mark->trigger == SR_TRIGGER_TIMER;
        if (said.shown && mark->resolution != SR_RESOLUTION_FALSE_MARK && mark->sender_lead_ns != SR_NO_TIME)
            said.lead_ns = MAX(mark->sender_lead_ns, 0);
        struct sr_resends *of = of_direction(all, mark->assoc, mark->from);
        if (of)
            of->false_marks += mark->resolution == SR_RESOLUTION_FALSE_MARK;
        if (mark->marked_row != 0 && mark->marked_row <= all->said->len) {
            add_said(&g_array_index(all->said, struct said, mark->marked_row - 1), said);
        } else if (mark->marked_row == 0) {
            struct unseen unseen = {mark->assoc, mark->tsn, mark->from, said};
            g_array_append_val(all->unseen, unseen);
        }
    }
    g_array_sort(all->unseen, by_copy);
}

static struct said said_of(const struct gathering *all, const struct sr_transmission_row *row)
{
    struct said said = {0};
    if (row->prev_row != 0)
        return g_array_index(all->said, struct said, row->prev_row - 1);
    struct unseen wanted = {row->assoc, row->tsn, row->from, said};
    guint at;
    if (all->unseen->len == 0 || !g_array_binary_search(all->unseen, &wanted, by_copy, &at))
        return said;
    while (at > 0 && by_copy(&g_array_index(all->unseen, struct unseen, at - 1), &wanted) == 0)
        at--;
    for (; at < all->unseen->len && by_copy(&g_array_index(all->unseen, struct unseen, at), &wanted) == 0; at++)
        add_said(&said, g_array_index(all->unseen, struct unseen, at).said);
    return said;
}

/* A retransmission, and what is known of the copy before. */
struct resent {
    const struct sr_transmission_row *row;
    uint8_t verdict;
    int64_t waited_ns; /* SR_NO_TIME: not known */
    struct said said;
};

static void wait(struct sr_group *group, int64_t waits, int64_t shortest_ns, int64_t longest_ns)
{
    group->shortest_ns = group->waits > 0 ? MIN(group->shortest_ns, shortest_ns) : shortest_ns;
    group->longest_ns = group->waits > 0 ? MAX(group->longest_ns, longest_ns) : longest_ns;
    group->waits += waits;
}

static void add(struct sr_group *group, const struct resent *one)
{
    group->count++;
    sr_look_at(&group->look, one->row->frame);
    group->spared += one->row->prev_frame != 0 && !one->said.marked;
    if (one->waited_ns != SR_NO_TIME)
        wait(group, 1, one->waited_ns, one->waited_ns);
}

static void add_all(struct sr_group *group, const struct sr_group *later)
{
    group->count += later->count;
    for (uint32_t i = 0; i < later->look.count; i++)
        sr_look_at(&group->look, later->look.frames[i]);
    group->spared += later->spared;
    if (later->waits > 0)
        wait(group, later->waits, later->shortest_ns, later->longest_ns);
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
    } else if (of->storms->len < SR_MOST_STORMS) {
        g_array_append_val(of->storms, of->open);
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
    bool by_timer = cause == SR_CAUSE_T3 || cause == SR_CAUSE_TLP;
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
    int64_t held_back_ns = known(row->time_ns) - known(open->time_ns);
    add(&open->resent, one);
    if (one->verdict != SR_VERDICT_SPURIOUS)
        return;
    open->spurious++;
    open->spurious_bytes += row->bytes;
    open->young += one->waited_ns != SR_NO_TIME && one->waited_ns - held_back_ns < of->srtt_ns;
    if (row->cause == SR_CAUSE_T3_GBN)
        add(&open->arrived, one);
}

static void add_needed(struct sr_resends *of, const struct resent *one)
{
    if (one->row->copy > 2) {
        add(&of->lost_again, one);
        of->led += one->said.lead_ns >= AT_ONCE_NS;
        of->longest_lead_ns = MAX(of->longest_lead_ns, one->said.lead_ns);
    } else if (one->row->copy == 2 && one->row->cause == SR_CAUSE_T3 && !one->said.shown) {
        add(&of->tail, one);
    }
}

static void take_resends(const struct gathering *all)
{
    const struct sr_journal *journal = sr_recording_journal(all->recording);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        struct sr_resends *of = row->kind == SR_KIND_RETRANSMISSION ? of_direction(all, row->assoc, row->from) : NULL;
        if (!of)
            continue;
        struct resent one = {
            .row = row,
            .verdict = sr_verdict_of(&all->recording->overrides, row),
            .waited_ns = SR_NO_TIME,
            .said = said_of(all, row),
        };
        if (row->prev_row != 0)
            (void)sr_elapsed(row->time_ns, sr_transmission_at(journal, row->prev_row - 1)->time_ns, &one.waited_ns);
        of->undetermined += one.verdict == SR_NO_WORD || one.verdict == SR_VERDICT_UNDETERMINED;
        if (one.verdict == SR_VERDICT_SPURIOUS)
            add_spurious(of, &one);
        if (row->cause == SR_CAUSE_T3 || row->cause == SR_CAUSE_T3_GBN) {
            add_to_timeout(of, &one);
            if (one.verdict == SR_VERDICT_NEEDED)
                add_needed(of, &one);
        }
    }
}

static gint by_number(gconstpointer one, gconstpointer other)
{
    guint a = GPOINTER_TO_UINT(one), b = GPOINTER_TO_UINT(other);
    return a < b ? -1 : a > b;
}

/* Those of which a finding may tell: what was sent again, or that no duplicates are reported. */
static void begin_directions(struct gathering *all, const struct sr_scope *scope)
{
    const struct sr_journal *journal = sr_recording_journal(all->recording);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (row->kind == SR_KIND_RETRANSMISSION && row->assoc != SR_NO_ASSOCIATION && sr_in_scope(scope, row->assoc))
            g_hash_table_add(all->by_direction, GUINT_TO_POINTER(2 * row->assoc + row->from + 1));
    }
    for (uint64_t i = 0; i < all->judgement->paths.count; i++) {
        const struct sr_path_row *path = sr_spool_at(&all->judgement->paths, i);
        if (path->dup_capable == SR_ANSWER_NO && path->assoc != SR_NO_ASSOCIATION && sr_in_scope(scope, path->assoc))
            g_hash_table_add(all->by_direction, GUINT_TO_POINTER(2 * path->assoc + path->from + 1));
    }
    GList *numbers = g_list_sort(g_hash_table_get_keys(all->by_direction), by_number);
    for (GList *item = numbers; item; item = item->next) {
        guint number = GPOINTER_TO_UINT(item->data) - 1;
        struct sr_resends of = {.assoc = number / 2, .from = number % 2};
        of.storms = g_array_new(FALSE, FALSE, sizeof(struct sr_timeout));
        g_array_append_val(all->resends, of);
        g_hash_table_insert(all->by_direction, item->data, GUINT_TO_POINTER(all->resends->len));
    }
    g_list_free(numbers);
}

GArray *sr_resends_of(const struct sr_recording *recording, const struct sr_scope *scope)
{
    struct gathering all = {.recording = recording, .judgement = sr_engine_judgement(recording->engine)};
    all.resends = g_array_new(FALSE, FALSE, sizeof(struct sr_resends));
    all.by_direction = g_hash_table_new(NULL, NULL);
    all.said = g_array_new(FALSE, TRUE, sizeof(struct said));
    all.unseen = g_array_new(FALSE, FALSE, sizeof(struct unseen));
    g_array_set_size(all.said, (guint)sr_recording_journal(recording)->transmissions.count);
    begin_directions(&all, scope);
    take_paths(&all);
    take_delays(&all);
    take_marks(&all);
    take_resends(&all);
    for (guint i = 0; i < all.resends->len; i++)
        end_timeout(&g_array_index(all.resends, struct sr_resends, i));
    g_hash_table_destroy(all.by_direction);
    g_array_free(all.said, TRUE);
    g_array_free(all.unseen, TRUE);
    return all.resends;
}

void sr_resends_free(GArray *resends)
{
    for (guint i = 0; i < resends->len; i++)
        g_array_free(g_array_index(resends, struct sr_resends, i).storms, TRUE);
    g_array_free(resends, TRUE);
}
