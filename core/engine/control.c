/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of control chunks that a judge needs. */
#include "control.h"

#include <string.h>

#include "../wire/bytes.h"
#include "../wire/checksum.h"
#include "../wire/packet.h"

enum {
    INIT_FIXED = 20, /* RFC 9260 section 3.3.2 */
    FIRST_WORD = 8,  /* header and one word */
    DROP_FIXED = 16, /* draft-stewart-sctp-pktdrprep section 3 */
};

bool sr_control_matters(uint8_t type)
{
    switch ((enum sr_chunk_type)type) {
    case SR_CHUNK_INIT:
    case SR_CHUNK_INIT_ACK:
    case SR_CHUNK_HEARTBEAT:
    case SR_CHUNK_HEARTBEAT_ACK:
    case SR_CHUNK_ABORT:
    case SR_CHUNK_SHUTDOWN_ACK:
    case SR_CHUNK_ERROR:
    case SR_CHUNK_COOKIE_ECHO:
    case SR_CHUNK_COOKIE_ACK:
    case SR_CHUNK_ECNE:
    case SR_CHUNK_CWR:
    case SR_CHUNK_SHUTDOWN_COMPLETE:
    case SR_CHUNK_ASCONF_ACK:
    case SR_CHUNK_PACKET_DROP:
    case SR_CHUNK_RE_CONFIG:
    case SR_CHUNK_FORWARD_TSN:
    case SR_CHUNK_ASCONF:
    case SR_CHUNK_I_FORWARD_TSN: return true;
    case SR_CHUNK_DATA:
    case SR_CHUNK_I_DATA:
    case SR_CHUNK_SACK:
    case SR_CHUNK_NR_SACK:
    case SR_CHUNK_SHUTDOWN:
    case SR_CHUNK_AUTH:
    case SR_CHUNK_PAD: break;
    }
    return false;
}

static void init_fields(const struct sr_chunk *chunk, struct sr_control_row *row)
{
    row->whole = chunk->captured >= INIT_FIXED;
    if (!row->whole)
        return;
    row->value = sr_be32(chunk->bytes + 8);
    row->tsn = sr_be32(chunk->bytes + 16);
}

/* The answer repeats the information of the question: RFC 9260 section 8.3. */
static void heartbeat_fields(const struct sr_chunk *chunk, struct sr_control_row *row)
{
    row->whole = chunk->captured == chunk->length;
    row->value =
        sr_crc32c(0, chunk->bytes + SR_CHUNK_HEADER_LENGTH, chunk->captured - (uint32_t)SR_CHUNK_HEADER_LENGTH);
}

static void first_word(const struct sr_chunk *chunk, struct sr_control_row *row)
{
    row->whole = chunk->captured >= FIRST_WORD;
    if (row->whole)
        row->tsn = sr_be32(chunk->bytes + SR_CHUNK_HEADER_LENGTH);
}

/* A chunk of the dropped packet whose TSN is there, though the quote may end inside it. */
static bool quotes_tsn(const struct sr_chunk *chunk)
{
    return (chunk->type == SR_CHUNK_DATA || chunk->type == SR_CHUNK_I_DATA) && chunk->captured >= FIRST_WORD;
}

/* Gives the quoted TSNs to `list`, which may be NULL; returns how many there are. */
static uint32_t quoted(const struct sr_chunk *drop, uint32_t *list)
{
    struct sr_chunk_walk walk;
    struct sr_chunk chunk;
    enum sr_chunk_step step = SR_CHUNK;
    uint32_t count = 0;

    sr_chunk_walk_begin(&walk, drop->bytes + DROP_FIXED, drop->captured - DROP_FIXED,
                        (uint32_t)drop->length - DROP_FIXED);
    while (step == SR_CHUNK) {
        step = sr_chunk_next(&walk, &chunk);
        if ((step == SR_CHUNK || step == SR_CHUNK_END_BEYOND) && quotes_tsn(&chunk)) {
            if (list)
                list[count] = sr_be32(chunk.bytes + SR_CHUNK_HEADER_LENGTH);
            count++;
        }
    }
    return count;
}

static void put_quoted(const struct sr_chunk *drop, struct sr_journal *journal, struct sr_control_row *row)
{
    uint32_t count = quoted(drop, NULL);
    uint32_t *list = sr_journal_numbers(journal, count, &row->lists);
    if (!list)
        return;
    row->count = count;
    quoted(drop, list);
}

static void put_reset(const struct sr_tsn_response *reset, struct sr_journal *journal, struct sr_control_row *row)
{
    uint32_t *list = sr_journal_numbers(journal, 2, &row->lists);
    if (!list)
        return;
    row->count = 2;
    list[0] = reset->sender_next.value;
    list[1] = reset->receiver_next.value;
}

void sr_control(const struct sr_chunk *chunk, const struct sr_tsn_response *reset, struct sr_journal *journal,
                struct sr_control_row *row)
{
    switch ((enum sr_chunk_type)chunk->type) {
    case SR_CHUNK_INIT:
    case SR_CHUNK_INIT_ACK: init_fields(chunk, row); break;
    case SR_CHUNK_HEARTBEAT:
    case SR_CHUNK_HEARTBEAT_ACK: heartbeat_fields(chunk, row); break;
    case SR_CHUNK_ECNE:
    case SR_CHUNK_CWR:
    case SR_CHUNK_FORWARD_TSN:
    case SR_CHUNK_I_FORWARD_TSN: first_word(chunk, row); break;
    case SR_CHUNK_PACKET_DROP:
        row->whole = chunk->captured == chunk->length;
        if (chunk->captured > DROP_FIXED)
            put_quoted(chunk, journal, row);
        break;
    case SR_CHUNK_RE_CONFIG:
        row->whole = chunk->captured == chunk->length;
        if (reset)
            put_reset(reset, journal, row);
        break;
    default: row->whole = 1; break;
    }
}
