/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk through the journal, all associations side by side, and what is left at its end. */
#include "bookkeeping.h"

#include <stdlib.h>

#include "../association/scoreboard.h"
#include "../timeline/numbering.h"
#include "../wire/chunk.h"
#include "../wire/forward_tsn.h"
#include "../wire/time.h"
#include "book.h"
#include "figures.h"
#include "filtered.h"
#include "heartbeats.h"

enum { ENTRIES_IN_ALL = 4 * SR_SCOREBOARD_LARGEST };

static struct sr_direction *direction_of(struct sr_book *book, const struct sr_registry *associations, uint32_t assoc,
                                         unsigned side)
{
    if (assoc == SR_NO_ASSOCIATION)
        return NULL;
    struct sr_direction **place = &book->places[2 * (size_t)assoc + side].direction;
    if (*place)
        return *place;
    *place = calloc(1, sizeof **place);
    if (!*place) {
        book->failed = true;
        return NULL;
    }
    const struct sr_association *association = sr_registry_at(associations, assoc);
    **place = (struct sr_direction){
        .use_ns = SR_NO_TIME,
        .zero_since_ns = SR_NO_TIME,
        .most_blocks = association->side[1 - side].sacks.most_blocks,
        .from_start = association->started == SR_STARTED_HANDSHAKE || association->started == SR_STARTED_RESTART,
        .figures = sr_no_figures,
    };
    return *place;
}

/* The capture has it twice: beside that nothing is counted of it. */
static void take_duplicate(struct sr_book *book, const struct sr_registry *associations,
                           struct sr_transmission_row *row)
{
    struct sr_direction *direction = direction_of(book, associations, row->assoc, row->from);
    if (!direction)
        return;
    if (direction->figures.capture_duplicates++ == 0)
        direction->figures.capture_duplicate_frame = row->frame;
    if (sr_window_holds(&direction->window, sr_tsn(row->tsn)))
        row->prev_row = sr_window_at(&direction->window, sr_tsn(row->tsn))->last_row;
}

/* Where the capture repeats packets of a side, it has repeated all of them. */
static uint8_t kind_of(const struct sr_transmission_row *row, const struct sr_registry *associations)
{
    if (row->seen_kind != SR_KIND_NETWORK_DUPLICATE || row->assoc == SR_NO_ASSOCIATION)
        return row->seen_kind;
    bool doubled = sr_is_doubled(&sr_registry_at(associations, row->assoc)->side[row->from]);
    return doubled ? SR_KIND_CAPTURE_DUPLICATE : SR_KIND_NETWORK_DUPLICATE;
}

static void take_transmission(struct sr_book *book, const struct sr_registry *associations, uint32_t number)
{
    struct sr_transmission_row *row = sr_transmission_at(book->journal, number);
    sr_transmission_unjudged(row);
    book->transmissions++;
    row->kind = kind_of(row, associations);
    row->outcome = SR_OUTCOME_UNRESOLVED;
    if (row->kind == SR_KIND_CAPTURE_DUPLICATE) {
        take_duplicate(book, associations, row);
        return;
    }
    sr_book_clock(book, row->frame, row->time_ns);
    struct sr_direction *direction = direction_of(book, associations, row->assoc, row->from);
    if (direction)
        sr_book_sent(book, direction, number);
}

static void take_sack(struct sr_book *book, const struct sr_registry *associations, uint32_t number)
{
    struct sr_sack_row *row = sr_sack_at(book->journal, number);
    sr_sack_unjudged(row);
    if (row->repeats != 0) { /* it is in no chain, and was not moved with those that are */
        if (row->assoc != SR_NO_ASSOCIATION)
            row->assoc = sr_registry_side(associations, row->assoc, &row->from)->number;
        return;
    }
    sr_book_clock(book, row->frame, row->time_ns);
    struct sr_direction *direction = direction_of(book, associations, row->assoc, 1u - row->from);
    if (direction)
        sr_book_feedback(book, direction, number);
}

static void take_control(struct sr_book *book, const struct sr_registry *associations, uint32_t number)
{
    const struct sr_control_row *row = sr_control_at(book->journal, number);
    sr_book_clock(book, row->frame, row->time_ns);
    struct sr_direction *own = direction_of(book, associations, row->assoc, row->from);
    struct sr_direction *other = direction_of(book, associations, row->assoc, 1u - row->from);
    if (!own || !other)
        return;
    if (row->type == SR_CHUNK_INIT || row->type == SR_CHUNK_INIT_ACK) {
        own->initial = sr_tsn(row->tsn);
        own->has_initial = true;
    }
    sr_book_answer(book, other, row);
    sr_book_question(own, row);
    if (row->type == SR_CHUNK_HEARTBEAT && !sr_heartbeats_asked(own, row))
        book->failed = true;
    if (row->type == SR_CHUNK_HEARTBEAT_ACK)
        sr_heartbeats_answered(other, row);
    if (row->whole && sr_is_forward_tsn(row->type))
        sr_book_forward(book, own, row);
    struct sr_tsn next;
    if (sr_numbered_anew(book->journal, row, row->from, &next))
        sr_book_reset(book, own, row, next);
    if (sr_numbered_anew(book->journal, row, 1u - row->from, &next))
        sr_book_reset(book, other, row, next);
}

static void write_paths(struct sr_book *book, const struct sr_direction *direction, uint32_t assoc, uint8_t from)
{
    for (uint32_t i = 0; i < direction->path_count; i++) {
        const struct sr_direction_path *path = &direction->paths[i];
        struct sr_path_row *row = sr_spool_append(&book->paths);
        if (!row) {
            book->failed = true;
            return;
        }
        *row = (struct sr_path_row){
            .loop_lo_ns = SR_NO_TIME,
            .loop_hi_ns = SR_NO_TIME,
            .loop_fitted_ns = SR_NO_TIME,
            .srtt_ns = path->rto.measured ? path->rto.srtt_ns : SR_NO_TIME,
            .min_rtt_ns = path->min_rtt_ns,
            .rto_ns = path->rto.measured ? sr_observed_rto_ns(&path->rto) : SR_NO_TIME,
            .unclamped_rto_ns = path->rto.srtt_ns + 4 * path->rto.rttvar_ns,
            .reordering_max_ns = path->reordering_max_ns,
            .assoc = assoc,
            .path = path->path,
            .reordering_max_tsn = path->reordering_max_tsn,
            .from = from,
            .vantage = SR_NO_WORD,
            .profile = SR_NO_WORD,
            .profile_score = -1,
            .sender_has_rack = SR_NO_WORD,
            .dup_capable = SR_NO_WORD,
        };
    }
}

/* In the order of the associations. */
static void order_paths(struct sr_book *book, const struct sr_book_place *place)
{
    for (uint32_t i = 0; i < place->path_count && !book->failed; i++) {
        struct sr_path_row *row = sr_spool_append(&book->judgement->paths);
        if (row)
            *row = *(const struct sr_path_row *)sr_spool_visit(&book->paths, place->first_path + i);
        else
            book->failed = true;
    }
}

static void free_direction(struct sr_book *book, struct sr_direction *direction)
{
    free(direction->paths);
    sr_window_free(&direction->window, &book->budget);
    sr_karn_free(&direction->karn);
    free(direction->asked);
    free(direction);
}

/* Behind the last row of its association: of a direction its figures are left, and its paths, whose rows have to wait
 * for those of the associations before. */
static void finish(struct sr_book *book, const struct sr_association *association, uint8_t from)
{
    struct sr_book_place *place = &book->places[2 * (size_t)association->number + from];
    struct sr_direction *direction = place->direction;
    if (!direction)
        return;
    int64_t end_ns = sr_association_is_open(association) ? book->end_ns : association->last_time_ns;
    struct sr_direction_figures *figures = &direction->figures;
    figures->queued_bytes = direction->window.queued_bytes;
    figures->necessary_bytes = direction->window.necessary_bytes;
    for (uint32_t i = 0; i < direction->path_count; i++)
        if (sr_observed_rto_ns(&direction->paths[i].rto) > figures->rto_ns)
            figures->rto_ns = sr_observed_rto_ns(&direction->paths[i].rto);
    sr_heartbeats_end(direction, end_ns);
    sr_filtered_end(book, direction, end_ns);
    bool tells = association->side[from].data.chunks > 0 || sr_figures_tell(figures);
    if (tells && !sr_figures_keep(book->judgement, 2 * association->number + from, figures))
        book->failed = true;
    *place = (struct sr_book_place){.first_path = (uint32_t)book->paths.count, .path_count = direction->path_count};
    write_paths(book, direction, association->number, from);
    free_direction(book, direction);
}

/* Its association; NULL without. */
static const struct sr_association *association_of(const struct sr_journal *journal,
                                                   const struct sr_registry *associations, struct sr_entry entry)
{
    uint32_t assoc = SR_NO_ASSOCIATION;
    switch ((enum sr_entry_table)entry.table) {
    case SR_ENTRY_TRANSMISSION: assoc = sr_transmission_at(journal, entry.row)->assoc; break;
    case SR_ENTRY_SACK: assoc = sr_sack_at(journal, entry.row)->assoc; break;
    case SR_ENTRY_CONTROL: assoc = sr_control_at(journal, entry.row)->assoc; break;
    }
    return assoc != SR_NO_ASSOCIATION ? sr_registry_at(associations, assoc) : NULL;
}

/* Whether the entry sets the clock of the walk, and to what: see take_transmission and take_sack. */
static bool sets_clock(const struct sr_journal *journal, const struct sr_registry *associations, struct sr_entry entry,
                       int64_t *time_ns)
{
    switch ((enum sr_entry_table)entry.table) {
    case SR_ENTRY_TRANSMISSION: {
        const struct sr_transmission_row *row = sr_spool_visit(&journal->transmissions, entry.row);
        *time_ns = row->time_ns;
        return kind_of(row, associations) != SR_KIND_CAPTURE_DUPLICATE;
    }
    case SR_ENTRY_SACK: {
        const struct sr_sack_row *row = sr_spool_visit(&journal->sacks, entry.row);
        *time_ns = row->time_ns;
        return row->repeats == 0;
    }
    case SR_ENTRY_CONTROL:
        *time_ns = ((const struct sr_control_row *)sr_spool_visit(&journal->controls, entry.row))->time_ns;
        return true;
    }
    return false;
}

/* Directions end before the walk does: it is looked for from behind where its clock will be. */
static int64_t end_of_input(const struct sr_journal *journal, const struct sr_registry *associations, int64_t end_ns)
{
    int64_t clock_ns = 0, more_ns;
    for (uint64_t entry = journal->order.count; entry-- > 0;) {
        const struct sr_journal_place *place = sr_spool_visit(&journal->order, entry);
        if (sets_clock(journal, associations, sr_entry_of(place), &clock_ns))
            break;
    }
    return sr_elapsed(end_ns, clock_ns, &more_ns) && more_ns > 0 ? end_ns : clock_ns;
}

static void take(struct sr_book *book, const struct sr_registry *associations, const struct sr_journal_walk *walk,
                 struct sr_entry entry)
{
    switch ((enum sr_entry_table)entry.table) {
    case SR_ENTRY_TRANSMISSION: take_transmission(book, associations, entry.row); break;
    case SR_ENTRY_SACK: take_sack(book, associations, entry.row); break;
    case SR_ENTRY_CONTROL: take_control(book, associations, entry.row); break;
    }
    const struct sr_association *association = association_of(book->journal, associations, entry);
    if (!association || association->entries.last != walk->next)
        return;
    finish(book, association, SR_SIDE_A);
    finish(book, association, SR_SIDE_B);
}

bool sr_bookkeeping(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement)
{
    uint32_t count = 2 * sr_registry_count(associations);
    struct sr_book book = {.journal = journal, .judgement = judgement, .budget = {ENTRIES_IN_ALL}};
    struct sr_journal_walk walk = {.journal = journal};
    struct sr_entry entry;

    book.places = calloc(count + 1, sizeof *book.places);
    if (!book.places || !sr_figures_begin(judgement, count)) {
        free(book.places);
        return false;
    }
    sr_spool_init(&book.paths, &journal->store, sizeof(struct sr_path_row));
    book.end_ns = end_of_input(journal, associations, judgement->end_ns);
    while (!book.failed && sr_journal_next(&walk, &entry))
        take(&book, associations, &walk, entry);
    for (uint32_t i = 0; i < count; i++) {
        if (book.places[i].direction) /* the walk did not get to its end */
            free_direction(&book, book.places[i].direction);
        if (sr_is_own(judgement->share, i / 2))
            order_paths(&book, &book.places[i]);
    }
    sr_spool_free(&book.paths);
    free(book.places);
    return !book.failed;
}
