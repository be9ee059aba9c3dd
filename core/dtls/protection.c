/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys out of a master secret, or a traffic secret. */
#include "protection.h"

#include <string.h>

#include "derive.h"
#include "hello.h"

enum { SALT = 4 /* RFC 5288 section 3, RFC 6655 section 3 */ };

void sr_protection_free(struct sr_protection *protection)
{
    sr_cipher_free(protection->cipher);
    sr_cipher_free(protection->mask);
    sr_hmac_free(protection->mac);
    *protection = (struct sr_protection){0};
}

static uint32_t fixed_iv(const struct sr_suite *suite)
{
    switch (suite->kind) {
    case SR_CIPHER_AES_CBC: return 0;
    case SR_CIPHER_CHACHA20_POLY1305: return SR_NONCE_LENGTH;
    default: return SALT;
    }
}

/* The key block (RFC 5246 section 6.3): for MACs, ciphers and initialisation vectors, of the client before those of the
 * server. */
bool sr_protect_1_2(struct sr_protection *client, struct sr_protection *server, const struct sr_suite *suite,
                    uint16_t version, struct sr_piece master, struct sr_piece randoms)
{
    const bool cbc = suite->kind == SR_CIPHER_AES_CBC;
    const uint32_t mac = cbc ? sr_hash_length(suite->mac) : 0, key = suite->key_length, iv = fixed_iv(suite);
    uint8_t block[2 * (SR_LONGEST_HASH + SR_LONGEST_KEY + SR_NONCE_LENGTH)];
    struct sr_protection *const senders[] = {client, server};
    const enum sr_hash hash = version == SR_DTLS_1_0 ? SR_HASH_MD5 : (enum sr_hash)suite->hash;

    bool ok = sr_prf(hash, master, "key expansion", randoms, block, 2 * (size_t)(mac + key + iv));
    for (uint32_t i = 0; i < 2; i++) {
        *senders[i] = (struct sr_protection){.suite = suite};
        if (!ok)
            continue;
        memcpy(senders[i]->iv, block + 2 * (mac + key) + i * iv, iv);
        if (cbc)
            senders[i]->mac = sr_hmac_new(suite->mac, block + i * mac, mac);
        senders[i]->cipher = sr_cipher_new(suite->kind, block + 2 * mac + i * key, key);
        ok = senders[i]->cipher && (!cbc || senders[i]->mac);
    }
    if (!ok) {
        sr_protection_free(client);
        sr_protection_free(server);
    }
    return ok;
}

bool sr_protect_1_3(struct sr_protection *sender, const struct sr_suite *suite, const uint8_t *secret)
{
    const bool chacha20 = suite->kind == SR_CIPHER_CHACHA20_POLY1305;
    uint8_t key[SR_LONGEST_KEY], number_key[SR_LONGEST_KEY];

    *sender = (struct sr_protection){.suite = suite};
    if (sr_expand_label(suite->hash, secret, "key", key, suite->key_length) &&
        sr_expand_label(suite->hash, secret, "sn", number_key, suite->key_length) &&
        sr_expand_label(suite->hash, secret, "iv", sender->iv, SR_NONCE_LENGTH)) {
        sender->cipher = sr_cipher_new(suite->kind, key, suite->key_length);
        sender->mask =
            sr_cipher_new(chacha20 ? SR_CIPHER_CHACHA20_MASK : SR_CIPHER_AES_MASK, number_key, suite->key_length);
    }
    if (sender->cipher && sender->mask)
        return true;
    sr_protection_free(sender);
    return false;
}
