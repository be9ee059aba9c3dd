/* SPDX-License-Identifier: BSD-2-Clause */
/* The headers around a chunk: pcap record, Ethernet, IPv4, SCTP. */
#include "frames.h"

#include <string.h>

#include "wire/checksum.h"

enum {
    ETHERNET = 14,
    IPV4 = 20,
    SCTP = 12,
    CHUNK_AT = ETHERNET + IPV4 + SCTP,
    OUTPUT_BUFFER = 1 << 20,
};

bool frames_open(struct frames *frames, const char *path)
{
    /* in the byte order of the host */
    static const struct {
        uint32_t magic_microseconds;
        uint16_t major, minor;
        uint32_t zone, accuracy, snaplen, link_type_ethernet;
    } header = {0xa1b2c3d4, 2, 4, 0, 0, 262144, 1};
    *frames = (struct frames){.file = fopen(path, "wb")};
    return frames->file && setvbuf(frames->file, NULL, _IOFBF, OUTPUT_BUFFER) == 0 &&
           fwrite(&header, sizeof header, 1, frames->file) == 1;
}

bool frames_close(struct frames *frames)
{
    return fclose(frames->file) == 0;
}

uint8_t *frames_chunk(struct frames *frames, uint8_t type, uint8_t flags, size_t length)
{
    uint8_t *chunk = frames->frame + CHUNK_AT;
    size_t padded = (length + 3) & ~(size_t)3;
    chunk[0] = type;
    chunk[1] = flags;
    put_16(chunk + 2, (uint32_t)length);
    memset(chunk + length, 0, padded - length);
    frames->length = CHUNK_AT + padded;
    return chunk;
}

static void put_ethernet(uint8_t *at, enum side from)
{
    static const uint8_t stations[2][6] = {{2, 0, 0, 0, 0, 1}, {2, 0, 0, 0, 0, 2}};
    memcpy(at, stations[!from], 6);
    memcpy(at + 6, stations[from], 6);
    put_16(at + 12, 0x0800);
}

static void put_ipv4(uint8_t *at, enum side from, size_t length, uint32_t identification)
{
    enum { VERSION_AND_LENGTH = 0x45, ECT_0 = 2, DO_NOT_FRAGMENT = 0x4000, TTL = 64, PROTOCOL_SCTP = 132 };
    static const uint8_t addresses[2][4] = {{192, 0, 2, 1}, {192, 0, 2, 2}}; /* RFC 5737 */
    at[0] = VERSION_AND_LENGTH;
    at[1] = ECT_0;
    put_16(at + 2, (uint32_t)length);
    put_16(at + 4, identification);
    put_16(at + 6, DO_NOT_FRAGMENT);
    at[8] = TTL;
    at[9] = PROTOCOL_SCTP;
    put_16(at + 10, 0);
    memcpy(at + 12, addresses[from], 4);
    memcpy(at + 16, addresses[!from], 4);
    uint32_t sum = 0;
    for (int i = 0; i < IPV4; i += 2)
        sum += (uint32_t)at[i] << 8 | at[i + 1];
    sum = (sum & 0xffff) + (sum >> 16);
    put_16(at + 10, ~(sum + (sum >> 16)));
}

static void put_sctp(uint8_t *at, enum side from, uint32_t vtag, size_t length)
{
    static const uint16_t ports[2] = {40000, 5001};
    put_16(at, ports[from]);
    put_16(at + 2, ports[!from]);
    put_32(at + 4, vtag);
    memset(at + 8, 0, 4);
    uint32_t crc = sr_crc32c(0, at, length);
    for (int i = 0; i < 4; i++)
        at[8 + i] = (uint8_t)(crc >> 8 * i);
}

bool frames_send(struct frames *frames, enum side from, uint32_t vtag, uint64_t time_us)
{
    uint32_t length = (uint32_t)frames->length;
    uint32_t record[4] = {(uint32_t)(time_us / 1000000), (uint32_t)(time_us % 1000000), length, length};

    put_ethernet(frames->frame, from);
    put_ipv4(frames->frame + ETHERNET, from, length - ETHERNET, frames->identification[from]++);
    put_sctp(frames->frame + ETHERNET + IPV4, from, vtag, length - ETHERNET - IPV4);
    frames->written++;
    return fwrite(record, sizeof record, 1, frames->file) == 1 && fwrite(frames->frame, length, 1, frames->file) == 1;
}
