/* SPDX-License-Identifier: BSD-2-Clause */
/* One DTLS connection, as its handshake made it: the keys of both senders by epoch, once the key log has its secrets.
 */
#ifndef SR_DTLS_CONNECTION_H
#define SR_DTLS_CONNECTION_H

#include "../names.h"
#include "hello.h"
#include "protection.h"

enum sr_dtls_side { SR_DTLS_CLIENT, SR_DTLS_SERVER };

/* Of DTLS 1.3 the epochs around the one of the newest record: one before for what was overtaken. */
enum { SR_EPOCH_BEFORE, SR_EPOCH_NOW, SR_EPOCH_NEXT, SR_EPOCHS_KEPT };

struct sr_dtls_sender {
    struct sr_connection_id id;                       /* that its records have */
    uint64_t epoch;                                   /* that is now */
    uint8_t secret[SR_LONGEST_SECRET];                /* of the last epoch that has keys, in DTLS 1.3 */
    struct sr_protection protections[SR_EPOCHS_KEPT]; /* before DTLS 1.3 there is but the one that is now */
};

struct sr_connection {
    uint32_t references;
    uint16_t epoch; /* of the hellos: 0, or that in which it was negotiated anew */
    uint16_t version;
    uint16_t suite;
    bool encrypt_then_mac;
    bool answered;                        /* the ServerHello was seen */
    bool opened;                          /* one of its records was authentic */
    uint8_t randoms[2][SR_RANDOM_LENGTH]; /* the server's, then the client's */
    struct sr_connection_id wanted;       /* by the client, that records to it have */
    uint64_t looked_up;                   /* how many secrets the key log had when it had none of these; 1 more */
    struct sr_dtls_sender sender[2];      /* by enum sr_dtls_side */
};

/* NULL when memory runs out. */
struct sr_connection *sr_connection_new(const struct sr_hello *client, uint16_t epoch);
void sr_connection_release(struct sr_connection *connection);

static inline const uint8_t *sr_client_random(const struct sr_connection *connection)
{
    return connection->randoms[1];
}

/* Of a server that answers anew the last counts, as long as nothing was opened. */
void sr_connection_answer(struct sr_connection *connection, const struct sr_hello *server);

/* Whether a record with a unified header is of the handshake, whose secrets nobody needs here. */
bool sr_is_handshake_1_3(const struct sr_dtls_sender *sender, const struct sr_dtls_record *record);

/* `record` was taken with connection IDs as long as those of this side. False with the reason (enum sr_unopened). */
bool sr_connection_open(struct sr_connection *connection, enum sr_dtls_side side, const struct sr_dtls_record *record,
                        const struct sr_key_log *keys, uint8_t *room, struct sr_opened *opened,
                        enum sr_unopened *reason);

#endif
