/* SPDX-License-Identifier: BSD-2-Clause */
/* The suites by their numbers (IANA, TLS Cipher Suites). */
#include "suites.h"

#include <stddef.h>

#define GCM_128(id)                                                                                                    \
    {                                                                                                                  \
        id, SR_CIPHER_AES_GCM, 16, SR_HASH_SHA256, SR_HASH_SHA256                                                      \
    }
#define GCM_256(id)                                                                                                    \
    {                                                                                                                  \
        id, SR_CIPHER_AES_GCM, 32, SR_HASH_SHA384, SR_HASH_SHA384                                                      \
    }
#define CCM_128(id)                                                                                                    \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CCM, 16, SR_HASH_SHA256, SR_HASH_SHA256                                                      \
    }
#define CCM_256(id)                                                                                                    \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CCM, 32, SR_HASH_SHA256, SR_HASH_SHA256                                                      \
    }
#define CCM_8_128(id)                                                                                                  \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CCM_8, 16, SR_HASH_SHA256, SR_HASH_SHA256                                                    \
    }
#define CCM_8_256(id)                                                                                                  \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CCM_8, 32, SR_HASH_SHA256, SR_HASH_SHA256                                                    \
    }
#define CHACHA20(id)                                                                                                   \
    {                                                                                                                  \
        id, SR_CIPHER_CHACHA20_POLY1305, 32, SR_HASH_SHA256, SR_HASH_SHA256                                            \
    }
#define CBC_128_SHA(id)                                                                                                \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CBC, 16, SR_HASH_SHA1, SR_HASH_SHA256                                                        \
    }
#define CBC_256_SHA(id)                                                                                                \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CBC, 32, SR_HASH_SHA1, SR_HASH_SHA256                                                        \
    }
#define CBC_128_SHA256(id)                                                                                             \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CBC, 16, SR_HASH_SHA256, SR_HASH_SHA256                                                      \
    }
#define CBC_256_SHA256(id)                                                                                             \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CBC, 32, SR_HASH_SHA256, SR_HASH_SHA256                                                      \
    }
#define CBC_256_SHA384(id)                                                                                             \
    {                                                                                                                  \
        id, SR_CIPHER_AES_CBC, 32, SR_HASH_SHA384, SR_HASH_SHA384                                                      \
    }

/* In the order of their numbers. */
static const struct sr_suite suites[] = {
    CBC_128_SHA(0x002f),    /* RSA */
    CBC_128_SHA(0x0033),    /* DHE_RSA */
    CBC_256_SHA(0x0035),    /* RSA */
    CBC_256_SHA(0x0039),    /* DHE_RSA */
    CBC_128_SHA256(0x003c), /* RSA, RFC 5246 */
    CBC_256_SHA256(0x003d), /* RSA */
    CBC_128_SHA256(0x0067), /* DHE_RSA */
    CBC_256_SHA256(0x006b), /* DHE_RSA */
    CBC_128_SHA(0x008c),    /* PSK, RFC 4279 */
    CBC_256_SHA(0x008d),    /* PSK */
    GCM_128(0x009c),        /* RSA, RFC 5288 */
    GCM_256(0x009d),        /* RSA */
    GCM_128(0x009e),        /* DHE_RSA */
    GCM_256(0x009f),        /* DHE_RSA */
    GCM_128(0x00a8),        /* PSK, RFC 5487 */
    GCM_256(0x00a9),        /* PSK */
    GCM_128(0x00aa),        /* DHE_PSK */
    GCM_256(0x00ab),        /* DHE_PSK */
    CBC_128_SHA256(0x00ae), /* PSK */
    CBC_256_SHA384(0x00af), /* PSK */
    GCM_128(0x1301),        /* TLS 1.3, RFC 8446 */
    GCM_256(0x1302),        /* TLS 1.3 */
    CHACHA20(0x1303),       /* TLS 1.3 */
    CCM_128(0x1304),        /* TLS 1.3 */
    CCM_8_128(0x1305),      /* TLS 1.3 */
    CBC_128_SHA(0xc009),    /* ECDHE_ECDSA, RFC 8422 */
    CBC_256_SHA(0xc00a),    /* ECDHE_ECDSA */
    CBC_128_SHA(0xc013),    /* ECDHE_RSA */
    CBC_256_SHA(0xc014),    /* ECDHE_RSA */
    CBC_128_SHA256(0xc023), /* ECDHE_ECDSA, RFC 5289 */
    CBC_256_SHA384(0xc024), /* ECDHE_ECDSA */
    CBC_128_SHA256(0xc027), /* ECDHE_RSA */
    CBC_256_SHA384(0xc028), /* ECDHE_RSA */
    GCM_128(0xc02b),        /* ECDHE_ECDSA */
    GCM_256(0xc02c),        /* ECDHE_ECDSA */
    GCM_128(0xc02f),        /* ECDHE_RSA */
    GCM_256(0xc030),        /* ECDHE_RSA */
    CBC_128_SHA(0xc035),    /* ECDHE_PSK, RFC 5489 */
    CBC_256_SHA(0xc036),    /* ECDHE_PSK */
    CBC_128_SHA256(0xc037), /* ECDHE_PSK */
    CBC_256_SHA384(0xc038), /* ECDHE_PSK */
    CCM_128(0xc09c),        /* RSA, RFC 6655 */
    CCM_256(0xc09d),        /* RSA */
    CCM_128(0xc09e),        /* DHE_RSA */
    CCM_256(0xc09f),        /* DHE_RSA */
    CCM_8_128(0xc0a0),      /* RSA */
    CCM_8_256(0xc0a1),      /* RSA */
    CCM_8_128(0xc0a2),      /* DHE_RSA */
    CCM_8_256(0xc0a3),      /* DHE_RSA */
    CCM_128(0xc0a4),        /* PSK */
    CCM_256(0xc0a5),        /* PSK */
    CCM_128(0xc0a6),        /* DHE_PSK */
    CCM_256(0xc0a7),        /* DHE_PSK */
    CCM_8_128(0xc0a8),      /* PSK */
    CCM_8_256(0xc0a9),      /* PSK */
    CCM_8_128(0xc0aa),      /* DHE_PSK */
    CCM_8_256(0xc0ab),      /* DHE_PSK */
    CCM_128(0xc0ac),        /* ECDHE_ECDSA, RFC 7251 */
    CCM_256(0xc0ad),        /* ECDHE_ECDSA */
    CCM_8_128(0xc0ae),      /* ECDHE_ECDSA */
    CCM_8_256(0xc0af),      /* ECDHE_ECDSA */
    CHACHA20(0xcca8),       /* ECDHE_RSA, RFC 7905 */
    CHACHA20(0xcca9),       /* ECDHE_ECDSA */
    CHACHA20(0xccaa),       /* DHE_RSA */
    CHACHA20(0xccab),       /* PSK */
    CHACHA20(0xccac),       /* ECDHE_PSK */
    CHACHA20(0xccad),       /* DHE_PSK */
    CHACHA20(0xccae),       /* RSA_PSK */
    GCM_128(0xd001),        /* ECDHE_PSK, RFC 8442 */
    GCM_256(0xd002),        /* ECDHE_PSK */
    CCM_8_128(0xd003),      /* ECDHE_PSK */
    CCM_128(0xd005),        /* ECDHE_PSK */
};

const struct sr_suite *sr_suite_of(uint16_t id)
{
    size_t from = 0, to = sizeof suites / sizeof *suites;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (suites[middle].id == id)
            return &suites[middle];
        if (suites[middle].id < id)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}
