/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes SCTP packets as Ethernet and IPv4 frames into a pcap file. */
#ifndef BENCH_FRAMES_H
#define BENCH_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FRAMES_LARGEST_CHUNK = 65000 };

enum side { CLIENT, SERVER };

struct frames {
    FILE *file;
    uint64_t written;
    uint16_t identification[2]; /* of the next IPv4 packet, by side */
    uint8_t frame[FRAMES_LARGEST_CHUNK + 64];
    size_t length; /* of the frame being built */
};

static inline void put_16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void put_32(uint8_t *at, uint32_t value)
{
    put_16(at, value >> 16);
    put_16(at + 2, value);
}

/* False when the file cannot be written. */
bool frames_open(struct frames *frames, const char *path);
bool frames_close(struct frames *frames);

/* Room for a packet's only chunk of `length` bytes: its header is filled in, its padding zero; the value is for the
 * caller to fill. Then frames_send adds everything below, with right checksums. */
uint8_t *frames_chunk(struct frames *frames, uint8_t type, uint8_t flags, size_t length);
bool frames_send(struct frames *frames, enum side from, uint32_t vtag, uint64_t time_us);

#endif
