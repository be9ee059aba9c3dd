/* SPDX-License-Identifier: BSD-2-Clause */
/* The two loops of each direction, and from them where the tap is (docs/verdict-rules.md). */
#include "loops.h"

#include <stdlib.h>

#include "../association/kind.h"
#include "../books/belief.h"
#include "../books/inverted.h"
#include "../timeline/numbering.h"
#include "../wire/time.h"
#include "control_loops.h"
#include "path_loops.h"
#include "vantage.h"

static void leaves(void *context, const struct sr_ledger_slot *slot)
{
    (void)context;
    (void)slot;
}

/* What has no copy in the capture before it may have one before the capture. */
static void note_before(struct sr_half *half, struct sr_tsn tsn)
{
    struct sr_measured *measured = &half->measured;
    if (half->association->started != SR_STARTED_MIDDLE ||
        (measured->has_before && !sr_tsn_after(tsn, measured->before)))
        return;
    measured->before = tsn;
    measured->has_before = true;
}

/* Nothing but what was seen is acknowledged from now on. */
static void note_top(struct sr_half *half, struct sr_tsn top)
{
    struct sr_measured *measured = &half->measured;
    measured->caught_up = half->ledger.begun && !sr_tsn_after(top, half->ledger.highest);
    if (!measured->caught_up)
        note_before(half, top);
    else if (measured->has_before)
        measured->sampled_from = measured->rows; /* what is acknowledged may have been sent before, too */
}

/* `reacts`: its sender's loop is to be found by that. */
static void sent(struct sr_half *half, uint32_t row_number, bool reacts)
{
    struct sr_transmission_row *row = sr_transmission_at(half->journal, row_number);
    if (sr_tells_nothing((enum sr_kind)row->kind))
        return;
    if (!half->ledger.begun) {
        note_before(half, sr_tsn(row->tsn - 1));
        half->measured.first_path = row->path;
    }
    struct sr_tsn before = half->ledger.highest, *highest = half->ledger.begun ? &before : NULL;
    struct sr_ledger_slot *slot = sr_ledger_sent(&half->ledger, sr_tsn(row->tsn), leaves, NULL);
    if (!slot)
        return;
    sr_losses_sent(half, row, slot, highest);
    half->measured.resends |= row->kind == SR_KIND_RETRANSMISSION;
    if (reacts && row->kind == SR_KIND_RETRANSMISSION && slot->copies <= 1)
        sr_reaction_resent(&half->measured.reaction, &half->reports, half->journal, row, slot->copies > 0);
    if (row->prev_row != slot->last_row) /* bookkeeping mostly says the same: a page that stays clean costs nothing */
        row->prev_row = slot->last_row;
    sr_ledger_count(slot);
    slot->unseen_before |= slot->copies == 1 && row->kind == SR_KIND_RETRANSMISSION;
    slot->last_row = half->measured.rows = row_number + 1;
    if (row->hides)
        half->measured.unsure = slot->last_row;
    half->measured.has_gaps |= row->hides;
    half->measured.inverted |= row->kind == SR_KIND_ORIGINAL && sr_is_inverted(row);
}

/* The loop of an acknowledgement is that of the latest TSN that it is the first to acknowledge, if that was sent once:
 * it answers the packet that came last (RFC 9260 section 6.2), and of a TSN that was sent again nobody knows which copy
 * that was (section 6.3.1, C5). */
struct sample {
    uint32_t row;    /* 1 + row; 0 none */
    uint32_t newest; /* likewise of all that it is the first to acknowledge: their last copy */
    uint32_t oldest; /* likewise of those that were sent once, the first */
    int64_t time_ns; /* of the acknowledgement */
};

/* Asks of what is acknowledged whether reordering may be learned from it: fates.h. */
static void look_for_reordering(struct sr_half *half, const struct sr_ledger_slot *slot, int64_t time_ns)
{
    struct sr_measured *measured = &half->measured;
    if (slot->copies > 1) {
        int64_t since_ns = sr_between(time_ns, sr_half_tx(half, slot->last_row)->time_ns);
        measured->resent_ns = since_ns < measured->resent_ns ? since_ns : measured->resent_ns;
    } else if (slot->last_row < half->newest.row) {
        measured->overtaken |= sr_half_tx(half, slot->last_row)->frame != half->newest.frame;
    }
}

static void acked(struct sr_half *half, const struct sr_ledger_slot *slot, struct sample *sample)
{
    look_for_reordering(half, slot, sample->time_ns);
    sr_losses_acked(&half->measured.losses, slot);
    if (slot->last_row > sample->newest)
        sample->newest = slot->last_row;
    if (slot->copies > 1 || slot->unseen_before || slot->last_row <= half->measured.sampled_from)
        return;
    sample->row = slot->last_row > sample->row ? slot->last_row : sample->row;
    if (sample->oldest == 0 || slot->last_row < sample->oldest)
        sample->oldest = slot->last_row;
}

/* The second packet is acknowledged at once (RFC 9260 section 6.2): how soon its sender does so. */
static void note_prompt(struct sr_half *half, const struct sample *sample, int64_t loop_ns)
{
    bool several = sr_half_tx(half, sample->row)->frame != sr_half_tx(half, sample->oldest)->frame;
    if (several && (half->measured.prompt_ns == SR_NO_TIME || loop_ns < half->measured.prompt_ns))
        half->measured.prompt_ns = loop_ns;
}

/* It acknowledges what was never seen: which packet it answers is not known (feedback.c). */
static bool is_ahead(const struct sr_half *half, const struct sr_sack_row *row, const uint32_t *blocks, uint32_t count)
{
    struct sr_tsn highest = half->ledger.highest;
    return sr_tsn_after(sr_tsn(row->cum_tsn), highest) ||
           (count > 0 && sr_tsn_after(sr_tsn(blocks[2 * count - 1]), highest));
}

/* A TSN is reported as a duplicate, by the network's doing or once more; `before`: the feedback before this. */
static void look_for_repeats(struct sr_half *half, struct sr_ledger_slot *slot, uint32_t before, bool overtaken)
{
    bool in_a_row = slot->reported_by != 0 && slot->reported_by == before;
    if (!overtaken && slot->dups < UINT16_MAX)
        slot->dups++;
    slot->reported_by = half->feedback;
    if (slot->last_row <= half->measured.unsure || slot->unseen_before || !slot->acked)
        return;
    half->measured.dups_of_network |= slot->copies == 1;
    half->measured.repeated += slot->copies > 1 && slot->dups >= slot->copies && in_a_row;
}

/* `guesses`: the loops of one of the sides are to be found by what it does. */
static void feedback(struct sr_half *half, uint32_t row_number, bool guesses)
{
    const struct sr_sack_row *row = sr_sack_at(half->journal, row_number);
    struct sample sample = {.time_ns = row->time_ns};
    const uint32_t *lists = row->gaps + row->nr_gaps + row->dups > 0 ? sr_numbers_at(half->journal, row->lists) : NULL;
    uint32_t blocks = (uint32_t)row->gaps + row->nr_gaps;
    bool caught_up = half->measured.caught_up;

    if (!caught_up) {
        struct sr_tsn top = sr_tsn(row->cum_tsn);
        for (uint32_t i = 0; i < blocks; i++)
            top = sr_tsn_after(sr_tsn(lists[2 * i + 1]), top) ? sr_tsn(lists[2 * i + 1]) : top;
        note_top(half, top);
    }
    sr_at_once_add(&half->measured.at_once_seen, row);
    half->measured.dups_reported |= row->dups > 0;
    sr_losses_told(&half->measured.losses, row);
    const bool overtaken = half->feedback != 0 && sr_tsn_after(half->cum, sr_tsn(row->cum_tsn));
    half->measured.overtaken |= overtaken;
    if (half->feedback == 0 && half->association->started == SR_STARTED_MIDDLE)
        half->measured.unsure = half->measured.rows;
    const uint32_t before = half->feedback;
    half->feedback = row_number + 1;
    if (guesses)
        sr_reports_add(&half->reports, row_number + 1);
    half->cum = sr_tsn(row->cum_tsn);
    struct sr_ledger_walk walk = sr_ledger_take(&half->ledger, row, lists);
    for (const struct sr_ledger_slot *slot; (slot = sr_ledger_next_acked(&walk));)
        acked(half, slot, &sample);
    bool has_no_room = row->a_rwnd == 0 && row->gaps > 0 && row->kind != SR_SACK_KIND_SHUTDOWN;
    half->measured.takes_back |= row->reneged_count > 0 || has_no_room;
    half->measured.has_gaps |= (caught_up && walk.passes_unseen) || row->malformed >> SR_SACK_ANOMALY_SNAPPED & 1;
    for (uint32_t i = 0; i < row->dups; i++) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(lists[2 * blocks + i]));
        if (slot)
            look_for_repeats(half, slot, before, overtaken);
    }
    if (sample.newest > half->newest.row)
        half->newest = (struct sr_arrived){.row = sample.newest, .frame = sr_half_tx(half, sample.newest)->frame};
    int64_t loop_ns;
    if (sample.row == 0 || sample.row < sample.newest || is_ahead(half, row, lists, blocks) ||
        !sr_round_trip_between(row->time_ns, sr_half_tx(half, sample.row)->time_ns, &loop_ns))
        return;
    sr_quantiles_add(&half->measured.loop, loop_ns);
    struct sr_path_loop *path = sr_path_loop_at(half, sr_half_tx(half, sample.row)->path);
    if (path)
        sr_quantiles_add(&path->samples, loop_ns);
    if (guesses && half->association->side[1 - half->from].data.chunks > 0)
        note_prompt(half, &sample, loop_ns);
}

/* Samples of undelayed answers lie within half a delay above the least. */
static struct sr_receiver_loop conclude_loop(struct sr_quantiles *samples, int64_t known_ns)
{
    enum { CONFIRMING = 20 };
    int64_t ns = known_ns == SR_NO_TIME ? 0 : known_ns;
    struct sr_receiver_loop loop = {.floor_ns = ns, .least_ns = known_ns, .early_ns = ns, .typical_ns = ns};
    if (samples->count == 0)
        return loop;
    int64_t low_ns = sr_quantiles_quantile(samples, 50), least_ns = samples->least;
    if (known_ns != SR_NO_TIME) {
        /* The lower end is thinly sampled: the true floor lies about as far below the least as that below the next. A
         * host may answer data faster than its handshake: grant it a sixteenth, unless one in twenty answers took about
         * as long as that: the next is then the least of all once in 21 times. */
        bool confirmed = samples->count >= CONFIRMING && low_ns <= known_ns + known_ns / 16;
        int64_t floor_ns = least_ns - (low_ns - least_ns), granted_ns = confirmed ? known_ns : known_ns - known_ns / 16;
        floor_ns = floor_ns < granted_ns ? floor_ns : granted_ns;
        loop.floor_ns = loop.early_ns = floor_ns < 0 ? 0 : floor_ns;
        least_ns = known_ns < least_ns ? known_ns : least_ns;
    } else {
        /* Data waits for the data before it: a packet alone, as a handshake's, is faster. An answer that was seen was
         * not too soon. */
        loop.floor_ns = low_ns - low_ns / 4 < least_ns ? low_ns - low_ns / 4 : least_ns;
        loop.early_ns = low_ns - low_ns / 16 < least_ns ? low_ns - low_ns / 16 : least_ns;
        least_ns = low_ns;
    }
    loop.least_ns = least_ns;
    uint32_t undelayed = 0;
    while (undelayed < samples->kept && samples->value[undelayed] <= least_ns + SR_ACK_DELAY_NS / 2)
        undelayed++;
    if (undelayed == 0)
        return loop;
    loop.typical_ns = samples->value[undelayed / 2];
    loop.jitter_ns = samples->value[(uint64_t)(undelayed - 1) * 9 / 10] - samples->value[0];
    return loop;
}

/* What all answers vary by is its timer then. */
static void believe_timer(struct sr_measured *measured)
{
    const struct sr_at_once *at_once = &measured->at_once;
    if (at_once->wait_ns == 0 || !sr_at_once_was_seen(&measured->at_once_seen))
        return;
    measured->receiver.typical_ns = at_once->loop_ns;
    measured->receiver.jitter_ns = at_once->jitter_ns;
    measured->ack_delay_ns = at_once->wait_ns;
}

/* The floor is that of all paths: an answer may come back over a faster one. */
static void conclude_receiver(struct sr_half *half)
{
    enum { ENOUGH = 3 }; /* fewer answers do not show what is typical */
    half->measured.receiver = conclude_loop(&half->measured.loop, half->measured.handshake_ns[0]);
    half->measured.ack_delay_ns = SR_ACK_DELAY_NS;
    const struct sr_receiver_loop *all = &half->measured.receiver;
    half->measured.at_once = (struct sr_at_once){.loop_ns = all->typical_ns, .jitter_ns = all->jitter_ns};
    if (!half->path_loops) {
        half->measured.at_once =
            sr_at_once_of(&half->measured.at_once_seen, half->measured.handshake_ns[0], half->measured.at_once);
        believe_timer(&half->measured);
        return;
    }
    for (uint32_t i = 0; i < half->path_loops->count; i++) {
        struct sr_path_loop *path = &half->path_loops->at[i];
        bool known = path->known_ns != SR_NO_TIME || path->samples.count >= ENOUGH;
        path->typical_ns = known ? conclude_loop(&path->samples, path->known_ns).typical_ns : SR_NO_TIME;
    }
}

static void number_anew(struct sr_half halves[2], const struct sr_control_row *row)
{
    struct sr_tsn next;
    for (unsigned from = 0; from < 2; from++)
        if (sr_numbered_anew(halves[from].journal, row, from, &next) && sr_ledger_resets(&halves[from].ledger, next))
            sr_ledger_reset(&halves[from].ledger, next, leaves, NULL);
}

/* Without a handshake: how soon it sends again, or acknowledges the other side's data. Causes rest on that, as it holds
 * what the host takes; where it is more than twice the loop by the shutdown, it holds more than that. */
static int64_t guess_of(struct sr_half halves[2], int side, int64_t closing_ns)
{
    int64_t loop_ns = sr_reaction_loop(&halves[side].measured.reaction);
    int64_t prompt_ns = halves[1 - side].measured.prompt_ns;
    if (loop_ns == SR_NO_TIME || (prompt_ns != SR_NO_TIME && prompt_ns < loop_ns))
        loop_ns = prompt_ns;
    return loop_ns == SR_NO_TIME || (closing_ns != SR_NO_TIME && closing_ns < loop_ns / 2) ? closing_ns : loop_ns;
}

bool sr_measure_loops(struct sr_half halves[2])
{
    struct sr_control_loops loops = sr_control_loops();
    struct sr_journal *journal = halves->journal;
    struct sr_journal_pass pass = {.next = halves->association->entries.first};
    struct sr_entry entry;

    for (int from = 0; from < 2; from++) {
        halves[from].measured.resent_ns = INT64_MAX;
        halves[from].measured.prompt_ns = SR_NO_TIME;
        if (sr_has_several_paths(halves[from].association))
            halves[from].path_loops = calloc(1, sizeof *halves[from].path_loops); /* without it all are taken as one */
    }
    while (sr_journal_pass(journal, &pass, &entry)) {
        switch ((enum sr_entry_table)entry.table) {
        case SR_ENTRY_TRANSMISSION: {
            unsigned from = sr_transmission_at(journal, entry.row)->from;
            sent(&halves[from], entry.row, loops.loop[from] == SR_NO_TIME);
            sr_control_loops_data(&loops, from);
            break;
        }
        case SR_ENTRY_SACK: {
            const struct sr_sack_row *row = sr_sack_at(journal, entry.row);
            struct sr_half *half = &halves[1 - row->from];
            if (row->kind == SR_SACK_KIND_SHUTDOWN)
                sr_control_loops_shutdown(&loops, row->from, row->time_ns);
            if (sr_is_believed(row) && sr_ledger_follows(&half->ledger, sr_tsn(row->cum_tsn)))
                feedback(half, entry.row, loops.loop[0] == SR_NO_TIME || loops.loop[1] == SR_NO_TIME);
            else
                sr_ledger_pass_over(&half->ledger);
            break;
        }
        case SR_ENTRY_CONTROL:
            sr_control_loops_add(&loops, halves, sr_control_at(journal, entry.row));
            number_anew(halves, sr_control_at(journal, entry.row));
            break;
        }
    }
    int64_t loop[2];
    for (int from = 0; from < 2; from++) {
        loop[from] = sr_control_loop_of(&loops, halves, from);
        halves[from].measured.inferred = loop[from] != loops.loop[from];
        if (halves[from].told.loop)
            loop[from] = halves[from].told.loop_ns;
    }
    for (int from = 0; from < 2; from++) {
        struct sr_measured *measured = &halves[from].measured;
        measured->handshake_ns[0] = loop[1 - from];
        measured->handshake_ns[1] = loop[from] != SR_NO_TIME ? loop[from] : guess_of(halves, from, loops.closing[from]);
        measured->inferred |= loop[from] == SR_NO_TIME;
        conclude_receiver(&halves[from]);
        sr_conclude_vantage(&halves[from]);
        measured->settled_ns = sr_time_after(halves[from].association->first_time_ns,
                                             measured->receiver.typical_ns + measured->ack_delay_ns * 5 / 4);
        sr_ledger_clear(&halves[from].ledger, leaves, NULL);
        halves[from].newest = (struct sr_arrived){0};
        halves[from].feedback = 0;
        halves[from].reports = (struct sr_reports){0};
    }
    return true;
}
