/* SPDX-License-Identifier: BSD-2-Clause */
/* What an SCTP packet has that other bytes have only by accident. */
#include "plausible.h"

#include "checksum.h"
#include "chunk.h"
#include "packet.h"

bool sr_plausible(const uint8_t *bytes, uint32_t length)
{
    struct sr_chunk_walk walk;
    struct sr_chunk chunk;
    enum sr_chunk_step step;

    if (length < SR_COMMON_HEADER_LENGTH + SR_CHUNK_HEADER_LENGTH)
        return false;
    if (sr_be32(bytes + 8) != 0 && !sr_crc32c_is_right(bytes, length))
        return false;
    sr_chunk_walk_begin(&walk, bytes, length, length);
    do
        step = sr_chunk_next(&walk, &chunk);
    while (step == SR_CHUNK);
    return step == SR_CHUNK_END;
}
