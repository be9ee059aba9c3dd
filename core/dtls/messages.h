/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole handshake messages from records: most come whole; of a ClientHello and a ServerHello fragments are put
 * together, in whatever order and however often they come (RFC 6347 section 4.2.3). */
#ifndef SR_DTLS_MESSAGES_H
#define SR_DTLS_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sr_handshake { SR_CLIENT_HELLO = 1, SR_SERVER_HELLO = 2 };

struct sr_message {
    uint8_t type; /* enum sr_handshake or another */
    const uint8_t *body;
    uint32_t length;
};

struct sr_messages; /* those in parts */

struct sr_messages *sr_messages_new(void); /* NULL when memory runs out */
void sr_messages_free(struct sr_messages *messages);

/* Steps through the fragments in a record from `*at` to `end`. True with a hello that is whole, valid until the next
 * call; fragments of `flow`, a number that names it, belong together. */
bool sr_messages_next(struct sr_messages *messages, uint64_t flow, const uint8_t **at, const uint8_t *end,
                      struct sr_message *message);

/* Messages that were given up because too many others began. */
uint64_t sr_messages_given_up(const struct sr_messages *messages);

#endif
