/* SPDX-License-Identifier: BSD-2-Clause */
/* How long hashes and tags are, whichever library makes them. */
#include "cipher.h"

uint32_t sr_hash_length(enum sr_hash hash)
{
    static const uint8_t lengths[] = {16, 20, 32, 48};
    return lengths[hash];
}

uint32_t sr_cipher_tag(enum sr_cipher_kind kind)
{
    switch (kind) {
    case SR_CIPHER_AES_GCM:
    case SR_CIPHER_AES_CCM:
    case SR_CIPHER_CHACHA20_POLY1305: return 16;
    case SR_CIPHER_AES_CCM_8: return 8;
    default: return 0;
    }
}
