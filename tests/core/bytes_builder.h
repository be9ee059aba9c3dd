/* SPDX-License-Identifier: BSD-2-Clause */
/* How a test writes down packets: numbers in network order, chunks whose length is filled in when they end. */
#ifndef SR_TESTS_BYTES_BUILDER_H
#define SR_TESTS_BYTES_BUILDER_H

/* cmocka.h needs these four before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "wire/checksum.h"
#include "wire/chunk.h"
#include "wire/packet.h"

struct bytes {
    size_t length;
    uint8_t at[70000];
};

static inline void put(struct bytes *to, const void *from, size_t count)
{
    assert_true(to->length + count <= sizeof to->at);
    if (count > 0)
        memcpy(to->at + to->length, from, count);
    to->length += count;
}

static inline void put8(struct bytes *to, uint32_t value)
{
    uint8_t byte = (uint8_t)value;
    put(to, &byte, 1);
}

static inline void put16(struct bytes *to, uint32_t value)
{
    put8(to, value >> 8);
    put8(to, value);
}

static inline void put32(struct bytes *to, uint32_t value)
{
    put16(to, value >> 16);
    put16(to, value);
}

/* Several at once: put16s(to, 3, 1, 2, 3). */
static inline void put16s(struct bytes *to, int count, ...)
{
    va_list values;
    va_start(values, count);
    for (int i = 0; i < count; i++)
        put16(to, va_arg(values, uint32_t));
    va_end(values);
}

static inline void put32s(struct bytes *to, int count, ...)
{
    va_list values;
    va_start(values, count);
    for (int i = 0; i < count; i++)
        put32(to, va_arg(values, uint32_t));
    va_end(values);
}

static inline void put_text(struct bytes *to, const char *text)
{
    put(to, text, strlen(text));
}

static inline void put_zeros(struct bytes *to, size_t count)
{
    assert_true(to->length + count <= sizeof to->at);
    memset(to->at + to->length, 0, count);
    to->length += count;
}

static inline void pad_to_four(struct bytes *to)
{
    put_zeros(to, (4 - to->length % 4) % 4);
}

static inline void set16(struct bytes *to, size_t offset, uint32_t value)
{
    to->at[offset] = (uint8_t)(value >> 8);
    to->at[offset + 1] = (uint8_t)value;
}

/* A chunk from here on; the return value goes to end_chunk. */
static inline size_t begin_chunk(struct bytes *to, uint8_t type, uint8_t flags)
{
    size_t start = to->length;
    put8(to, type);
    put8(to, flags);
    put16(to, 0);
    return start;
}

/* Its length field, then its padding. */
static inline void end_chunk(struct bytes *to, size_t start)
{
    set16(to, start + 2, (uint32_t)(to->length - start));
    pad_to_four(to);
}

/* A parameter or a cause. */
static inline size_t begin_element(struct bytes *to, uint16_t type)
{
    size_t start = to->length;
    put16s(to, 2, (uint32_t)type, 0u);
    return start;
}

static inline void end_element(struct bytes *to, size_t start)
{
    end_chunk(to, start);
}

static inline void put_common_header(struct bytes *to, uint16_t sport, uint16_t dport, uint32_t vtag)
{
    put16s(to, 2, (uint32_t)sport, (uint32_t)dport);
    put32s(to, 2, vtag, 0u);
}

/* A whole DATA chunk with `count` bytes of user data. */
static inline void put_data(struct bytes *to, uint8_t flags, uint32_t tsn, uint16_t sid, uint16_t ssn, uint32_t ppid,
                            size_t count)
{
    size_t start = begin_chunk(to, SR_CHUNK_DATA, flags);
    put32(to, tsn);
    put16s(to, 2, (uint32_t)sid, (uint32_t)ssn);
    put32(to, ppid);
    for (size_t i = 0; i < count; i++)
        put8(to, (uint32_t)i);
    end_chunk(to, start);
}

/* The right CRC32c into the packet that starts at `start`. */
static inline void seal(struct bytes *to, size_t start)
{
    memset(to->at + start + 8, 0, 4);
    uint32_t crc = sr_crc32c(0, to->at + start, to->length - start);
    for (int i = 0; i < 4; i++)
        to->at[start + 8 + (size_t)i] = (uint8_t)(crc >> 8 * i);
}

/* A copy that ends where its allocation ends, so that AddressSanitizer sees a read beyond it. Free it. */
static inline uint8_t *exact(const void *from, size_t count)
{
    uint8_t *copy = malloc(count > 0 ? count : 1);
    assert_non_null(copy);
    if (count > 0)
        memcpy(copy, from, count);
    return copy + (count > 0 ? 0 : 1);
}

static inline void free_exact(uint8_t *copy, size_t count)
{
    free(count > 0 ? copy : copy - 1);
}

#endif
