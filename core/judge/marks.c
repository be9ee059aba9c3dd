/* SPDX-License-Identifier: BSD-2-Clause */
/* What each replayed sender marks: rows of rack_marks, and of each TSN what it said last. */
#include "marks.h"

#include <stdlib.h>
#include <string.h>

static struct sr_tsn_marks *marks_of(struct sr_causes *causes, struct sr_ledger_slot *slot)
{
    if (slot->marks != 0)
        return &causes->marks[slot->marks - 1];
    if (causes->free == 0) {
        if (causes->marks_count == causes->marks_room) {
            uint32_t room = causes->marks_room ? causes->marks_room * 2 : 64;
            struct sr_tsn_marks *grown = realloc(causes->marks, room * sizeof *grown);
            if (!grown) {
                causes->failed = true;
                return NULL;
            }
            causes->marks = grown;
            causes->marks_room = room;
        }
        slot->marks = ++causes->marks_count;
    } else {
        slot->marks = causes->free;
        causes->free = causes->marks[slot->marks - 1].next_free;
    }
    memset(&causes->marks[slot->marks - 1], 0, sizeof *causes->marks);
    return &causes->marks[slot->marks - 1];
}

void sr_causes_forget(struct sr_causes *causes, uint32_t mark_index)
{
    if (mark_index == 0)
        return;
    causes->marks[mark_index - 1].next_free = causes->free;
    causes->free = mark_index;
}

static uint32_t write_mark(struct sr_causes *causes, const struct sr_mark *mark, uint32_t path,
                           const struct sr_ledger_slot *slot)
{
    if (causes->marks_left == 0 || causes->tables->rack_marks.count == UINT32_MAX) {
        causes->marks_left_out++;
        return 0;
    }
    causes->marks_left--;
    struct sr_rack_mark_row *row = sr_spool_append(&causes->tables->rack_marks);
    if (!row) {
        causes->failed = true;
        return 0;
    }
    uint32_t marked = slot ? slot->last_row : 0;
    const struct sr_transmission_row *of = /* a timeout marks a whole window */
        marked ? sr_spool_visit(&causes->half->journal->transmissions, marked - 1) : NULL;
    *row = (struct sr_rack_mark_row){
        .time_ns = mark->time_ns,
        .reo_wnd_ns = mark->reo_wnd_ns,
        .rack_rtt_ns = mark->rack_rtt_ns,
        .min_rtt_ns = mark->min_rtt_ns,
        .sender_lead_ns = SR_NO_TIME,
        .assoc = causes->half->association->number,
        .path = path,
        .tsn = mark->tsn.value,
        .copy = of ? of->copy : mark->copy,
        .frame = of ? of->frame : 0,
        .by_frame = mark->by_frame,
        .marked_row = marked,
        .from = (uint8_t)causes->half->from,
        .profile = mark->profile,
        .sender = mark->sender,
        .trigger = mark->trigger,
        .resolution = SR_RESOLUTION_UNKNOWN,
    };
    return (uint32_t)causes->tables->rack_marks.count;
}

static struct sr_instant *instant_of(const struct sr_causes *causes, uint32_t number_and_one)
{
    return sr_spool_visit(&causes->instants, number_and_one - 1);
}

struct sr_said sr_marks_said(const struct sr_causes *causes, const struct sr_tsn_marks *marks, unsigned sender)
{
    if (!marks || marks->of[sender].instant == 0)
        return (struct sr_said){0};
    const struct sr_saying *saying = &marks->of[sender];
    return (struct sr_said){*instant_of(causes, saying->instant), saying->copy, saying->mark_row, true};
}

/* 1 + the number of the instant at which a sender marks; 0 without memory. */
static uint32_t note_instant(struct sr_causes *causes, struct sr_mark_history *history, struct sr_instant instant)
{
    const struct sr_instant *last = history->instant != 0 ? instant_of(causes, history->instant) : NULL;
    if (last && last->event == instant.event && last->by_frame == instant.by_frame &&
        last->due_frame == instant.due_frame)
        return history->instant;
    struct sr_instant *next = causes->instants.count < UINT32_MAX ? sr_spool_append(&causes->instants) : NULL;
    if (!next) {
        causes->failed = true;
        return 0;
    }
    *next = instant;
    history->instant = (uint32_t)causes->instants.count;
    return history->instant;
}

void sr_causes_mark(struct sr_causes *causes, const struct sr_mark *mark, uint32_t path)
{
    struct sr_ledger_slot *slot = sr_ledger_at(&causes->half->ledger, mark->tsn);
    struct sr_mark_history *history = &causes->history[mark->sender];
    struct sr_mark_event *event = &history->event[history->events % SR_MARK_EVENTS];
    bool same = history->events > 0 && event->time_ns == mark->time_ns && event->trigger == mark->trigger;
    if (!same) {
        event = &history->event[++history->events % SR_MARK_EVENTS];
        *event = (struct sr_mark_event){.time_ns = mark->time_ns, .number = history->events, .trigger = mark->trigger};
    }
    uint32_t row = write_mark(causes, mark, path, slot);
    struct sr_tsn_marks *marks = slot ? marks_of(causes, slot) : NULL;
    if (!marks)
        return;
    causes->fit[mark->sender].marked += mark->trigger != SR_TRIGGER_RTO;
    const struct sr_instant instant = {mark->time_ns, mark->by_frame, mark->due_frame, history->events, mark->trigger};
    marks->of[mark->sender] = (struct sr_saying){note_instant(causes, history, instant), row, mark->copy};
}

void sr_marks_withdrawn(struct sr_fit *fit, const struct sr_said *said)
{
    fit->marked -= fit->marked > 0 && said->at.trigger != SR_TRIGGER_RTO;
}

void sr_causes_withdraw(struct sr_causes *causes, const struct sr_withdrawal *withdrawal)
{
    const struct sr_ledger_slot *slot = sr_ledger_at(&causes->half->ledger, withdrawal->tsn);
    if (!slot || slot->marks == 0)
        return;
    const struct sr_said said = sr_marks_said(causes, &causes->marks[slot->marks - 1], withdrawal->sender);
    struct sr_rack_mark_row *row = NULL;
    if (said.any && said.copy == withdrawal->copy && said.mark_row != 0)
        row = sr_spool_visit(&causes->tables->rack_marks, said.mark_row - 1);
    if (!row)
        return;
    row->profile = SR_NO_WORD;
    sr_marks_withdrawn(&causes->fit[withdrawal->sender], &said);
}

void sr_causes_expect(struct sr_causes *causes, const struct sr_expectation *expectation)
{
    struct sr_mark_history *history = &causes->history[expectation->sender];
    switch ((enum sr_action)expectation->action) {
    case SR_ACTION_T3: history->t3 = *expectation; break;
    case SR_ACTION_PROBE:
        history->probe = *expectation;
        history->has_probe = true;
        break;
    }
}

struct sr_mark_event *sr_marks_event(struct sr_mark_history *history, uint32_t number)
{
    struct sr_mark_event *event = &history->event[number % SR_MARK_EVENTS];
    return event->number == number ? event : NULL; /* or long ago */
}

void sr_causes_resolve(struct sr_causes *causes)
{
    enum { LIKELY = 3 };
    unsigned other = causes->half->measured.sender == SR_SENDER_EARLY_PION ? SR_SENDER_PION : SR_SENDER_EARLY_PION;
    for (uint64_t i = causes->first_mark; i < causes->tables->rack_marks.count; i++) {
        struct sr_rack_mark_row *mark = sr_spool_visit(&causes->tables->rack_marks, i);
        if (mark->from != causes->half->from)
            continue;
        if (mark->sender == other)
            mark->profile = SR_NO_WORD;
        if (mark->marked_row == 0) /* its fate is that of a copy that the tap did not see: unknown */
            continue;
        const struct sr_transmission_row *marked = sr_half_tx(causes->half, mark->marked_row);
        sr_half_give_back(causes->half, i, mark->marked_row);
        if (marked->outcome_class < LIKELY) /* the more frequent of two at most */
            continue;
        if (marked->outcome == SR_OUTCOME_LOST)
            mark->resolution = SR_RESOLUTION_TRUE_LOSS;
        else if (marked->outcome == SR_OUTCOME_ACKED)
            mark->resolution = SR_RESOLUTION_FALSE_MARK;
    }
}
