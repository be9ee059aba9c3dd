/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what handshake and shutdown say of how far the tap is from both ends: A begins, and is asked to close. */
#include "control_row.h"

#include "facts/control_loops.h"
#include "wire/chunk.h"
#include "wire/time.h"

enum { A, B };

static void pass(struct sr_control_loops *loops, unsigned from, uint8_t type, int64_t ms)
{
    struct sr_half halves[2] = {{0}, {0}};
    struct sr_control_row row = row_of(type, from, ms, 0, 0);
    sr_control_loops_add(loops, halves, &row);
}

static void each_answers_at_once(void **state)
{
    (void)state;
    struct sr_control_loops loops = sr_control_loops();
    sr_control_loops_data(&loops, A); /* before it was asked */
    sr_control_loops_shutdown(&loops, B, 100 * MS);
    pass(&loops, A, SR_CHUNK_SHUTDOWN_ACK, 130);
    assert_int_equal(loops.closing[A], 30 * MS);
    assert_true(loops.closing[B] == SR_NO_TIME);
    pass(&loops, B, SR_CHUNK_SHUTDOWN_COMPLETE, 170);
    assert_int_equal(loops.closing[B], 40 * MS);
    assert_true(loops.loop[A] == SR_NO_TIME && loops.loop[B] == SR_NO_TIME);
}

static void what_was_asked_twice_says_nothing(void **state)
{
    (void)state;
    struct sr_control_loops loops = sr_control_loops();
    sr_control_loops_shutdown(&loops, B, 100 * MS);
    sr_control_loops_shutdown(&loops, B, 120 * MS);
    pass(&loops, A, SR_CHUNK_SHUTDOWN_ACK, 130);
    pass(&loops, A, SR_CHUNK_SHUTDOWN_ACK, 140);
    pass(&loops, B, SR_CHUNK_SHUTDOWN_COMPLETE, 170);
    assert_true(loops.closing[A] == SR_NO_TIME && loops.closing[B] == SR_NO_TIME);
    pass(&loops, B, SR_CHUNK_SHUTDOWN_COMPLETE, 180); /* nothing was asked since */
    assert_true(loops.closing[B] == SR_NO_TIME);
}

static void who_still_sends_does_not_answer_at_once(void **state)
{
    (void)state;
    struct sr_control_loops loops = sr_control_loops();
    sr_control_loops_shutdown(&loops, B, 100 * MS);
    sr_control_loops_data(&loops, B); /* that of the other side does not matter */
    sr_control_loops_data(&loops, A);
    pass(&loops, A, SR_CHUNK_SHUTDOWN_ACK, 130);
    assert_true(loops.closing[A] == SR_NO_TIME);
    sr_control_loops_shutdown(&loops, B, 200 * MS);
    sr_control_loops_data(&loops, B);
    pass(&loops, A, SR_CHUNK_SHUTDOWN_ACK, 230);
    assert_int_equal(loops.closing[A], 30 * MS);
}

/* The loop to A where data to B, and data to A, were acknowledged so soon: 0, none was. */
static int64_t loop_to_a(const struct sr_control_loops *loops, int64_t to_b_ms, int64_t to_a_ms)
{
    struct sr_half halves[2] = {{.from = A}, {.from = B}};
    halves[A].measured.loop.count = to_b_ms > 0;
    halves[A].measured.loop.least = to_b_ms * MS;
    halves[B].measured.loop.count = to_a_ms > 0;
    halves[B].measured.loop.least = to_a_ms * MS;
    return sr_control_loop_of(loops, halves, A);
}

static void what_the_other_loop_leaves_of_both(void **state)
{
    (void)state;
    struct sr_control_loops loops = sr_control_loops();
    pass(&loops, A, SR_CHUNK_INIT, 0); /* its INIT ACK was not captured */
    pass(&loops, A, SR_CHUNK_COOKIE_ECHO, 100);
    assert_int_equal(loop_to_a(&loops, 60, 0), 40 * MS);
    assert_int_equal(loop_to_a(&loops, 120, 0), 0);
    assert_true(loop_to_a(&loops, 0, 0) == SR_NO_TIME);
    loops.loop[B] = 70 * MS; /* by a HEARTBEAT, before data */
    assert_int_equal(loop_to_a(&loops, 60, 0), 30 * MS);
}

static void a_cookie_may_come_when_t1_expires(void **state)
{
    (void)state;
    struct sr_control_loops loops = sr_control_loops();
    pass(&loops, B, SR_CHUNK_INIT_ACK, 0);
    pass(&loops, A, SR_CHUNK_COOKIE_ECHO, 1040);
    assert_int_equal(loop_to_a(&loops, 0, 0), 40 * MS);
    assert_int_equal(loop_to_a(&loops, 0, 30), 30 * MS);
    assert_int_equal(loop_to_a(&loops, 0, 50), 40 * MS);
    loops = sr_control_loops();
    pass(&loops, B, SR_CHUNK_INIT_ACK, 0);
    pass(&loops, A, SR_CHUNK_COOKIE_ECHO, 40);
    assert_int_equal(loop_to_a(&loops, 0, 30), 40 * MS); /* it did not expire */
    pass(&loops, A, SR_CHUNK_COOKIE_ECHO, 1040);         /* it does, and the first one is told by now */
    assert_int_equal(loop_to_a(&loops, 0, 30), 40 * MS);
}

/* As where files of two taps were merged. */
static void a_question_is_answered_once_if_too_soon(void **state)
{
    (void)state;
    for (int64_t before = 0; before < 2; before++) {
        struct sr_control_loops loops = sr_control_loops();
        pass(&loops, A, SR_CHUNK_COOKIE_ECHO, 100);
        pass(&loops, B, SR_CHUNK_COOKIE_ACK, 100 - before);
        pass(&loops, B, SR_CHUNK_COOKIE_ACK, 130);
        assert_int_equal(loops.loop[B], before ? SR_NO_TIME : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_other_loop_leaves_of_both),
        cmocka_unit_test(a_cookie_may_come_when_t1_expires),
        cmocka_unit_test(each_answers_at_once),
        cmocka_unit_test(what_was_asked_twice_says_nothing),
        cmocka_unit_test(who_still_sends_does_not_answer_at_once),
        cmocka_unit_test(a_question_is_answered_once_if_too_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
