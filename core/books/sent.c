/* SPDX-License-Identifier: BSD-2-Clause */
/* What a chunk with data does to the books of its direction. */
#include "../association/kind.h"
#include "../association/scoreboard.h"
#include "../wire/time.h"
#include "book.h"
#include "inverted.h"

static bool within(struct sr_tsn tsn, struct sr_tsn of)
{
    int64_t distance = sr_tsn_distance(tsn, of);
    return distance <= SR_SCOREBOARD_REACH && distance >= -SR_SCOREBOARD_REACH;
}

/* As the scoreboard: one chunk out of reach is broken, a second near it is a new numbering. */
static bool follows_jump(struct sr_book *book, struct sr_direction *direction, uint32_t row, struct sr_tsn tsn)
{
    uint32_t stray = direction->stray_row;
    direction->stray_row = row + 1;
    if (stray == 0 || !within(tsn, sr_tsn(sr_transmission_at(book->journal, stray - 1)->tsn)))
        return false;
    if (!sr_window_begin(&direction->window, &book->budget, tsn))
        return false;
    sr_book_numbered_anew(direction, tsn);
    return true;
}

/* TSNs below all that was held, up to the first cumulative TSN, were acknowledged by that feedback. */
static void acknowledge_below(struct sr_direction *direction, struct sr_tsn before)
{
    struct sr_window *window = &direction->window;
    for (struct sr_tsn tsn = window->base; sr_tsn_after(before, tsn) && !sr_tsn_after(tsn, direction->first_cum);
         tsn = sr_tsn_add(tsn, 1)) {
        struct sr_window_tsn *entry = sr_window_at(window, tsn);
        entry->acked_frame = direction->first_cum_frame;
        entry->acked_ns = direction->first_cum_ns;
        sr_window_receive(window, tsn);
        sr_window_release(window, tsn);
    }
}

/* The window holds the TSN afterwards, or it has no place in it. */
static bool place(struct sr_book *book, struct sr_direction *direction, uint32_t row, struct sr_tsn tsn)
{
    struct sr_window *window = &direction->window;
    if (window->capacity == 0 && !sr_window_begin(window, &book->budget, tsn)) {
        book->failed = true;
        return false;
    }
    int64_t ahead = sr_tsn_distance(tsn, window->highest);
    if ((ahead > SR_SCOREBOARD_REACH || ahead <= -SR_SCOREBOARD_PAST) && !follows_jump(book, direction, row, tsn))
        return false;
    struct sr_tsn before = window->base;
    if (!sr_window_reach(window, &book->budget, tsn))
        return false;
    if (direction->first_cum_frame != 0)
        acknowledge_below(direction, before);
    return true;
}

/* Feedback came before the chunk, in the capture or on the way. */
static void note_late(struct sr_direction_figures *figures, struct sr_window_tsn *entry,
                      const struct sr_transmission_row *row)
{
    figures->unseen_tsns -= entry->unseen;
    entry->unseen = false;
    if (sr_is_inverted(row) && figures->inverted++ == 0)
        figures->inverted_frame = row->frame;
}

/* By how much a chunk that comes late, and was not sent again, was overtaken at the tap. */
static void note_reordering(struct sr_book *book, struct sr_direction *direction, const struct sr_transmission_row *row,
                            struct sr_direction_path *path)
{
    enum { LOOKED_AT = 64 };
    struct sr_window *window = &direction->window;
    struct sr_tsn tsn = sr_tsn(row->tsn);
    int64_t extent = sr_tsn_distance(direction->highest_sent, tsn), late_ns;
    if (!direction->sent || extent <= 0)
        return;
    if (extent > path->reordering_max_tsn)
        path->reordering_max_tsn = (uint32_t)extent;
    for (int i = 0; i < LOOKED_AT && sr_tsn_after(window->highest, tsn); i++) {
        tsn = sr_tsn_add(tsn, 1);
        uint32_t above = sr_window_at(window, tsn)->first_row;
        if (above == 0)
            continue;
        if (sr_elapsed(row->time_ns, sr_transmission_at(book->journal, above - 1)->time_ns, &late_ns) &&
            late_ns > path->reordering_max_ns)
            path->reordering_max_ns = late_ns;
        break;
    }
}

static void note_sent(struct sr_book *book, struct sr_direction *direction, const struct sr_transmission_row *row)
{
    struct sr_direction_figures *figures = &direction->figures;
    struct sr_direction_path *path = sr_book_path(book, direction, row->path);
    if (sr_tells_nothing((enum sr_kind)row->kind))
        return;
    if (row->time_ns != SR_NO_TIME) {
        if (figures->first_data_ns == SR_NO_TIME)
            figures->first_data_ns = row->time_ns;
        figures->last_data_ns = row->time_ns;
    }
    figures->last_data_frame = row->frame;
    figures->sent_again_since_feedback += row->kind == SR_KIND_RETRANSMISSION;
    if (path && row->kind == SR_KIND_REORDERED)
        note_reordering(book, direction, row, path);
}

/* What was taken for copies of one chunk before another came under its TSN. */
static void doubt_copies(struct sr_book *book, uint32_t row_and_one)
{
    while (row_and_one != 0) {
        struct sr_transmission_row *row = sr_transmission_at(book->journal, row_and_one - 1);
        if (row->kind != SR_KIND_RETRANSMISSION)
            return;
        row->kind = SR_KIND_CONFLICTING;
        row_and_one = row->prev_row;
    }
}

/* What lies above it was not acknowledged before it was, or still is not. */
static bool was_never_missed(const struct sr_window *window, const struct sr_window_tsn *entry)
{
    if (entry->acked_frame != 0)
        return entry->never_missed;
    return !entry->withdrawn && !sr_tsn_after(window->received_to, sr_tsn(entry->tsn));
}

void sr_book_sent(struct sr_book *book, struct sr_direction *direction, uint32_t row_number)
{
    struct sr_transmission_row *row = sr_transmission_at(book->journal, row_number);
    struct sr_window *window = &direction->window;
    struct sr_tsn tsn = sr_tsn(row->tsn);

    direction->chunks++;
    sr_book_use(direction, row->time_ns);
    if (!place(book, direction, row_number, tsn))
        return;
    note_sent(book, direction, row);
    if (!direction->sent || sr_tsn_after(tsn, direction->highest_sent))
        direction->highest_sent = tsn;
    direction->sent = true;
    struct sr_window_tsn *entry = sr_window_at(window, tsn);
    if (row->kind == SR_KIND_CONFLICTING) {
        doubt_copies(book, entry->last_row);
        return;
    }
    if (row->kind == SR_KIND_RETRANSMISSION) {
        direction->figures.withdrawn_resent += entry->withdrawn;
        entry->sent_again = true;
        direction->again_row = row_number + 1;
        sr_karn_sent_again(&direction->karn, tsn, row_number);
    }
    entry->in_doubt |= row->kind == SR_KIND_RETRANSMISSION || row->kind == SR_KIND_NETWORK_DUPLICATE;
    row->prev_row = entry->last_row;
    row->acked_frame = entry->acked_frame;
    row->never_missed = was_never_missed(window, entry);
    row->acked_time_ns = entry->acked_frame ? entry->acked_ns : SR_NO_TIME;
    if (entry->acked_frame != 0 && entry->first_row == 0)
        note_late(&direction->figures, entry, row);
    if (entry->abandoned)
        sr_transmission_settled(row, SR_OUTCOME_ABANDONED, row->frame);
    sr_window_sent(window, tsn, row_number, row->bytes);
}
