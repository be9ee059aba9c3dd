/* SPDX-License-Identifier: BSD-2-Clause */
/* Of the candidates for the copy that arrived first, the one that tap, duplicate reports, times and the receiver's rule
 * leave. */
#include "first_arrival.h"

#include "../facts/path_loops.h"
#include "../wire/time.h"
#include "candidates.h"
#include "evidence.h"
#include "unreported.h"

/* How many copies arrived, as far as reports of duplicates tell. */
static uint64_t of_duplicates(const struct sr_ledger_slot *slot)
{
    if (slot->dups == 0)
        return 0;
    if (slot->copies == 2)
        return sr_bit(SR_EVIDENCE_S3);
    return sr_bit(slot->dups + 1u >= slot->copies ? SR_EVIDENCE_S4 : SR_EVIDENCE_S5);
}

uint8_t sr_class_of_certain(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    return slot->by_doubtful || half->measured.has_gaps || half->measured.takes_back ? 4 : 5;
}

uint8_t sr_class_of_seen(const struct sr_half *half)
{
    const uint8_t most = half->measured.takes_back ? 4 : 5;
    uint8_t of_place = half->measured.vantage_class > 0 ? half->measured.vantage_class : most;
    return of_place < most ? of_place : most;
}

uint8_t sr_class_of_likely(const struct sr_half *half, uint8_t elsewhere)
{
    const uint8_t most = 4;
    if (!sr_is_vantage(half, SR_VANTAGE_RECEIVER))
        return elsewhere;
    return sr_class_of_seen(half) < most ? sr_class_of_seen(half) : most;
}

static uint32_t first_copy(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    uint32_t row = slot->last_row;
    for (uint32_t before; (before = sr_half_left(half, row)->prev_row) != 0;)
        row = before;
    return row;
}

uint8_t sr_class_of_ruled_out(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    bool may_be_wrong =
        slot->by_step || slot->by_silence || slot->may_be_unseen || (slot->by_order && sr_may_reorder(half));
    return may_be_wrong || slot->by_doubtful ? 3 : 4;
}

uint64_t sr_evidence_of_ruled_out(const struct sr_ledger_slot *slot)
{
    return (slot->by_step ? sr_bit(SR_EVIDENCE_S19) : 0) | (slot->not_accepted ? sr_bit(SR_EVIDENCE_S21) : 0);
}

/* As many reports of duplicates as there are copies but one: all came, also where the first did later than another.
 * That the network had repeated one instead is rarer than that it reorders further than it was seen to. */
static bool all_came(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    return (slot->by_order || slot->by_step) && !slot->not_accepted && slot->copies_dropped == 0 &&
           !slot->unseen_before && slot->copies > 1 && slot->dups + 1u == slot->copies &&
           !half->measured.dups_of_network;
}

/* The answer came sooner than a loop after the last copy, and nothing else speaks for the one before. At the sender's
 * tap all of the path lies in that loop, and so do its jitter and its queues, which drain in the silence before a
 * timeout. */
static bool is_by_time_alone(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    return slot->early && !slot->clearly_early && slot->dups == 0 && sr_is_vantage(half, SR_VANTAGE_SENDER);
}

bool sr_is_clearly_too_soon(const struct sr_half *half, int64_t answered_ns, uint32_t path)
{
    return !sr_is_vantage(half, SR_VANTAGE_RECEIVER) && answered_ns < half->measured.receiver.floor_ns / 2 &&
           sr_typical_to(half, path) != SR_NO_TIME;
}

bool sr_is_told_twice(const struct sr_half *half, const struct sr_ledger_slot *slot,
                      const struct sr_transmission_row *copy)
{
    int64_t answered_ns = sr_between(sr_half_sack(half, slot->acked_by)->time_ns, copy->time_ns);
    return slot->candidates == 1 && slot->clearly_early && slot->dups > 0 && !half->measured.dups_of_network &&
           sr_is_clearly_too_soon(half, answered_ns, copy->path);
}

/* That the only candidate arrived first is: the answer came too soon for all after it, or for the last, and all came.
 * Fewer reports do not say which did. */
static bool is_first_told_twice(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    const struct sr_transmission_row *last = sr_half_left(half, slot->last_row), *next = last;
    while (next->prev_row != slot->first_candidate && next->prev_row != 0)
        next = sr_half_left(half, next->prev_row);
    bool all_told = slot->dups + 1u >= slot->copies;
    return sr_is_told_twice(half, slot, all_told ? last : next);
}

/* The first of several candidates waited for its answer longer than any may be held back. */
static bool is_answered_late(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    if (slot->candidates < 2 || slot->dups > 0)
        return false;
    const struct sr_transmission_row *first = sr_half_left(half, slot->first_candidate);
    int64_t typical_ns = sr_typical_to(half, first->path);
    return typical_ns != SR_NO_TIME && sr_between(sr_half_sack(half, slot->acked_by)->time_ns, first->time_ns) >
                                           sr_time_after(typical_ns, SR_MOST_ACK_DELAY_NS);
}

/* What passed its tap has come, as a rule. What was thrown away once may have been so again. A receiver that reports no
 * duplicates says nothing of what it did not answer: it may not have had it, or hold answers back as long as it may. */
static uint8_t class_at_receiver(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    const uint8_t likely = 3;
    uint8_t class = slot->not_accepted && slot->candidates > 1 ? sr_class_of_likely(half, 4) : sr_class_of_seen(half);
    return (slot->unanswered || is_answered_late(half, slot)) && class > likely ? likely : class;
}

/* What it would have had twice and did not report, it had once: what came before passed the tap, and met a closed
 * window, or did not pass the last link, a filter or the host's queues. */
static struct sr_first_arrival at_receiver(const struct sr_half *half, const struct sr_ledger_slot *slot,
                                           bool none_twice)
{
    if (none_twice && slot->in_time && slot->candidates > 1)
        return (struct sr_first_arrival){slot->last_candidate, sr_class_of_likely(half, 4), sr_bit(SR_EVIDENCE_S10),
                                         false};
    if (slot->may_be_ignored)
        return (struct sr_first_arrival){0};
    return (struct sr_first_arrival){slot->first_candidate, class_at_receiver(half, slot), sr_bit(SR_EVIDENCE_S1),
                                     false};
}

/* Without traces of duplicates that are not reported. */
static struct sr_first_arrival by_other_rules(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    bool none_twice = sr_tells_duplicates(half) && slot->dups == 0;
    if (sr_is_vantage(half, SR_VANTAGE_RECEIVER))
        return at_receiver(half, slot, none_twice);
    uint64_t of_step = slot->by_step ? sr_bit(SR_EVIDENCE_S19) : 0;
    bool network = half->measured.dups_of_network; /* RFC 3708 section 5: a report may be of its copy */
    if (slot->candidates == 1 && slot->doubtful && slot->dups == 0)
        return (struct sr_first_arrival){0};
    if (slot->candidates == 1 && all_came(half, slot))
        return (struct sr_first_arrival){first_copy(half, slot), 3, of_duplicates(slot), true};
    if (slot->candidates == 1 && slot->by_release && slot->dups == 0)
        return (struct sr_first_arrival){slot->first_candidate, 3, sr_bit(SR_EVIDENCE_S12), false};
    if (slot->candidates == 1) {
        uint64_t of_time = slot->clearly_early ? sr_bit(SR_EVIDENCE_S8) : slot->early ? sr_bit(SR_EVIDENCE_S9) : 0;
        /* A network that is known to reorder may do so further than it was seen to. */
        bool by_order = slot->by_order && sr_may_reorder(half) && !of_time && slot->dups == 0;
        bool is_certain = slot->copies_before == 1 || is_first_told_twice(half, slot);
        uint8_t class = is_certain ? sr_class_of_certain(half, slot) : 4;
        bool by_time = is_by_time_alone(half, slot);
        bool by_silence = slot->by_silence && !none_twice; /* or it came, and its answer was lost */
        return (struct sr_first_arrival){slot->first_candidate,
                                         class == 4 && (by_order || slot->by_step || by_silence || by_time) ? 3 : class,
                                         of_time | of_duplicates(slot) | of_step, false};
    }
    if (slot->dups > 0)
        return (struct sr_first_arrival){slot->first_candidate, network || slot->by_step ? 3 : 4,
                                         of_duplicates(slot) | of_step, true};
    /* That none is reported speaks against what the receiver's rule says of an earlier copy, unless the report was lost
     * as the answer was. */
    if (sr_tells_duplicates(half) && slot->reading == SR_READING_COPY && slot->read_row != slot->last_candidate)
        return (struct sr_first_arrival){slot->read_row, 3, sr_bit(SR_EVIDENCE_S19), true};
    if (sr_tells_duplicates(half) && slot->reading != SR_READING_OUTAGE && slot->in_time)
        return (struct sr_first_arrival){slot->last_candidate, 3, sr_bit(SR_EVIDENCE_S10), false};
    if (slot->may_be_late)
        return (struct sr_first_arrival){0};
    switch ((enum sr_reading)slot->reading) {
    case SR_READING_COPY: return (struct sr_first_arrival){slot->read_row, 3, sr_bit(SR_EVIDENCE_S19), false};
    case SR_READING_OUTAGE:
        return (struct sr_first_arrival){slot->first_candidate, 3, sr_bit(SR_EVIDENCE_S12), sr_tells_duplicates(half)};
    case SR_READING_NONE:
    case SR_READING_TIE: break; /* two histories give the same trace */
    }
    return (struct sr_first_arrival){0};
}

/* Traces say that all copies came, and so that one had before the last; which came first they do not say. They are
 * asked where the others leave it open, or exclude the first copy by rule S19 alone. */
struct sr_first_arrival sr_first_arrival_of(const struct sr_half *half, const struct sr_ledger_slot *slot)
{
    struct sr_first_arrival first = by_other_rules(half, slot);
    bool asks = slot->candidates > 1 || slot->by_step;
    if (!asks || sr_is_vantage(half, SR_VANTAGE_RECEIVER) || !sr_all_left_traces(slot))
        return first;
    uint32_t copy = first_copy(half, slot);
    return first.row == copy ? first : (struct sr_first_arrival){copy, 3, sr_bit(SR_EVIDENCE_S22), false};
}
