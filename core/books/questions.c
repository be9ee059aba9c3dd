/* SPDX-License-Identifier: BSD-2-Clause */
/* Round trips of control chunks: INIT to INIT ACK, COOKIE ECHO to COOKIE ACK, HEARTBEAT to HEARTBEAT ACK. */
#include "../wire/chunk.h"
#include "../wire/time.h"
#include "book.h"

static void ask(struct sr_question *question, const struct sr_control_row *control, uint8_t answer)
{
    bool repeated = question->type == answer && question->value == control->value;
    *question = (struct sr_question){control->time_ns, control->path, control->value, answer, repeated};
}

static struct sr_question *heartbeat_of(struct sr_direction *direction, uint32_t value)
{
    for (int i = 0; i < SR_DIRECTION_HEARTBEATS; i++)
        if (direction->heartbeats[i].type != 0 && direction->heartbeats[i].value == value)
            return &direction->heartbeats[i];
    return NULL;
}

void sr_book_question(struct sr_direction *direction, const struct sr_control_row *control)
{
    struct sr_question *asked;
    switch (control->type) {
    case SR_CHUNK_INIT: ask(&direction->handshake, control, SR_CHUNK_INIT_ACK); break;
    case SR_CHUNK_COOKIE_ECHO: ask(&direction->handshake, control, SR_CHUNK_COOKIE_ACK); break;
    case SR_CHUNK_HEARTBEAT:
        if (!control->whole)
            break;
        asked = heartbeat_of(direction, control->value);
        if (!asked) {
            asked = &direction->heartbeats[direction->next_heartbeat];
            direction->next_heartbeat = (uint8_t)((direction->next_heartbeat + 1) % SR_DIRECTION_HEARTBEATS);
        }
        ask(asked, control, SR_CHUNK_HEARTBEAT_ACK);
        break;
    default: break;
    }
}

void sr_book_answer(struct sr_book *book, struct sr_direction *direction, const struct sr_control_row *control)
{
    struct sr_question *question = &direction->handshake;
    if (control->type == SR_CHUNK_HEARTBEAT_ACK)
        question = control->whole ? heartbeat_of(direction, control->value) : NULL;
    if (!question || question->type != control->type)
        return;
    struct sr_sample sample = {
        .time_ns = control->time_ns,
        .frame = control->frame,
        .path = question->path,
        .sent_row = book->transmissions,
        .tag = control->type == SR_CHUNK_HEARTBEAT_ACK ? SR_RTT_TAG_HEARTBEAT : SR_RTT_TAG_HANDSHAKE,
    };
    if (!question->repeated && sr_round_trip_between(control->time_ns, question->time_ns, &sample.rtt_ns))
        sr_book_sample(book, direction, control->assoc, 1 - control->from, &sample);
    question->type = 0;
}
