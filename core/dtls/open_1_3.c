/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of DTLS 1.3 (RFC 9147 section 4.2): a masked part of the sequence number, then AEAD. */
#include <string.h>

#include "hello.h"
#include "protection.h"

enum {
    LONGEST_HEADER = 1 + SR_LONGEST_CONNECTION_ID + 2 + 2,
    FURTHER = 3, /* how often the sequence numbers may have run through the bits that the header has, unseen */
};

/* The number with these low bits that is nearest to the expected one (RFC 9147 section 4.2.2). */
static uint64_t nearest(uint64_t expected, uint64_t low, uint8_t bits)
{
    const uint64_t round = UINT64_C(1) << bits;
    uint64_t number = (expected & ~(round - 1)) | low;
    if (number + round / 2 <= expected)
        return number + round;
    return number > expected + round / 2 && number >= round ? number - round : number;
}

static bool open_as(const struct sr_protection *sender, uint64_t number, struct sr_piece header,
                    const struct sr_dtls_record *record, uint8_t *room)
{
    uint8_t nonce[SR_NONCE_LENGTH];
    memcpy(nonce, sender->iv, sizeof nonce);
    for (int i = 0; i < 8; i++)
        nonce[SR_NONCE_LENGTH - 1 - i] ^= (uint8_t)(number >> 8 * i);
    return sr_cipher_open(sender->cipher, nonce, header, (struct sr_piece){record->body, record->length}, room);
}

bool sr_open_1_3(struct sr_protection *sender, const struct sr_dtls_record *record, uint8_t *room,
                 struct sr_opened *opened)
{
    const uint32_t tag = sr_cipher_tag(sender->suite->kind);
    uint8_t mask[SR_BLOCK_LENGTH], header[LONGEST_HEADER];

    if (record->length < SR_BLOCK_LENGTH || !sr_cipher_mask(sender->mask, record->body, mask))
        return false;
    memcpy(header, record->header, record->header_length);
    for (int i = 0; i < record->bits / 8; i++)
        header[1 + record->id_length + i] ^= mask[i];
    const uint64_t low =
        record->bits == 16 ? record->sequence ^ (uint64_t)(mask[0] << 8 | mask[1]) : record->sequence ^ mask[0];
    uint64_t number = nearest(sender->expected, low, record->bits);
    for (int i = 0; i <= FURTHER; i++, number += UINT64_C(1) << record->bits) {
        if (!open_as(sender, number, (struct sr_piece){header, record->header_length}, record, room))
            continue;
        if (number >= sender->expected)
            sender->expected = number + 1;
        return sr_opened_inner(room, record->length - tag, sender->before + number, opened);
    }
    return false;
}
