/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what a pion without RACK cannot have sent again: a resend on the way, 30 ms from the receiver and 20 ms from
 * the sender and back, and what is changed of it. */
#include "bytes_builder.h"

#include "judge/early_pion.h"
#include "rows.h"

#define MS INT64_C(1000000)

struct world {
    struct sr_journal journal;
    struct sr_association association;
    struct sr_half half;
    struct sr_causes causes;
    struct sr_explained *explained; /* the second copy of a TSN, 60 ms after the first */
};

static void begin(struct world *world)
{
    memset(world, 0, sizeof *world);
    sr_journal_init(&world->journal, 1 << 20);
    world->association.side[0].family = SR_FAMILY_PION;
    world->half = (struct sr_half){.journal = &world->journal, .association = &world->association};
    world->half.measured = (struct sr_measured){.vantage = SR_VANTAGE_MIDDLE,
                                                .sender_loop_ns = 20 * MS,
                                                .shortest_rto_ns = 400 * MS,
                                                .receiver = {.typical_ns = 30 * MS, .floor_ns = 30 * MS}};
    world->causes.half = &world->half;
    sr_spool_init(&world->causes.explained, &world->journal.store, sizeof(struct sr_explained));
    for (uint32_t i = 0; i < 2; i++) {
        struct sr_transmission_row *row = sr_spool_append(&world->journal.transmissions);
        assert_non_null(row);
        *row = (struct sr_transmission_row){.frame = 1 + i, .prev_row = i, .time_ns = i * 60 * MS};
    }
    world->explained = sr_spool_append(&world->causes.explained);
    assert_non_null(world->explained);
    *world->explained = (struct sr_explained){
        .row = 1, .at_feedback = true, .passed_over = true, .reports = 1, .probe_late_ns = SR_NO_TIME};
    memset(world->explained->cause, SR_CAUSE_UNKNOWN, sizeof world->explained->cause);
    world->causes.explained_count = 1;
}

static void check_both(struct world *world, uint32_t unmoved, uint32_t probed)
{
    sr_count_unmoved(&world->causes);
    assert_int_equal(world->causes.fit[SR_SENDER_EARLY_PION].unmoved, unmoved);
    assert_int_equal(world->causes.fit[SR_SENDER_EARLY_PION].probed, probed);
    assert_int_equal(world->causes.fit[SR_SENDER_PION].unmoved, 0);
    sr_spool_free(&world->causes.explained);
    sr_journal_free(&world->journal);
}

static void check(struct world *world, uint32_t unmoved)
{
    check_both(world, unmoved, 0);
}

static void what_was_passed_over_and_comes_again_with_too_few_reports_it_cannot_have_sent(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    check(&world, 1);
}

static void what_is_asked_for_three_times_it_may_have_sent(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    world.explained->asked_for = true;
    check(&world, 0);
}

static void so_may_it_what_it_has_marked_unless_the_occasion_contradicts(void **state)
{
    (void)state;
    for (int contradicted = 0; contradicted < 2; contradicted++) {
        struct world world;
        begin(&world);
        world.explained->cause[SR_SENDER_EARLY_PION] = SR_CAUSE_FAST;
        world.explained->never_missed = contradicted;
        check(&world, (uint32_t)contradicted);
    }
}

static void nor_does_what_nobody_has_passed_over_tell(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    world.explained->passed_over = false;
    check(&world, 0);
}

static void nor_what_a_path_lets_go_that_stood_still(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    world.explained->released = true;
    check(&world, 0);
}

/* Two round trips after the data before: whatever a path lets go. */
static void a_probe_it_cannot_have_sent(void **state)
{
    (void)state;
    for (int short_of = 0; short_of < 2; short_of++) {
        struct world world;
        begin(&world);
        sr_transmission_at(&world.journal, 1)->time_ns = 130 * MS;
        world.explained->at_feedback = world.explained->passed_over = false;
        world.explained->released = world.explained->last_open = true;
        world.explained->silent_ns = 100 * MS - short_of;
        check_both(&world, 0, 1 - (uint32_t)short_of);
    }
}

static void of_a_probe_it_does_not_count_too_that_it_was_passed_over(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    sr_transmission_at(&world.journal, 1)->time_ns = 130 * MS;
    world.explained->at_feedback = false;
    world.explained->last_open = true;
    world.explained->silent_ns = 100 * MS;
    check_both(&world, 0, 1);
}

static void what_was_outstanding_at_a_timeout_left_with_it(void **state)
{
    (void)state;
    struct world world;
    begin(&world);
    sr_transmission_at(&world.journal, 1)->time_ns = 1000 * MS;
    world.explained->at_feedback = false;
    world.explained->silent_ns = 500 * MS;
    struct sr_explained *next = sr_spool_append(&world.causes.explained);
    struct sr_transmission_row *row = sr_spool_append(&world.journal.transmissions);
    assert_non_null(next);
    assert_non_null(row);
    *row = (struct sr_transmission_row){.frame = 3, .prev_row = 1, .time_ns = 1050 * MS};
    *next = *sr_causes_explained(&world.causes, 0);
    next->row = 2;
    next->at_feedback = true;
    world.causes.explained_count = 2;
    check(&world, 0);
}

static void it_is_asked_only_where_the_handshake_leaves_it_open(void **state)
{
    (void)state;
    struct world of_another, told;
    begin(&of_another);
    of_another.association.side[0].family = SR_FAMILY_USRSCTP;
    check(&of_another, 0);
    begin(&told);
    told.association.side[0].init_features = 1u << SR_FEATURE_I_DATA;
    check(&told, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_passed_over_and_comes_again_with_too_few_reports_it_cannot_have_sent),
        cmocka_unit_test(what_is_asked_for_three_times_it_may_have_sent),
        cmocka_unit_test(so_may_it_what_it_has_marked_unless_the_occasion_contradicts),
        cmocka_unit_test(nor_does_what_nobody_has_passed_over_tell),
        cmocka_unit_test(nor_what_a_path_lets_go_that_stood_still),
        cmocka_unit_test(a_probe_it_cannot_have_sent),
        cmocka_unit_test(of_a_probe_it_does_not_count_too_that_it_was_passed_over),
        cmocka_unit_test(what_was_outstanding_at_a_timeout_left_with_it),
        cmocka_unit_test(it_is_asked_only_where_the_handshake_leaves_it_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
