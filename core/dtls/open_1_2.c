/* SPDX-License-Identifier: BSD-2-Clause */
/* Records of DTLS 1.0 and 1.2: AEAD (RFC 5288, RFC 6655, RFC 7905), and CBC with the MAC inside (RFC 5246 section
 * 6.2.3.2) or outside (RFC 7366), without and with a connection ID (RFC 9146 section 5). */
#include <string.h>

#include "hello.h"
#include "protection.h"

enum { EXPLICIT_NONCE = 8, NUMBER = 8 /* epoch and sequence number */, NUMBER_AT = 3, VERSION_AT = 1 };
enum { LONGEST_PREFIX = 2 * NUMBER + 3 + 2 + 2 + SR_LONGEST_CONNECTION_ID };

/* What is authenticated before the record's content, which says that it has so many bytes. */
static struct sr_piece prefix_of(const struct sr_dtls_record *record, uint32_t length, uint8_t *bytes)
{
    uint8_t *at = bytes;
    if (record->type == SR_CONTENT_CONNECTION_ID) {
        memset(at, 0xff, NUMBER);
        at += NUMBER;
        *at++ = SR_CONTENT_CONNECTION_ID;
        *at++ = record->id_length;
        *at++ = SR_CONTENT_CONNECTION_ID;
        memcpy(at, record->header + VERSION_AT, 2);
        memcpy(at + 2, record->header + NUMBER_AT, NUMBER);
        memcpy(at + 2 + NUMBER, record->header + record->id_at, record->id_length);
        at += 2 + NUMBER + record->id_length;
    } else {
        memcpy(at, record->header + NUMBER_AT, NUMBER);
        at[NUMBER] = record->type;
        memcpy(at + NUMBER + 1, record->header + VERSION_AT, 2);
        at += NUMBER + 3;
    }
    *at++ = (uint8_t)(length >> 8);
    *at++ = (uint8_t)length;
    return (struct sr_piece){bytes, (size_t)(at - bytes)};
}

static bool open_aead(const struct sr_protection *sender, const struct sr_dtls_record *record, uint8_t *room,
                      uint32_t *length)
{
    const bool is_explicit = sender->suite->kind != SR_CIPHER_CHACHA20_POLY1305;
    const uint32_t outside = is_explicit ? EXPLICIT_NONCE : 0, tag = sr_cipher_tag(sender->suite->kind);
    uint8_t nonce[SR_NONCE_LENGTH], prefix[LONGEST_PREFIX];

    if (record->length < outside + tag)
        return false;
    *length = record->length - outside - tag;
    memcpy(nonce, sender->iv, sizeof nonce);
    if (is_explicit)
        memcpy(nonce + SR_NONCE_LENGTH - EXPLICIT_NONCE, record->body, EXPLICIT_NONCE);
    else
        for (int i = 0; i < NUMBER; i++)
            nonce[SR_NONCE_LENGTH - NUMBER + i] ^= record->header[NUMBER_AT + i];
    return sr_cipher_open(sender->cipher, nonce, prefix_of(record, *length, prefix),
                          (struct sr_piece){record->body + outside, record->length - outside}, room);
}

static bool is_right_mac(const struct sr_protection *sender, const struct sr_dtls_record *record,
                         struct sr_piece content, const uint8_t *mac)
{
    uint8_t right[SR_LONGEST_HASH], prefix[LONGEST_PREFIX];
    const struct sr_piece pieces[] = {prefix_of(record, (uint32_t)content.length, prefix), content};
    return sr_hmac_of(sender->mac, pieces, 2, right) && memcmp(right, mac, sr_hash_length(sender->suite->mac)) == 0;
}

/* Takes away the padding: so many bytes, each says how many without itself. */
static bool unpad(const uint8_t *bytes, uint32_t *length)
{
    if (*length == 0 || bytes[*length - 1] >= *length)
        return false;
    const uint8_t padding = bytes[*length - 1];
    for (uint32_t i = 0; i < padding; i++)
        if (bytes[*length - 2 - i] != padding)
            return false;
    *length -= padding + 1u;
    return true;
}

static bool open_cbc(const struct sr_protection *sender, const struct sr_dtls_record *record, uint8_t *room,
                     uint32_t *length)
{
    const uint32_t mac = sr_hash_length(sender->suite->mac), outside = sender->encrypt_then_mac ? mac : 0;

    if (record->length < SR_BLOCK_LENGTH + outside || (record->length - outside) % SR_BLOCK_LENGTH != 0)
        return false;
    const uint32_t sealed = record->length - outside;
    if (outside && !is_right_mac(sender, record, (struct sr_piece){record->body, sealed}, record->body + sealed))
        return false;
    *length = sealed - SR_BLOCK_LENGTH;
    if (!sr_cipher_decrypt(sender->cipher, record->body, (struct sr_piece){record->body + SR_BLOCK_LENGTH, *length},
                           room) ||
        !unpad(room, length))
        return false;
    if (outside)
        return true;
    if (*length < mac)
        return false;
    *length -= mac;
    return is_right_mac(sender, record, (struct sr_piece){room, *length}, room + *length);
}

bool sr_open_1_2(const struct sr_protection *sender, const struct sr_dtls_record *record, uint8_t *room,
                 struct sr_opened *opened)
{
    uint32_t length;
    bool is_cbc = sender->suite->kind == SR_CIPHER_AES_CBC;
    if (!(is_cbc ? open_cbc : open_aead)(sender, record, room, &length))
        return false;
    if (record->type == SR_CONTENT_CONNECTION_ID)
        return sr_opened_inner(room, length, record->sequence, opened);
    *opened = (struct sr_opened){record->type, room, length, record->sequence};
    return true;
}
