/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of CRC32c and Adler-32. The source itself is included, to reach both ways of computing CRC32c. */
#include "bytes_builder.h"

#include "../../core/wire/checksum.c"

static void crc32c_gives_the_vectors_of_rfc_3720(void **state)
{
    (void)state;
    uint8_t bytes[32];
    memset(bytes, 0, sizeof bytes);
    assert_int_equal(sr_crc32c(0, bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(sr_crc32c(0, bytes, 32), 0x62a8ab43);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    assert_int_equal(sr_crc32c(0, bytes, 32), 0x46dd794e);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(31 - i);
    assert_int_equal(sr_crc32c(0, bytes, 32), 0x113fdb5c);
    static const uint8_t iscsi_read[48] = {0x01, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                                           0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
                                           0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18, 0x28, 0x00, 0x00, 0x00,
                                           0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
    assert_int_equal(sr_crc32c(0, iscsi_read, 48), 0xd9963a56);
    assert_int_equal(sr_crc32c(0, (const uint8_t *)"123456789", 9), 0xe3069283);
    assert_int_equal(sr_crc32c(0, bytes, 0), 0);
}

static void fill(uint8_t *bytes, size_t count)
{
    uint32_t random = 12345;
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)((random = random * 1103515245 + 12345) >> 16);
}

/* Straight from the polynomial, one bit after the other. */
static uint32_t crc32c_by_bits(uint32_t state, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        state ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            state = state >> 1 ^ (state & 1 ? 0x82f63b78 : 0);
    }
    return state;
}

static void check_crc32c(const uint8_t *at, size_t length, uint32_t start)
{
    uint32_t expected = crc32c_by_bits(start, at, length);
    assert_int_equal(crc32c_by_table(start, at, length), expected);
#ifndef NO_INSTRUCTION
    if (has_instruction())
        assert_int_equal(crc32c_instruction(start, at, length), expected);
#endif
    assert_int_equal(sr_crc32c(~start, at, length), ~expected);
}

/* Long inputs are taken in lanes of equal length: lengths around one, two and three times all lanes. */
static void table_and_instruction_agree_at_every_alignment_and_length(void **state)
{
    (void)state;
    enum { LONGEST = 1200 };
    uint8_t bytes[8 + LONGEST];
    fill(bytes, sizeof bytes);
    for (size_t offset = 0; offset < 8; offset++) {
        for (size_t length = 0; length <= LONGEST; length++) {
            bool around_lanes = (length + 9) % 384 <= 18;
            if (offset > 0 && length > 40 && !around_lanes)
                continue;
            uint8_t *copy = exact(bytes, offset + length); /* ends where the allocation ends */
            check_crc32c(copy + offset, length, 0xffffffff);
            check_crc32c(copy + offset, length, 0x12345678);
            free_exact(copy, offset + length);
        }
    }
}

static void table_and_instruction_agree_on_the_longest_packet(void **state)
{
    (void)state;
    uint8_t *bytes = malloc(262144);
    assert_non_null(bytes);
    fill(bytes, 262144);
    check_crc32c(bytes, 262144, 0xffffffff);
    check_crc32c(bytes + 3, 65535, 0);
    free(bytes);
}

static void a_crc32c_continues_where_it_was_split(void **state)
{
    (void)state;
    uint8_t bytes[1000];
    fill(bytes, sizeof bytes);
    uint32_t whole = sr_crc32c(0, bytes, sizeof bytes);
    for (size_t split = 0; split <= sizeof bytes; split++)
        assert_int_equal(sr_crc32c(sr_crc32c(0, bytes, split), bytes + split, sizeof bytes - split), whole);
}

static void adler32_gives_its_known_vectors(void **state)
{
    (void)state;
    assert_int_equal(sr_adler32(1, (const uint8_t *)"", 0), 1);
    assert_int_equal(sr_adler32(1, (const uint8_t *)"a", 1), 0x00620062);
    assert_int_equal(sr_adler32(1, (const uint8_t *)"abc", 3), 0x024d0127);
    assert_int_equal(sr_adler32(1, (const uint8_t *)"Wikipedia", 9), 0x11e60398);
    assert_int_equal(sr_adler32(1, (const uint8_t *)"message digest", 14), 0x29750586);
}

static void adler32_does_not_overflow_on_long_runs_of_the_largest_byte(void **state)
{
    (void)state;
    enum { LENGTH = 3 * 5552 + 1 };
    uint8_t *bytes = malloc(LENGTH);
    assert_non_null(bytes);
    memset(bytes, 0xff, LENGTH);
    uint64_t low = 1, high = 0;
    for (size_t i = 0; i < LENGTH; i++) {
        low = (low + 0xff) % 65521;
        high = (high + low) % 65521;
        if ((i > 5540 && i < 5560) || i + 1 == LENGTH)
            assert_int_equal(sr_adler32(1, bytes, i + 1), high << 16 | low);
    }
    uint32_t split = sr_adler32(sr_adler32(1, bytes, 5553), bytes + 5553, LENGTH - 5553);
    assert_int_equal(sr_adler32(1, bytes, LENGTH), split);
    free(bytes);
}

/* A packet with a DATA chunk whose checksum field holds `checksum` in network order. */
static struct bytes packet_with(uint32_t checksum)
{
    struct bytes packet = {0};
    put_common_header(&packet, 1000, 2000, 0x12345678);
    put_data(&packet, 3, 1, 2, 3, 4, 10);
    packet.at[8] = (uint8_t)(checksum >> 24);
    packet.at[9] = (uint8_t)(checksum >> 16);
    packet.at[10] = (uint8_t)(checksum >> 8);
    packet.at[11] = (uint8_t)checksum;
    return packet;
}

static void check_checksum(const struct bytes *packet, size_t captured, size_t wire, enum sr_checksum expected)
{
    uint8_t *bytes = exact(packet->at, captured);
    assert_int_equal(sr_checksum_of(bytes, captured, wire), expected);
    if (captured == wire)
        assert_int_equal(sr_crc32c_is_right(bytes, wire), expected == SR_CHECKSUM_CRC32C);
    free_exact(bytes, captured);
}

static void the_checksum_field_is_one_of_five(void **state)
{
    (void)state;
    struct bytes zero = packet_with(0);
    uint32_t adler = sr_adler32(1, zero.at, zero.length);
    struct bytes right = zero, adler32 = packet_with(adler), wrong = packet_with(0xdeadbeef);
    seal(&right, 0);

    check_checksum(&right, right.length, right.length, SR_CHECKSUM_CRC32C);
    check_checksum(&adler32, adler32.length, adler32.length, SR_CHECKSUM_ADLER32);
    check_checksum(&zero, zero.length, zero.length, SR_CHECKSUM_ZERO);
    check_checksum(&wrong, wrong.length, wrong.length, SR_CHECKSUM_WRONG);
    for (size_t captured = 12; captured < right.length; captured++) {
        check_checksum(&right, captured, right.length, SR_CHECKSUM_CUT);
        check_checksum(&adler32, captured, right.length, SR_CHECKSUM_CUT);
        check_checksum(&wrong, captured, right.length, SR_CHECKSUM_CUT);
        check_checksum(&zero, captured, zero.length, SR_CHECKSUM_ZERO);
    }
}

static void every_flipped_bit_makes_the_checksum_wrong(void **state)
{
    (void)state;
    struct bytes packet = packet_with(0);
    seal(&packet, 0);
    for (size_t bit = 0; bit < packet.length * 8; bit++) {
        packet.at[bit / 8] ^= (uint8_t)(1u << bit % 8);
        check_checksum(&packet, packet.length, packet.length, SR_CHECKSUM_WRONG);
        packet.at[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

/* From a capture of a stack that is not ours. */
static void a_cookie_ack_of_another_implementation_is_right(void **state)
{
    (void)state;
    static const uint8_t on_the_wire[16] = {0x00, 0x07, 0x00, 0x07, 0x43, 0x23, 0x25, 0x44,
                                            0xce, 0xec, 0x2d, 0x79, 0x0b, 0x00, 0x00, 0x04};
    struct bytes packet = {0};
    put(&packet, on_the_wire, sizeof on_the_wire);
    check_checksum(&packet, packet.length, packet.length, SR_CHECKSUM_CRC32C);
}

static void a_bare_common_header_has_a_checksum_too(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    check_checksum(&packet, 12, 12, SR_CHECKSUM_ZERO);
    seal(&packet, 0);
    check_checksum(&packet, 12, 12, SR_CHECKSUM_CRC32C);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32c_gives_the_vectors_of_rfc_3720),
        cmocka_unit_test(table_and_instruction_agree_at_every_alignment_and_length),
        cmocka_unit_test(table_and_instruction_agree_on_the_longest_packet),
        cmocka_unit_test(a_crc32c_continues_where_it_was_split),
        cmocka_unit_test(adler32_gives_its_known_vectors),
        cmocka_unit_test(adler32_does_not_overflow_on_long_runs_of_the_largest_byte),
        cmocka_unit_test(the_checksum_field_is_one_of_five),
        cmocka_unit_test(every_flipped_bit_makes_the_checksum_wrong),
        cmocka_unit_test(a_cookie_ack_of_another_implementation_is_right),
        cmocka_unit_test(a_bare_common_header_has_a_checksum_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
