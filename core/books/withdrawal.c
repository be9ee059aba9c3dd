/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a SACK takes back what an earlier one acknowledged by a block (reneging, RFC 9260 section 6.2.1 D iii), is
 * overtaken, or has no room for all blocks. One SACK alone cannot tell: the next one says whether it came late. */
#include "../timeline/blocks.h"
#include "belief.h"
#include "book.h"

#include "../model/model.h"

enum {
    REACH = 65535,        /* a block reaches no further above the cumulative TSN */
    LIST = SR_SPOOL_LIST, /* TSNs that one SACK is said to take back */
};

static const uint32_t says_little = ~(1u << SR_SACK_ANOMALY_TRAILING_BYTES | 1u << SR_SACK_ANOMALY_NO_RESERVED_FIELD |
                                      1u << SR_SACK_ANOMALY_DUP_NOT_RECEIVED | 1u << SR_SACK_ANOMALY_GAP_ADJACENT |
                                      1u << SR_SACK_ANOMALY_NR_GAP_ADJACENT);

static void add_blocks(const struct sr_journal *journal, struct sr_blocks *blocks, const struct sr_sack_row *sack)
{
    if (sack->gaps + sack->nr_gaps == 0)
        return;
    const uint32_t *list = sr_numbers_at(journal, sack->lists);
    sr_blocks_add(blocks, list, sack->gaps);
    sr_blocks_add(blocks, list + 2 * (uint32_t)sack->gaps, sack->nr_gaps);
}

static struct sr_tsn lower(struct sr_tsn a, struct sr_tsn b)
{
    return sr_tsn_after(a, b) ? b : a;
}

/* How many of these the receiver had said that it has: mostly none. */
static uint32_t received_within(const struct sr_window *window, struct sr_tsn first, struct sr_tsn last)
{
    return sr_tsn_set_next(&window->received, &first, last) ? sr_tsn_set_count(&window->received, first, last) : 0;
}

/* How many TSNs up to `last` the receiver had said that it has, and these blocks leave out. */
static uint32_t left_out(const struct sr_window *window, struct sr_blocks blocks, struct sr_tsn last)
{
    struct sr_stretch hole, covered;
    uint32_t count = 0;
    while (sr_blocks_next(&blocks, &hole, &covered))
        count += received_within(window, hole.first, lower(hole.last, last));
    return count + received_within(window, hole.first, last);
}

/* Takes them back, and lists them. True where the receiver had promised to keep one of them (NR-SACK). */
static bool take_back(struct sr_direction *direction, struct sr_blocks blocks, struct sr_tsn last, uint32_t *list)
{
    bool promised = false;
    struct sr_window *window = &direction->window;
    struct sr_stretch hole, covered;
    bool more = true;
    while (more) {
        more = sr_blocks_next(&blocks, &hole, &covered);
        struct sr_tsn end = more ? lower(hole.last, last) : last;
        for (struct sr_tsn tsn = hole.first; sr_tsn_set_next(&window->received, &tsn, end); tsn = sr_tsn_add(tsn, 1)) {
            promised |= sr_tsn_set_has(&window->freed, tsn);
            sr_window_withdraw(window, tsn);
            sr_window_at(window, tsn)->withdrawn = true;
            sr_window_at(window, tsn)->never_missed = false;
            *list++ = tsn.value;
        }
    }
    return promised;
}

/* Two SACKs in a row leave these out: the first of them took them back. A TSN is acknowledged again only when it was
 * sent again: what a hostile capture takes back beyond what was sent is not listed, but counted. */
static void confirm(struct sr_book *book, struct sr_direction *direction, struct sr_blocks blocks, struct sr_tsn last,
                    uint32_t count)
{
    struct sr_direction_figures *figures = &direction->figures;
    struct sr_sack_row *suspect = sr_sack_at(book->journal, direction->suspect - 1);
    if (count > LIST || direction->taken_back + count > SR_MODEL_TAKEN_BACK * (direction->chunks + direction->sacks)) {
        figures->withdrawn_beyond++;
        return;
    }
    direction->taken_back += count;
    uint32_t *list = sr_spool_append_list(&book->journal->judged, count, &suspect->reneged);
    if (!list) {
        book->failed = true;
        return;
    }
    suspect->reneged_count = count;
    suspect->reneged_class = take_back(direction, blocks, last, list) ? 5 : 4;
    figures->withdrawn_proven_tsns += suspect->reneged_class == 5 ? count : 0;
    if (figures->withdrawn_tsns == 0)
        figures->withdrawn_frame = suspect->frame;
    figures->withdrawn_tsns += count;
    direction->withdrawn_by = direction->suspect;
    direction->withdrawn_row = book->transmissions;
}

/* The receiver reports duplicates, and took what was sent again for new: it had dropped it. */
static void prove(struct sr_direction_figures *figures, struct sr_sack_row *sack)
{
    if (sack->reneged_count == 0 || sack->reneged_class == 5)
        return;
    sack->reneged_class = 5;
    figures->withdrawn_proven_tsns += sack->reneged_count;
}

/* From `first` on, before `row`, each SACK of the direction leaves out what the receiver had all the time. One behind
 * the first may have had no room for it. */
static void came_late(struct sr_book *book, struct sr_direction *direction, uint32_t first, uint32_t row)
{
    enum { LOOKED_AT = 64 }; /* SACKs of all directions: so that crowded captures do not cost more */
    const struct sr_sack_row *of = sr_sack_at(book->journal, first);
    for (uint32_t at = first; at < row && at - first < LOOKED_AT; at++) {
        struct sr_sack_row *sack = sr_sack_at(book->journal, at);
        bool full = sack->truncated && at != first;
        if (sack->assoc != of->assoc || sack->from != of->from || sack->stale || full ||
            sack->kind == SR_SACK_KIND_SHUTDOWN || sack->malformed & says_little || !sr_is_believed(sack))
            continue;
        sack->stale = 1;
        sr_book_overtaken(direction, sack, direction->suspect_path);
    }
}

/* Acknowledged again. Where it was not sent again it was never dropped: SACKs came late, one after the other, and the
 * one that acknowledges it may do so before others that it leaves out. */
void sr_book_restored(struct sr_book *book, struct sr_direction *direction, struct sr_window_tsn *entry, uint32_t row,
                      bool as_duplicate)
{
    struct sr_direction_figures *figures = &direction->figures;
    entry->withdrawn = false;
    struct sr_sack_row *sack = sr_sack_at(book->journal, direction->withdrawn_by - 1);
    if (entry->last_row > direction->withdrawn_row) {
        if (direction->reports_dups && !as_duplicate)
            prove(figures, sack);
        return;
    }
    figures->withdrawn_tsns -= sack->reneged_count;
    figures->withdrawn_proven_tsns -= sack->reneged_class == 5 ? sack->reneged_count : 0;
    sack->reneged_count = 0;
    sack->reneged_class = 0;
    came_late(book, direction, direction->withdrawn_by - 1, row);
    direction->withdrawn_by = row + 1;
}

/* It says no less than all before it. A suspect with the same cumulative TSN was overtaken then, and one with a lower
 * one that acknowledged nothing new, where nothing was sent again since: what it left out was never dropped. */
static void clear_suspect(struct sr_book *book, struct sr_direction *direction, const struct sr_sack_row *sack)
{
    if (direction->suspect == 0)
        return;
    struct sr_sack_row *suspect = sr_sack_at(book->journal, direction->suspect - 1);
    bool dropped = suspect->newly_acked > 0 || direction->again_row > direction->suspect_row;
    if (suspect->cum_tsn == sack->cum_tsn || !dropped) {
        suspect->stale = 1;
        sr_book_overtaken(direction, suspect, direction->suspect_path);
    }
    direction->suspect = 0;
}

static void note_truncated(struct sr_direction *direction, struct sr_sack_row *sack, uint32_t blocks)
{
    sack->truncated = 1;
    if (direction->figures.truncated_sacks++ == 0)
        direction->figures.truncated_frame = sack->frame;
    direction->figures.truncated_blocks = blocks;
}

/* As left_out, of a SACK with nothing but gaps, which rise. Where the one before left nothing out, neither does this
 * one below `first_gap`. */
static uint32_t left_out_between(const struct sr_book *book, const struct sr_window *window,
                                 const struct sr_sack_row *sack, struct sr_tsn last, uint32_t first_gap)
{
    const uint32_t *list = sack->gaps > 0 ? sr_numbers_at(book->journal, sack->lists) : NULL;
    uint32_t count = 0, before = first_gap > 0 ? list[2 * first_gap - 1] : sack->cum_tsn;
    for (uint32_t i = first_gap; i < sack->gaps; i++) {
        count += received_within(window, sr_tsn(before + 1), lower(sr_tsn(list[2 * i] - 1), last));
        before = list[2 * i + 1];
    }
    return count + received_within(window, sr_tsn(before + 1), last);
}

void sr_book_withdrawal(struct sr_book *book, struct sr_direction *direction, uint32_t row, struct sr_tsn top,
                        uint32_t first_gap)
{
    struct sr_window *window = &direction->window;
    struct sr_sack_row *sack = sr_sack_at(book->journal, row);
    struct sr_tsn cum = sr_tsn(sack->cum_tsn);
    uint32_t count = (uint32_t)sack->gaps + sack->nr_gaps;
    bool clean_before = !direction->left_out;
    direction->left_out = true;
    if (sack->stale || sack->kind == SR_SACK_KIND_SHUTDOWN || sack->malformed & says_little)
        return;
    if (!sr_window_holds(window, sr_tsn_add(cum, 1))) { /* it acknowledges all */
        clear_suspect(book, direction, sack);
        return;
    }
    struct sr_tsn last = lower(window->received_to, sr_tsn_add(cum, REACH));
    struct sr_blocks blocks;
    sr_blocks_begin(&blocks, cum);
    add_blocks(book->journal, &blocks, sack);
    uint32_t missing = sack->nr_gaps == 0 && sack->malformed == 0
                           ? left_out_between(book, window, sack, last, clean_before ? first_gap : 0)
                           : left_out(window, blocks, last);
    direction->left_out = missing > 0;
    if (missing == 0) {
        clear_suspect(book, direction, sack);
        return;
    }
    if (count >= SR_SMALLEST_CAP && count == direction->most_blocks) {
        uint32_t below = left_out(window, blocks, lower(top, last));
        if (below < missing)
            note_truncated(direction, sack, count);
        missing = below;
        last = lower(top, last);
    }
    if (missing == 0) {
        if (!sack->truncated)
            clear_suspect(book, direction, sack);
        return;
    }
    if (direction->suspect == 0) {
        direction->suspect = row + 1;
        direction->suspect_row = book->transmissions;
        direction->suspect_path = direction->path_before;
        return;
    }
    add_blocks(book->journal, &blocks, sr_sack_at(book->journal, direction->suspect - 1));
    missing = left_out(window, blocks, last);
    if (missing > 0)
        confirm(book, direction, blocks, last, missing);
    direction->suspect = missing > 0 ? 0 : row + 1;
    direction->suspect_row = book->transmissions;
}
