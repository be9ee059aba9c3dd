/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the capture file reader: what it reads of pcap and pcapng, and that it never matters in which pieces the
 * file arrives. */
#include "bytes_builder.h"

#include "buffer.h"
#include "capture/reader.h"

enum { MOST_RECORDS = 8 };

/* A file in one byte order. */
struct file {
    struct sr_buffer bytes;
    bool big_endian;
};

static void file16(struct file *file, uint32_t value)
{
    uint8_t little[2] = {(uint8_t)value, (uint8_t)(value >> 8)}, big[2] = {little[1], little[0]};
    sr_buffer_append(&file->bytes, file->big_endian ? big : little, 2);
}

static void file32(struct file *file, uint32_t value)
{
    file16(file, file->big_endian ? value >> 16 : value);
    file16(file, file->big_endian ? value : value >> 16);
}

static void file64(struct file *file, uint64_t value)
{
    file32(file, (uint32_t)(file->big_endian ? value >> 32 : value));
    file32(file, (uint32_t)(file->big_endian ? value : value >> 32));
}

static void file_text(struct file *file, const char *text, size_t count)
{
    if (count > 0)
        sr_buffer_append(&file->bytes, text, count);
}

static void put_pcap_header(struct file *file, uint32_t magic, uint32_t link_type)
{
    file32(file, magic);
    file16(file, 2);
    file16(file, 4);
    file64(file, 0);
    file32(file, 65535);
    file32(file, link_type);
}

static void put_record(struct file *file, uint32_t seconds, uint32_t fraction, uint32_t wire, const char *text)
{
    file32(file, seconds);
    file32(file, fraction);
    file32(file, (uint32_t)strlen(text));
    file32(file, wire);
    file_text(file, text, strlen(text));
}

/* Blocks of pcapng: `length` is that of the whole block. */
static size_t begin_block(struct file *file, uint32_t type)
{
    size_t start = file->bytes.length;
    file32(file, type);
    file32(file, 0);
    return start;
}

static void end_block(struct file *file, size_t start)
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

static void put_section(struct file *file)
{
    size_t start = begin_block(file, 0x0a0d0d0a);
    file32(file, 0x1a2b3c4d);
    file16(file, 1);
    file16(file, 0);
    file64(file, UINT64_MAX);
    end_block(file, start);
}

/* With if_tsresol and if_tsoffset, but for a resolution of zero: then without options. */
static void put_interface(struct file *file, uint32_t link_type, uint32_t snaplen, uint8_t resolution, int64_t offset)
{
    size_t start = begin_block(file, 1);
    file16(file, link_type);
    file16(file, 0);
    file32(file, snaplen);
    if (resolution != 0) {
        file16(file, 9);
        file16(file, 1);
        file_text(file, (const char[]){(char)resolution, 0, 0, 0}, 4);
        file16(file, 14);
        file16(file, 8);
        file64(file, (uint64_t)offset);
        file32(file, 0);
    }
    end_block(file, start);
}

static void put_enhanced(struct file *file, uint32_t interface, uint64_t ticks, uint32_t wire, const char *text,
                         uint64_t drops)
{
    size_t start = begin_block(file, 6);
    file32(file, interface);
    file32(file, (uint32_t)(ticks >> 32));
    file32(file, (uint32_t)ticks);
    file32(file, (uint32_t)strlen(text));
    file32(file, wire);
    file_text(file, text, strlen(text));
    while (file->bytes.length % 4 != 0)
        file_text(file, "", 1);
    if (drops != 0) {
        file16(file, 4);
        file16(file, 8);
        file64(file, drops);
    }
    end_block(file, start);
}

static void put_statistics(struct file *file, uint32_t interface, uint64_t interface_drops, uint64_t system_drops)
{
    size_t start = begin_block(file, 5);
    file32(file, interface);
    file64(file, 0);
    file16(file, 5);
    file16(file, 8);
    file64(file, interface_drops);
    file16(file, 7);
    file16(file, 8);
    file64(file, system_drops);
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

static struct sr_reader *read_file(const uint8_t *bytes, size_t length, size_t piece, struct outcome *outcome)
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

static void check_record(const struct record *record, struct sr_record expected, const char *text)
{
    assert_int_equal(record->fields.frame, expected.frame);
    assert_int_equal(record->fields.time_ns, expected.time_ns);
    assert_int_equal(record->fields.captured, strlen(text));
    assert_int_equal(record->fields.wire, expected.wire);
    assert_int_equal(record->fields.link_type, expected.link_type);
    assert_int_equal(record->fields.interface, expected.interface);
    assert_memory_equal(record->bytes, text, strlen(text));
}

static void check_totals(struct sr_reader_totals totals, struct sr_reader_totals expected)
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

static void check_end(const struct outcome *outcome, enum sr_reader_step end, const char *what, uint64_t offset,
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

static void check_same(const struct outcome *a, const struct outcome *b)
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
static struct outcome read_split(const struct file *file, size_t length)
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

/* ---- pcap ---- */

static void pcap_is_read_in_both_byte_orders_and_resolutions(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        struct file file = {.big_endian = kind & 1};
        bool nano = kind & 2;
        put_pcap_header(&file, nano ? 0xa1b23c4d : 0xa1b2c3d4, 0xf4000000 | 113); /* a frame check sequence: not used */
        put_record(&file, 1, 5, 100, "abc");
        put_record(&file, 0xffffffff, 999999, 0, "d");
        put_record(&file, 0, 0, 0, "");
        struct outcome outcome = read_split(&file, file.bytes.length);
        assert_int_equal(outcome.count, 3);
        check_record(
            &outcome.records[0],
            (struct sr_record){.frame = 1, .time_ns = 1000000000 + (nano ? 5 : 5000), .wire = 100, .link_type = 113},
            "abc");
        check_record(&outcome.records[1],
                     (struct sr_record){.frame = 2,
                                        .time_ns = INT64_C(4294967295000000000) + (nano ? 999999 : 999999000),
                                        .wire = 1, /* it cannot have been less than was captured */
                                        .link_type = 113},
                     "d");
        check_record(&outcome.records[2], (struct sr_record){.frame = 3, .link_type = 113}, "");
        check_end(&outcome, SR_READER_END, NULL, 0, 0);
        check_totals(outcome.totals, (struct sr_reader_totals){
                                         .bytes = file.bytes.length, .frames = 3, .interfaces = 1, .sections = 1});
        assert_string_equal(outcome.format, "pcap");
        sr_buffer_free(&file.bytes);
    }
}

static void the_longer_record_header_of_kuznetzov_is_skipped(void **state)
{
    (void)state;
    struct file file = {0};
    put_pcap_header(&file, 0xa1b2cd34, 1);
    file32(&file, 7);
    file32(&file, 8);
    file32(&file, 2);
    file32(&file, 9);
    file64(&file, UINT64_MAX);
    file_text(&file, "xy", 2);
    struct outcome outcome = read_split(&file, file.bytes.length);
    assert_int_equal(outcome.count, 1);
    check_record(&outcome.records[0], (struct sr_record){.frame = 1, .time_ns = 7000008000, .wire = 9, .link_type = 1},
                 "xy");
    check_end(&outcome, SR_READER_END, NULL, 0, 0);
    check_totals(outcome.totals, (struct sr_reader_totals){.bytes = 50, .frames = 1, .interfaces = 1, .sections = 1});
    sr_buffer_free(&file.bytes);
}

static void a_cut_pcap_ends_inside_the_record_that_is_cut(void **state)
{
    (void)state;
    struct file file = {0};
    put_pcap_header(&file, 0xa1b2c3d4, 1);
    put_record(&file, 1, 5, 3, "abc");
    put_record(&file, 1, 5, 3, "def");
    for (size_t length = 0; length <= file.bytes.length; length++) {
        struct outcome outcome = read_split(&file, length);
        size_t records = length < 43 ? 0 : length < 62 ? 1 : 2;
        assert_int_equal(outcome.count, records);
        if (length >= 4 && length != 24 && length != 43 && length != 62)
            check_end(&outcome, SR_READER_CUT, "the file ends inside a record",
                      length < 24   ? 0
                      : length < 43 ? 24
                                    : 43,
                      records + 1);
        else if (length >= 4)
            check_end(&outcome, SR_READER_END, NULL, 0, 0);
        else
            check_end(&outcome, SR_READER_BAD, outcome.error.what, 0, 1);
    }
    sr_buffer_free(&file.bytes);
}

static void a_pcap_record_that_claims_too_much_is_bad(void **state)
{
    (void)state;
    struct file file = {0};
    put_pcap_header(&file, 0xa1b2c3d4, 1);
    put_record(&file, 1, 5, 3, "abc");
    file64(&file, 0);
    file32(&file, 262145);
    file32(&file, 262145);
    struct outcome outcome = read_split(&file, file.bytes.length);
    assert_int_equal(outcome.count, 1);
    check_end(&outcome, SR_READER_BAD, "a record claims more than 262144 captured bytes", 43, 2);
    sr_buffer_free(&file.bytes);
}

static void the_largest_pcap_record_is_read(void **state)
{
    (void)state;
    struct file file = {0};
    put_pcap_header(&file, 0xa1b2c3d4, 1);
    for (int i = 0; i < 5; i++) { /* more than the reader's buffer holds */
        file64(&file, 0);
        file32(&file, 262144);
        file32(&file, 262144);
        memset(sr_buffer_extend(&file.bytes, 262144), 'a' + i, 262144);
    }
    struct outcome outcome = read_split(&file, file.bytes.length);
    assert_int_equal(outcome.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(outcome.records[i].fields.captured, 262144);
        assert_int_equal(outcome.records[i].bytes[0], 'a' + i);
        assert_int_equal(outcome.records[i].bytes[15], 'a' + i);
    }
    check_end(&outcome, SR_READER_END, NULL, 0, 0);
    sr_buffer_free(&file.bytes);
}

static void what_is_no_capture_is_bad_from_its_start(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "a", "abc", "abcd", "a text that is no capture"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct file file = {0};
        file_text(&file, texts[i], strlen(texts[i]));
        struct outcome outcome = read_split(&file, file.bytes.length);
        assert_int_equal(outcome.count, 0);
        assert_non_null(outcome.error.what);
        check_end(&outcome, SR_READER_BAD, outcome.error.what, 0, 1);
        check_totals(outcome.totals, (struct sr_reader_totals){0});
        assert_null(outcome.format);
        sr_buffer_free(&file.bytes);
    }
    struct file version_3 = {0};
    put_pcap_header(&version_3, 0xa1b2c3d4, 1);
    version_3.bytes.bytes[4] = 3;
    struct outcome outcome = read_split(&version_3, version_3.bytes.length);
    check_end(&outcome, SR_READER_BAD, "pcap of a version other than 2", 0, 1);
    sr_buffer_free(&version_3.bytes);
}

/* ---- pcapng ---- */

static void pcapng_is_read_in_both_byte_orders(void **state)
{
    (void)state;
    struct file file = {0};
    for (int section = 0; section < 2; section++) {
        file.big_endian = section == 1;
        put_section(&file);
        put_interface(&file, 101, 0, 0, 0);
        put_interface(&file, 113, 2, 9, 0);
        put_enhanced(&file, 0, 1500000, 100, "abc", 0);
        put_enhanced(&file, 1, 5, 1, "defg", 3);
        size_t block = begin_block(&file, 3); /* a simple packet: of interface 0 */
        file32(&file, 2);
        file_text(&file, "hi", 2);
        end_block(&file, block);
        block = begin_block(&file, 2); /* the obsolete packet block */
        file16(&file, 1);
        file16(&file, section == 0 ? 0xffff : 7); /* drops: not known, or seven */
        file32(&file, 1);
        file32(&file, 0);
        file32(&file, 1);
        file32(&file, 2);
        file_text(&file, "j", 1);
        end_block(&file, block);
        put_statistics(&file, 0, 1, 2);
        put_statistics(&file, 0, 10, 20); /* only the last counts */
        put_statistics(&file, 1, 100, 200);
        end_block(&file, begin_block(&file, 4));
        end_block(&file, begin_block(&file, 0x7bad));
    }
    struct outcome outcome = read_split(&file, file.bytes.length);
    assert_int_equal(outcome.count, 8);
    for (uint64_t i = 0; i < 8; i += 4) {
        check_record(&outcome.records[i],
                     (struct sr_record){.frame = i + 1, .time_ns = 1500000000, .wire = 100, .link_type = 101}, "abc");
        check_record(&outcome.records[i + 1],
                     (struct sr_record){.frame = i + 2, .time_ns = 5, .wire = 4, .link_type = 113, .interface = 1},
                     "defg");
        check_record(&outcome.records[i + 2],
                     (struct sr_record){.frame = i + 3, .time_ns = SR_NO_TIME, .wire = 2, .link_type = 101}, "hi");
        check_record(
            &outcome.records[i + 3],
            (struct sr_record){.frame = i + 4, .time_ns = 4294967296, .wire = 2, .link_type = 113, .interface = 1},
            "j");
    }
    check_end(&outcome, SR_READER_END, NULL, 0, 0);
    check_totals(outcome.totals, (struct sr_reader_totals){.bytes = file.bytes.length,
                                                           .frames = 8,
                                                           .interfaces = 4,
                                                           .sections = 2,
                                                           .skipped_blocks = 2,
                                                           .interface_drops = 220,
                                                           .system_drops = 440,
                                                           .record_drops = 13});
    assert_string_equal(outcome.format, "pcapng");
    sr_buffer_free(&file.bytes);
}

static void every_cut_of_a_pcapng_is_read_the_same_in_all_pieces(void **state)
{
    (void)state;
    struct file file = {.big_endian = true};
    put_section(&file);
    put_interface(&file, 101, 0, 6, 0);
    put_enhanced(&file, 0, 1, 3, "abc", 1);
    size_t second = file.bytes.length;
    put_enhanced(&file, 0, 2, 3, "def", 0);
    for (size_t length = 4; length < file.bytes.length; length++) {
        struct outcome outcome = read_split(&file, length);
        assert_int_equal(outcome.count, length >= second);
        assert_true(outcome.end == SR_READER_CUT || outcome.end == SR_READER_END);
        if (outcome.end == SR_READER_CUT) {
            assert_true(outcome.error.offset < length);
            check_end(&outcome, SR_READER_CUT, "the file ends inside a record", outcome.totals.bytes,
                      outcome.count + 1);
        }
    }
    sr_buffer_free(&file.bytes);
}

static void timestamps_come_in_every_resolution(void **state)
{
    (void)state;
    static const struct {
        uint8_t resolution;
        int64_t offset;
        uint64_t ticks;
        int64_t time_ns;
    } cases[] = {
        {6, 0, 1, 1000},
        {9, 0, 1, 1},
        {3, 0, 1700000000001, 1700000000001000000},
        {0x80, 5, 3, 8000000000}, /* seconds */
        {12, 0, 1999, 1},
        {19, 0, 20000000001, 2},
        {127, 0, 20000000001, 2}, /* finer than is read: taken as the finest */
        {0x80 | 10, 0, 1536, 1500000000},
        {0x80 | 32, 0, UINT64_C(3) << 31, 1500000000},
        {0x80 | 63, 0, UINT64_C(1) << 62, 500000000},
        {0xff, 0, UINT64_C(1) << 63, 1000000000},
        {9, -2, 500000000, -1500000000},
        {9, 0, UINT64_MAX, INT64_MAX},
        {3, 0, UINT64_MAX, INT64_MAX},
        {9, INT64_MAX, 0, INT64_MAX},
        {9, INT64_MIN, 0, SR_NO_TIME + 1},
        {9, 0, INT64_MAX, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file file = {0};
        put_section(&file);
        put_interface(&file, 1, 0, cases[i].resolution, cases[i].offset);
        put_enhanced(&file, 0, cases[i].ticks, 1, "x", 0);
        struct outcome outcome = read_split(&file, file.bytes.length);
        assert_int_equal(outcome.count, 1);
        check_record(&outcome.records[0],
                     (struct sr_record){.frame = 1, .time_ns = cases[i].time_ns, .wire = 1, .link_type = 1}, "x");
        sr_buffer_free(&file.bytes);
    }
}

static void a_simple_packet_is_cut_by_the_snap_length(void **state)
{
    (void)state;
    struct file file = {0};
    put_section(&file);
    put_interface(&file, 1, 3, 0, 0);
    size_t block = begin_block(&file, 3);
    file32(&file, 1000);
    file_text(&file, "abcd", 4); /* with its padding */
    end_block(&file, block);
    struct outcome outcome = read_split(&file, file.bytes.length);
    assert_int_equal(outcome.count, 1);
    check_record(&outcome.records[0],
                 (struct sr_record){.frame = 1, .time_ns = SR_NO_TIME, .wire = 1000, .link_type = 1}, "abc");
    sr_buffer_free(&file.bytes);
}

static void blocks_that_wireshark_numbers_take_a_frame_number(void **state)
{
    (void)state;
    static const struct {
        uint32_t type;
        bool numbered;
    } kinds[] = {{4, false},    {9, true},      {0x204, true},   {0x205, false},    {0x216, true},
                 {0x221, true}, {0x0bad, true}, {0x0bae, false}, {0x40000bad, true}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct file file = {0};
        put_section(&file);
        put_interface(&file, 1, 0, 0, 0);
        end_block(&file, begin_block(&file, kinds[i].type));
        put_enhanced(&file, 0, 0, 1, "x", 0);
        struct outcome outcome = read_split(&file, file.bytes.length);
        uint64_t frame = kinds[i].numbered ? 2 : 1;
        assert_int_equal(outcome.count, 1);
        check_record(&outcome.records[0], (struct sr_record){.frame = frame, .wire = 1, .link_type = 1}, "x");
        check_end(&outcome, SR_READER_END, NULL, 0, 0);
        check_totals(outcome.totals, (struct sr_reader_totals){.bytes = file.bytes.length,
                                                               .frames = frame,
                                                               .interfaces = 1,
                                                               .sections = 1,
                                                               .skipped_blocks = kinds[i].type != 4});
        sr_buffer_free(&file.bytes);
    }
}

static void a_block_larger_than_the_buffer_is_passed_over(void **state)
{
    (void)state;
    struct file file = {0};
    put_section(&file);
    put_interface(&file, 1, 0, 0, 0);
    size_t block = begin_block(&file, 0x7bad);
    memset(sr_buffer_extend(&file.bytes, 3 << 20), 6, 3 << 20);
    end_block(&file, block);
    put_enhanced(&file, 0, 0, 1, "x", 0);
    struct outcome outcome = read_split(&file, file.bytes.length);
    assert_int_equal(outcome.count, 1);
    check_record(&outcome.records[0], (struct sr_record){.frame = 1, .wire = 1, .link_type = 1}, "x");
    check_end(&outcome, SR_READER_END, NULL, 0, 0);
    check_totals(outcome.totals,
                 (struct sr_reader_totals){
                     .bytes = file.bytes.length, .frames = 1, .interfaces = 1, .sections = 1, .skipped_blocks = 1});
    sr_buffer_free(&file.bytes);
}

/* The offset is where the block begins, not behind the end of the file, and the frame is the one in it. */
static void a_cut_inside_a_block_larger_than_the_buffer_is_told_from_its_beginning(void **state)
{
    (void)state;
    struct file file = {0};
    put_section(&file);
    put_interface(&file, 1, 0, 0, 0);
    size_t begin = file.bytes.length, block = begin_block(&file, 0x7bad);
    memset(sr_buffer_extend(&file.bytes, 3 << 20), 6, 3 << 20);
    end_block(&file, block);
    size_t cut = begin + (1 << 20) + 1000;
    struct outcome outcome = read_split(&file, cut);
    check_end(&outcome, SR_READER_CUT, "the file ends inside a record", begin, 1);
    assert_int_equal(outcome.totals.bytes, cut);
    sr_buffer_free(&file.bytes);
}

static void blocks_that_contradict_themselves_are_bad_where_they_begin(void **state)
{
    (void)state;
    /* Bytes to change behind a section, an interface and a packet of "abc", all little endian. */
    enum { SECTION = 0, INTERFACE = 28, PACKET = 48, END = 84 };
    static const struct {
        size_t at;
        uint32_t value;
        uint64_t offset;
        const char *what; /* how it begins */
    } cases[] = {
        {SECTION + 8, 5, SECTION, "a section header has no byte-order magic"},
        {INTERFACE + 4, 8, INTERFACE, "a block's length is not a multiple of four, or below twelve"},
        {INTERFACE + 4, 21, INTERFACE, "a block's length is not a multiple of four, or below twelve"},
        {INTERFACE + 4, 0xfffffffc, INTERFACE, "a block claims more than"},
        {INTERFACE + 16, 24, INTERFACE, "a block's two lengths differ"},
        {PACKET + 8, 1, PACKET, "a packet names an interface that the section does not have"},
        {PACKET + 20, 262145, PACKET, "a packet block claims more than 262144 captured bytes"},
        {PACKET + 20, 5, PACKET, "a packet block claims more captured bytes than it has"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct file file = {0}, value = {0};
        put_section(&file);
        put_interface(&file, 1, 0, 0, 0);
        put_enhanced(&file, 0, 0, 3, "abc", 0);
        assert_int_equal(file.bytes.length, END);
        file32(&value, cases[i].value);
        memcpy(file.bytes.bytes + cases[i].at, value.bytes.bytes, 4);
        struct outcome outcome = read_split(&file, file.bytes.length);
        assert_int_equal(outcome.count, 0);
        assert_non_null(outcome.error.what);
        assert_memory_equal(outcome.error.what, cases[i].what, strlen(cases[i].what));
        check_end(&outcome, SR_READER_BAD, outcome.error.what, cases[i].offset, 1);
        sr_buffer_free(&file.bytes);
        sr_buffer_free(&value.bytes);
    }
}

static void blocks_too_short_for_their_fields_are_bad(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, least;
        const char *what;
    } kinds[] = {
        {1, 8, "an interface description block is too short"}, {2, 20, "a packet block is too short"},
        {3, 4, "a simple packet block is too short"},          {5, 12, "an interface statistics block is too short"},
        {6, 20, "an enhanced packet block is too short"},      {10, 8, "a decryption secrets block is too short"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (uint32_t length = 0; length <= kinds[i].least; length += 4) {
            struct file file = {0};
            put_section(&file);
            put_interface(&file, 1, 0, 0, 0);
            size_t start = begin_block(&file, kinds[i].type);
            memset(sr_buffer_extend(&file.bytes, length), 0, length);
            end_block(&file, start);
            struct outcome outcome = read_split(&file, file.bytes.length);
            if (length < kinds[i].least)
                check_end(&outcome, SR_READER_BAD, kinds[i].what, start, 1);
            else
                check_end(&outcome, SR_READER_END, NULL, 0, 0);
            sr_buffer_free(&file.bytes);
        }
    }
}

static void put_secrets(struct file *file, uint32_t type, uint32_t length)
{
    size_t start = begin_block(file, 10);
    file32(file, type);
    file32(file, length);
    memset(sr_buffer_extend(&file->bytes, length), (int)type, length);
    end_block(file, start);
}

static void secrets_are_kept_up_to_their_limit(void **state)
{
    (void)state;
    struct file file = {0};
    put_section(&file);
    put_secrets(&file, 1, 5);
    put_secrets(&file, 2, 0);
    put_secrets(&file, 3, 1000000);
    put_secrets(&file, 4, 100000); /* too many together */
    put_secrets(&file, 5, 1);
    struct outcome outcome;
    struct sr_reader *reader = read_file(file.bytes.bytes, file.bytes.length, 1000, &outcome);
    check_end(&outcome, SR_READER_END, NULL, 0, 0);
    check_totals(outcome.totals, (struct sr_reader_totals){.bytes = file.bytes.length, .sections = 1, .secrets = 5});
    static const uint32_t kept[][2] = {{1, 5}, {2, 0}, {3, 1000000}, {5, 1}};
    for (size_t i = 0; i < 4; i++) {
        uint32_t type, length;
        const uint8_t *bytes = sr_reader_secrets(reader, i, &type, &length);
        assert_non_null(bytes);
        assert_int_equal(type, kept[i][0]);
        assert_int_equal(length, kept[i][1]);
        for (uint32_t j = 0; j < length; j++)
            assert_true(bytes[j] == type);
    }
    uint32_t type, length;
    assert_null(sr_reader_secrets(reader, 4, &type, &length));
    sr_reader_free(reader);
    sr_buffer_free(&file.bytes);
}

/* Found by fuzzing: nothing may be added to the address of what was never allocated. */
static void a_file_without_secrets_has_none(void **state)
{
    (void)state;
    struct sr_reader *reader = sr_reader_new();
    uint32_t type, length;
    assert_null(sr_reader_secrets(reader, 0, &type, &length));
    assert_null(sr_reader_secrets(reader, 7, &type, &length));
    sr_reader_free(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pcap_is_read_in_both_byte_orders_and_resolutions),
        cmocka_unit_test(the_longer_record_header_of_kuznetzov_is_skipped),
        cmocka_unit_test(a_cut_pcap_ends_inside_the_record_that_is_cut),
        cmocka_unit_test(a_pcap_record_that_claims_too_much_is_bad),
        cmocka_unit_test(the_largest_pcap_record_is_read),
        cmocka_unit_test(what_is_no_capture_is_bad_from_its_start),
        cmocka_unit_test(pcapng_is_read_in_both_byte_orders),
        cmocka_unit_test(every_cut_of_a_pcapng_is_read_the_same_in_all_pieces),
        cmocka_unit_test(timestamps_come_in_every_resolution),
        cmocka_unit_test(a_simple_packet_is_cut_by_the_snap_length),
        cmocka_unit_test(blocks_that_wireshark_numbers_take_a_frame_number),
        cmocka_unit_test(a_block_larger_than_the_buffer_is_passed_over),
        cmocka_unit_test(a_cut_inside_a_block_larger_than_the_buffer_is_told_from_its_beginning),
        cmocka_unit_test(blocks_that_contradict_themselves_are_bad_where_they_begin),
        cmocka_unit_test(blocks_too_short_for_their_fields_are_bad),
        cmocka_unit_test(secrets_are_kept_up_to_their_limit),
        cmocka_unit_test(a_file_without_secrets_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
