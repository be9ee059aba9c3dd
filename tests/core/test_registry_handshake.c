/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the registry: how associations start, with handshakes whole, repeated, crossed and cut. */
#include "registry_world.h"

static void a_handshake_and_what_follows_are_one_association_from_the_sender_of_the_init(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

static void an_init_that_nobody_answers_stays_so_until_an_answer_comes(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_UNANSWERED);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_UNANSWERED);
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 1);
}

static void an_init_that_is_repeated_late_changes_nothing(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 1);
}

static void an_init_that_is_repeated_with_a_new_tag_is_a_new_attempt(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    handshake(&world, A_TO_B, TAG_A + 1, TAG_B, 1);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_UNANSWERED);
    check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 2);
}

/* RFC 9260 section 5.1.3: whoever answers keeps no state, so each INIT ACK has a tag of its own; section 16 has an INIT
 * sent nine times. */
static void of_several_init_acks_each_tag_may_be_the_one_that_is_used(void **state)
{
    (void)state;
    enum { ANSWERS = 9 };
    for (uint32_t used = 0; used < ANSWERS; used++) {
        struct world world = new_world();
        for (uint32_t i = 0; i < ANSWERS; i++) {
            check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
            check(init_ack(&world, B_TO_A, TAG_A, TAG_B + i), 0, SR_SIDE_B);
        }
        check(see(&world, A_TO_B, TAG_B + used, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
        check(data(&world, A_TO_B, TAG_B + used), 0, SR_SIDE_A);
        check_tags(&world, 0, TAG_A, TAG_B + used);
        end_world(&world, 1);
    }
}

static void inits_that_cross_are_one_association(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init(&world, B_TO_A, TAG_B), 0, SR_SIDE_B);
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(init_ack(&world, A_TO_B, TAG_B, TAG_A), 0, SR_SIDE_A);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_B);
    check(init(&world, B_TO_A, TAG_B), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_COLLISION, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

/* RFC 9260 section 5.2.1: the INIT ACK has the tag of the own INIT, which may be seen only after it. */
static void the_second_init_of_a_collision_may_come_after_its_tag_is_known(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(init(&world, B_TO_A, TAG_B), 0, SR_SIDE_B);
    check(init_ack(&world, A_TO_B, TAG_B, TAG_A), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_COLLISION, SR_ENDED_OPEN);
    end_world(&world, 1);
}

/* B answers the first INIT without keeping state, then sends its own, which A answers from COOKIE-ECHOED. */
static void the_second_init_of_a_collision_may_come_after_the_cookie(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check(init(&world, B_TO_A, TAG_B + 1), 0, SR_SIDE_B);
    check(init_ack(&world, A_TO_B, TAG_B + 1, TAG_A), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B + 1), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_COLLISION, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B + 1);
    end_world(&world, 1);
}

static void an_attempt_that_was_aborted_collides_with_nothing(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(see_flags(&world, A_TO_B, TAG_A, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    handshake(&world, B_TO_A, TAG_B, TAG_A + 1, 1);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 2);
}

static void a_restart_is_a_new_association_that_ends_the_old_one_when_it_gets_on(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(init(&world, B_TO_A, TAG_B + 1), 1, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    check_life(&world, 1, SR_STARTED_RESTART, SR_ENDED_UNANSWERED);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(init_ack(&world, A_TO_B, TAG_B + 1, TAG_A + 1), 1, SR_SIDE_B);
    check(see(&world, B_TO_A, TAG_A + 1, SR_CHUNK_COOKIE_ECHO), 1, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_RESTARTED);
    check_life(&world, 1, SR_STARTED_RESTART, SR_ENDED_OPEN);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B); /* a late packet of the old one */
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_RESTARTED);
    end_world(&world, 2);
}

static void a_capture_that_begins_inside_a_handshake_knows_who_began_it(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A); /* sent again: its answer was lost behind the tap */
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B + 1), 0, SR_SIDE_B);
    check(see(&world, A_TO_B, TAG_B + 1, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE_CUT, SR_ENDED_OPEN);
    end_world(&world, 1);

    world = new_world();
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_COOKIE_ACK), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE_CUT, SR_ENDED_OPEN);
    end_world(&world, 1);
}

static void the_answer_to_an_init_may_be_missing_from_the_capture(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handshake_and_what_follows_are_one_association_from_the_sender_of_the_init),
        cmocka_unit_test(an_init_that_nobody_answers_stays_so_until_an_answer_comes),
        cmocka_unit_test(an_init_that_is_repeated_late_changes_nothing),
        cmocka_unit_test(an_init_that_is_repeated_with_a_new_tag_is_a_new_attempt),
        cmocka_unit_test(of_several_init_acks_each_tag_may_be_the_one_that_is_used),
        cmocka_unit_test(inits_that_cross_are_one_association),
        cmocka_unit_test(the_second_init_of_a_collision_may_come_after_its_tag_is_known),
        cmocka_unit_test(the_second_init_of_a_collision_may_come_after_the_cookie),
        cmocka_unit_test(an_attempt_that_was_aborted_collides_with_nothing),
        cmocka_unit_test(a_restart_is_a_new_association_that_ends_the_old_one_when_it_gets_on),
        cmocka_unit_test(a_capture_that_begins_inside_a_handshake_knows_who_began_it),
        cmocka_unit_test(the_answer_to_an_init_may_be_missing_from_the_capture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
