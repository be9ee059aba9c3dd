/* SPDX-License-Identifier: BSD-2-Clause */
/* DATA and I-DATA. */
#include "data.h"

#include "bytes.h"

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
