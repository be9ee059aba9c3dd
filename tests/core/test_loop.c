/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of how the time from the tap to a side and back is measured. */
#include "bytes_builder.h"

#include "association/loop.h"
#include "wire/chunk.h"
#include "wire/time.h"

enum { A, B };

struct pair {
    struct sr_loop a, b;
};

static void pass(struct pair *pair, unsigned from, uint8_t type, int64_t time_ns)
{
    struct sr_loop *const loops[2] = {&pair->a, &pair->b};
    sr_loop_chunk(loops, from, type, time_ns);
}

static void check(const struct sr_loop *loop, bool known, int64_t shortest_ns)
{
    assert_int_equal(loop->known, known);
    if (known)
        assert_int_equal(loop->shortest_ns, shortest_ns);
}

static void a_handshake_measures_both_sides(void **state)
{
    (void)state;
    struct pair pair = {0};
    pass(&pair, A, SR_CHUNK_INIT, 100);
    pass(&pair, B, SR_CHUNK_INIT_ACK, 200);
    check(&pair.a, false, 0);
    check(&pair.b, true, 100);
    pass(&pair, A, SR_CHUNK_COOKIE_ECHO, 230);
    pass(&pair, B, SR_CHUNK_COOKIE_ACK, 330);
    check(&pair.a, true, 30);
    check(&pair.b, true, 100);
}

static void the_shortest_heartbeat_counts(void **state)
{
    (void)state;
    static const int64_t answered_after[] = {50, 20, 90};
    struct pair pair = {0};
    int64_t now_ns = 1000;
    for (size_t i = 0; i < sizeof answered_after / sizeof *answered_after; i++) {
        pass(&pair, A, SR_CHUNK_HEARTBEAT, now_ns);
        pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, now_ns += answered_after[i]);
    }
    check(&pair.b, true, 20);
    check(&pair.a, false, 0);
}

/* Its COOKIE ECHO, or the answer to that, was lost. */
static void the_beginning_of_a_handshake_is_enough(void **state)
{
    (void)state;
    struct pair pair = {0}, again = {0};
    pass(&pair, A, SR_CHUNK_INIT, 100);
    pass(&pair, B, SR_CHUNK_INIT_ACK, 200);
    pass(&pair, A, SR_CHUNK_COOKIE_ECHO, 230);
    pass(&pair, A, SR_CHUNK_COOKIE_ECHO, 730);
    pass(&pair, B, SR_CHUNK_COOKIE_ACK, 740);
    check(&pair.b, true, 100);
    pass(&again, A, SR_CHUNK_INIT, 100);
    pass(&again, A, SR_CHUNK_INIT, 700);
    pass(&again, B, SR_CHUNK_INIT_ACK, 710);
    check(&again.b, false, 0);
}

/* The first COOKIE ECHO was lost before the tap; a second later, or one and then two, T1-cookie sends another. */
static void a_cookie_that_was_sent_again_is_told_without_the_timer(void **state)
{
    (void)state;
    static const int64_t second_ns = INT64_C(1000000000);
    static const struct {
        int64_t after_ns, loop_ns;
    } cases[] = {{second_ns - 1, second_ns - 1},
                 {second_ns + 7, 7},
                 {3 * second_ns - 1, 2 * second_ns - 1},
                 {3 * second_ns, 0},
                 {3 * second_ns + 7, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pair pair = {0};
        pass(&pair, B, SR_CHUNK_INIT_ACK, 100);
        pass(&pair, A, SR_CHUNK_COOKIE_ECHO, 100 + cases[i].after_ns);
        check(&pair.a, true, cases[i].loop_ns);
    }
    struct pair pair = {0};
    pass(&pair, A, SR_CHUNK_HEARTBEAT, 100);
    pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, 100 + second_ns + 7);
    check(&pair.b, true, second_ns + 7); /* a HEARTBEAT is no other one's copy */
}

static void what_is_asked_twice_measures_nothing(void **state)
{
    (void)state;
    struct pair pair = {0};
    pass(&pair, A, SR_CHUNK_HEARTBEAT, 100);
    pass(&pair, A, SR_CHUNK_HEARTBEAT, 200);
    pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, 210);
    check(&pair.b, false, 0);
}

static void a_third_question_does_not_make_the_first_answer_tell(void **state)
{
    (void)state;
    struct pair pair = {0};
    for (int i = 0; i < 3; i++)
        pass(&pair, A, SR_CHUNK_HEARTBEAT, 100 + i);
    pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, 110);
    check(&pair.b, false, 0);
}

static void an_answer_without_question_and_times_that_cannot_be_measure_nothing(void **state)
{
    (void)state;
    struct pair pair = {0};
    pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, 210);
    check(&pair.b, false, 0);
    pass(&pair, A, SR_CHUNK_HEARTBEAT, SR_NO_TIME);
    pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, 210);
    check(&pair.b, false, 0);
    pass(&pair, A, SR_CHUNK_HEARTBEAT, 300);
    pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, 299);
    check(&pair.b, false, 0);
    pass(&pair, A, SR_CHUNK_HEARTBEAT, INT64_MIN + 1);
    pass(&pair, B, SR_CHUNK_HEARTBEAT_ACK, INT64_MAX);
    check(&pair.b, true, INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handshake_measures_both_sides),
        cmocka_unit_test(the_shortest_heartbeat_counts),
        cmocka_unit_test(the_beginning_of_a_handshake_is_enough),
        cmocka_unit_test(a_cookie_that_was_sent_again_is_told_without_the_timer),
        cmocka_unit_test(what_is_asked_twice_measures_nothing),
        cmocka_unit_test(a_third_question_does_not_make_the_first_answer_tell),
        cmocka_unit_test(an_answer_without_question_and_times_that_cannot_be_measure_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
