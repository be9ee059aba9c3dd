/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys from secrets: the pseudorandom function of TLS 1.2 (RFC 5246 section 5), that of TLS 1.0 (RFC 2246 section 5),
 * and HKDF-Expand-Label of DTLS 1.3 (RFC 8446 section 7.1, RFC 9147 section 5.9). */
#ifndef SR_DTLS_DERIVE_H
#define SR_DTLS_DERIVE_H

#include "cipher.h"

/* `hash`: SR_HASH_MD5 stands for that of TLS 1.0, which has MD5 and SHA-1 both. False when memory runs out. */
bool sr_prf(enum sr_hash hash, struct sr_piece secret, const char *label, struct sr_piece seed, uint8_t *keys,
            size_t length);

bool sr_expand_label(enum sr_hash hash, const uint8_t *secret, const char *label, uint8_t *key, uint8_t length);

#endif
