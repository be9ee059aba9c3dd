/* SPDX-License-Identifier: BSD-2-Clause */
/* How a test writes capture files, and reads them in pieces of every size, which must never matter. */
#ifndef SR_TESTS_CAPTURE_FILE_H
#define SR_TESTS_CAPTURE_FILE_H

#include "bytes_builder.h"

#include "buffer.h"
#include "capture/reader.h"

enum { MOST_RECORDS = 8 };

/* A file in one byte order. */
struct file {
    struct sr_buffer bytes;
    bool big_endian;
};

static inline void file16(struct file *file, uint32_t value)
{
    uint8_t little[2] = {(uint8_t)value, (uint8_t)(value >> 8)}, big[2] = {little[1], little[0]};
    sr_buffer_append(&file->bytes, file->big_endian ? big : little, 2);
}

static inline void file32(struct file *file, uint32_t value)
{
    file16(file, file->big_endian ? value >> 16 : value);
    file16(file, file->big_endian ? value : value >> 16);
}

static inline void file64(struct file *file, uint64_t value)
{
    file32(file, (uint32_t)(file->big_endian ? value >> 32 : value));
    file32(file, (uint32_t)(file->big_endian ? value : value >> 32));
}

static inline void file_text(struct file *file, const char *text, size_t count)
{
    if (count > 0)
        sr_buffer_append(&file->bytes, text, count);
}

/* Blocks of pcapng: `length` is that of the whole block. */
static inline size_t begin_block(struct file *file, uint32_t type)
{
    size_t start = file->bytes.length;
    file32(file, type);
    file32(file, 0);
    return start;
}

static inline void end_block(struct file *file, size_t start)
{
    while (file->bytes.length % 4 != 0)
        file_text(file, "", 1);
    uint32_t length = (uint32_t)(file->bytes.length - start) + 4;
    struct file field = {.big_endian = file->big_endian};
    file32(&field, length);
    memcpy(file->bytes.bytes + start + 4, field.bytes.bytes, 4);
    sr_buffer_free(&field.bytes);
    file32(file, length);
}

static inline void put_section(struct file *file)
{
    size_t start = begin_block(file, 0x0a0d0d0a);
    file32(file, 0x1a2b3c4d);
    file16(file, 1);
    file16(file, 0);
    file64(file, UINT64_MAX);
    end_block(file, start);
}

/* ---- what comes out ---- */

struct record {
    struct sr_record fields; /* its bytes are copied below */
    uint8_t bytes[16];       /* the first of them */
};

struct outcome {
    size_t count;
    struct record records[MOST_RECORDS];
    enum sr_reader_step end;
    struct sr_reader_error error;
    struct sr_reader_totals totals;
    const char *format;
};

static inline struct sr_reader *read_file(const uint8_t *bytes, size_t length, size_t piece, struct outcome *outcome)
{
    struct sr_reader *reader = sr_reader_new();
    assert_non_null(reader);
    *outcome = (struct outcome){0};
    for (;;) {
        struct sr_record record;
        enum sr_reader_step step = sr_reader_next(reader, &record);
        if (step == SR_READER_RECORD) {
            assert_true(outcome->count < MOST_RECORDS);
            struct record *seen = &outcome->records[outcome->count++];
            memcpy(seen->bytes, record.bytes, record.captured < 16 ? record.captured : 16);
            seen->fields = record;
            continue;
        }
        if (step != SR_READER_MORE) {
            outcome->end = step;
            assert_int_equal(sr_reader_next(reader, &record), step); /* an end stays an end */
            break;
        }
        size_t room;
        uint8_t *space = sr_reader_space(reader, &room);
        assert_true(room > 0);
        size_t count = length < piece ? length : piece;
        count = count < room ? count : room;
        if (count > 0) { /* there may be no bytes at all */
            memcpy(space, bytes, count);
            bytes += count;
            length -= count;
        }
        sr_reader_filled(reader, count);
    }
    outcome->error = sr_reader_error(reader);
    outcome->totals = sr_reader_totals(reader);
    outcome->format = sr_reader_format(reader);
    return reader;
}

static inline void check_record(const struct record *record, struct sr_record expected, const char *text)
{
    assert_int_equal(record->fields.frame, expected.frame);
    assert_int_equal(record->fields.time_ns, expected.time_ns);
    assert_int_equal(record->fields.captured, strlen(text));
    assert_int_equal(record->fields.wire, expected.wire);
    assert_int_equal(record->fields.link_type, expected.link_type);
    assert_int_equal(record->fields.interface, expected.interface);
    assert_memory_equal(record->bytes, text, strlen(text));
}

static inline void check_totals(struct sr_reader_totals totals, struct sr_reader_totals expected)
{
    assert_int_equal(totals.bytes, expected.bytes);
    assert_int_equal(totals.frames, expected.frames);
    assert_int_equal(totals.interfaces, expected.interfaces);
    assert_int_equal(totals.sections, expected.sections);
    assert_int_equal(totals.skipped_blocks, expected.skipped_blocks);
    assert_int_equal(totals.interface_drops, expected.interface_drops);
    assert_int_equal(totals.system_drops, expected.system_drops);
    assert_int_equal(totals.record_drops, expected.record_drops);
    assert_int_equal(totals.secrets, expected.secrets);
}

static inline void check_end(const struct outcome *outcome, enum sr_reader_step end, const char *what, uint64_t offset,
                             uint64_t frame)
{
    assert_int_equal(outcome->end, end);
    assert_int_equal(outcome->error.offset, offset);
    assert_int_equal(outcome->error.frame, frame);
    if (what)
        assert_string_equal(outcome->error.what, what);
    else
        assert_null(outcome->error.what);
}

static inline void check_same(const struct outcome *a, const struct outcome *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        struct sr_record expected = b->records[i].fields;
        assert_int_equal(a->records[i].fields.captured, expected.captured);
        assert_int_equal(a->records[i].fields.frame, expected.frame);
        assert_int_equal(a->records[i].fields.time_ns, expected.time_ns);
        assert_int_equal(a->records[i].fields.wire, expected.wire);
        assert_int_equal(a->records[i].fields.link_type, expected.link_type);
        assert_int_equal(a->records[i].fields.interface, expected.interface);
        assert_memory_equal(a->records[i].bytes, b->records[i].bytes, 16);
    }
    check_end(a, b->end, b->error.what, b->error.offset, b->error.frame);
    check_totals(a->totals, b->totals);
    assert_ptr_equal(a->format, b->format);
}

/* Reads the first `length` bytes at once and in pieces of many sizes: all must come to the same. */
static inline struct outcome read_split(const struct file *file, size_t length)
{
    static const size_t pieces[] = {1, 2, 3, 5, 7, 11, 12, 13, 16, 24, 61, 97, 1000, 4096, 1 << 19};
    struct outcome whole, split;
    sr_reader_free(read_file(file->bytes.bytes, length, SIZE_MAX, &whole));
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (pieces[i] < 1000 && length > 100000)
            continue;
        sr_reader_free(read_file(file->bytes.bytes, length, pieces[i], &split));
        check_same(&split, &whole);
    }
    return whole;
}

#endif
