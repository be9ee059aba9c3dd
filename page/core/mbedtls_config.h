/* SPDX-License-Identifier: BSD-2-Clause */
/* What is compiled of mbedTLS: the ciphers and hashes of core/dtls/cipher.h, and nothing that they do not need. */
#ifndef SR_MBEDTLS_CONFIG_H
#define SR_MBEDTLS_CONFIG_H

#define MBEDTLS_AES_C
#define MBEDTLS_AES_ROM_TABLES /* none is made where one runs */
#define MBEDTLS_CIPHER_C
#define MBEDTLS_CIPHER_MODE_CBC
#define MBEDTLS_GCM_C
#define MBEDTLS_CCM_C
#define MBEDTLS_CHACHA20_C
#define MBEDTLS_POLY1305_C
#define MBEDTLS_CHACHAPOLY_C
#define MBEDTLS_MD_C
#define MBEDTLS_MD5_C  /* of DTLS 1.0 */
#define MBEDTLS_SHA1_C /* likewise, and of CBC */
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA512_C /* with SHA-384 */

#include "mbedtls/check_config.h"

#endif
