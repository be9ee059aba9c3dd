/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the capture file reader: what it reads of pcap, and of what is no capture. */
#include "capture_file.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pcap_is_read_in_both_byte_orders_and_resolutions),
        cmocka_unit_test(the_longer_record_header_of_kuznetzov_is_skipped),
        cmocka_unit_test(a_cut_pcap_ends_inside_the_record_that_is_cut),
        cmocka_unit_test(a_pcap_record_that_claims_too_much_is_bad),
        cmocka_unit_test(the_largest_pcap_record_is_read),
        cmocka_unit_test(what_is_no_capture_is_bad_from_its_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
