/* SPDX-License-Identifier: BSD-2-Clause */
/* HMACs one after the other. */
#include "derive.h"

#include <string.h>

/* P_hash (RFC 5246 section 5), added to what is there. */
static bool add_stream(enum sr_hash hash, struct sr_piece secret, const char *label, struct sr_piece seed,
                       uint8_t *keys, size_t length)
{
    const struct sr_piece said = {(const uint8_t *)label, strlen(label)};
    const size_t size = sr_hash_length(hash);
    uint8_t a[SR_LONGEST_HASH], block[SR_LONGEST_HASH];
    struct sr_hmac *hmac = sr_hmac_new(hash, secret.bytes, secret.length);
    bool ok = hmac && sr_hmac_of(hmac, (struct sr_piece[]){said, seed}, 2, a);
    for (size_t at = 0; ok && at < length; at += size) {
        ok = sr_hmac_of(hmac, (struct sr_piece[]){{a, size}, said, seed}, 3, block) &&
             sr_hmac_of(hmac, &(struct sr_piece){a, size}, 1, a);
        for (size_t i = 0; ok && i < size && at + i < length; i++)
            keys[at + i] ^= block[i];
    }
    sr_hmac_free(hmac);
    return ok;
}

bool sr_prf(enum sr_hash hash, struct sr_piece secret, const char *label, struct sr_piece seed, uint8_t *keys,
            size_t length)
{
    memset(keys, 0, length);
    if (hash != SR_HASH_MD5)
        return add_stream(hash, secret, label, seed, keys, length);
    size_t half = (secret.length + 1) / 2; /* they share the middle byte of an odd one */
    struct sr_piece first = {secret.bytes, half}, second = {secret.bytes + secret.length - half, half};
    return add_stream(SR_HASH_MD5, first, label, seed, keys, length) &&
           add_stream(SR_HASH_SHA1, second, label, seed, keys, length);
}

bool sr_expand_label(enum sr_hash hash, const uint8_t *secret, const char *label, uint8_t *key, uint8_t length)
{
    const size_t said = strlen(label);
    const uint8_t lengths[] = {0, length, (uint8_t)(6 + said)}, none_and_first[] = {0, 1};
    const struct sr_piece info[] = {
        {lengths, sizeof lengths}, {(const uint8_t *)"dtls13", 6}, {(const uint8_t *)label, said}, {none_and_first, 2}};
    uint8_t block[SR_LONGEST_HASH]; /* one is enough: no key is longer than its hash */
    struct sr_hmac *hmac = sr_hmac_new(hash, secret, sr_hash_length(hash));
    bool ok = hmac && sr_hmac_of(hmac, info, sizeof info / sizeof *info, block);
    if (ok)
        memcpy(key, block, length);
    sr_hmac_free(hmac);
    return ok;
}
