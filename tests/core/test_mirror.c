/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of when all packets come once more by the same time later. */
#include "bytes_builder.h"

#include "association/mirror.h"
#include "wire/chunk.h"

enum { MS = 1000000, LATER = 5 * MS };

static struct sr_mirrored packet(uint32_t number, uint8_t from, int64_t later_ns)
{
    return (struct sr_mirrored){later_ns, number, from, false};
}

/* A question of side a and its answer came once more. */
static struct sr_mirror after_a_handshake(void)
{
    struct sr_mirror mirror = {0};
    sr_mirror_learn(&mirror, packet(1, 0, LATER));
    sr_mirror_learn(&mirror, packet(2, 1, LATER));
    return mirror;
}

static void what_waits_for_a_timer_is_not_sent_again_before_one_expires(void **state)
{
    (void)state;
    struct sr_mirror mirror = {0};
    struct sr_mirrored soon = {10 * MS - 1, 1, 0, true}, late = {10 * MS, 1, 0, true}, back = {-1, 1, 0, true};
    assert_true(sr_mirror_has(&mirror, soon));
    assert_false(sr_mirror_has(&mirror, late));
    assert_false(sr_mirror_has(&mirror, back));
    assert_true(sr_waits_for_timer(SR_CHUNK_INIT));
    assert_true(sr_waits_for_timer(SR_CHUNK_HEARTBEAT_ACK));
    assert_false(sr_waits_for_timer(SR_CHUNK_DATA));
    assert_false(sr_waits_for_timer(SR_CHUNK_SACK));
}

static void what_follows_in_order_as_much_later_comes_once_more_too(void **state)
{
    (void)state;
    struct sr_mirror mirror = after_a_handshake();
    assert_true(sr_mirror_has(&mirror, packet(3, 0, LATER)));
    assert_true(sr_mirror_has(&mirror, packet(18, 0, LATER + MS - 1)));
    assert_true(sr_mirror_has(&mirror, packet(1, 0, LATER - MS + 1)));
}

static void what_is_picked_out_or_takes_another_time_was_sent_again(void **state)
{
    (void)state;
    struct sr_mirror mirror = after_a_handshake();
    assert_false(sr_mirror_has(&mirror, packet(3, 0, LATER + MS)));
    assert_false(sr_mirror_has(&mirror, packet(3, 0, LATER - MS)));
    assert_false(sr_mirror_has(&mirror, packet(19, 0, LATER)));
}

static void one_side_alone_shows_no_mirror(void **state)
{
    (void)state;
    struct sr_mirror mirror = {0};
    sr_mirror_learn(&mirror, packet(1, 0, LATER));
    assert_false(sr_mirror_has(&mirror, packet(2, 0, LATER)));
    sr_mirror_learn(&mirror, packet(3, 0, LATER));
    assert_false(sr_mirror_has(&mirror, packet(4, 0, LATER)));
    sr_mirror_learn(&mirror, packet(4, 1, LATER));
    assert_true(sr_mirror_has(&mirror, packet(5, 0, LATER)));
}

static void what_comes_by_another_time_begins_anew(void **state)
{
    (void)state;
    struct sr_mirror mirror = after_a_handshake();
    sr_mirror_learn(&mirror, packet(3, 0, 2 * LATER));
    assert_false(sr_mirror_has(&mirror, packet(4, 0, LATER)));
    assert_false(sr_mirror_has(&mirror, packet(4, 0, 2 * LATER)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_for_a_timer_is_not_sent_again_before_one_expires),
        cmocka_unit_test(what_follows_in_order_as_much_later_comes_once_more_too),
        cmocka_unit_test(what_is_picked_out_or_takes_another_time_was_sent_again),
        cmocka_unit_test(one_side_alone_shows_no_mirror),
        cmocka_unit_test(what_comes_by_another_time_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
