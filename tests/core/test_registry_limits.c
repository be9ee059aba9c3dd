/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the registry: packets that tell it little, and more associations than it has room for. */
#include "registry_world.h"

/* ---- what is degenerate ---- */

static void where_every_tag_is_zero_the_ends_decide(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, 0), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, 0), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, 0), 0, SR_SIDE_A);
    check(data(&world, (struct way){1, 3, 5000, 6000}, 0), 1, SR_SIDE_A);
    check(data(&world, (struct way){3, 1, 6000, 5000}, 0), 1, SR_SIDE_B);
    check(see_flags(&world, B_TO_A, 0, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_B);
    end_world(&world, 2);

    world = new_world();
    check(init(&world, A_TO_B, 0), 0, SR_SIDE_A);
    check(init_ack(&world, B_TO_A, 0, 0), 0, SR_SIDE_B);
    check(see(&world, A_TO_B, 0, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, 0, SR_CHUNK_COOKIE_ACK), 0, SR_SIDE_B);
    end_world(&world, 1);
}

static void where_nothing_tells_the_sides_apart_everything_is_from_the_first(void **state)
{
    (void)state;
    static const struct way self = {1, 1, 2905, 2905};
    struct world world = new_world();
    for (int i = 0; i < 3; i++)
        check(data(&world, self, 0), 0, SR_SIDE_A);
    end_world(&world, 1);
}

static void packets_without_a_chunk_belong_by_their_tag(void **state)
{
    (void)state;
    static const struct bytes none = {0};
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see_bytes(&world, B_TO_A, TAG_A, &none), 0, SR_SIDE_B);
    check(see_bytes(&world, A_TO_B, TAG_B, &none), 0, SR_SIDE_A);
    check(see_bytes(&world, A_TO_B, TAG_B + 1, &none), 1, SR_SIDE_A);
    end_world(&world, 2);
}

static void an_init_that_is_cut_before_its_tag_belongs_by_its_ends(void **state)
{
    (void)state;
    struct world world = new_world();
    check(see(&world, A_TO_B, 0, SR_CHUNK_INIT), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_INIT_ACK), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    end_world(&world, 1);
}

/* ---- many ---- */

static void beyond_the_limit_there_is_no_association_and_the_others_go_on(void **state)
{
    (void)state;
    struct world world = new_world();
    for (uint32_t i = 0; i < SR_ASSOCIATIONS_LIMIT; i++)
        check(data(&world, A_TO_B, i + 1), (int)i, SR_SIDE_A);
    check(data(&world, A_TO_B, SR_ASSOCIATIONS_LIMIT + 1), NOBODY, 0);
    check(init(&world, A_TO_B, TAG_A), NOBODY, 0);
    check(init_ack(&world, (struct way){7, 8, 1, 2}, TAG_A, TAG_B), NOBODY, 0);
    check(see_flags(&world, (struct way){7, 8, 1, 2}, TAG_A, SR_CHUNK_ABORT, REFLECTED), NOBODY, 0);
    check(data(&world, A_TO_B, SR_ASSOCIATIONS_LIMIT), SR_ASSOCIATIONS_LIMIT - 1, SR_SIDE_A);
    end_world(&world, SR_ASSOCIATIONS_LIMIT);
}

/* Ports whose sum is the same, and many tags between the same ends: neither may make every packet slow. */
static void a_flood_of_inits_is_bounded(void **state)
{
    (void)state;
    struct world world = new_world();
    for (uint32_t i = 0; i < SR_ASSOCIATIONS_LIMIT + 1000; i++) {
        struct way way = {1, 2, (uint16_t)(i * 7), (uint16_t)(0 - i * 7)};
        check(init(&world, i % 2 ? way : A_TO_B, i + 1), i < SR_ASSOCIATIONS_LIMIT ? (int)i : NOBODY, SR_SIDE_A);
    }
    end_world(&world, SR_ASSOCIATIONS_LIMIT);
}

static void many_attempts_between_the_same_ends_do_not_hide_the_newest(void **state)
{
    (void)state;
    enum { ATTEMPTS = 10000 };
    struct world world = new_world();
    for (uint32_t i = 0; i < ATTEMPTS; i++)
        handshake(&world, A_TO_B, 10 + 2 * i, 11 + 2 * i, (int)i);
    check(data(&world, A_TO_B, 11), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, 11 + 2 * (ATTEMPTS - 1)), ATTEMPTS - 1, SR_SIDE_A);
    check_life(&world, ATTEMPTS - 2, SR_STARTED_RESTART, SR_ENDED_RESTARTED);
    check_life(&world, ATTEMPTS - 1, SR_STARTED_RESTART, SR_ENDED_OPEN);
    end_world(&world, ATTEMPTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_every_tag_is_zero_the_ends_decide),
        cmocka_unit_test(where_nothing_tells_the_sides_apart_everything_is_from_the_first),
        cmocka_unit_test(packets_without_a_chunk_belong_by_their_tag),
        cmocka_unit_test(an_init_that_is_cut_before_its_tag_belongs_by_its_ends),
        cmocka_unit_test(beyond_the_limit_there_is_no_association_and_the_others_go_on),
        cmocka_unit_test(a_flood_of_inits_is_bounded),
        cmocka_unit_test(many_attempts_between_the_same_ends_do_not_hide_the_newest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
