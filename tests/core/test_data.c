/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of DATA and I-DATA, at every length that a capture may cut them to. */
#include "bytes_builder.h"

#include "wire/data.h"

enum {
    SID = 1 << SR_DATA_FIELD_SID,
    SSN = 1 << SR_DATA_FIELD_SSN,
    MID = 1 << SR_DATA_FIELD_MID,
    FSN = 1 << SR_DATA_FIELD_FSN,
    PPID = 1 << SR_DATA_FIELD_PPID,
};

static void check_data(const struct bytes *from, size_t captured, struct sr_data expected)
{
    uint8_t *bytes = exact(from->at, captured);
    struct sr_chunk chunk = {from->at[0], from->at[1], sr_be16(from->at + 2), bytes, (uint32_t)captured};
    struct sr_data data;
    memset(&data, 0xa5, sizeof data);
    assert_int_equal(sr_data(&chunk, &data), SR_DATA);
    assert_int_equal(data.tsn.value, expected.tsn.value);
    assert_int_equal(data.bytes, expected.bytes);
    assert_int_equal(data.mid, expected.mid);
    assert_int_equal(data.fsn, expected.fsn);
    assert_int_equal(data.ppid, expected.ppid);
    assert_int_equal(data.sid, expected.sid);
    assert_int_equal(data.ssn, expected.ssn);
    assert_int_equal(data.flags, expected.flags);
    assert_int_equal(data.present, expected.present);
    free_exact(bytes, captured);
}

static void check_step(const struct bytes *from, size_t captured, enum sr_data_step expected)
{
    uint8_t *bytes = exact(from->at, captured);
    struct sr_chunk chunk = {from->at[0], from->at[1], sr_be16(from->at + 2), bytes, (uint32_t)captured};
    struct sr_data data;
    assert_int_equal(sr_data(&chunk, &data), expected);
    free_exact(bytes, captured);
}

static void put_i_data(struct bytes *to, uint8_t flags, size_t count)
{
    size_t start = begin_chunk(to, SR_CHUNK_I_DATA, flags);
    put32(to, 0xfffffffe);
    put16s(to, 2, 0x1234u, 0xffffu);
    put32s(to, 2, 0x89abcdefu, 0x01020304u);
    put_zeros(to, count);
    end_chunk(to, start);
}

static void data_shows_every_field(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    put_data(&chunk, 0x0f, 0xfffffffe, 0x1234, 0x5678, 0x9abcdef0, 5);
    check_data(&chunk, 21,
               (struct sr_data){.tsn = {0xfffffffe},
                                .bytes = 5,
                                .sid = 0x1234,
                                .ssn = 0x5678,
                                .ppid = 0x9abcdef0,
                                .flags = 0x0f,
                                .present = SID | SSN | PPID});
}

static void data_shows_the_fields_that_were_captured(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    put_data(&chunk, 0x03, 0xfffffffe, 0x1234, 0x5678, 0x9abcdef0, 100);
    struct sr_data seen = {.tsn = {0xfffffffe}, .bytes = 100, .flags = 0x03};
    for (size_t captured = 4; captured < 8; captured++)
        check_step(&chunk, captured, SR_DATA_CUT);
    for (size_t captured = 8; captured <= 116; captured++) {
        if (captured == 10)
            seen.sid = 0x1234, seen.present |= SID;
        if (captured == 12)
            seen.ssn = 0x5678, seen.present |= SSN;
        if (captured == 16)
            seen.ppid = 0x9abcdef0, seen.present |= PPID;
        check_data(&chunk, captured, seen);
    }
}

static void i_data_with_the_begin_bit_has_a_ppid_and_fragment_zero(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    put_i_data(&chunk, SR_DATA_BEGIN, 50);
    struct sr_data seen = {.tsn = {0xfffffffe}, .bytes = 50, .flags = SR_DATA_BEGIN};
    for (size_t captured = 4; captured < 8; captured++)
        check_step(&chunk, captured, SR_DATA_CUT);
    for (size_t captured = 8; captured <= 70; captured++) {
        if (captured == 10)
            seen.sid = 0x1234, seen.present |= SID;
        if (captured == 16)
            seen.mid = 0x89abcdef, seen.present |= MID;
        if (captured == 20)
            seen.ppid = 0x01020304, seen.present |= PPID | FSN;
        check_data(&chunk, captured, seen);
    }
}

static void i_data_without_the_begin_bit_has_a_fragment_number_and_no_ppid(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    put_i_data(&chunk, SR_DATA_END | SR_DATA_UNORDERED, 50);
    struct sr_data seen = {.tsn = {0xfffffffe}, .bytes = 50, .flags = SR_DATA_END | SR_DATA_UNORDERED};
    for (size_t captured = 8; captured <= 70; captured++) {
        if (captured == 10)
            seen.sid = 0x1234, seen.present |= SID;
        if (captured == 16)
            seen.mid = 0x89abcdef, seen.present |= MID;
        if (captured == 20)
            seen.fsn = 0x01020304, seen.present |= FSN;
        check_data(&chunk, captured, seen);
    }
}

static void a_chunk_without_user_data_is_shown(void **state)
{
    (void)state;
    struct bytes data = {0}, i_data = {0};
    put_data(&data, 0, 1, 2, 3, 4, 0);
    put_i_data(&i_data, 0, 0);
    check_data(&data, 16, (struct sr_data){.tsn = {1}, .sid = 2, .ssn = 3, .ppid = 4, .present = SID | SSN | PPID});
    check_data(
        &i_data, 20,
        (struct sr_data){
            .tsn = {0xfffffffe}, .sid = 0x1234, .mid = 0x89abcdef, .fsn = 0x01020304, .present = SID | MID | FSN});
}

static void a_length_below_the_fixed_fields_is_short_however_much_was_captured(void **state)
{
    (void)state;
    struct bytes data = {0}, i_data = {0};
    put_data(&data, 0, 1, 2, 3, 4, 0);
    put_i_data(&i_data, 0, 0);
    for (uint32_t length = 4; length < 20; length++) {
        set16(&data, 2, length);
        set16(&i_data, 2, length);
        for (size_t captured = 4; captured <= length; captured++) {
            if (length < 16)
                check_step(&data, captured, SR_DATA_SHORT);
            check_step(&i_data, captured, SR_DATA_SHORT);
        }
    }
}

static void the_largest_chunk_counts_all_its_bytes(void **state)
{
    (void)state;
    struct bytes data = {0}, i_data = {0};
    put_data(&data, 0, 1, 2, 3, 4, 0);
    put_i_data(&i_data, 0, 0);
    set16(&data, 2, 65535);
    set16(&i_data, 2, 65535);
    check_data(&data, 8, (struct sr_data){.tsn = {1}, .bytes = 65519});
    check_data(&i_data, 8, (struct sr_data){.tsn = {0xfffffffe}, .bytes = 65515});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_shows_every_field),
        cmocka_unit_test(data_shows_the_fields_that_were_captured),
        cmocka_unit_test(i_data_with_the_begin_bit_has_a_ppid_and_fragment_zero),
        cmocka_unit_test(i_data_without_the_begin_bit_has_a_fragment_number_and_no_ppid),
        cmocka_unit_test(a_chunk_without_user_data_is_shown),
        cmocka_unit_test(a_length_below_the_fixed_fields_is_short_however_much_was_captured),
        cmocka_unit_test(the_largest_chunk_counts_all_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
