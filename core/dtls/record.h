/* SPDX-License-Identifier: BSD-2-Clause */
/* Where records begin and end in a datagram: those of DTLS 1.0 and 1.2 (RFC 6347 section 4.1), with a connection ID
 * (RFC 9146 section 4), and with the unified header of DTLS 1.3 (RFC 9147 section 4). */
#ifndef SR_DTLS_RECORD_H
#define SR_DTLS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "../capture/cursor.h"

enum sr_content {
    SR_CONTENT_CHANGE_CIPHER_SPEC = 20,
    SR_CONTENT_ALERT = 21,
    SR_CONTENT_HANDSHAKE = 22,
    SR_CONTENT_APPLICATION = 23,
    SR_CONTENT_HEARTBEAT = 24,
    SR_CONTENT_CONNECTION_ID = 25, /* the type is inside */
    SR_CONTENT_ACK = 26,
};

struct sr_dtls_record {
    bool unified;      /* the header of DTLS 1.3, with a type inside */
    uint8_t type;      /* enum sr_content; 0 in a unified header */
    uint16_t epoch;    /* of a unified header the lowest two bits */
    uint64_t sequence; /* 48 bits; of a unified header 8 or 16, and masked */
    uint8_t bits;      /* that those are */
    uint8_t id_at;     /* of the connection ID, in the header */
    uint8_t id_length;
    uint8_t header_length;
    const uint8_t *header;
    const uint8_t *body;
    uint32_t length; /* of the body */
    bool cut;        /* not all of the body was captured */
};

/* Whether a datagram begins like a record, of which the first byte tells (RFC 7983, RFC 9147 section 4.1). */
bool sr_dtls_begins(struct sr_cursor datagram);

/* Whether it is records with unified headers that fill it, which no other protocol has by chance. */
bool sr_dtls_all_unified(struct sr_cursor datagram);

/* The next record, and moves past it; connection IDs have `id_length` bytes. False where there is none. */
bool sr_dtls_record(struct sr_cursor *datagram, uint8_t id_length, struct sr_dtls_record *record);

#endif
