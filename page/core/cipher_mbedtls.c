/* SPDX-License-Identifier: BSD-2-Clause */
/* Ciphers by mbedTLS (2.28), in the place of core/dtls/cipher.c: libcrypto is none of WebAssembly's. */
#include "dtls/cipher.h"

#include <mbedtls/aes.h>
#include <mbedtls/ccm.h>
#include <mbedtls/chacha20.h>
#include <mbedtls/chachapoly.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#include <mbedtls/version.h>
#include <stdlib.h>
#include <string.h>

struct sr_cipher {
    uint8_t kind; /* enum sr_cipher_kind, which of these it is */
    union {
        mbedtls_gcm_context gcm;
        mbedtls_ccm_context ccm;
        mbedtls_chachapoly_context chachapoly;
        mbedtls_aes_context aes;
        mbedtls_chacha20_context chacha20;
    } is;
};

struct sr_hmac {
    mbedtls_md_context_t context;
};

const char *sr_ciphers_library(void)
{
    return MBEDTLS_VERSION_STRING_FULL;
}

/* 0 when it has its key. */
static int begin(struct sr_cipher *cipher, const uint8_t *key, unsigned bits)
{
    switch ((enum sr_cipher_kind)cipher->kind) {
    case SR_CIPHER_AES_GCM:
        mbedtls_gcm_init(&cipher->is.gcm);
        return mbedtls_gcm_setkey(&cipher->is.gcm, MBEDTLS_CIPHER_ID_AES, key, bits);
    case SR_CIPHER_AES_CCM:
    case SR_CIPHER_AES_CCM_8:
        mbedtls_ccm_init(&cipher->is.ccm);
        return mbedtls_ccm_setkey(&cipher->is.ccm, MBEDTLS_CIPHER_ID_AES, key, bits);
    case SR_CIPHER_CHACHA20_POLY1305:
        mbedtls_chachapoly_init(&cipher->is.chachapoly);
        return mbedtls_chachapoly_setkey(&cipher->is.chachapoly, key);
    case SR_CIPHER_AES_CBC:
        mbedtls_aes_init(&cipher->is.aes);
        return mbedtls_aes_setkey_dec(&cipher->is.aes, key, bits);
    case SR_CIPHER_AES_MASK:
        mbedtls_aes_init(&cipher->is.aes);
        return mbedtls_aes_setkey_enc(&cipher->is.aes, key, bits);
    case SR_CIPHER_CHACHA20_MASK:
        mbedtls_chacha20_init(&cipher->is.chacha20);
        return mbedtls_chacha20_setkey(&cipher->is.chacha20, key);
    }
    return -1;
}

struct sr_cipher *sr_cipher_new(enum sr_cipher_kind kind, const uint8_t *key, size_t key_length)
{
    struct sr_cipher *cipher = calloc(1, sizeof *cipher);
    if (!cipher)
        return NULL;
    cipher->kind = (uint8_t)kind;
    if (begin(cipher, key, (unsigned)(8 * key_length)) == 0)
        return cipher;
    sr_cipher_free(cipher);
    return NULL;
}

void sr_cipher_free(struct sr_cipher *cipher)
{
    if (!cipher)
        return;
    switch ((enum sr_cipher_kind)cipher->kind) {
    case SR_CIPHER_AES_GCM: mbedtls_gcm_free(&cipher->is.gcm); break;
    case SR_CIPHER_AES_CCM:
    case SR_CIPHER_AES_CCM_8: mbedtls_ccm_free(&cipher->is.ccm); break;
    case SR_CIPHER_CHACHA20_POLY1305: mbedtls_chachapoly_free(&cipher->is.chachapoly); break;
    case SR_CIPHER_AES_CBC:
    case SR_CIPHER_AES_MASK: mbedtls_aes_free(&cipher->is.aes); break;
    case SR_CIPHER_CHACHA20_MASK: mbedtls_chacha20_free(&cipher->is.chacha20); break;
    }
    free(cipher);
}

bool sr_cipher_open(struct sr_cipher *cipher, const uint8_t *nonce, struct sr_piece more, struct sr_piece sealed,
                    uint8_t *opened)
{
    const size_t tag = sr_cipher_tag(cipher->kind);
    if (sealed.length < tag)
        return false;
    const size_t length = sealed.length - tag;
    const uint8_t *expected = sealed.bytes + length;
    switch ((enum sr_cipher_kind)cipher->kind) {
    case SR_CIPHER_AES_GCM:
        return mbedtls_gcm_auth_decrypt(&cipher->is.gcm, length, nonce, SR_NONCE_LENGTH, more.bytes, more.length,
                                        expected, tag, sealed.bytes, opened) == 0;
    case SR_CIPHER_AES_CCM:
    case SR_CIPHER_AES_CCM_8:
        return mbedtls_ccm_auth_decrypt(&cipher->is.ccm, length, nonce, SR_NONCE_LENGTH, more.bytes, more.length,
                                        sealed.bytes, opened, expected, tag) == 0;
    case SR_CIPHER_CHACHA20_POLY1305:
        return mbedtls_chachapoly_auth_decrypt(&cipher->is.chachapoly, length, nonce, more.bytes, more.length, expected,
                                               sealed.bytes, opened) == 0;
    default: return false;
    }
}

bool sr_cipher_decrypt(struct sr_cipher *cipher, const uint8_t *iv, struct sr_piece blocks, uint8_t *opened)
{
    uint8_t last[SR_BLOCK_LENGTH]; /* mbedTLS leaves in it what the next call would begin with */
    memcpy(last, iv, sizeof last);
    return mbedtls_aes_crypt_cbc(&cipher->is.aes, MBEDTLS_AES_DECRYPT, blocks.length, last, blocks.bytes, opened) == 0;
}

/* The first bytes of the sample are ChaCha20's counter, the others its nonce (RFC 9147 section 4.2.3). */
bool sr_cipher_mask(struct sr_cipher *cipher, const uint8_t *sample, uint8_t *mask)
{
    static const uint8_t zeros[SR_BLOCK_LENGTH];
    if (cipher->kind == SR_CIPHER_AES_MASK)
        return mbedtls_aes_crypt_ecb(&cipher->is.aes, MBEDTLS_AES_ENCRYPT, sample, mask) == 0;
    const uint32_t counter =
        sample[0] | (uint32_t)sample[1] << 8 | (uint32_t)sample[2] << 16 | (uint32_t)sample[3] << 24;
    return mbedtls_chacha20_starts(&cipher->is.chacha20, sample + sizeof counter, counter) == 0 &&
           mbedtls_chacha20_update(&cipher->is.chacha20, SR_BLOCK_LENGTH, zeros, mask) == 0;
}

struct sr_hmac *sr_hmac_new(enum sr_hash hash, const uint8_t *key, size_t key_length)
{
    static const mbedtls_md_type_t types[] = {MBEDTLS_MD_MD5, MBEDTLS_MD_SHA1, MBEDTLS_MD_SHA256, MBEDTLS_MD_SHA384};
    struct sr_hmac *hmac = calloc(1, sizeof *hmac);
    if (!hmac)
        return NULL;
    mbedtls_md_init(&hmac->context);
    if (mbedtls_md_setup(&hmac->context, mbedtls_md_info_from_type(types[hash]), true) == 0 &&
        mbedtls_md_hmac_starts(&hmac->context, key, key_length) == 0)
        return hmac;
    sr_hmac_free(hmac);
    return NULL;
}

void sr_hmac_free(struct sr_hmac *hmac)
{
    if (hmac)
        mbedtls_md_free(&hmac->context);
    free(hmac);
}

bool sr_hmac_of(struct sr_hmac *hmac, const struct sr_piece *pieces, size_t count, uint8_t *result)
{
    if (mbedtls_md_hmac_reset(&hmac->context) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (mbedtls_md_hmac_update(&hmac->context, pieces[i].bytes, pieces[i].length) != 0)
            return false;
    return mbedtls_md_hmac_finish(&hmac->context, result) == 0;
}
