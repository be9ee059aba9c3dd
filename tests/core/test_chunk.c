/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the walk over the chunks of a packet. */
#include "bytes_builder.h"

#include "wire/chunk.h"

struct expected {
    enum sr_chunk_step step;
    size_t offset; /* of the chunk within the packet */
    uint8_t type, flags;
    uint16_t length;
    uint32_t captured;
};

static bool names_a_chunk(enum sr_chunk_step step)
{
    return step == SR_CHUNK || step == SR_CHUNK_END_BAD_LENGTH || step == SR_CHUNK_END_BEYOND;
}

/* Walks `captured` bytes of a packet of `wire` bytes; every step must be the next of `expected`. */
static void check_walk(const struct bytes *packet, size_t captured, uint32_t wire, const struct expected *expected,
                       size_t count)
{
    uint8_t *bytes = exact(packet->at, captured);
    struct sr_chunk_walk walk;
    sr_chunk_walk_begin(&walk, bytes, (uint32_t)captured, wire);
    for (size_t i = 0; i < count; i++) {
        struct sr_chunk chunk;
        assert_int_equal(sr_chunk_next(&walk, &chunk), expected[i].step);
        if (!names_a_chunk(expected[i].step))
            continue;
        assert_ptr_equal(chunk.bytes, bytes + expected[i].offset);
        assert_int_equal(chunk.type, expected[i].type);
        assert_int_equal(chunk.flags, expected[i].flags);
        assert_int_equal(chunk.length, expected[i].length);
        assert_int_equal(chunk.captured, expected[i].captured);
    }
    free_exact(bytes, captured);
}

#define CHECK_WALK(packet, captured, wire, ...)                                                                        \
    check_walk(packet, captured, wire, (const struct expected[]){__VA_ARGS__},                                         \
               sizeof(const struct expected[]){__VA_ARGS__} / sizeof(struct expected))

static void put_pad_chunk(struct bytes *to, uint8_t flags, size_t count)
{
    size_t start = begin_chunk(to, SR_CHUNK_PAD, flags);
    put_zeros(to, count);
    end_chunk(to, start);
}

static void a_packet_without_chunks_ends_at_once(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    CHECK_WALK(&packet, 12, 12, {.step = SR_CHUNK_END});
}

static void chunks_follow_one_another_at_multiples_of_four(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    put_pad_chunk(&packet, 9, 0);
    put_pad_chunk(&packet, 8, 1);
    put_pad_chunk(&packet, 7, 4);
    CHECK_WALK(&packet, 32, 32, {SR_CHUNK, 12, 132, 9, 4, 4}, {SR_CHUNK, 16, 132, 8, 5, 5},
               {SR_CHUNK, 24, 132, 7, 8, 8}, {.step = SR_CHUNK_END});
}

static void the_final_padding_may_be_missing(void **state)
{
    (void)state;
    for (uint16_t length = 5; length <= 8; length++) {
        struct bytes packet = {0};
        put_common_header(&packet, 1, 2, 3);
        put_pad_chunk(&packet, 0, length - 4u);
        for (uint32_t wire = 12u + length; wire <= packet.length; wire++)
            CHECK_WALK(&packet, wire, wire, {SR_CHUNK, 12, 132, 0, length, length}, {.step = SR_CHUNK_END});
    }
}

static void one_to_three_bytes_left_are_no_chunk(void **state)
{
    (void)state;
    for (uint32_t left = 1; left <= 3; left++) {
        struct bytes packet = {0};
        put_common_header(&packet, 1, 2, 3);
        put_pad_chunk(&packet, 0, 0);
        put_zeros(&packet, left);
        CHECK_WALK(&packet, packet.length, (uint32_t)packet.length, {SR_CHUNK, 12, 132, 0, 4, 4},
                   {.step = SR_CHUNK_END_SHORT});
    }
}

static void a_length_below_the_header_ends_the_walk_with_that_chunk(void **state)
{
    (void)state;
    for (uint16_t length = 0; length <= 3; length++) {
        struct bytes packet = {0};
        put_common_header(&packet, 1, 2, 3);
        put8(&packet, 77);
        put8(&packet, 5);
        put16(&packet, length);
        put_zeros(&packet, 8);
        CHECK_WALK(&packet, 24, 24, {SR_CHUNK_END_BAD_LENGTH, 12, 77, 5, length, length});
    }
}

static void a_chunk_beyond_the_packet_ends_the_walk_with_that_chunk(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    put_pad_chunk(&packet, 0, 0);
    put8(&packet, 0);
    put8(&packet, 3);
    put16(&packet, 17);
    put_zeros(&packet, 12);
    CHECK_WALK(&packet, 32, 32, {SR_CHUNK, 12, 132, 0, 4, 4}, {SR_CHUNK_END_BEYOND, 16, 0, 3, 17, 16});
    CHECK_WALK(&packet, 22, 32, {SR_CHUNK, 12, 132, 0, 4, 4}, {SR_CHUNK_END_BEYOND, 16, 0, 3, 17, 6});
    CHECK_WALK(&packet, 32, 33, {SR_CHUNK, 12, 132, 0, 4, 4}, {SR_CHUNK, 16, 0, 3, 17, 16}, {.step = SR_CHUNK_END});
}

static void a_cut_packet_is_blind_behind_its_last_captured_chunk(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    put_pad_chunk(&packet, 1, 6);
    put_pad_chunk(&packet, 2, 4);
    /* Captured only up to inside the common header. */
    for (size_t captured = 0; captured <= 12; captured++)
        CHECK_WALK(&packet, captured, 32, {.step = SR_CHUNK_END_BLIND});
    for (size_t captured = 13; captured < 16; captured++)
        CHECK_WALK(&packet, captured, 32, {.step = SR_CHUNK_END_BLIND});
    for (size_t captured = 16; captured < 22; captured++)
        CHECK_WALK(&packet, captured, 32, {SR_CHUNK, 12, 132, 1, 10, (uint32_t)captured - 12},
                   {.step = SR_CHUNK_END_BLIND});
    for (size_t captured = 22; captured < 28; captured++)
        CHECK_WALK(&packet, captured, 32, {SR_CHUNK, 12, 132, 1, 10, 10}, {.step = SR_CHUNK_END_BLIND});
    for (size_t captured = 28; captured <= 32; captured++)
        CHECK_WALK(&packet, captured, 32, {SR_CHUNK, 12, 132, 1, 10, 10},
                   {SR_CHUNK, 24, 132, 2, 8, (uint32_t)captured - 24}, {.step = SR_CHUNK_END});
}

static void a_packet_shorter_than_its_header_has_no_chunks(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    for (uint32_t wire = 0; wire <= 12; wire++)
        for (size_t captured = 0; captured <= wire; captured++)
            CHECK_WALK(&packet, captured, wire, {.step = SR_CHUNK_END});
}

static void more_captured_than_on_the_wire_is_not_read(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    put_pad_chunk(&packet, 0, 0);
    put_pad_chunk(&packet, 0, 0);
    CHECK_WALK(&packet, 20, 16, {SR_CHUNK, 12, 132, 0, 4, 4}, {.step = SR_CHUNK_END});
}

static void the_largest_chunk_fits(void **state)
{
    (void)state;
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    put_pad_chunk(&packet, 0, 65531);
    CHECK_WALK(&packet, 12 + 65535, 12 + 65535, {SR_CHUNK, 12, 132, 0, 65535, 65535}, {.step = SR_CHUNK_END});
    CHECK_WALK(&packet, 12 + 65536, 12 + 65536, {SR_CHUNK, 12, 132, 0, 65535, 65535}, {.step = SR_CHUNK_END});
}

/* As the RFCs write them, NULL for all others. */
static const char *const type_names[256] = {
    [0] = "DATA",          [1] = "INIT",        [2] = "INIT ACK",      [3] = "SACK",         [4] = "HEARTBEAT",
    [5] = "HEARTBEAT ACK", [6] = "ABORT",       [7] = "SHUTDOWN",      [8] = "SHUTDOWN ACK", [9] = "ERROR",
    [10] = "COOKIE ECHO",  [11] = "COOKIE ACK", [12] = "ECNE",         [13] = "CWR",         [14] = "SHUTDOWN COMPLETE",
    [15] = "AUTH",         [16] = "NR-SACK",    [64] = "I-DATA",       [128] = "ASCONF-ACK", [129] = "PKTDROP",
    [130] = "RE-CONFIG",   [132] = "PAD",       [192] = "FORWARD-TSN", [193] = "ASCONF",     [194] = "I-FORWARD-TSN",
};

static void every_type_has_the_name_of_its_rfc_or_none(void **state)
{
    (void)state;
    for (int type = 0; type < 256; type++) {
        if (type_names[type])
            assert_string_equal(sr_chunk_type_name((uint8_t)type), type_names[type]);
        else
            assert_null(sr_chunk_type_name((uint8_t)type));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_without_chunks_ends_at_once),
        cmocka_unit_test(chunks_follow_one_another_at_multiples_of_four),
        cmocka_unit_test(the_final_padding_may_be_missing),
        cmocka_unit_test(one_to_three_bytes_left_are_no_chunk),
        cmocka_unit_test(a_length_below_the_header_ends_the_walk_with_that_chunk),
        cmocka_unit_test(a_chunk_beyond_the_packet_ends_the_walk_with_that_chunk),
        cmocka_unit_test(a_cut_packet_is_blind_behind_its_last_captured_chunk),
        cmocka_unit_test(a_packet_shorter_than_its_header_has_no_chunks),
        cmocka_unit_test(more_captured_than_on_the_wire_is_not_read),
        cmocka_unit_test(the_largest_chunk_fits),
        cmocka_unit_test(every_type_has_the_name_of_its_rfc_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
