/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk over the parameters of a RE-CONFIG chunk. */
#include "re_config.h"

#include "bytes.h"

enum {
    REQUEST = 15, /* RFC 6525 section 4.3 */
    REQUEST_LENGTH = 8,
    RESPONSE = 16,      /* RFC 6525 section 4.4, its length with both next TSNs: */
    RESPONSE_TSNS = 20, /* of them the header */
    HEADER = 4,
    PERFORMED = 1, /* its result: "Success - Performed" */
};

struct sr_tlv_walk sr_re_config_walk(const struct sr_chunk *chunk)
{
    return sr_tlv_walk(chunk->bytes + SR_CHUNK_HEADER_LENGTH, chunk->captured - (uint32_t)SR_CHUNK_HEADER_LENGTH,
                       (uint32_t)chunk->length - (uint32_t)SR_CHUNK_HEADER_LENGTH);
}

bool sr_re_config_asks(const struct sr_chunk *chunk, uint32_t *request)
{
    struct sr_tlv_walk walk = sr_re_config_walk(chunk);
    struct sr_tlv tlv;
    while (sr_tlv_next(&walk, &tlv)) {
        if (tlv.type != REQUEST || tlv.length < REQUEST_LENGTH || tlv.captured < REQUEST_LENGTH - HEADER)
            continue;
        *request = sr_be32(tlv.value);
        return true;
    }
    return false;
}

bool sr_re_config_next(struct sr_tlv_walk *walk, struct sr_tsn_response *response)
{
    struct sr_tlv tlv;
    while (sr_tlv_next(walk, &tlv)) {
        if (tlv.type != RESPONSE || tlv.length < RESPONSE_TSNS || tlv.captured < RESPONSE_TSNS - HEADER ||
            sr_be32(tlv.value + 4) != PERFORMED)
            continue;
        *response = (struct sr_tsn_response){
            .request = sr_be32(tlv.value),
            .sender_next = sr_tsn(sr_be32(tlv.value + 8)),
            .receiver_next = sr_tsn(sr_be32(tlv.value + 12)),
        };
        return true;
    }
    return false;
}
