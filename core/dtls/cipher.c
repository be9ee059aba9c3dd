/* SPDX-License-Identifier: BSD-2-Clause */
/* Ciphers by OpenSSL's libcrypto (3.0 or later), where SR_CIPHERS says that it is there. */
#include "cipher.h"

#ifdef SR_CIPHERS

#include <limits.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>

struct sr_cipher {
    EVP_CIPHER_CTX *context;
    uint8_t kind; /* enum sr_cipher_kind */
};

struct sr_hmac {
    EVP_MAC_CTX *context;
};

/* No configuration of the machine has a say in what a capture holds. */
const char *sr_ciphers_library(void)
{
    return OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) == 1 ? OpenSSL_version(OPENSSL_VERSION) : NULL;
}

static const EVP_CIPHER *cipher_of(enum sr_cipher_kind kind, size_t key_length)
{
    bool longer = key_length == SR_LONGEST_KEY;
    switch (kind) {
    case SR_CIPHER_AES_GCM: return longer ? EVP_aes_256_gcm() : EVP_aes_128_gcm();
    case SR_CIPHER_AES_CCM:
    case SR_CIPHER_AES_CCM_8: return longer ? EVP_aes_256_ccm() : EVP_aes_128_ccm();
    case SR_CIPHER_CHACHA20_POLY1305: return EVP_chacha20_poly1305();
    case SR_CIPHER_AES_CBC: return longer ? EVP_aes_256_cbc() : EVP_aes_128_cbc();
    case SR_CIPHER_AES_MASK: return longer ? EVP_aes_256_ecb() : EVP_aes_128_ecb();
    case SR_CIPHER_CHACHA20_MASK: return EVP_chacha20();
    }
    return NULL;
}

static bool is_ccm(const struct sr_cipher *cipher)
{
    return cipher->kind == SR_CIPHER_AES_CCM || cipher->kind == SR_CIPHER_AES_CCM_8;
}

/* What ChaCha20 masks with is a key stream, which encryption of zeros gives. */
static bool begin(EVP_CIPHER_CTX *context, enum sr_cipher_kind kind, const uint8_t *key, size_t key_length)
{
    bool masks = kind == SR_CIPHER_AES_MASK || kind == SR_CIPHER_CHACHA20_MASK;
    bool ccm = kind == SR_CIPHER_AES_CCM || kind == SR_CIPHER_AES_CCM_8;
    return EVP_CipherInit_ex(context, cipher_of(kind, key_length), NULL, NULL, NULL, masks) == 1 &&
           (!ccm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, SR_NONCE_LENGTH, NULL) == 1) &&
           (!ccm || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)sr_cipher_tag(kind), NULL) == 1) &&
           EVP_CipherInit_ex(context, NULL, NULL, key, NULL, masks) == 1 && EVP_CIPHER_CTX_set_padding(context, 0) == 1;
}

struct sr_cipher *sr_cipher_new(enum sr_cipher_kind kind, const uint8_t *key, size_t key_length)
{
    struct sr_cipher *cipher = calloc(1, sizeof *cipher);
    if (!cipher)
        return NULL;
    cipher->kind = (uint8_t)kind;
    cipher->context = EVP_CIPHER_CTX_new();
    if (cipher->context && begin(cipher->context, kind, key, key_length))
        return cipher;
    sr_cipher_free(cipher);
    return NULL;
}

void sr_cipher_free(struct sr_cipher *cipher)
{
    if (cipher)
        EVP_CIPHER_CTX_free(cipher->context);
    free(cipher);
}

bool sr_cipher_open(struct sr_cipher *cipher, const uint8_t *nonce, struct sr_piece more, struct sr_piece sealed,
                    uint8_t *opened)
{
    EVP_CIPHER_CTX *context = cipher->context;
    uint32_t tag = sr_cipher_tag(cipher->kind);
    int done;
    uint8_t expected[SR_BLOCK_LENGTH];

    if (sealed.length < tag || sealed.length > INT_MAX)
        return false;
    int length = (int)(sealed.length - tag);
    for (uint32_t i = 0; i < tag; i++)
        expected[i] = sealed.bytes[(uint32_t)length + i];
    if (EVP_DecryptInit_ex(context, NULL, NULL, NULL, nonce) != 1 ||
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)tag, expected) != 1)
        return false;
    if (is_ccm(cipher)) /* needs to know the length first, and compares the tag at once */
        return EVP_DecryptUpdate(context, NULL, &done, NULL, length) == 1 &&
               EVP_DecryptUpdate(context, NULL, &done, more.bytes, (int)more.length) == 1 &&
               EVP_DecryptUpdate(context, opened, &done, sealed.bytes, length) == 1;
    return EVP_DecryptUpdate(context, NULL, &done, more.bytes, (int)more.length) == 1 &&
           EVP_DecryptUpdate(context, opened, &done, sealed.bytes, length) == 1 &&
           EVP_DecryptFinal_ex(context, opened + done, &done) == 1;
}

bool sr_cipher_decrypt(struct sr_cipher *cipher, const uint8_t *iv, struct sr_piece blocks, uint8_t *opened)
{
    int done;
    return blocks.length <= INT_MAX && blocks.length % SR_BLOCK_LENGTH == 0 &&
           EVP_DecryptInit_ex(cipher->context, NULL, NULL, NULL, iv) == 1 &&
           EVP_DecryptUpdate(cipher->context, opened, &done, blocks.bytes, (int)blocks.length) == 1;
}

/* The first bytes of the sample are ChaCha20's counter, the others its nonce; libcrypto wants them likewise. */
bool sr_cipher_mask(struct sr_cipher *cipher, const uint8_t *sample, uint8_t *mask)
{
    static const uint8_t zeros[SR_BLOCK_LENGTH];
    int done;
    if (cipher->kind == SR_CIPHER_AES_MASK)
        return EVP_EncryptUpdate(cipher->context, mask, &done, sample, SR_BLOCK_LENGTH) == 1;
    return EVP_EncryptInit_ex(cipher->context, NULL, NULL, NULL, sample) == 1 &&
           EVP_EncryptUpdate(cipher->context, mask, &done, zeros, SR_BLOCK_LENGTH) == 1;
}

struct sr_hmac *sr_hmac_new(enum sr_hash hash, const uint8_t *key, size_t key_length)
{
    static const char *const names[] = {"MD5", "SHA1", "SHA256", "SHA384"};
    char name[8];
    size_t length = 0;
    for (; names[hash][length] != '\0'; length++)
        name[length] = names[hash][length];
    name[length] = '\0';
    const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
                                     OSSL_PARAM_construct_end()};
    struct sr_hmac *hmac = calloc(1, sizeof *hmac);
    EVP_MAC *algorithm = EVP_MAC_fetch(NULL, "HMAC", NULL);
    if (hmac && algorithm)
        hmac->context = EVP_MAC_CTX_new(algorithm);
    EVP_MAC_free(algorithm);
    if (hmac && hmac->context && EVP_MAC_init(hmac->context, key, key_length, parameters) == 1)
        return hmac;
    sr_hmac_free(hmac);
    return NULL;
}

void sr_hmac_free(struct sr_hmac *hmac)
{
    if (hmac)
        EVP_MAC_CTX_free(hmac->context);
    free(hmac);
}

bool sr_hmac_of(struct sr_hmac *hmac, const struct sr_piece *pieces, size_t count, uint8_t *result)
{
    size_t length;
    if (EVP_MAC_init(hmac->context, NULL, 0, NULL) != 1)
        return false;
    for (size_t i = 0; i < count; i++)
        if (EVP_MAC_update(hmac->context, pieces[i].bytes, pieces[i].length) != 1)
            return false;
    return EVP_MAC_final(hmac->context, result, &length, SR_LONGEST_HASH) == 1;
}

#else

const char *sr_ciphers_library(void)
{
    return NULL;
}

struct sr_cipher *sr_cipher_new(enum sr_cipher_kind kind, const uint8_t *key, size_t key_length)
{
    (void)kind, (void)key, (void)key_length;
    return NULL;
}

void sr_cipher_free(struct sr_cipher *cipher)
{
    (void)cipher;
}

bool sr_cipher_open(struct sr_cipher *cipher, const uint8_t *nonce, struct sr_piece more, struct sr_piece sealed,
                    uint8_t *opened)
{
    (void)cipher, (void)nonce, (void)more, (void)sealed, (void)opened;
    return false;
}

bool sr_cipher_decrypt(struct sr_cipher *cipher, const uint8_t *iv, struct sr_piece blocks, uint8_t *opened)
{
    (void)cipher, (void)iv, (void)blocks, (void)opened;
    return false;
}

bool sr_cipher_mask(struct sr_cipher *cipher, const uint8_t *sample, uint8_t *mask)
{
    (void)cipher, (void)sample, (void)mask;
    return false;
}

struct sr_hmac *sr_hmac_new(enum sr_hash hash, const uint8_t *key, size_t key_length)
{
    (void)hash, (void)key, (void)key_length;
    return NULL;
}

void sr_hmac_free(struct sr_hmac *hmac)
{
    (void)hmac;
}

bool sr_hmac_of(struct sr_hmac *hmac, const struct sr_piece *pieces, size_t count, uint8_t *result)
{
    (void)hmac, (void)pieces, (void)count, (void)result;
    return false;
}

#endif
