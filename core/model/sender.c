/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns a sender's decision into a mark, and keeps what is to be handed out. */
#include "sender.h"

#include <stdlib.h>

/* Room for one more of `size` bytes each; null without memory. */
static void *room_for_one(void *at, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return at;
    size_t more = *room ? *room * 2 : 64;
    void *larger = realloc(at, more * size);
    if (larger)
        *room = more;
    return larger;
}

static bool add_mark(struct sr_outbox *outbox, const struct sr_mark *mark)
{
    void *at = room_for_one(outbox->marks, outbox->mark_count, &outbox->mark_room, sizeof *mark);
    if (!at)
        return false;
    outbox->marks = at;
    outbox->marks[outbox->mark_count++] = *mark;
    return true;
}

bool sr_outbox_add_expectation(struct sr_outbox *outbox, const struct sr_expectation *expectation)
{
    void *at =
        room_for_one(outbox->expectations, outbox->expectation_count, &outbox->expectation_room, sizeof *expectation);
    if (!at)
        return false;
    outbox->expectations = at;
    outbox->expectations[outbox->expectation_count++] = *expectation;
    return true;
}

bool sr_outbox_add_probe(struct sr_outbox *outbox, const struct sr_probe_report *report)
{
    void *at = room_for_one(outbox->probes, outbox->probe_count, &outbox->probe_room, sizeof *report);
    if (!at)
        return false;
    outbox->probes = at;
    outbox->probes[outbox->probe_count++] = *report;
    return true;
}

bool sr_outbox_add_withdrawal(struct sr_outbox *outbox, const struct sr_withdrawal *withdrawal)
{
    void *at =
        room_for_one(outbox->withdrawals, outbox->withdrawal_count, &outbox->withdrawal_room, sizeof *withdrawal);
    if (!at)
        return false;
    outbox->withdrawals = at;
    outbox->withdrawals[outbox->withdrawal_count++] = *withdrawal;
    return true;
}

static void mark_lost(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk, enum sr_trigger trigger,
                      uint32_t by_frame, uint32_t due_frame, int64_t reo_wnd_ns)
{
    const struct sr_sender_path *path = &sender->paths[chunk->path];
    const struct sr_mark mark = {
        .time_ns = sender->now_ns,
        .reo_wnd_ns = reo_wnd_ns,
        .rack_rtt_ns = sender->parameters.rack.on ? path->rack.rtt_ns : SR_NO_TIME,
        .min_rtt_ns = sr_min_rtt_of(sender, path),
        .tsn = sr_tsn_at(chunk->seq),
        .copy = chunk->copy,
        .frame = chunk->frame,
        .by_frame = by_frame,
        .due_frame = due_frame,
        .sender = sender->number,
        .profile = sender->parameters.profile,
        .path = model->board.paths[chunk->path].number,
        .trigger = (uint8_t)trigger,
    };
    /* RFC 8985 section 6.2 step 5: lost, and not in flight, so not marked again before it is sent. */
    sr_board_mark_lost(&model->board, sender->number, chunk);
    model->board.steps++;
    model->outbox->lost |= !add_mark(model->outbox, &mark);
}

void sr_sender_mark(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk, enum sr_trigger trigger,
                    uint32_t by_frame, int64_t reo_wnd_ns)
{
    mark_lost(model, sender, chunk, trigger, by_frame, by_frame, reo_wnd_ns);
}

void sr_sender_mark_due(struct sr_model *model, struct sr_sender *sender, struct sr_chunk *chunk, uint32_t by_frame,
                        uint32_t due_frame)
{
    mark_lost(model, sender, chunk, SR_TRIGGER_MISS3, by_frame, due_frame, SR_NO_TIME);
}
