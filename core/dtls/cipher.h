/* SPDX-License-Identifier: BSD-2-Clause */
/* Ciphers and HMACs, all that is asked of a library of cryptography. The core may be built without one: then nothing
 * can be made here, and no record is opened. */
#ifndef SR_DTLS_CIPHER_H
#define SR_DTLS_CIPHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sr_cipher_kind {
    SR_CIPHER_AES_GCM,
    SR_CIPHER_AES_CCM,
    SR_CIPHER_AES_CCM_8, /* with a tag of 8 bytes */
    SR_CIPHER_CHACHA20_POLY1305,
    SR_CIPHER_AES_CBC,
    SR_CIPHER_AES_MASK, /* of sequence numbers (RFC 9147 section 4.2.3) */
    SR_CIPHER_CHACHA20_MASK,
};

enum sr_hash { SR_HASH_MD5, SR_HASH_SHA1, SR_HASH_SHA256, SR_HASH_SHA384 };

enum { SR_NONCE_LENGTH = 12, SR_BLOCK_LENGTH = 16, SR_LONGEST_HASH = 48, SR_LONGEST_KEY = 32 };

struct sr_cipher; /* with its key */
struct sr_hmac;   /* likewise */

struct sr_piece {
    const uint8_t *bytes;
    size_t length;
};

/* The library by its own words; NULL where the core was built without one. */
const char *sr_ciphers_library(void);

/* NULL when memory runs out, and without a library. */
struct sr_cipher *sr_cipher_new(enum sr_cipher_kind kind, const uint8_t *key, size_t key_length);
void sr_cipher_free(struct sr_cipher *cipher);

/* Bytes behind the ciphertext that authenticate it; 0 for CBC. */
uint32_t sr_cipher_tag(enum sr_cipher_kind kind);

/* The plaintext of `sealed`, shorter by the tag at its end; `opened` has room for all of it. False unless it is
 * authentic. */
bool sr_cipher_open(struct sr_cipher *cipher, const uint8_t *nonce, struct sr_piece more, struct sr_piece sealed,
                    uint8_t *opened);

/* Whole blocks behind their initialisation vector. */
bool sr_cipher_decrypt(struct sr_cipher *cipher, const uint8_t *iv, struct sr_piece blocks, uint8_t *opened);

/* SR_BLOCK_LENGTH bytes from as many. */
bool sr_cipher_mask(struct sr_cipher *cipher, const uint8_t *sample, uint8_t *mask);

struct sr_hmac *sr_hmac_new(enum sr_hash hash, const uint8_t *key, size_t key_length);
void sr_hmac_free(struct sr_hmac *hmac);
uint32_t sr_hash_length(enum sr_hash hash);

/* Of the pieces one behind the other. */
bool sr_hmac_of(struct sr_hmac *hmac, const struct sr_piece *pieces, size_t count, uint8_t *result);

#endif
