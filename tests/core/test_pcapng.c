/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the capture file reader: what it reads of pcapng. */
#include "capture_file.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pcapng_is_read_in_both_byte_orders),
        cmocka_unit_test(every_cut_of_a_pcapng_is_read_the_same_in_all_pieces),
        cmocka_unit_test(timestamps_come_in_every_resolution),
        cmocka_unit_test(a_simple_packet_is_cut_by_the_snap_length),
        cmocka_unit_test(blocks_that_wireshark_numbers_take_a_frame_number),
        cmocka_unit_test(a_block_larger_than_the_buffer_is_passed_over),
        cmocka_unit_test(a_cut_inside_a_block_larger_than_the_buffer_is_told_from_its_beginning),
        cmocka_unit_test(blocks_that_contradict_themselves_are_bad_where_they_begin),
        cmocka_unit_test(blocks_too_short_for_their_fields_are_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
