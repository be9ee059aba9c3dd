/* SPDX-License-Identifier: BSD-2-Clause */
/* The chunk walk, and the names of chunk types. */
#include "chunk.h"

#include "bytes.h"
#include "packet.h"

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void sr_chunk_walk_begin(struct sr_chunk_walk *walk, const uint8_t *bytes, uint32_t captured, uint32_t wire)
{
    uint32_t header = SR_COMMON_HEADER_LENGTH;
    captured = least(captured, wire);
    walk->bytes = bytes + least(header, captured);
    walk->captured = captured - least(header, captured);
    walk->wire = wire - least(header, wire);
}

static void advance(struct sr_chunk_walk *walk, uint32_t by)
{
    uint32_t there = least(by, walk->captured);
    walk->bytes += there;
    walk->captured -= there;
    walk->wire -= least(by, walk->wire); /* the padding of the last chunk may be missing */
}

enum sr_chunk_step sr_chunk_next(struct sr_chunk_walk *walk, struct sr_chunk *chunk)
{
    if (walk->wire == 0)
        return SR_CHUNK_END;
    if (walk->captured < SR_CHUNK_HEADER_LENGTH)
        return walk->captured < walk->wire ? SR_CHUNK_END_BLIND : SR_CHUNK_END_SHORT;

    chunk->bytes = walk->bytes;
    chunk->type = walk->bytes[0];
    chunk->flags = walk->bytes[1];
    chunk->length = sr_be16(walk->bytes + 2);
    chunk->captured = least(chunk->length, walk->captured);
    if (chunk->length < SR_CHUNK_HEADER_LENGTH)
        return SR_CHUNK_END_BAD_LENGTH;
    if (chunk->length > walk->wire)
        return SR_CHUNK_END_BEYOND;
    advance(walk, (chunk->length + UINT32_C(3)) & ~UINT32_C(3));
    return SR_CHUNK;
}

const char *sr_chunk_type_name(uint8_t type)
{
    switch ((enum sr_chunk_type)type) {
    case SR_CHUNK_DATA: return "DATA";
    case SR_CHUNK_INIT: return "INIT";
    case SR_CHUNK_INIT_ACK: return "INIT ACK";
    case SR_CHUNK_SACK: return "SACK";
    case SR_CHUNK_HEARTBEAT: return "HEARTBEAT";
    case SR_CHUNK_HEARTBEAT_ACK: return "HEARTBEAT ACK";
    case SR_CHUNK_ABORT: return "ABORT";
    case SR_CHUNK_SHUTDOWN: return "SHUTDOWN";
    case SR_CHUNK_SHUTDOWN_ACK: return "SHUTDOWN ACK";
    case SR_CHUNK_ERROR: return "ERROR";
    case SR_CHUNK_COOKIE_ECHO: return "COOKIE ECHO";
    case SR_CHUNK_COOKIE_ACK: return "COOKIE ACK";
    case SR_CHUNK_ECNE: return "ECNE";
    case SR_CHUNK_CWR: return "CWR";
    case SR_CHUNK_SHUTDOWN_COMPLETE: return "SHUTDOWN COMPLETE";
    case SR_CHUNK_AUTH: return "AUTH";
    case SR_CHUNK_NR_SACK: return "NR-SACK";
    case SR_CHUNK_I_DATA: return "I-DATA";
    case SR_CHUNK_ASCONF_ACK: return "ASCONF-ACK";
    case SR_CHUNK_PACKET_DROP: return "PKTDROP";
    case SR_CHUNK_RE_CONFIG: return "RE-CONFIG";
    case SR_CHUNK_PAD: return "PAD";
    case SR_CHUNK_FORWARD_TSN: return "FORWARD-TSN";
    case SR_CHUNK_ASCONF: return "ASCONF";
    case SR_CHUNK_I_FORWARD_TSN: return "I-FORWARD-TSN";
    }
    return NULL;
}
