/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions and answers. */
#include "round_trips.h"

#include "../wire/chunk.h"
#include "../wire/time.h"

void sr_round_trips_begin(struct sr_round_trips *trips)
{
    const struct sr_unanswered none = {.time_ns = SR_NO_TIME};
    *trips = (struct sr_round_trips){none, none, none, none, 0};
}

/* Where to note a chunk of the sender that is a question. */
static struct sr_unanswered *asked(struct sr_round_trips *trips, const struct sr_control_row *row)
{
    switch ((enum sr_chunk_type)row->type) {
    case SR_CHUNK_INIT: return &trips->init;
    case SR_CHUNK_INIT_ACK: return &trips->init_ack;
    case SR_CHUNK_COOKIE_ECHO: return &trips->cookie;
    case SR_CHUNK_HEARTBEAT: return &trips->heartbeat;
    default: return NULL;
    }
}

/* What a chunk of the other side answers. */
static struct sr_unanswered *answered(struct sr_round_trips *trips, const struct sr_control_row *row)
{
    switch ((enum sr_chunk_type)row->type) {
    case SR_CHUNK_INIT_ACK: return &trips->init;
    case SR_CHUNK_COOKIE_ECHO: return &trips->init_ack;
    case SR_CHUNK_COOKIE_ACK: return &trips->cookie;
    case SR_CHUNK_HEARTBEAT_ACK: return row->value == trips->information ? &trips->heartbeat : NULL;
    default: return NULL;
    }
}

static void ask(struct sr_round_trips *trips, const struct sr_control_row *row)
{
    struct sr_unanswered *question = asked(trips, row);
    bool heartbeat = row->type == SR_CHUNK_HEARTBEAT;
    if (!question || (question->time_ns != SR_NO_TIME && (!heartbeat || row->value == trips->information)))
        return;
    *question = (struct sr_unanswered){row->time_ns, row->path};
    if (heartbeat)
        trips->information = row->value;
}

bool sr_round_trip_of(struct sr_round_trips *trips, const struct sr_half *half, const struct sr_control_row *row,
                      struct sr_round_trip *trip)
{
    if (row->from == half->from) {
        ask(trips, row);
        return false;
    }
    struct sr_unanswered *question = answered(trips, row);
    int64_t elapsed_ns;
    if (!question || question->time_ns == SR_NO_TIME)
        return false;
    bool known = sr_round_trip_between(row->time_ns, question->time_ns, &elapsed_ns);
    question->time_ns = SR_NO_TIME;
    if (!known)
        return false;
    *trip = (struct sr_round_trip){
        .rtt_ns = elapsed_ns + half->measured.sender_loop_ns, /* from the tap to the sender and back is part of it */
        .path = question->path,
        .tag = row->type == SR_CHUNK_HEARTBEAT_ACK ? SR_RTT_TAG_HEARTBEAT : SR_RTT_TAG_HANDSHAKE,
    };
    return true;
}
