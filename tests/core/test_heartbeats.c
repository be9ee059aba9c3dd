/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which paths do not work: HEARTBEAT after HEARTBEAT goes there without an answer. */
#include "control_row.h"

#include "books/heartbeats.h"
#include "wire/time.h"

static void ask(struct sr_direction *direction, int64_t ms, uint32_t path, uint32_t value)
{
    struct sr_control_row row = row_of(SR_CHUNK_HEARTBEAT, 0, ms, path, value);
    assert_true(sr_heartbeats_asked(direction, &row));
}

static void answer(struct sr_direction *direction, uint32_t value, bool whole)
{
    struct sr_control_row row = row_of(SR_CHUNK_HEARTBEAT_ACK, 1, 1, 0, value);
    row.whole = whole;
    sr_heartbeats_answered(direction, &row);
}

static uint32_t silent_at(struct sr_direction *direction, int64_t ms)
{
    sr_heartbeats_end(direction, ms == 0 ? SR_NO_TIME : ms * MS);
    free(direction->asked);
    return direction->figures.silent_paths;
}

static void two_without_an_answer_are_silence(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct sr_direction direction = {0};
        ask(&direction, 1000, 7, 1);
        if (more)
            ask(&direction, 2000, 7, 2);
        assert_int_equal(silent_at(&direction, 9000), more);
        if (more) {
            assert_int_equal(direction.figures.silent[0].path, 7);
            assert_int_equal(direction.figures.silent[0].heartbeats, 2);
            assert_int_equal(direction.figures.silent[0].frame, 1000);
        }
    }
}

/* RTO.Initial (RFC 9260 section 16). */
static void until_a_second_after_the_last_its_answer_may_come(void **state)
{
    (void)state;
    const int64_t ends_ms[] = {2999, 3000, 0};
    for (int i = 0; i < 3; i++) {
        struct sr_direction direction = {0};
        ask(&direction, 1000, 7, 1);
        ask(&direction, 2000, 7, 2);
        assert_int_equal(silent_at(&direction, ends_ms[i]), i == 1);
    }
}

static void an_answer_and_data_that_arrives_end_it(void **state)
{
    (void)state;
    for (int how = 0; how < 6; how++) {
        struct sr_direction direction = {0};
        ask(&direction, 1000, 7, 1);
        ask(&direction, 2000, 7, 2);
        ask(&direction, 2000, 8, 3);
        switch (how) {
        case 0: answer(&direction, 2, true); break;
        case 1: answer(&direction, 1, true); break;  /* that of another */
        case 2: answer(&direction, 9, false); break; /* cut: it may be any */
        case 3: sr_heartbeats_work(&direction, 7); break;
        case 4: sr_heartbeats_work(&direction, 8); break;
        default:
            direction.asked[0].whole = false;
            answer(&direction, 9, true);
            break;
        }
        assert_int_equal(silent_at(&direction, 9000), how == 1 || how == 4);
    }
}

/* One alone may have been lost. */
static void behind_a_sign_of_life_they_are_counted_anew(void **state)
{
    (void)state;
    for (int how = 0; how < 2; how++)
        for (uint32_t more = 1; more <= 2; more++) {
            struct sr_direction direction = {0};
            ask(&direction, 1000, 7, 1);
            ask(&direction, 2000, 7, 2);
            if (how == 0)
                answer(&direction, 2, true);
            else
                sr_heartbeats_work(&direction, 7);
            for (uint32_t i = 1; i <= more; i++)
                ask(&direction, 2000 + 1000 * i, 7, 2 + i);
            assert_int_equal(silent_at(&direction, 9000), more == 2);
            if (more == 2) {
                assert_int_equal(direction.figures.silent[0].heartbeats, 2);
                assert_int_equal(direction.figures.silent[0].frame, 3000);
            }
        }
}

static void of_many_silent_paths_some_are_named(void **state)
{
    (void)state;
    struct sr_direction direction = {0};
    for (uint32_t path = 0; path <= SR_DIRECTION_PATHS; path++) {
        ask(&direction, 1000 + path, path, 2 * path);
        ask(&direction, 2000 + path, path, 2 * path + 1);
    }
    assert_int_equal(direction.asked_paths, SR_DIRECTION_PATHS);
    assert_int_equal(silent_at(&direction, 9000), SR_DIRECTION_PATHS);
    for (uint32_t i = 0; i < SR_SILENT_PATHS; i++)
        assert_int_equal(direction.figures.silent[i].path, i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_without_an_answer_are_silence),
        cmocka_unit_test(until_a_second_after_the_last_its_answer_may_come),
        cmocka_unit_test(an_answer_and_data_that_arrives_end_it),
        cmocka_unit_test(behind_a_sign_of_life_they_are_counted_anew),
        cmocka_unit_test(of_many_silent_paths_some_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
