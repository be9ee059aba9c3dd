/* SPDX-License-Identifier: BSD-2-Clause */
/* Lengths inside a hello, each checked against what is left of it. */
#include "hello.h"

#include <string.h>

#include "../wire/bytes.h"

enum { ENCRYPT_THEN_MAC = 22, SUPPORTED_VERSIONS = 43, CONNECTION_ID = 54 }; /* IANA, TLS ExtensionType */

/* What is left of the message. */
struct rest {
    const uint8_t *at;
    size_t length;
};

static bool skip(struct rest *rest, size_t count)
{
    if (count > rest->length)
        return false;
    rest->at += count;
    rest->length -= count;
    return true;
}

/* A vector with a length of one byte or two before it. */
static bool skip_vector(struct rest *rest, size_t length_bytes)
{
    if (rest->length < length_bytes)
        return false;
    size_t length = length_bytes == 1 ? rest->at[0] : sr_be16(rest->at);
    return skip(rest, length_bytes + length);
}

static void take_connection_id(const uint8_t *at, size_t length, struct sr_connection_id *id)
{
    if (length < 1 || at[0] != length - 1 || at[0] > SR_LONGEST_CONNECTION_ID)
        return;
    id->told = true;
    id->length = at[0];
    memcpy(id->bytes, at + 1, at[0]);
}

static bool take_extensions(struct rest rest, bool of_server, struct sr_hello *hello)
{
    if (rest.length == 0)
        return true;
    if (rest.length < 2 || sr_be16(rest.at) > rest.length - 2)
        return false;
    rest.length = sr_be16(rest.at);
    rest.at += 2;
    while (rest.length >= 4) {
        uint16_t type = sr_be16(rest.at), length = sr_be16(rest.at + 2);
        const uint8_t *value = rest.at + 4;
        if (!skip(&rest, 4u + length))
            return false;
        if (type == ENCRYPT_THEN_MAC)
            hello->encrypt_then_mac = true;
        else if (type == CONNECTION_ID)
            take_connection_id(value, length, &hello->id);
        else if (type == SUPPORTED_VERSIONS && of_server && length == 2)
            hello->version = sr_be16(value);
    }
    return rest.length == 0;
}

static bool begin(struct rest *rest, struct sr_hello *hello)
{
    memset(hello, 0, sizeof *hello);
    if (rest->length < 2 + SR_RANDOM_LENGTH)
        return false;
    hello->version = sr_be16(rest->at);
    memcpy(hello->random, rest->at + 2, SR_RANDOM_LENGTH);
    return skip(rest, 2 + SR_RANDOM_LENGTH) && skip_vector(rest, 1); /* the session's identifier */
}

bool sr_client_hello(const uint8_t *body, size_t length, struct sr_hello *hello)
{
    struct rest rest = {body, length};
    return begin(&rest, hello) && skip_vector(&rest, 1) /* cookie */ && skip_vector(&rest, 2) /* suites */ &&
           skip_vector(&rest, 1) /* compression */ && take_extensions(rest, false, hello);
}

bool sr_server_hello(const uint8_t *body, size_t length, struct sr_hello *hello)
{
    /* SHA-256 of "HelloRetryRequest". */
    static const uint8_t retry[SR_RANDOM_LENGTH] = {0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c,
                                                    0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb,
                                                    0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};
    struct rest rest = {body, length};
    if (!begin(&rest, hello) || rest.length < 3)
        return false;
    hello->suite = sr_be16(rest.at);
    hello->retry = memcmp(hello->random, retry, sizeof retry) == 0;
    return skip(&rest, 3) && take_extensions(rest, true, hello);
}
