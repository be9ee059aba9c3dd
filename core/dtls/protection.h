/* SPDX-License-Identifier: BSD-2-Clause */
/* How the records of one sender are protected in one epoch, and what is inside them. */
#ifndef SR_DTLS_PROTECTION_H
#define SR_DTLS_PROTECTION_H

#include "cipher.h"
#include "record.h"
#include "suites.h"

struct sr_protection {
    const struct sr_suite *suite;
    struct sr_cipher *cipher; /* null: there is no key */
    struct sr_cipher *mask;   /* of sequence numbers, in DTLS 1.3 */
    struct sr_hmac *mac;      /* where the cipher is CBC */
    bool encrypt_then_mac;    /* RFC 7366 */
    uint8_t iv[SR_NONCE_LENGTH];
    /* In DTLS 1.3: */
    uint64_t expected; /* sequence number of the next record */
    uint64_t before;   /* records of its sender in earlier epochs, and room for those that nobody saw */
};

struct sr_opened {
    uint8_t type; /* enum sr_content */
    const uint8_t *bytes;
    uint32_t length;
    uint64_t number; /* counts the records of the sender, in DTLS 1.3 from epoch to epoch */
};

/* Both senders of an epoch of DTLS 1.0 or 1.2 from the master secret; `randoms`: the server's, then the client's. */
bool sr_protect_1_2(struct sr_protection *client, struct sr_protection *server, const struct sr_suite *suite,
                    uint16_t version, struct sr_piece master, struct sr_piece randoms);

/* One sender of an epoch of DTLS 1.3 from its traffic secret. */
bool sr_protect_1_3(struct sr_protection *sender, const struct sr_suite *suite, const uint8_t *secret);

void sr_protection_free(struct sr_protection *protection);

/* What is inside the record, in `room`, which must have room for its body. False unless it is authentic. */
bool sr_open_1_2(const struct sr_protection *sender, const struct sr_dtls_record *record, uint8_t *room,
                 struct sr_opened *opened);
bool sr_open_1_3(struct sr_protection *sender, const struct sr_dtls_record *record, uint8_t *room,
                 struct sr_opened *opened);

/* Content, its type, zeros (RFC 8446 section 5.4, RFC 9146 section 4). False where no type is there. */
static inline bool sr_opened_inner(const uint8_t *bytes, uint32_t length, uint64_t number, struct sr_opened *opened)
{
    while (length > 0 && bytes[length - 1] == 0)
        length--;
    if (length == 0)
        return false;
    *opened = (struct sr_opened){bytes[length - 1], bytes, length - 1, number};
    return true;
}

#endif
