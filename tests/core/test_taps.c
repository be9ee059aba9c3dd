/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of when a capture has an association twice, and of when from two places. */
#include "bytes_builder.h"

#include "association/association.h"

enum { MS = 1000000 };

/* A side of which `packets` were sent, `again` come once more, `later_ns` later at least. */
static struct sr_side side_of(uint64_t packets, uint64_t again, int64_t later_ns, bool sure)
{
    struct sr_side side = {.packets = packets};
    for (uint64_t i = 0; i < again; i++)
        sr_late_repeat(&side.late, sure, later_ns + (int64_t)i);
    return side;
}

static void a_side_is_doubled_where_a_quarter_of_its_packets_comes_again(void **state)
{
    (void)state;
    struct sr_side cases[] = {side_of(32, 8, MS, true), side_of(33, 8, MS, true), side_of(8, 7, MS, true),
                              side_of(24, 8, MS, false), side_of(25, 8, MS, false)};
    const bool doubled[] = {true, false, false, true, false};
    for (size_t i = 0; i < sizeof doubled / sizeof *doubled; i++)
        assert_int_equal(sr_is_doubled(&cases[i]), doubled[i]);
}

static struct sr_association both(int64_t a_ns, int64_t b_ns, int64_t loop_ns)
{
    struct sr_association association = {.side = {side_of(100, 90, a_ns, true), side_of(100, 90, b_ns, true)}};
    association.side[SR_SIDE_B].loop = (struct sr_loop){.shortest_ns = loop_ns, .known = loop_ns != 0};
    return association;
}

static void two_places_show_by_answers_that_wait_or_by_delays_that_differ(void **state)
{
    (void)state;
    const struct {
        int64_t a_ns, b_ns, loop_ns;
        bool two;
    } cases[] = {
        {20 * MS, 20 * MS, 20 * MS, true}, {20 * MS, 20 * MS, 20 * MS - 1, false},
        {20 * MS, 20 * MS, 0, true},       {20 * MS, 21 * MS, 1, true},
        {21 * MS, 20 * MS, 1, true},       {20 * MS, 21 * MS - 1, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_association association = both(cases[i].a_ns, cases[i].b_ns, cases[i].loop_ns);
        assert_int_equal(sr_has_two_taps(&association), cases[i].two);
    }
}

static void one_direction_is_no_second_place(void **state)
{
    (void)state;
    struct sr_association association = both(20 * MS, 20 * MS, 0);
    association.side[SR_SIDE_A].late = (struct sr_late_repeats){0};
    assert_false(sr_has_two_taps(&association));
}

static void where_bytes_alone_are_the_same_nobody_knows_what_was_sent_again(void **state)
{
    (void)state;
    struct sr_association association = {.side = {side_of(100, 50, 5 * MS, false), side_of(100, 50, 5 * MS, false)}};
    association.side[SR_SIDE_B].loop = (struct sr_loop){.shortest_ns = 1, .known = true};
    assert_true(sr_is_doubled_unsurely(&association));
    assert_true(sr_has_two_taps(&association));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_is_doubled_where_a_quarter_of_its_packets_comes_again),
        cmocka_unit_test(two_places_show_by_answers_that_wait_or_by_delays_that_differ),
        cmocka_unit_test(one_direction_is_no_second_place),
        cmocka_unit_test(where_bytes_alone_are_the_same_nobody_knows_what_was_sent_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
