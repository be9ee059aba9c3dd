/* SPDX-License-Identifier: BSD-2-Clause */
/* Clues in chunks. */
#include "clue.h"

#include "../wire/checksum.h"
#include "../wire/data.h"
#include "../wire/sack.h"

static struct sr_clue of_heartbeat(const struct sr_chunk *chunk)
{
    uint32_t length = chunk->length - (uint32_t)SR_CHUNK_HEADER_LENGTH;
    if (length == 0 || chunk->captured < chunk->length)
        return (struct sr_clue){.kind = SR_CLUE_NONE};
    return (struct sr_clue){.kind = chunk->type == SR_CHUNK_HEARTBEAT ? SR_CLUE_QUESTION : SR_CLUE_ANSWER,
                            .information = sr_crc32c(0, chunk->bytes + SR_CHUNK_HEADER_LENGTH, length)};
}

static struct sr_clue of_data(const struct sr_chunk *chunk)
{
    struct sr_data data;
    if (sr_data(chunk, &data) != SR_DATA)
        return (struct sr_clue){.kind = SR_CLUE_NONE};
    return (struct sr_clue){.kind = SR_CLUE_DATA, .tsn = data.tsn};
}

static struct sr_clue of_feedback(const struct sr_chunk *chunk)
{
    struct sr_sack sack;
    if (sr_sack(chunk, &sack) != SR_SACK)
        return (struct sr_clue){.kind = SR_CLUE_NONE};
    return (struct sr_clue){.kind = SR_CLUE_FEEDBACK, .tsn = sack.cum_tsn, .top = sr_sack_top(&sack)};
}

struct sr_clue sr_clue_of(const struct sr_chunk *first)
{
    switch (first ? first->type : SR_CHUNK_PAD) {
    case SR_CHUNK_HEARTBEAT:
    case SR_CHUNK_HEARTBEAT_ACK: return of_heartbeat(first);
    case SR_CHUNK_DATA:
    case SR_CHUNK_I_DATA: return of_data(first);
    case SR_CHUNK_SACK:
    case SR_CHUNK_NR_SACK:
    case SR_CHUNK_SHUTDOWN: return of_feedback(first);
    default: return (struct sr_clue){.kind = SR_CLUE_NONE};
    }
}
