/* SPDX-License-Identifier: BSD-2-Clause */
/* What feedback does to the books of the direction that it is for: what it acknowledges, the sample that it gives, what
 * is outstanding after it. */
#include "../association/scoreboard.h"
#include "../wire/data.h"
#include "../wire/time.h"
#include "belief.h"
#include "book.h"
#include "filtered.h"

enum { SPANNED = 1 << 17 /* TSNs of the blocks of a SACK; well-formed ones of both kinds reach as far */ };

/* One SACK on its way through. */
struct taking {
    struct sr_book *book;
    struct sr_direction *direction;
    struct sr_sack_row *sack;
    uint32_t row;          /* the SACK's */
    uint32_t newest;       /* 1 + row of the latest chunk that it newly acknowledges and that may be measured */
    uint32_t newest_again; /* of those sent more than once, their latest copy */
    struct sr_tsn before;  /* the highest that was acknowledged before */
    uint32_t oldest;       /* 1 + row of the earliest chunk that it newly acknowledges */
    bool unclear;          /* of these one was sent again, or never seen */
    bool ahead;            /* it acknowledges a TSN above the highest that was seen */
    uint32_t restored;     /* TSNs that had been taken back */
    uint32_t packets;      /* with data that it newly acknowledges */
    uint32_t last_frame;   /* of the packet counted last */
    uint32_t spanned;
    uint32_t first_block; /* that may say something new */
};

static uint32_t clipped(uint64_t bytes)
{
    return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

/* This feedback is the first that covers the TSN. The fate of its chunks is certain where it was sent once, and not
 * given up before. */
static void cover(const struct taking *taking, struct sr_window_tsn *entry)
{
    const struct sr_sack_row *sack = taking->sack;
    entry->acked_frame = sack->frame;
    entry->acked_ns = sack->time_ns;
    for (uint32_t next = entry->last_row; next != 0;) {
        struct sr_transmission_row *row = sr_transmission_at(taking->book->journal, next - 1);
        row->acked_frame = sack->frame;
        row->acked_time_ns = sack->time_ns;
        if (!entry->in_doubt && !entry->abandoned)
            sr_transmission_settled(row, SR_OUTCOME_ACKED, sack->frame);
        next = row->prev_row;
    }
}

static void note_unseen(const struct taking *taking, struct sr_window_tsn *entry)
{
    struct sr_direction *direction = taking->direction;
    if (direction->has_initial && direction->initial.value == entry->tsn + 1)
        return; /* a receiver that has not yet got the first TSN says so (RFC 9260 section 3.3.4) */
    bool counts = direction->from_start ? direction->sent
                                        : direction->feedbacks == SR_DIRECTION_WARM &&
                                              sr_tsn_after(sr_tsn(entry->tsn), direction->complete_from);
    if (!counts)
        return;
    entry->unseen = true;
    if (direction->figures.unseen_tsns++ == 0)
        direction->figures.unseen_frame = taking->sack->frame;
}

/* The receiver has this TSN, which no feedback had said before. */
static void acknowledge_first(struct taking *taking, struct sr_window_tsn *entry)
{
    struct sr_direction *direction = taking->direction;
    taking->unclear |= entry->first_row == 0 || entry->sent_again;
    if (entry->first_row == 0) {
        note_unseen(taking, entry);
        return;
    }
    if (taking->oldest == 0 || entry->first_row < taking->oldest)
        taking->oldest = entry->first_row;
    entry->never_missed = sr_tsn_after(sr_tsn(entry->tsn), taking->before);
    direction->figures.acked_tsns++;
    direction->figures.acked_bytes += entry->bytes;
    const struct sr_transmission_row *first = sr_transmission_at(taking->book->journal, entry->first_row - 1);
    if (!entry->sent_again)
        sr_filtered_waited(direction, first, taking->sack->time_ns);
    if (first->frame != taking->last_frame)
        taking->packets++;
    taking->last_frame = first->frame;
    if (entry->sent_again) {
        if (entry->last_row > taking->newest_again)
            taking->newest_again = entry->last_row;
    } else if (entry->first_row > taking->newest &&
               sr_karn_allows(&direction->karn, sr_tsn(entry->tsn), entry->first_row - 1)) {
        taking->newest = entry->first_row;
    }
}

/* Asked of one TSN of an acknowledgement: the list may be long. */
static bool reports(const struct taking *taking, uint32_t tsn)
{
    const struct sr_sack_row *sack = taking->sack;
    uint32_t blocks = 2 * ((uint32_t)sack->gaps + sack->nr_gaps);
    const uint32_t *dups = sack->dups > 0 ? sr_numbers_at(taking->book->journal, sack->lists) + blocks : NULL;
    for (uint32_t i = 0; i < sack->dups; i++)
        if (dups[i] == tsn)
            return true;
    return false;
}

/* Acknowledges what is held of a range. What was given up is passed over by the cumulative TSN whether it arrived or
 * not (RFC 3758 section 3.6): only a gap block says that it did. */
static void acknowledge(struct taking *taking, struct sr_tsn first, struct sr_tsn last, bool by_block, bool frees)
{
    struct sr_window *window = &taking->direction->window;
    if (sr_tsn_distance(first, window->base) < 0)
        first = window->base;
    if (sr_tsn_distance(last, window->highest) > 0)
        last = window->highest;
    for (struct sr_tsn tsn = first; sr_tsn_set_next_missing(&window->received, &tsn, last); tsn = sr_tsn_add(tsn, 1)) {
        struct sr_window_tsn *entry = sr_window_at(window, tsn);
        if (entry->withdrawn && taking->sack->stale) /* it was sent before that was taken back */
            continue;
        if (entry->abandoned && by_block)
            sr_window_abandon(window, tsn, false);
        if (entry->acked_frame == 0) {
            cover(taking, entry);
            if (!entry->abandoned)
                acknowledge_first(taking, entry);
        }
        if (entry->withdrawn)
            sr_book_restored(taking->book, taking->direction, entry, taking->row,
                             taking->restored++ > 0 || reports(taking, entry->tsn));
        sr_window_receive(window, tsn);
    }
    if (!frees)
        return;
    for (struct sr_tsn tsn = first; sr_tsn_set_next_missing(&window->freed, &tsn, last); tsn = sr_tsn_add(tsn, 1))
        sr_window_release(window, tsn);
}

/* What was told before lies below what follows it. */
static struct sr_tsn highest_of(const struct sr_sack_row *sack, const uint32_t *list)
{
    struct sr_tsn top = sr_tsn(sack->cum_tsn);
    for (uint32_t i = sack->told > 0 ? sack->told - 1u : 0; i < (uint32_t)sack->gaps + sack->nr_gaps; i++)
        if (sr_tsn_after(sr_tsn(list[2 * i + 1]), top))
            top = sr_tsn(list[2 * i + 1]);
    return top;
}

/* Renegable blocks, then others. A hostile list whose blocks overlap is not followed to its end. */
static void take_blocks(struct taking *taking, const uint32_t *list)
{
    uint32_t count = (uint32_t)taking->sack->gaps + taking->sack->nr_gaps;
    bool all = sr_sack_promises_all(taking->sack); /* then what was told before is, too */
    uint32_t renegable = all ? 0 : taking->sack->gaps;
    for (uint32_t i = all ? 0 : taking->first_block; i < count && taking->spanned < SPANNED; i++) {
        struct sr_tsn first = sr_tsn(list[2 * i]), last = sr_tsn(list[2 * i + 1]);
        int64_t length = sr_tsn_distance(last, first);
        if (length < 0)
            continue;
        taking->spanned += (uint32_t)length + 1;
        acknowledge(taking, first, last, true, i >= renegable);
    }
}

/* False where the cumulative TSN is of another numbering. */
static bool make_room(struct taking *taking, struct sr_tsn top)
{
    struct sr_direction *direction = taking->direction;
    struct sr_window *window = &direction->window;
    struct sr_tsn cum = sr_tsn(taking->sack->cum_tsn);
    if (window->capacity == 0 && !sr_window_begin(window, &taking->book->budget, cum)) {
        taking->book->failed = true;
        return false;
    }
    int64_t ahead = sr_tsn_distance(cum, window->highest);
    if (ahead > SR_SCOREBOARD_LARGEST || ahead < -SR_SCOREBOARD_PAST)
        return false;
    struct sr_tsn sent = direction->sent ? direction->highest_sent : window->highest;
    if (sr_tsn_distance(top, sent) > SR_SCOREBOARD_REACH)
        top = sr_tsn_add(sent, SR_SCOREBOARD_REACH);
    if (sr_tsn_after(top, window->highest))
        sr_window_reach(window, &taking->book->budget, top);
    if (direction->first_cum_frame == 0 && sr_tsn_distance(cum, window->base) >= -SR_SCOREBOARD_REACH)
        sr_window_reach(window, &taking->book->budget, cum); /* what comes late above it is held from here on */
    return true;
}

/* RFC 9260 section 6.2: what makes a receiver answer at once. A SACK for one packet in order may have waited. */
static enum sr_rtt_tag tag_of(const struct taking *taking, const struct sr_transmission_row *sent)
{
    const struct sr_sack_row *sack = taking->sack;
    if (sack->gaps > 0 || sack->nr_gaps > 0)
        return SR_RTT_TAG_GAP;
    if (sack->dups > 0)
        return SR_RTT_TAG_DUPLICATE;
    if (sent->flags & SR_DATA_IMMEDIATE)
        return SR_RTT_TAG_I_BIT;
    return taking->packets > 1 ? SR_RTT_TAG_SECOND_PACKET : SR_RTT_TAG_DELAYED;
}

static void sample(struct taking *taking)
{
    struct sr_sack_row *sack = taking->sack;
    bool again = taking->newest == 0;
    uint32_t newest = again ? taking->newest_again : taking->newest;
    if (newest == 0 || sack->stale)
        return;
    if (taking->ahead) /* an answer to what was not captured: as in Karn's rule nobody can tell */
        return;
    if (taking->book->judgement->filtered) /* what answered first may have been filtered out */
        return;
    const struct sr_transmission_row *sent = sr_transmission_at(taking->book->journal, newest - 1);
    struct sr_sample sample = {
        .time_ns = sack->time_ns,
        .frame = sack->frame,
        .path = sent->path,
        .sent_row = newest - 1,
        .tag = again ? SR_RTT_TAG_RTX : tag_of(taking, sent),
    };
    if (!sr_round_trip_between(sack->time_ns, sent->time_ns, &sample.rtt_ns))
        return;
    if (!again) {
        sack->rtt_ns = sample.rtt_ns;
        sack->rtt_tag = (uint8_t)sample.tag;
    }
    sr_book_sample(taking->book, taking->direction, sack->assoc, 1 - sack->from, &sample);
}

static void note_window(struct sr_direction *direction, const struct sr_sack_row *sack)
{
    struct sr_direction_figures *figures = &direction->figures;
    int64_t closed_ns;
    if (sack->kind == SR_SACK_KIND_SHUTDOWN || sack->stale || sack->time_ns == SR_NO_TIME)
        return;
    if (sack->a_rwnd == 0 && direction->zero_since_ns == SR_NO_TIME) {
        direction->zero_since_ns = sack->time_ns;
        direction->zero_frame = sack->frame;
        if (figures->zero_windows++ == 0)
            figures->zero_window_frame = sack->frame;
    }
    if (direction->zero_since_ns == SR_NO_TIME)
        return;
    if (sr_elapsed(sack->time_ns, direction->zero_since_ns, &closed_ns) &&
        closed_ns > figures->zero_window_longest_ns) {
        figures->zero_window_longest_ns = closed_ns;
        figures->zero_window_frame = direction->zero_frame;
        figures->zero_window_end_frame = sack->frame;
    }
    if (sack->a_rwnd > 0)
        direction->zero_since_ns = SR_NO_TIME;
}

static void note_path(struct sr_direction *direction, uint32_t path)
{
    direction->path_before = direction->newest_path;
    direction->newest_path = path;
}

void sr_book_overtaken(struct sr_direction *direction, const struct sr_sack_row *sack, uint32_t by_path)
{
    struct sr_direction_figures *figures = &direction->figures;
    if (sack->path == by_path && figures->stale_sacks++ == 0)
        figures->stale_frame = sack->frame;
}

static void note_feedback(struct taking *taking)
{
    const struct sr_sack_row *sack = taking->sack;
    struct sr_direction_figures *figures = &taking->direction->figures;
    if (sack->stale)
        sr_book_overtaken(taking->direction, sack, taking->direction->newest_path);
    else
        note_path(taking->direction, sack->path);
    note_window(taking->direction, sack);
    if (taking->packets == 0)
        return;
    figures->last_acked_ns = sack->time_ns != SR_NO_TIME ? sack->time_ns : figures->last_acked_ns;
    figures->sent_again_since_feedback = 0;
    if (sack->gaps == 0 && sack->nr_gaps == 0 && sack->dups == 0 && sack->kind != SR_SACK_KIND_SHUTDOWN)
        figures->sacks_of_packets[taking->packets < 4 ? taking->packets - 1 : 3]++;
}

void sr_book_numbered_anew(struct sr_direction *direction, struct sr_tsn highest_sent)
{
    direction->first_cum_frame = direction->suspect = 0;
    direction->abandons = direction->reset.done = direction->has_initial = false;
    direction->karn.count = 0;
    direction->highest_sent = highest_sent;
}

static void note_sizes(const struct sr_direction *direction, struct sr_sack_row *sack)
{
    sack->rtxq_necessary_bytes = clipped(direction->window.necessary_bytes);
    sack->rtxq_bytes = clipped(direction->window.queued_bytes);
}

void sr_book_feedback(struct sr_book *book, struct sr_direction *direction, uint32_t row)
{
    struct sr_sack_row *sack = sr_sack_at(book->journal, row);
    struct sr_window *window = &direction->window;
    if (!sr_is_believed(sack)) {
        window->took_all = false;
        note_sizes(direction, sack);
        return;
    }
    struct taking taking = {.book = book, .direction = direction, .sack = sack, .row = row};
    uint32_t blocks = (uint32_t)sack->gaps + sack->nr_gaps;
    const uint32_t *list = blocks > 0 ? sr_numbers_at(book->journal, sack->lists) : NULL;
    struct sr_tsn cum = sr_tsn(sack->cum_tsn), top = highest_of(sack, list);

    taking.ahead = direction->sent && sr_tsn_after(top, direction->highest_sent);
    sr_book_use(direction, sack->time_ns);
    taking.before = window->received_to;
    taking.first_block = window->took_all ? sack->told : 0;
    window->took_all = false;
    if (!make_room(&taking, top))
        return;
    direction->sacks++;
    bool first = direction->first_cum_frame == 0;
    sack->stale = !first && sr_tsn_after(direction->cum, cum);
    if (first) {
        direction->first_cum = direction->cum = cum;
        direction->first_cum_frame = sack->frame;
        direction->first_cum_ns = sack->time_ns;
        acknowledge(&taking, direction->window.base, cum, false, true);
    } else if (!sack->stale) {
        acknowledge(&taking, direction->cum, cum, false, true);
        direction->cum = cum;
    }
    take_blocks(&taking, list);
    window->took_all = sr_sack_is_taken(window->base, window->highest, cum, top);
    if (taking.oldest != 0 && !taking.unclear)
        sr_book_step(book, direction, taking.oldest);
    direction->reports_dups |= sack->dups > 0;
    sample(&taking);
    note_feedback(&taking);
    if (direction->sent && direction->feedbacks < SR_DIRECTION_WARM) {
        direction->feedbacks++;
        direction->complete_from = sr_tsn_after(cum, direction->highest_sent) ? cum : direction->highest_sent;
    }
    sr_book_withdrawal(book, direction, row, top, taking.first_block);
    note_sizes(direction, sack);
}

/* What the sender gave up, as far as it is not acknowledged. */
static void give_up(struct sr_book *book, struct sr_direction *direction, struct sr_tsn tsn, struct sr_tsn last,
                    uint32_t frame)
{
    struct sr_window *window = &direction->window;
    for (; sr_tsn_set_next_missing(&window->received, &tsn, last); tsn = sr_tsn_add(tsn, 1)) {
        struct sr_window_tsn *entry = sr_window_at(window, tsn);
        if (entry->acked_frame != 0 || entry->abandoned) /* withdrawn, or given up before */
            continue;
        direction->figures.abandoned_tsns += entry->first_row != 0;
        sr_window_abandon(window, tsn, true);
        for (uint32_t next = entry->last_row; next != 0;) {
            struct sr_transmission_row *row = sr_transmission_at(book->journal, next - 1);
            sr_transmission_settled(row, SR_OUTCOME_ABANDONED, frame);
            next = row->prev_row;
        }
    }
}

void sr_book_forward(struct sr_book *book, struct sr_direction *direction, const struct sr_control_row *control)
{
    struct sr_window *window = &direction->window;
    struct sr_tsn last = sr_tsn(control->tsn), tsn = window->base;
    if (window->capacity == 0 || sr_tsn_distance(last, window->highest) > SR_SCOREBOARD_REACH ||
        sr_tsn_distance(last, window->highest) < -SR_SCOREBOARD_PAST)
        return;
    sr_book_use(direction, control->time_ns);
    if (sr_tsn_after(last, window->highest))
        sr_window_reach(window, &book->budget, last);
    if (direction->abandons && sr_tsn_distance(direction->abandoned_to, window->base) >= 0)
        tsn = sr_tsn_add(direction->abandoned_to, 1);
    give_up(book, direction, tsn, last, control->frame);
    if (!direction->abandons || sr_tsn_after(last, direction->abandoned_to))
        direction->abandoned_to = last;
    direction->abandons = true;
}

void sr_book_reset(struct sr_book *book, struct sr_direction *direction, const struct sr_control_row *control,
                   struct sr_tsn next)
{
    struct sr_window *window = &direction->window;
    if (window->capacity == 0 || !sr_tsn_resets(direction->reset, direction->highest_sent, next))
        return;
    sr_book_use(direction, control->time_ns);
    give_up(book, direction, window->base, window->highest, control->frame); /* RFC 6525 section 5.1.4, C2 */
    if (!sr_window_begin(window, &book->budget, next)) {
        book->failed = true;
        return;
    }
    sr_book_numbered_anew(direction, sr_tsn_add(next, UINT32_MAX));
    direction->complete_from = direction->highest_sent;
    direction->reset = (struct sr_tsn_reset){next, true};
}
