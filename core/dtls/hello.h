/* SPDX-License-Identifier: BSD-2-Clause */
/* What a ClientHello and a ServerHello agree on that matters for reading records: both randoms, the version, the cipher
 * suite, and the extensions that change how records look (RFC 5246 section 7.4.1, RFC 8446 section 4.1). */
#ifndef SR_DTLS_HELLO_H
#define SR_DTLS_HELLO_H

#include "keylog.h"

enum { SR_LONGEST_CONNECTION_ID = 32 /* RFC 9146 allows 255; longer than this is nobody's */ };

/* As on the wire, where a later version has a smaller number. */
enum { SR_DTLS_1_0 = 0xfeff, SR_DTLS_1_2 = 0xfefd, SR_DTLS_1_3 = 0xfefc };

struct sr_connection_id {
    bool told;
    uint8_t length;
    uint8_t bytes[SR_LONGEST_CONNECTION_ID];
};

struct sr_hello {
    uint8_t random[SR_RANDOM_LENGTH];
    uint16_t version; /* of a ServerHello: the one agreed on */
    uint16_t suite;   /* of a ServerHello */
    bool encrypt_then_mac;
    bool retry;                 /* a HelloRetryRequest, which looks like a ServerHello (RFC 8446 section 4.1.3) */
    struct sr_connection_id id; /* that records to its sender have */
};

/* The body of the message. False where it contradicts itself. */
bool sr_client_hello(const uint8_t *body, size_t length, struct sr_hello *hello);
bool sr_server_hello(const uint8_t *body, size_t length, struct sr_hello *hello);

#endif
