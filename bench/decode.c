/* SPDX-License-Identifier: BSD-2-Clause */
/* Reader and decoder without the engine: every chunk of a file, every DATA and SACK decoded, every CRC32c verified. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "capture/decapsulate.h"
#include "capture/reader.h"
#include "wire/checksum.h"
#include "wire/data.h"
#include "wire/sack.h"

struct counts {
    uint64_t packets, chunks, right;
    uint64_t sum; /* of what was decoded, so that no compiler leaves it out */
};

static void decode_chunk(const struct sr_chunk *chunk, struct counts *counts)
{
    struct sr_data data;
    struct sr_sack sack;

    counts->chunks++;
    switch (chunk->type) {
    case SR_CHUNK_DATA:
    case SR_CHUNK_I_DATA:
        if (sr_data(chunk, &data) == SR_DATA)
            counts->sum += data.tsn.value + data.bytes + data.sid + data.ppid;
        break;
    case SR_CHUNK_SACK:
    case SR_CHUNK_NR_SACK:
        if (sr_sack(chunk, &sack) == SR_SACK)
            counts->sum += sack.cum_tsn.value + sack.a_rwnd + sack.gaps.count + sack.dups.count + sack.anomalies;
        break;
    default: break;
    }
}

static void decode_packet(const struct sr_packet *packet, struct counts *counts)
{
    struct sr_chunk_walk walk;
    struct sr_chunk chunk;

    counts->packets++;
    counts->right += sr_checksum_of(packet->bytes, packet->captured, packet->wire) == SR_CHECKSUM_CRC32C;
    sr_chunk_walk_begin(&walk, packet->bytes, packet->captured, packet->wire);
    while (sr_chunk_next(&walk, &chunk) == SR_CHUNK)
        decode_chunk(&chunk, counts);
}

/* False when the file cannot be read to its end. */
static bool decode_file(int file, struct sr_reader *reader, struct sr_decapsulator *decapsulator, struct counts *counts)
{
    struct sr_record record;
    struct sr_packet packet;
    enum sr_reader_step step;
    enum sr_skip skip;

    while ((step = sr_reader_next(reader, &record)) == SR_READER_RECORD || step == SR_READER_MORE) {
        if (step == SR_READER_MORE) {
            size_t room;
            uint8_t *space = sr_reader_space(reader, &room);
            ssize_t count = read(file, space, room);
            if (count < 0)
                return false;
            sr_reader_filled(reader, (size_t)count);
            continue;
        }
        struct sr_cursor frame = sr_cursor(record.bytes, record.captured, record.wire);
        if (sr_decapsulate(decapsulator, record.link_type, frame, &packet, &skip))
            decode_packet(&packet, counts);
    }
    return step == SR_READER_END;
}

int main(int count, char **arguments)
{
    struct sr_decapsulator decapsulator;
    struct counts counts = {0};

    if (count != 2) {
        fprintf(stderr, "usage: bench_decode FILE\n");
        return 2;
    }
    int file = open(arguments[1], O_RDONLY);
    struct sr_reader *reader = sr_reader_new();
    if (file < 0 || !reader || !sr_decapsulator_init(&decapsulator) ||
        !decode_file(file, reader, &decapsulator, &counts)) {
        fprintf(stderr, "%s: cannot be decoded to its end\n", arguments[1]);
        return 1;
    }
    printf("packets %" PRIu64 " chunks %" PRIu64 " rows 0 right %" PRIu64 " sum %" PRIu64 "\n", counts.packets,
           counts.chunks, counts.right, counts.sum);
    sr_decapsulator_free(&decapsulator);
    sr_reader_free(reader);
    close(file);
    return 0;
}
