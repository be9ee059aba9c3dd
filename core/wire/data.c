/* SPDX-License-Identifier: BSD-2-Clause */
/* DATA and I-DATA. */
#include "data.h"

#include "bytes.h"
#include "checksum.h"

enum { DATA_FIXED = 16, I_DATA_FIXED = 20, TSN_END = 8 };

enum sr_data_step sr_data(const struct sr_chunk *chunk, struct sr_data *data)
{
    const uint8_t *at = chunk->bytes;
    bool interleaved = chunk->type == SR_CHUNK_I_DATA;
    uint32_t fixed = interleaved ? I_DATA_FIXED : DATA_FIXED;

    if (chunk->length < fixed)
        return SR_DATA_SHORT;
    if (chunk->captured < TSN_END)
        return SR_DATA_CUT;
    *data = (struct sr_data){.tsn = sr_tsn(sr_be32(at + 4)), .bytes = chunk->length - fixed, .flags = chunk->flags};
    if (chunk->captured >= 10) {
        data->sid = sr_be16(at + 8);
        data->present |= 1u << SR_DATA_FIELD_SID;
    }
    if (!interleaved) {
        if (chunk->captured >= 12) {
            data->ssn = sr_be16(at + 10);
            data->present |= 1u << SR_DATA_FIELD_SSN;
        }
        if (chunk->captured >= 16) {
            data->ppid = sr_be32(at + 12);
            data->present |= 1u << SR_DATA_FIELD_PPID;
        }
        return SR_DATA;
    }
    if (chunk->captured >= 16) {
        data->mid = sr_be32(at + 12);
        data->present |= 1u << SR_DATA_FIELD_MID;
    }
    if (chunk->captured >= 20) {
        /* RFC 8260 section 2.1: the first fragment carries the PPID where the others carry their FSN; its own is 0. */
        if (chunk->flags & SR_DATA_BEGIN) {
            data->ppid = sr_be32(at + 16);
            data->present |= 1u << SR_DATA_FIELD_PPID | 1u << SR_DATA_FIELD_FSN;
        } else {
            data->fsn = sr_be32(at + 16);
            data->present |= 1u << SR_DATA_FIELD_FSN;
        }
    }
    return SR_DATA;
}

uint32_t sr_data_content(const struct sr_chunk *chunk)
{
    /* A copy may ask for an immediate SACK where the first did not (RFC 7053 section 3). */
    const uint8_t head[2] = {chunk->type, chunk->flags & (SR_DATA_END | SR_DATA_BEGIN | SR_DATA_UNORDERED)};
    uint32_t fixed = chunk->type == SR_CHUNK_I_DATA ? I_DATA_FIXED : DATA_FIXED;
    uint32_t end = chunk->length < fixed + SR_CONTENT_LOOKED_AT ? chunk->length : fixed + SR_CONTENT_LOOKED_AT;
    uint32_t content = sr_crc32c(0, head, sizeof head);
    if (chunk->captured < fixed)
        return 0;
    bool in_part = chunk->captured < end;
    content = sr_crc32c(content, chunk->bytes + TSN_END, (in_part ? fixed : end) - TSN_END);
    return (content & ~(uint32_t)SR_CONTENT_IN_PART) | 2 | (in_part ? SR_CONTENT_IN_PART : 0);
}
