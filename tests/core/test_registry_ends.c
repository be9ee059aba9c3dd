/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the registry: how associations end, and to which of them belongs what comes late. */
#include "registry_world.h"

static void a_reflected_tag_is_that_of_its_own_sender(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_ABORT, SR_CHUNK_SHUTDOWN_COMPLETE};
    static const enum sr_ended ended[] = {SR_ENDED_ABORT, SR_ENDED_SHUTDOWN};
    for (int i = 0; i < 2; i++) {
        struct world world = new_world();
        handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
        check(see_flags(&world, B_TO_A, TAG_B, types[i], REFLECTED), 0, SR_SIDE_B);
        check_life(&world, 0, SR_STARTED_HANDSHAKE, ended[i]);
        check_tags(&world, 0, TAG_A, TAG_B);
        end_world(&world, 1);
    }
}

static void a_reflected_tag_that_was_not_known_is_learned_for_its_sender(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_A); /* B is side a here: it is seen first */
    check(see_flags(&world, B_TO_A, TAG_B, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_B);
    check_tags(&world, 0, TAG_B, TAG_A);
    end_world(&world, 1);
}

static void a_reflected_tag_without_an_association_begins_one_that_its_cause_belongs_to(void **state)
{
    (void)state;
    struct world world = new_world();
    check(see_flags(&world, B_TO_A, TAG_B, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_B);
    check(see_flags(&world, B_TO_A, TAG_B, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_MIDDLE, SR_ENDED_ABORT);
    end_world(&world, 1);
}

static void a_reflected_bit_on_a_tag_that_is_not_reflected_is_overlooked(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see_flags(&world, B_TO_A, TAG_A, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

static void an_init_may_be_answered_by_an_abort(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_ABORT), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    check(init(&world, A_TO_B, TAG_A), 1, SR_SIDE_A);
    check(see_flags(&world, B_TO_A, 0, SR_CHUNK_ABORT, REFLECTED), 1, SR_SIDE_B); /* the tag of the INIT's packet */
    check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    end_world(&world, 2);
}

static void the_end_that_came_first_stays(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_SHUTDOWN), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_SHUTTING_DOWN);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_SHUTDOWN_ACK), 0, SR_SIDE_B);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_SHUTDOWN_COMPLETE), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_SHUTDOWN);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B); /* late, so that nobody knows it any more */
    check(see_flags(&world, A_TO_B, TAG_A, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_SHUTDOWN), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_SHUTDOWN);
    end_world(&world, 1);
}

static void after_the_end_an_init_begins_a_new_association_even_with_the_same_tag(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_ABORT, SR_CHUNK_SHUTDOWN_COMPLETE};
    for (int i = 0; i < 2; i++) {
        struct world world = new_world();
        handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
        check(see(&world, A_TO_B, TAG_B, types[i]), 0, SR_SIDE_A);
        handshake(&world, A_TO_B, TAG_A, TAG_B, 1);
        check(data(&world, A_TO_B, TAG_B), 1, SR_SIDE_A);
        check(data(&world, B_TO_A, TAG_A), 1, SR_SIDE_B);
        check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
        end_world(&world, 2);
    }
}

static void late_packets_belong_to_the_association_that_has_ended(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_ABORT), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    handshake(&world, A_TO_B, TAG_A + 1, TAG_B + 1, 1);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    end_world(&world, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reflected_tag_is_that_of_its_own_sender),
        cmocka_unit_test(a_reflected_tag_that_was_not_known_is_learned_for_its_sender),
        cmocka_unit_test(a_reflected_tag_without_an_association_begins_one_that_its_cause_belongs_to),
        cmocka_unit_test(a_reflected_bit_on_a_tag_that_is_not_reflected_is_overlooked),
        cmocka_unit_test(an_init_may_be_answered_by_an_abort),
        cmocka_unit_test(the_end_that_came_first_stays),
        cmocka_unit_test(after_the_end_an_init_begins_a_new_association_even_with_the_same_tag),
        cmocka_unit_test(late_packets_belong_to_the_association_that_has_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
