/* SPDX-License-Identifier: BSD-2-Clause */
/* What a cipher suite says of the protection of records; how its key is agreed upon does not matter here. */
#ifndef SR_DTLS_SUITES_H
#define SR_DTLS_SUITES_H

#include <stdbool.h>
#include <stdint.h>

#include "cipher.h"

struct sr_suite {
    uint16_t id;
    uint8_t kind;       /* enum sr_cipher_kind */
    uint8_t key_length; /* bytes */
    uint8_t mac;        /* enum sr_hash of the HMAC where the cipher is CBC */
    uint8_t hash;       /* enum sr_hash of the key derivation */
};

/* NULL for one that is not read. */
const struct sr_suite *sr_suite_of(uint16_t id);

#endif
