/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what passes for an SCTP packet where no header names it. */
#include "bytes_builder.h"

#include "wire/checksum.h"
#include "wire/plausible.h"

static struct bytes packet(void)
{
    struct bytes packet = {0};
    put_common_header(&packet, 5000, 5000, 0x12345678);
    put_data(&packet, 3, 100, 0, 0, 0, 5);
    return packet;
}

static void set_checksum(struct bytes *packet)
{
    memset(packet->at + 8, 0, 4);
    uint32_t crc = sr_crc32c(0, packet->at, packet->length);
    for (int i = 0; i < 4; i++)
        packet->at[8 + i] = (uint8_t)(crc >> 8 * i);
}

static void chunks_that_fill_it_and_a_right_or_no_checksum_make_a_packet(void **state)
{
    (void)state;
    struct bytes right = packet();
    assert_true(sr_plausible(right.at, (uint32_t)right.length));
    set_checksum(&right);
    assert_true(sr_plausible(right.at, (uint32_t)right.length));
    right.at[8] ^= 1;
    assert_false(sr_plausible(right.at, (uint32_t)right.length));
}

static void bytes_that_end_inside_a_chunk_or_behind_the_last_are_no_packet(void **state)
{
    (void)state;
    struct bytes whole = packet();
    for (uint32_t length = 0; length < whole.length - 3; length++)
        assert_false(sr_plausible(whole.at, length));
    put(&whole, "\0\0\0", 3);
    assert_false(sr_plausible(whole.at, (uint32_t)whole.length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_that_fill_it_and_a_right_or_no_checksum_make_a_packet),
        cmocka_unit_test(bytes_that_end_inside_a_chunk_or_behind_the_last_are_no_packet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
