/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the registry: associations that are found in their middle, and their several addresses. */
#include "registry_world.h"

/* ---- in the middle ---- */

static void both_directions_of_a_running_association_find_each_other(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_SACK), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_MIDDLE, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

static void a_tag_that_fits_nothing_known_is_another_association(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B + 1), 1, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A + 1), 1, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    end_world(&world, 2);
}

static void other_ports_are_another_association_even_with_the_same_tags(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, (struct way){1, 2, 5001, 6000}, TAG_B), 1, SR_SIDE_A);
    check(data(&world, (struct way){1, 2, 5000, 6001}, TAG_B), 2, SR_SIDE_A);
    check(data(&world, (struct way){2, 1, 5000, 6000}, TAG_A), 3, SR_SIDE_A);
    end_world(&world, 4);
}

static void with_one_address_and_one_port_only_the_tags_tell_the_sides(void **state)
{
    (void)state;
    static const struct way self[] = {{1, 1, 36412, 36412}, {0, 0, 36412, 36412}};
    for (int i = 0; i < 2; i++) {
        struct world world = new_world();
        handshake(&world, self[i], TAG_A, TAG_B, 0);
        check(data(&world, self[i], TAG_B), 0, SR_SIDE_A);
        check(data(&world, self[i], TAG_A), 0, SR_SIDE_B);
        check(init(&world, self[i], TAG_A), 0, SR_SIDE_A);
        check_tags(&world, 0, TAG_A, TAG_B);
        end_world(&world, 1);

        world = new_world();
        check(data(&world, self[i], TAG_B), 0, SR_SIDE_A);
        check(data(&world, self[i], TAG_A), 0, SR_SIDE_B);
        check(data(&world, self[i], TAG_B), 0, SR_SIDE_A);
        end_world(&world, 1);
    }
}

static void without_addresses_the_ports_tell_the_sides(void **state)
{
    (void)state;
    static const struct way there = {0, 0, 5000, 6000}, back = {0, 0, 6000, 5000};
    struct world world = new_world();
    handshake(&world, there, TAG_A, TAG_B, 0);
    check(data(&world, there, 0), 0, SR_SIDE_A);
    check(data(&world, back, 0), 0, SR_SIDE_B);
    end_world(&world, 1);
}

static void hosts_that_use_the_same_tags_are_kept_apart_by_their_addresses(void **state)
{
    (void)state;
    static const struct way c_to_d = {3, 4, 5000, 6000}, d_to_c = {4, 3, 6000, 5000};
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    handshake(&world, c_to_d, TAG_A, TAG_B, 1);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, d_to_c, TAG_A), 1, SR_SIDE_B);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, c_to_d, TAG_B), 1, SR_SIDE_A);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init(&world, c_to_d, TAG_A), 1, SR_SIDE_A);
    end_world(&world, 2);
}

/* ---- several addresses ---- */

static void check_addresses(const struct world *world, unsigned side, const char *hosts)
{
    const struct sr_side *found = &sr_registry_at(world->registry, 0)->side[side];
    assert_int_equal(found->addresses, strlen(hosts));
    for (uint32_t i = 0; i < found->addresses; i++)
        assert_int_equal(found->address[i].bytes[3], hosts[i]);
}

static void the_right_tag_brings_new_addresses_with_it(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(data(&world, (struct way){11, 12, 5000, 6000}, TAG_B), 0, SR_SIDE_A);
    check(data(&world, (struct way){12, 21, 6000, 5000}, TAG_A), 0, SR_SIDE_B);
    check(data(&world, (struct way){2, 11, 6000, 5000}, TAG_A), 0, SR_SIDE_B);
    check_addresses(&world, SR_SIDE_A, "\x01\x0b\x15");
    check_addresses(&world, SR_SIDE_B, "\x02\x0c");
    assert_true(sr_registry_at(world.registry, 0)->features & 1u << SR_FEATURE_MULTIHOMING);
    end_world(&world, 1);
}

static void addresses_that_an_init_lists_are_known_at_once(void **state)
{
    (void)state;
    static const uint8_t of_a[] = {1, 11, 0}, of_b[] = {12, 2, 13, 0};
    struct world world = new_world();
    check(see_init(&world, A_TO_B, 0, SR_CHUNK_INIT, TAG_A, of_a), 0, SR_SIDE_A);
    check(see_init(&world, B_TO_A, TAG_A, SR_CHUNK_INIT_ACK, TAG_B, of_b), 0, SR_SIDE_B);
    check_addresses(&world, SR_SIDE_A, "\x01\x0b");
    check_addresses(&world, SR_SIDE_B, "\x02\x0c\x0d");
    end_world(&world, 1);
}

/* As where the caller named several addresses of the peer, which are tried in turn. */
static void an_init_may_be_repeated_to_another_address_and_answered_from_there(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init(&world, (struct way){1, 12, 5000, 6000}, TAG_A), 0, SR_SIDE_A);
    check(init_ack(&world, (struct way){12, 1, 6000, 5000}, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(see(&world, (struct way){1, 12, 5000, 6000}, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check_addresses(&world, SR_SIDE_B, "\x02\x0c");
    end_world(&world, 1);
}

static void no_more_addresses_are_kept_than_there_is_room_for(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    for (uint8_t number = 10; number < 200; number++)
        check(data(&world, (struct way){number, 2, 5000, 6000}, TAG_B), 0, SR_SIDE_A);
    assert_int_equal(sr_registry_at(world.registry, 0)->side[SR_SIDE_A].addresses, SR_SIDE_ADDRESSES);
    end_world(&world, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_directions_of_a_running_association_find_each_other),
        cmocka_unit_test(a_tag_that_fits_nothing_known_is_another_association),
        cmocka_unit_test(other_ports_are_another_association_even_with_the_same_tags),
        cmocka_unit_test(with_one_address_and_one_port_only_the_tags_tell_the_sides),
        cmocka_unit_test(without_addresses_the_ports_tell_the_sides),
        cmocka_unit_test(hosts_that_use_the_same_tags_are_kept_apart_by_their_addresses),
        cmocka_unit_test(the_right_tag_brings_new_addresses_with_it),
        cmocka_unit_test(addresses_that_an_init_lists_are_known_at_once),
        cmocka_unit_test(an_init_may_be_repeated_to_another_address_and_answered_from_there),
        cmocka_unit_test(no_more_addresses_are_kept_than_there_is_room_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
