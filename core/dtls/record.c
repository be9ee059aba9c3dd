/* SPDX-License-Identifier: BSD-2-Clause */
/* Two kinds of headers: with a version, and unified. */
#include "record.h"

#include "../wire/bytes.h"
#include "hello.h"

enum { HEADER = 13, EPOCH = 3, SEQUENCE = 5, ID = 11, LENGTH = 2 };

/* The unified header: 001CSLEE. */
enum { UNIFIED = 0x20, UNIFIED_MASK = 0xe0, HAS_ID = 0x10, LONG_SEQUENCE = 0x08, HAS_LENGTH = 0x04, EPOCH_BITS = 0x03 };

static bool is_unified(uint8_t first)
{
    return (first & UNIFIED_MASK) == UNIFIED;
}

bool sr_dtls_begins(struct sr_cursor datagram)
{
    const uint8_t *at = datagram.bytes;
    if (datagram.captured >= 1 && is_unified(at[0]))
        return true;
    if (datagram.captured < HEADER || at[0] < SR_CONTENT_CHANGE_CIPHER_SPEC || at[0] > SR_CONTENT_ACK)
        return false;
    if (at[1] != SR_DTLS_1_2 >> 8 || (at[2] != (SR_DTLS_1_0 & 0xff) && at[2] != (SR_DTLS_1_2 & 0xff)))
        return false;
    return at[0] == SR_CONTENT_CONNECTION_ID || sr_be16(at + ID) <= datagram.wire - HEADER;
}

bool sr_dtls_all_unified(struct sr_cursor datagram)
{
    enum { FIRST = UNIFIED | LONG_SEQUENCE | HAS_LENGTH, SHORTEST = 16 /* RFC 9147 section 4.2.3 */ };
    while (datagram.wire > 0) {
        struct sr_dtls_record record;
        if (datagram.captured == 0 || (datagram.bytes[0] & ~EPOCH_BITS) != FIRST)
            return false;
        if (!sr_dtls_record(&datagram, 0, &record) || record.cut || record.length < SHORTEST)
            return false;
    }
    return true;
}

/* Of a header of so many bytes; the body's length is known. */
static bool take_body(struct sr_cursor *datagram, uint32_t header, uint32_t length, struct sr_dtls_record *record)
{
    record->header = datagram->bytes;
    record->header_length = (uint8_t)header;
    if (length > datagram->wire - header)
        return false;
    sr_cursor_skip(datagram, header);
    record->body = datagram->bytes;
    record->length = length;
    record->cut = length > datagram->captured;
    if (record->cut)
        datagram->captured = datagram->wire = 0;
    else
        sr_cursor_skip(datagram, length);
    return true;
}

static bool take_unified(struct sr_cursor *datagram, uint8_t id_length, struct sr_dtls_record *record)
{
    const uint8_t *at = datagram->bytes;
    const uint8_t first = at[0];
    uint32_t header = 1;

    record->unified = true;
    record->epoch = first & EPOCH_BITS;
    record->id_at = 1;
    record->id_length = first & HAS_ID ? id_length : 0;
    record->bits = first & LONG_SEQUENCE ? 16 : 8;
    header += record->id_length + record->bits / 8u + (first & HAS_LENGTH ? LENGTH : 0u);
    if (datagram->captured < header)
        return false;
    at += 1 + record->id_length;
    record->sequence = record->bits == 16 ? sr_be16(at) : at[0];
    uint32_t length = first & HAS_LENGTH ? sr_be16(at + record->bits / 8) : datagram->wire - header;
    return take_body(datagram, header, length, record);
}

bool sr_dtls_record(struct sr_cursor *datagram, uint8_t id_length, struct sr_dtls_record *record)
{
    const uint8_t *at = datagram->bytes;

    *record = (struct sr_dtls_record){0};
    if (datagram->captured < 1)
        return false;
    if (is_unified(at[0]))
        return take_unified(datagram, id_length, record);
    if (!sr_dtls_begins(*datagram))
        return false;
    record->type = at[0];
    record->epoch = sr_be16(at + EPOCH);
    record->sequence = (uint64_t)sr_be16(at + SEQUENCE) << 32 | sr_be32(at + SEQUENCE + 2);
    record->bits = 48;
    record->id_at = ID;
    record->id_length = at[0] == SR_CONTENT_CONNECTION_ID ? id_length : 0;
    uint32_t header = HEADER + (uint32_t)record->id_length;
    return datagram->captured >= header && take_body(datagram, header, sr_be16(at + header - LENGTH), record);
}
