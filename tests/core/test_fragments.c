/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of IP reassembly. */
#include "bytes_builder.h"

#include "capture/fragments.h"

enum { LENGTH = 61 };

static uint8_t whole[70000]; /* what a datagram carries */

static int make_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof whole; i++)
        whole[i] = (uint8_t)(i * 7 + i / 251);
    return 0;
}

static struct sr_fragment fragment_of(uint32_t id, uint32_t offset, bool more)
{
    return (struct sr_fragment){.src = {{10, 0, 0, 1}, 4},
                                .dst = {{10, 0, 0, 2}, 4},
                                .id = id,
                                .protocol = 132,
                                .offset = offset,
                                .more = more};
}

/* As if each protocol carried SCTP. */
static const struct sr_protocols all = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

/* Adds `count` bytes from `bytes`; where the datagram is complete it must be `length` bytes of `whole`. */
static void check_add(struct sr_fragments *fragments, struct sr_fragment fragment, const uint8_t *bytes, uint32_t count,
                      enum sr_fragment_step expected, uint32_t length, uint64_t left_over)
{
    uint8_t *copy = exact(bytes, count);
    struct sr_cursor payload = sr_cursor(copy, count, count);
    assert_int_equal(sr_fragments_add(fragments, &fragment, &payload), expected);
    if (expected == SR_FRAGMENT_COMPLETE) {
        assert_int_equal(payload.captured, length);
        assert_int_equal(payload.wire, length);
        assert_memory_equal(payload.bytes, whole, length);
    } else {
        assert_ptr_equal(payload.bytes, copy);
        assert_int_equal(payload.captured, count);
        assert_int_equal(payload.wire, count);
    }
    assert_int_equal(sr_fragments_left_over(fragments, &all), left_over);
    free_exact(copy, count);
}

static void fragments_in_order_make_their_datagram(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 0, true), whole, 24, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 24, true), whole + 24, 32, SR_FRAGMENT_KEPT, 0, 2);
    check_add(fragments, fragment_of(1, 56, false), whole + 56, LENGTH - 56, SR_FRAGMENT_COMPLETE, LENGTH, 0);
    sr_fragments_free(fragments);
}

static void fragments_in_reverse_order_make_their_datagram(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 56, false), whole + 56, LENGTH - 56, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 24, true), whole + 24, 32, SR_FRAGMENT_KEPT, 0, 2);
    check_add(fragments, fragment_of(1, 0, true), whole, 24, SR_FRAGMENT_COMPLETE, LENGTH, 0);
    sr_fragments_free(fragments);
}

static void every_order_of_four_fragments_makes_the_datagram(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    for (uint32_t order = 0; order < 256; order++) {
        uint32_t index[4] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6 & 3};
        if ((1u << index[0] | 1u << index[1] | 1u << index[2] | 1u << index[3]) != 15)
            continue;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t offset = index[i] * 16, count = index[i] == 3 ? LENGTH - 48 : 16;
            check_add(fragments, fragment_of(order, offset, index[i] != 3), whole + offset, count,
                      i == 3 ? SR_FRAGMENT_COMPLETE : SR_FRAGMENT_KEPT, LENGTH, i == 3 ? 0 : i + 1);
        }
    }
    sr_fragments_free(fragments);
}

static void the_same_bytes_twice_are_no_contradiction(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 56, false), whole + 56, LENGTH - 56, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 56, false), whole + 56, LENGTH - 56, SR_FRAGMENT_KEPT, 0, 2);
    check_add(fragments, fragment_of(1, 0, true), whole, 32, SR_FRAGMENT_KEPT, 0, 3);
    check_add(fragments, fragment_of(1, 8, true), whole + 8, 16, SR_FRAGMENT_KEPT, 0, 4);
    check_add(fragments, fragment_of(1, 24, true), whole + 24, 32, SR_FRAGMENT_COMPLETE, LENGTH, 0);
    sr_fragments_free(fragments);
}

/* The fragment that contradicts is none of those kept. */
static void other_bytes_at_the_same_place_give_the_datagram_up(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 0, true), whole, 32, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 24, true), whole, 16, SR_FRAGMENT_OVERLAP, 0, 1);
    /* Its number may be used again at once. */
    check_add(fragments, fragment_of(1, 0, true), whole, 56, SR_FRAGMENT_KEPT, 0, 2);
    check_add(fragments, fragment_of(1, 56, false), whole + 56, LENGTH - 56, SR_FRAGMENT_COMPLETE, LENGTH, 1);
    sr_fragments_free(fragments);
}

static void a_last_fragment_that_ends_before_what_is_there_gives_the_datagram_up(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 0, true), whole, 32, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 8, false), whole + 8, 16, SR_FRAGMENT_OVERLAP, 0, 1);

    check_add(fragments, fragment_of(2, 8, false), whole + 8, 16, SR_FRAGMENT_KEPT, 0, 2);
    check_add(fragments, fragment_of(2, 0, true), whole, 32, SR_FRAGMENT_OVERLAP, 0, 2);

    /* By less than the eight bytes in which places are counted. */
    check_add(fragments, fragment_of(3, 8, false), whole + 8, 5, SR_FRAGMENT_KEPT, 0, 3);
    check_add(fragments, fragment_of(3, 0, true), whole, 16, SR_FRAGMENT_OVERLAP, 0, 3);
    sr_fragments_free(fragments);
}

static void two_last_fragments_must_agree(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 8, false), whole + 8, 5, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 8, false), whole + 8, 4, SR_FRAGMENT_OVERLAP, 0, 1);
    check_add(fragments, fragment_of(2, 8, false), whole + 8, 5, SR_FRAGMENT_KEPT, 0, 2);
    check_add(fragments, fragment_of(2, 8, false), whole + 8, 6, SR_FRAGMENT_OVERLAP, 0, 2);
    sr_fragments_free(fragments);
}

static void a_fragment_that_cannot_be_is_malformed_and_changes_nothing(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 0, true), whole, 24, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 24, true), whole + 24, 0, SR_FRAGMENT_MALFORMED, 0, 1);
    check_add(fragments, fragment_of(1, 24, false), whole + 24, 0, SR_FRAGMENT_MALFORMED, 0, 1);
    for (uint32_t count = 1; count < 8; count++)
        check_add(fragments, fragment_of(1, 24, true), whole + 24, count, SR_FRAGMENT_MALFORMED, 0, 1);
    check_add(fragments, fragment_of(1, 65528, false), whole, 9, SR_FRAGMENT_MALFORMED, 0, 1);
    check_add(fragments, fragment_of(1, 24, false), whole, 65536, SR_FRAGMENT_MALFORMED, 0, 1);
    check_add(fragments, fragment_of(1, 24, false), whole + 24, LENGTH - 24, SR_FRAGMENT_COMPLETE, LENGTH, 0);
    sr_fragments_free(fragments);
}

static void the_largest_datagram_is_made_from_two_fragments(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    check_add(fragments, fragment_of(1, 65528, false), whole + 65528, 8, SR_FRAGMENT_KEPT, 0, 1);
    check_add(fragments, fragment_of(1, 0, true), whole, 65528, SR_FRAGMENT_COMPLETE, 65536, 0);
    sr_fragments_free(fragments);
}

static void datagrams_differ_by_address_protocol_and_number(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    struct sr_fragment others[7];
    for (size_t i = 0; i < 7; i++)
        others[i] = fragment_of(1, 0, true);
    others[1].id = 2;
    others[2].protocol = 17;
    others[3].src.bytes[3] = 9;
    others[4].dst.bytes[3] = 9;
    others[5].src.family = 6;
    others[6].dst.bytes[15] = 1;
    for (uint32_t i = 0; i < 7; i++)
        check_add(fragments, others[i], whole, 24, SR_FRAGMENT_KEPT, 0, i + 1);
    for (uint32_t i = 0; i < 7; i++) {
        others[i].offset = 24;
        others[i].more = false;
        check_add(fragments, others[i], whole + 24, LENGTH - 24, SR_FRAGMENT_COMPLETE, LENGTH, 6 - i);
    }
    sr_fragments_free(fragments);
}

/* A tunnel may be fragmented inside and outside: the payload of one datagram is a fragment of the next. */
static void a_complete_payload_may_be_a_fragment_in_turn(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    struct sr_fragment inner = fragment_of(2, 0, true), outer = fragment_of(1, 0, true);
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t first = half * 32, count = half == 0 ? 32 : LENGTH - 32;
        check_add(fragments, fragment_of(1, 16, false), whole + first + 16, count - 16, SR_FRAGMENT_KEPT, 0, half + 1);
        struct sr_cursor payload = sr_cursor(whole + first, 16, 16);
        assert_int_equal(sr_fragments_add(fragments, &outer, &payload), SR_FRAGMENT_COMPLETE);
        assert_int_equal(payload.wire, count);
        assert_memory_equal(payload.bytes, whole + first, count);
        inner.offset = first;
        inner.more = half == 0;
        assert_int_equal(sr_fragments_add(fragments, &inner, &payload),
                         half == 0 ? SR_FRAGMENT_KEPT : SR_FRAGMENT_COMPLETE);
        if (half == 1) {
            assert_int_equal(payload.captured, LENGTH);
            assert_int_equal(payload.wire, LENGTH);
            assert_memory_equal(payload.bytes, whole, LENGTH);
        }
        assert_int_equal(sr_fragments_left_over(fragments, &all), half == 0);
    }
    sr_fragments_free(fragments);
}

/* After that its identification may be another datagram's (RFC 1122 section 3.3.2). */
static void a_datagram_waits_sixty_seconds_for_its_fragments(void **state)
{
    (void)state;
    const int64_t minute_ns = INT64_C(60000000000);
    for (int late = 0; late < 2; late++) {
        struct sr_fragments *fragments = sr_fragments_new();
        struct sr_fragment last = fragment_of(1, 24, true);
        last.time_ns = minute_ns + late;
        check_add(fragments, fragment_of(1, 0, true), whole, 24, SR_FRAGMENT_KEPT, 0, 1);
        last.more = false;
        if (late)
            check_add(fragments, last, whole + 24, LENGTH - 24, SR_FRAGMENT_KEPT, 0, 2);
        else
            check_add(fragments, last, whole + 24, LENGTH - 24, SR_FRAGMENT_COMPLETE, LENGTH, 0);
        sr_fragments_free(fragments);
    }
}

static void of_too_many_datagrams_the_one_begun_longest_ago_makes_room(void **state)
{
    (void)state;
    struct sr_fragments *fragments = sr_fragments_new();
    for (uint32_t i = 0; i < SR_FRAGMENT_DATAGRAMS; i++)
        check_add(fragments, fragment_of(i, 0, true), whole, 24, SR_FRAGMENT_KEPT, 0, i + 1);
    check_add(fragments, fragment_of(0, 24, true), whole + 24, 8, SR_FRAGMENT_KEPT, 0, 65); /* not begun again by it */
    check_add(fragments, fragment_of(64, 0, true), whole, 24, SR_FRAGMENT_KEPT, 0, 66);     /* pushes out number 0 */

    for (uint32_t i = 1; i <= SR_FRAGMENT_DATAGRAMS; i++)
        check_add(fragments, fragment_of(i, 24, false), whole + 24, LENGTH - 24, SR_FRAGMENT_COMPLETE, LENGTH, 66 - i);
    check_add(fragments, fragment_of(0, 32, false), whole + 32, LENGTH - 32, SR_FRAGMENT_KEPT, 0, 3);
    sr_fragments_free(fragments);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fragments_in_order_make_their_datagram),
        cmocka_unit_test(fragments_in_reverse_order_make_their_datagram),
        cmocka_unit_test(every_order_of_four_fragments_makes_the_datagram),
        cmocka_unit_test(the_same_bytes_twice_are_no_contradiction),
        cmocka_unit_test(other_bytes_at_the_same_place_give_the_datagram_up),
        cmocka_unit_test(a_last_fragment_that_ends_before_what_is_there_gives_the_datagram_up),
        cmocka_unit_test(two_last_fragments_must_agree),
        cmocka_unit_test(a_fragment_that_cannot_be_is_malformed_and_changes_nothing),
        cmocka_unit_test(the_largest_datagram_is_made_from_two_fragments),
        cmocka_unit_test(datagrams_differ_by_address_protocol_and_number),
        cmocka_unit_test(a_complete_payload_may_be_a_fragment_in_turn),
        cmocka_unit_test(a_datagram_waits_sixty_seconds_for_its_fragments),
        cmocka_unit_test(of_too_many_datagrams_the_one_begun_longest_ago_makes_room),
    };
    return cmocka_run_group_tests(tests, make_whole, NULL);
}
