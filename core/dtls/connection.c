/* SPDX-License-Identifier: BSD-2-Clause */
/* When a connection has keys, and of which epoch a record is. */
#include "connection.h"

#include <stdlib.h>
#include <string.h>

#include "derive.h"

enum { HANDSHAKE_EPOCH = 2, FIRST_EPOCH = 3 /* of application data: RFC 9147 section 6.1 */, EPOCH_MASK = 3 };

/* Records at the end of an epoch that may have passed unseen: so many that none is said to be missing there
 * (SR_UNSEEN_MOST), so few that their order is still told (SR_PACKETS_APART). */
enum { UNSEEN_AT_ITS_END = 512 };

struct sr_connection *sr_connection_new(const struct sr_hello *client, uint16_t epoch)
{
    struct sr_connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    connection->references = 1;
    connection->epoch = epoch;
    connection->wanted = client->id;
    memcpy(connection->randoms[1], client->random, SR_RANDOM_LENGTH);
    return connection;
}

static void forget_keys(struct sr_connection *connection)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < SR_EPOCHS_KEPT; i++)
            sr_protection_free(&connection->sender[side].protections[i]);
    connection->looked_up = 0;
}

void sr_connection_release(struct sr_connection *connection)
{
    if (!connection || --connection->references > 0)
        return;
    forget_keys(connection);
    free(connection);
}

void sr_connection_answer(struct sr_connection *connection, const struct sr_hello *server)
{
    if (server->retry || connection->opened)
        return;
    forget_keys(connection);
    connection->answered = true;
    connection->version = server->version;
    connection->suite = server->suite;
    connection->encrypt_then_mac = server->encrypt_then_mac;
    memcpy(connection->randoms[0], server->random, SR_RANDOM_LENGTH);
    memset(connection->sender, 0, sizeof connection->sender);
    if (connection->wanted.told && server->id.told) {
        connection->sender[SR_DTLS_CLIENT].id = server->id;
        connection->sender[SR_DTLS_SERVER].id = connection->wanted;
    }
}

static bool keys_of_1_3(struct sr_connection *connection, const struct sr_suite *suite, const struct sr_key_log *keys)
{
    bool any = false;
    for (int side = 0; side < 2; side++) {
        struct sr_dtls_sender *sender = &connection->sender[side];
        enum sr_key_label label = side == SR_DTLS_CLIENT ? SR_KEY_CLIENT_TRAFFIC : SR_KEY_SERVER_TRAFFIC;
        const struct sr_secret *secret = sr_key_log_find(keys, label, sr_client_random(connection));
        if (sender->protections[SR_EPOCH_NOW].cipher || !secret || secret->length != sr_hash_length(suite->hash))
            continue;
        memcpy(sender->secret, secret->bytes, secret->length);
        sender->epoch = FIRST_EPOCH;
        any |= sr_protect_1_3(&sender->protections[SR_EPOCH_NOW], suite, sender->secret);
    }
    return any;
}

static bool keys_of_1_2(struct sr_connection *connection, const struct sr_suite *suite, const struct sr_key_log *keys)
{
    enum { MASTER = 48 };
    const struct sr_secret *master = sr_key_log_find(keys, SR_KEY_MASTER, sr_client_random(connection));
    struct sr_protection *client = &connection->sender[SR_DTLS_CLIENT].protections[SR_EPOCH_NOW];
    struct sr_protection *server = &connection->sender[SR_DTLS_SERVER].protections[SR_EPOCH_NOW];
    const struct sr_piece randoms = {connection->randoms[0], sizeof connection->randoms};
    if (!master || master->length != MASTER ||
        !sr_protect_1_2(client, server, suite, connection->version, (struct sr_piece){master->bytes, MASTER}, randoms))
        return false;
    client->encrypt_then_mac = server->encrypt_then_mac = connection->encrypt_then_mac;
    return true;
}

static bool is_read(const struct sr_suite *suite, uint16_t version)
{
    enum { FIRST_OF_1_3 = 0x1301, LAST_OF_1_3 = 0x1305 };
    if (!suite)
        return false;
    bool of_1_3 = suite->id >= FIRST_OF_1_3 && suite->id <= LAST_OF_1_3;
    return of_1_3 ? version == SR_DTLS_1_3
                  : version == SR_DTLS_1_2 || (version == SR_DTLS_1_0 && suite->kind == SR_CIPHER_AES_CBC);
}

/* Whether there are keys for this sender, or else why not. */
static bool has_keys(struct sr_connection *connection, enum sr_dtls_side side, const struct sr_key_log *keys,
                     enum sr_unopened *reason)
{
    const uint64_t secrets = sr_key_log_secrets(keys);

    if (connection->sender[side].protections[SR_EPOCH_NOW].cipher)
        return true;
    *reason = SR_UNOPENED_NO_HANDSHAKE;
    if (!connection->answered)
        return false;
    const struct sr_suite *suite = sr_suite_of(connection->suite);
    *reason = SR_UNOPENED_CIPHER;
    if (!is_read(suite, connection->version))
        return false;
    *reason = SR_UNOPENED_NO_KEY;
    if (connection->looked_up == secrets + 1)
        return false;
    connection->looked_up = secrets + 1;
    if (connection->version == SR_DTLS_1_3)
        keys_of_1_3(connection, suite, keys);
    else
        keys_of_1_2(connection, suite, keys);
    return connection->sender[side].protections[SR_EPOCH_NOW].cipher != NULL;
}

/* The epoch after the one that is now: its secret comes from that one's (RFC 9147 section 5.9). */
static bool has_next(struct sr_dtls_sender *sender)
{
    struct sr_protection *next = &sender->protections[SR_EPOCH_NEXT];
    const struct sr_suite *suite = sender->protections[SR_EPOCH_NOW].suite;
    uint8_t secret[SR_LONGEST_SECRET];

    if (next->cipher)
        return true;
    if (!sr_expand_label(suite->hash, sender->secret, "traffic upd", secret, (uint8_t)sr_hash_length(suite->hash)))
        return false;
    memcpy(sender->secret, secret, sizeof secret);
    return sr_protect_1_3(next, suite, secret);
}

static void advance(struct sr_dtls_sender *sender)
{
    sr_protection_free(&sender->protections[SR_EPOCH_BEFORE]);
    memmove(sender->protections, sender->protections + 1, 2 * sizeof sender->protections[0]);
    sender->protections[SR_EPOCH_NEXT] = (struct sr_protection){0};
    sender->epoch++;
}

bool sr_is_handshake_1_3(const struct sr_dtls_sender *sender, const struct sr_dtls_record *record)
{
    return record->unified && record->epoch == HANDSHAKE_EPOCH && sender->epoch <= FIRST_EPOCH;
}

static bool open_1_3(struct sr_dtls_sender *sender, const struct sr_dtls_record *record, uint8_t *room,
                     struct sr_opened *opened)
{
    const uint64_t now = sender->epoch;
    if (record->epoch == (now & EPOCH_MASK))
        return sr_open_1_3(&sender->protections[SR_EPOCH_NOW], record, room, opened);
    if (record->epoch == ((now - 1) & EPOCH_MASK))
        return sender->protections[SR_EPOCH_BEFORE].cipher &&
               sr_open_1_3(&sender->protections[SR_EPOCH_BEFORE], record, room, opened);
    if (record->epoch != ((now + 1) & EPOCH_MASK) || !has_next(sender))
        return false;
    const struct sr_protection *before = &sender->protections[SR_EPOCH_NOW];
    struct sr_protection *next = &sender->protections[SR_EPOCH_NEXT];
    next->before = before->before + before->expected + UNSEEN_AT_ITS_END;
    if (!sr_open_1_3(next, record, room, opened))
        return false;
    advance(sender);
    return true;
}

bool sr_connection_open(struct sr_connection *connection, enum sr_dtls_side side, const struct sr_dtls_record *record,
                        const struct sr_key_log *keys, uint8_t *room, struct sr_opened *opened,
                        enum sr_unopened *reason)
{
    struct sr_dtls_sender *sender = &connection->sender[side];

    if (!has_keys(connection, side, keys, reason))
        return false;
    *reason = SR_UNOPENED_WRONG_KEY;
    if (record->unified != (connection->version == SR_DTLS_1_3))
        return false;
    if (memcmp(record->header + record->id_at, sender->id.bytes, record->id_length) != 0)
        return false;
    if (!record->unified && record->epoch != connection->epoch + 1)
        return false;
    bool ok = record->unified ? open_1_3(sender, record, room, opened)
                              : sr_open_1_2(&sender->protections[SR_EPOCH_NOW], record, room, opened);
    connection->opened |= ok;
    return ok;
}
