/* SPDX-License-Identifier: BSD-2-Clause */
/* Which connection a record is tried on, and what is counted of it. */
#include "dtls.h"

#include <stdlib.h>

#include "../wire/plausible.h"
#include "connections.h"
#include "keylog.h"
#include "messages.h"
#include "relay.h"

enum {
    ROOM = 1 << 20,    /* for what is opened, until nobody needs it any more */
    LARGEST = 1 << 18, /* what one datagram can hold: the captured bytes of a frame */
    MOST_TRIED = 16,   /* records of a flow that connections of other flows are tried on */
};

struct sr_dtls {
    struct sr_key_log *keys;
    struct sr_messages *messages;
    struct sr_connections *connections;
    uint8_t *room;
    size_t used;
    struct sr_dtls_totals totals;
    /* The datagram: */
    struct sr_udp_flow flow;
    uint64_t frame;
    struct sr_cursor rest;
    bool hidden;
};

const char *sr_dtls_library(void)
{
    return sr_ciphers_library();
}

bool sr_dtls_can_decrypt(void)
{
    return sr_ciphers_library() != NULL;
}

struct sr_dtls *sr_dtls_new(void)
{
    struct sr_dtls *dtls = calloc(1, sizeof *dtls);
    if (!dtls)
        return NULL;
    dtls->keys = sr_key_log_new();
    dtls->messages = sr_messages_new();
    dtls->connections = sr_connections_new();
    if (dtls->keys && dtls->messages && dtls->connections)
        return dtls;
    sr_dtls_free(dtls);
    return NULL;
}

void sr_dtls_free(struct sr_dtls *dtls)
{
    if (!dtls)
        return;
    sr_key_log_free(dtls->keys);
    sr_messages_free(dtls->messages);
    sr_connections_free(dtls->connections);
    free(dtls->room);
    free(dtls);
}

bool sr_dtls_add_keys(struct sr_dtls *dtls, const uint8_t *text, size_t length)
{
    return sr_key_log_add(dtls->keys, text, length);
}

bool sr_dtls_is_full(const struct sr_dtls *dtls)
{
    return dtls->used > ROOM - LARGEST;
}

void sr_dtls_reuse(struct sr_dtls *dtls)
{
    dtls->used = 0;
}

bool sr_dtls_is_hidden(const struct sr_dtls *dtls)
{
    return dtls->hidden;
}

struct sr_dtls_totals sr_dtls_totals(const struct sr_dtls *dtls)
{
    struct sr_dtls_totals totals = dtls->totals;
    totals.secrets = sr_key_log_secrets(dtls->keys);
    return totals;
}

bool sr_dtls_datagram(struct sr_dtls *dtls, const struct sr_udp_flow *flow, uint64_t frame, struct sr_cursor datagram)
{
    struct sr_flow_connection *known[SR_CONNECTIONS_OF_A_FLOW];
    datagram = sr_relayed(datagram);
    if (!sr_dtls_begins(datagram))
        return false;
    bool version_told = datagram.bytes[0] <= SR_CONTENT_ACK;
    if (!version_told && sr_connections_of(dtls->connections, flow, known) == 0 && !sr_dtls_all_unified(datagram))
        return false;
    dtls->flow = *flow;
    dtls->frame = frame;
    dtls->rest = datagram;
    dtls->hidden = false;
    return true;
}

/* ---- handshakes ---- */

static enum sr_dtls_side side_of(const struct sr_dtls *dtls, const struct sr_flow_connection *one)
{
    return sr_is_same_direction(&dtls->flow, &one->flow) == one->a_is_client ? SR_DTLS_CLIENT : SR_DTLS_SERVER;
}

static void client_hello(struct sr_dtls *dtls, const struct sr_message *message, uint16_t epoch)
{
    struct sr_flow_connection *known[SR_CONNECTIONS_OF_A_FLOW];
    struct sr_hello hello;
    if (!sr_client_hello(message->body, message->length, &hello))
        return;
    uint32_t count = sr_connections_of(dtls->connections, &dtls->flow, known);
    for (uint32_t i = 0; i < count; i++)
        if (known[i]->connection && memcmp(sr_client_random(known[i]->connection), hello.random, SR_RANDOM_LENGTH) == 0)
            return; /* once more, or with a cookie */
    struct sr_connection *connection = sr_connection_new(&hello, epoch);
    if (connection && sr_connections_note(dtls->connections, &dtls->flow, connection, true))
        dtls->totals.connections++;
}

static void server_hello(struct sr_dtls *dtls, const struct sr_message *message, uint16_t epoch)
{
    struct sr_flow_connection *known[SR_CONNECTIONS_OF_A_FLOW];
    struct sr_hello hello;
    if (!sr_server_hello(message->body, message->length, &hello))
        return;
    uint32_t count = sr_connections_of(dtls->connections, &dtls->flow, known);
    for (uint32_t i = 0; i < count; i++) {
        if (!known[i]->connection || side_of(dtls, known[i]) != SR_DTLS_SERVER || known[i]->connection->epoch != epoch)
            continue;
        sr_connection_answer(known[i]->connection, &hello);
        return;
    }
}

static void handshake(struct sr_dtls *dtls, const uint8_t *at, uint32_t length, uint16_t epoch)
{
    const uint64_t flow = sr_udp_flow_hash(&dtls->flow);
    const uint8_t *end = at + length;
    struct sr_message message;

    while (sr_messages_next(dtls->messages, flow, &at, end, &message)) {
        if (message.type == SR_CLIENT_HELLO)
            client_hello(dtls, &message, epoch);
        else
            server_hello(dtls, &message, epoch);
    }
}

/* ---- records ---- */

/* What is tried on a record, and what came of it. */
struct attempt {
    struct sr_cursor rest; /* behind the record */
    struct sr_dtls_record record;
    struct sr_opened opened;
    enum sr_unopened reason;
    bool parsed;
};

static uint8_t *room_for(struct sr_dtls *dtls, uint32_t length)
{
    if (!dtls->room)
        dtls->room = malloc(ROOM);
    return dtls->room && dtls->used + length <= ROOM ? dtls->room + dtls->used : NULL;
}

/* True where this connection opens the next record. */
static bool opens(struct sr_dtls *dtls, struct sr_connection *connection, enum sr_dtls_side side,
                  struct attempt *attempt)
{
    struct sr_cursor rest = dtls->rest;
    struct sr_dtls_record record;
    enum sr_unopened reason = SR_UNOPENED_CUT;
    if (!sr_dtls_record(&rest, connection->sender[side].id.length, &record))
        return false;
    const bool first = !connection->opened;
    uint8_t *room = record.cut ? NULL : room_for(dtls, record.length);
    const bool done =
        room && sr_connection_open(connection, side, &record, dtls->keys, room, &attempt->opened, &reason);
    if (done || !attempt->parsed) {
        attempt->rest = rest;
        attempt->record = record;
        attempt->reason = reason;
        attempt->parsed = true;
    }
    if (done && first)
        sr_connections_opened(dtls->connections, connection);
    return done;
}

/* A connection moves to other addresses where ICE finds a better pair, and where a NAT forgets (RFC 9146 section 1). */
static bool moved_here(struct sr_dtls *dtls, struct sr_flow_connection *flow, struct attempt *attempt)
{
    if (flow && flow->tried >= MOST_TRIED)
        return false;
    struct sr_connection *const *recent = sr_connections_recent(dtls->connections);
    for (; *recent; recent++) {
        for (int side = 0; side < 2; side++) {
            struct attempt here = {0};
            struct sr_connection *connection = *recent;
            if (!opens(dtls, connection, (enum sr_dtls_side)side, &here))
                continue;
            *attempt = here;
            connection->references++;
            sr_connections_note(dtls->connections, &dtls->flow, connection, side == SR_DTLS_CLIENT);
            return true;
        }
    }
    if (flow)
        flow->tried++;
    return false;
}

static void count_unopened(struct sr_dtls *dtls, struct sr_flow_connection *flow, enum sr_unopened reason)
{
    struct sr_dtls_totals *totals = &dtls->totals;
    if (!sr_ciphers_library())
        reason = SR_UNOPENED_NO_LIBRARY;
    if (!flow)
        flow = sr_connections_note(dtls->connections, &dtls->flow, NULL, true);
    if (totals->unopened[reason]++ == 0)
        totals->unopened_first[reason] = dtls->frame;
    if (flow && !(flow->told >> reason & 1)) {
        flow->told |= (uint8_t)(1u << reason);
        totals->unopened_sessions[reason]++;
    }
    totals->records++;
    dtls->hidden = true;
}

/* Application data is never sent so (RFC 6347 section 4.1). */
static bool is_plain(const struct sr_cursor *rest)
{
    struct sr_cursor at = *rest;
    struct sr_dtls_record record;
    return sr_dtls_record(&at, 0, &record) && !record.unified && record.type != SR_CONTENT_CONNECTION_ID &&
           record.type != SR_CONTENT_APPLICATION && record.epoch == 0;
}

static void take_plain(struct sr_dtls *dtls)
{
    struct sr_dtls_record record;
    if (sr_dtls_record(&dtls->rest, 0, &record) && record.type == SR_CONTENT_HANDSHAKE && !record.cut)
        handshake(dtls, record.body, record.length, 0);
}

/* Application data, or what may be: before it is opened a connection ID hides the type, as does DTLS 1.3. */
static bool may_be_data(const struct sr_dtls *dtls, const struct sr_flow_connection *flow,
                        const struct sr_dtls_record *record)
{
    if (!record->unified)
        return record->type == SR_CONTENT_APPLICATION || record->type == SR_CONTENT_CONNECTION_ID;
    static const struct sr_dtls_sender unknown;
    const bool known = flow && flow->connection;
    return !sr_is_handshake_1_3(known ? &flow->connection->sender[side_of(dtls, flow)] : &unknown, record);
}

/* The next record; true where it was opened. */
static bool take_sealed(struct sr_dtls *dtls, struct attempt *attempt)
{
    struct sr_flow_connection *known[SR_CONNECTIONS_OF_A_FLOW];
    const uint32_t count = sr_connections_of(dtls->connections, &dtls->flow, known);
    struct sr_flow_connection *first = count > 0 ? known[0] : NULL;
    bool done = false;

    for (uint32_t i = 0; i < count && !done; i++)
        done = known[i]->connection && opens(dtls, known[i]->connection, side_of(dtls, known[i]), attempt);
    if (!attempt->parsed) {
        attempt->rest = dtls->rest;
        attempt->parsed = sr_dtls_record(&attempt->rest, 0, &attempt->record);
        attempt->reason = attempt->record.cut ? SR_UNOPENED_CUT : SR_UNOPENED_NO_HANDSHAKE;
    }
    if (!attempt->parsed) {
        dtls->rest.captured = dtls->rest.wire = 0;
        return false;
    }
    if (!done && may_be_data(dtls, first, &attempt->record)) {
        done = moved_here(dtls, first, attempt);
        if (!done)
            count_unopened(dtls, first, attempt->reason);
    }
    dtls->rest = attempt->rest;
    return done;
}

bool sr_dtls_next(struct sr_dtls *dtls, struct sr_cursor *packet, uint16_t *number)
{
    while (dtls->rest.captured > 0) {
        struct attempt attempt = {0};
        if (is_plain(&dtls->rest)) {
            take_plain(dtls);
            continue;
        }
        if (!take_sealed(dtls, &attempt))
            continue;
        const struct sr_opened *opened = &attempt.opened;
        if (opened->type == SR_CONTENT_HANDSHAKE && !attempt.record.unified)
            handshake(dtls, opened->bytes, opened->length, attempt.record.epoch);
        if (opened->type != SR_CONTENT_APPLICATION)
            continue;
        dtls->totals.records++;
        dtls->totals.opened++;
        if (!sr_plausible(opened->bytes, opened->length))
            continue;
        dtls->totals.packets++;
        dtls->used += attempt.record.length;
        *packet = sr_cursor(opened->bytes, opened->length, opened->length);
        *number = (uint16_t)opened->number;
        return true;
    }
    return false;
}
