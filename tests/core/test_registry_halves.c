/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the registry: halves of an association that over other addresses, or behind a NAT, look like two. */
#include "registry_world.h"

/* A and B have two addresses each; who is other has the same ports, as MME and eNodeBs on 36412. */
static const struct way A1_TO_B2 = {1, 12, 5000, 6000}, B1_TO_A2 = {2, 11, 6000, 5000}, B2_TO_A2 = {12, 11, 6000, 5000},
                        C_TO_B = {3, 2, 5000, 6000}, B_TO_C = {2, 3, 6000, 5000}, B_TO_D = {2, 4, 6000, 5000};

static struct sr_belongs heartbeat(struct world *world, struct way way, uint32_t vtag, uint8_t type, uint32_t what)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, type, 0);
    put16s(&chunk, 2, 1u, 8u);
    put32(&chunk, what);
    end_chunk(&chunk, start);
    return see_bytes(world, way, vtag, &chunk);
}

static struct sr_belongs ask(struct world *world, struct way way, uint32_t vtag, uint32_t what)
{
    return heartbeat(world, way, vtag, SR_CHUNK_HEARTBEAT, what);
}

static struct sr_belongs answer(struct world *world, struct way way, uint32_t vtag, uint32_t what)
{
    return heartbeat(world, way, vtag, SR_CHUNK_HEARTBEAT_ACK, what);
}

static struct sr_belongs send(struct world *world, struct way way, uint32_t vtag, uint32_t tsn)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_DATA, 3);
    put32s(&chunk, 3, tsn, 0u, 0u);
    end_chunk(&chunk, start);
    struct sr_belongs belongs = see_bytes(world, way, vtag, &chunk);
    struct sr_sent_chunk sent = {.tsn = sr_tsn(tsn), .bytes = 10, .frame = (uint32_t)world->frame};
    if (belongs.association)
        sr_association_data(belongs.association, belongs.from, sr_registry_budget(world->registry), sent);
    return belongs;
}

/* Up to `cum`, and, where it is not 0, from two TSNs behind it on as far as `last` behind it. */
static struct sr_belongs acknowledge_to(struct world *world, struct way way, uint32_t vtag, uint32_t cum, uint16_t last)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_SACK, 0);
    put32s(&chunk, 2, cum, 65536u);
    put16s(&chunk, 2, last ? 1u : 0u, 0u);
    if (last)
        put16s(&chunk, 2, 2u, (unsigned)last);
    end_chunk(&chunk, start);
    struct sr_belongs belongs = see_bytes(world, way, vtag, &chunk);
    struct sr_sack sack = {.cum_tsn = sr_tsn(cum)};
    if (belongs.association)
        sr_association_sack(belongs.association, belongs.from, sr_registry_budget(world->registry), &sack, 0, false);
    return belongs;
}

static struct sr_belongs acknowledge(struct world *world, struct way way, uint32_t vtag, uint32_t cum)
{
    return acknowledge_to(world, way, vtag, cum, 0);
}

static void check_joined(struct sr_belongs belongs, int number, unsigned from, int half)
{
    check(belongs, number, from);
    assert_non_null(belongs.joined);
    assert_int_equal(belongs.joined->number, half);
    assert_ptr_equal(belongs.joined->joined, belongs.association);
    assert_int_equal(belongs.association->absorbed, half + 1);
}

static void an_answer_that_repeats_the_question_is_of_its_association(void **state)
{
    (void)state;
    struct world world = new_world();
    check(ask(&world, A1_TO_B2, TAG_B, 77), 0, SR_SIDE_A);
    check(answer(&world, B_TO_A, TAG_A, 77), 0, SR_SIDE_B);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

static void one_common_address_and_other_information_do_not_join(void **state)
{
    (void)state;
    struct world world = new_world();
    check(ask(&world, A1_TO_B2, TAG_B, 77), 0, SR_SIDE_A);
    check(answer(&world, B1_TO_A2, TAG_A, 77), 1, SR_SIDE_A); /* none is common */
    check(answer(&world, B_TO_A, TAG_A + 1, 78), 2, SR_SIDE_A);
    check(send(&world, B_TO_D, TAG_A + 2, 5000), 3, SR_SIDE_A);
    end_world(&world, 4);
}

static void feedback_on_what_the_other_half_sent_joins_them_however_late(void **state)
{
    (void)state;
    struct world world = new_world();
    for (uint32_t tsn = 9000; tsn < 9100; tsn++)
        check(send(&world, A1_TO_B2, TAG_B, tsn), 0, SR_SIDE_A);
    for (uint32_t tsn = 400; tsn < 500; tsn++)
        check(send(&world, B_TO_A, TAG_A, tsn), 1, SR_SIDE_A);
    check_joined(acknowledge(&world, B_TO_A, TAG_A, 9099), 0, SR_SIDE_B, 1);
    check(send(&world, A1_TO_B2, TAG_B, 9100), 0, SR_SIDE_A);
    check(acknowledge(&world, A1_TO_B2, TAG_B, 499), 0, SR_SIDE_A);
    check(send(&world, B_TO_A, TAG_A, 500), 0, SR_SIDE_B);
    check_tags(&world, 0, TAG_A, TAG_B);
    const struct sr_association *whole = sr_registry_at(world.registry, 0);
    assert_int_equal(whole->packets, 204);
    assert_int_equal(whole->side[SR_SIDE_A].data.chunks, 101);
    assert_int_equal(whole->side[SR_SIDE_B].data.chunks, 101);
    assert_int_equal(whole->side[SR_SIDE_B].sacks.chunks, 1);
    end_world(&world, 2);
}

static void the_half_that_was_seen_first_keeps_its_number_whichever_proves_it(void **state)
{
    (void)state;
    struct world world = new_world();
    check(ask(&world, B_TO_A, TAG_A, 1), 0, SR_SIDE_A);
    for (uint32_t tsn = 9000; tsn < 9003; tsn++)
        check(send(&world, A1_TO_B2, TAG_B, tsn), 1, SR_SIDE_A);
    check_joined(acknowledge(&world, B_TO_A, TAG_A, 9001), 0, SR_SIDE_A, 1); /* B is side a: it was seen first */
    check(send(&world, A1_TO_B2, TAG_B, 9003), 0, SR_SIDE_B);
    check_tags(&world, 0, TAG_B, TAG_A);
    end_world(&world, 2);
}

static void feedback_on_what_the_other_half_did_not_send_joins_nothing(void **state)
{
    (void)state;
    static const uint32_t others[] = {8999, 9010, 9000 + (1u << 20), 9000 - (1u << 20)};
    for (int i = 0; i < 4; i++) {
        struct world world = new_world();
        for (uint32_t tsn = 9000; tsn < 9010; tsn++)
            check(send(&world, A1_TO_B2, TAG_B, tsn), 0, SR_SIDE_A);
        check(acknowledge(&world, B_TO_A, TAG_A, others[i]), 1, SR_SIDE_A);
        check(acknowledge_to(&world, B_TO_A, TAG_A, 9005, 50), 1, SR_SIDE_A); /* its block is above all */
        end_world(&world, 2);
    }
}

/* Between the same addresses and ports: the same association, unless its feedback is on another numbering. */
static void feedback_far_from_what_was_sent_between_the_same_ends_is_of_another_instance(void **state)
{
    (void)state;
    struct world world = new_world();
    check(send(&world, A_TO_B, TAG_B, 9000), 0, SR_SIDE_A);
    check(acknowledge(&world, B_TO_A, TAG_A, 9000 + (1u << 30)), 1, SR_SIDE_A);
    check(acknowledge(&world, A_TO_B, TAG_B + 1, 7), 1, SR_SIDE_B); /* its other half */
    end_world(&world, 2);
}

static void a_proof_that_fits_two_halves_is_none(void **state)
{
    (void)state;
    struct world world = new_world();
    check(send(&world, A1_TO_B2, TAG_B, 1), 0, SR_SIDE_A);
    check(send(&world, (struct way){1, 22, 5000, 6000}, TAG_B + 1, 1), 1, SR_SIDE_A);
    check(acknowledge(&world, B_TO_A, TAG_A, 1), 2, SR_SIDE_A);
    check(send(&world, (struct way){1, 22, 5000, 6000}, TAG_B + 1, 2), 1, SR_SIDE_A);
    check_joined(acknowledge(&world, B_TO_A, TAG_A, 2), 1, SR_SIDE_B, 2); /* that only one of them sent */
    end_world(&world, 3);
}

static void a_server_and_its_clients_on_the_same_ports_stay_apart(void **state)
{
    (void)state;
    struct world world = new_world();
    check(send(&world, A_TO_B, TAG_B, 1000), 0, SR_SIDE_A);
    check(send(&world, C_TO_B, TAG_B + 1, 5000000), 1, SR_SIDE_A);
    check(acknowledge(&world, B_TO_C, TAG_A, 5000000), 1, SR_SIDE_B);
    check(acknowledge(&world, B_TO_A, TAG_A + 1, 1000), 0, SR_SIDE_B);
    check(send(&world, B_TO_D, TAG_A + 2, 1), 2, SR_SIDE_A);
    end_world(&world, 3);
}

/* The tag brings an address that both ends of the other half know. */
static void an_address_that_is_learned_joins_halves_between_the_same_ends(void **state)
{
    (void)state;
    struct world world = new_world();
    check(ask(&world, A1_TO_B2, TAG_B, 1), 0, SR_SIDE_A);
    check(ask(&world, B1_TO_A2, TAG_A, 2), 1, SR_SIDE_A);
    check(ask(&world, A_TO_B, TAG_B, 3), 0, SR_SIDE_A); /* one is common */
    check_joined(ask(&world, (struct way){11, 2, 5000, 6000}, TAG_B, 4), 0, SR_SIDE_A, 1);
    check(ask(&world, B2_TO_A2, TAG_A, 5), 0, SR_SIDE_B);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 2);
}

static void halves_whose_feedback_is_on_other_numberings_are_not_one(void **state)
{
    (void)state;
    struct world world = new_world();
    check(send(&world, A1_TO_B2, TAG_B, 9000), 0, SR_SIDE_A);
    check(acknowledge(&world, B1_TO_A2, TAG_A, 9000 + (1u << 30)), 1, SR_SIDE_A);
    struct sr_belongs belongs = ask(&world, (struct way){11, 2, 5000, 6000}, TAG_B, 4);
    check(belongs, 0, SR_SIDE_A);
    assert_null(belongs.joined);
    end_world(&world, 2);
}

static void of_two_halves_between_the_same_ends_addresses_alone_choose_none(void **state)
{
    (void)state;
    struct world world = new_world();
    check(ask(&world, A1_TO_B2, TAG_B, 1), 0, SR_SIDE_A);
    check(ask(&world, B1_TO_A2, TAG_A, 2), 1, SR_SIDE_A);
    check(ask(&world, B1_TO_A2, TAG_A + 1, 3), 2, SR_SIDE_A);
    struct sr_belongs belongs = ask(&world, (struct way){11, 2, 5000, 6000}, TAG_B, 4);
    check(belongs, 0, SR_SIDE_A);
    assert_null(belongs.joined);
    check_joined(answer(&world, B1_TO_A2, TAG_A + 1, 4), 0, SR_SIDE_B, 2);
    end_world(&world, 3);
}

static void an_address_that_was_learned_tells_the_first_packet_of_the_other_half(void **state)
{
    (void)state;
    struct world world = new_world();
    check(ask(&world, A1_TO_B2, TAG_B, 1), 0, SR_SIDE_A);
    check(ask(&world, (struct way){11, 12, 5000, 6000}, TAG_B, 2), 0, SR_SIDE_A);
    check(ask(&world, B2_TO_A2, TAG_A, 3), 0, SR_SIDE_B);
    end_world(&world, 1);
}

/* With an INIT a new instance may have begun: then only an answer tells. */
static void an_init_of_a_new_instance_is_not_joined_to_the_old_one_by_addresses(void **state)
{
    (void)state;
    struct world world = new_world();
    check(ask(&world, A1_TO_B2, TAG_B, 1), 0, SR_SIDE_A);
    check(init(&world, (struct way){11, 2, 5000, 6000}, TAG_A), 1, SR_SIDE_A);
    check(ask(&world, (struct way){11, 2, 5000, 6000}, TAG_B, 2), 0, SR_SIDE_A);
    check(init_ack(&world, B1_TO_A2, TAG_A, TAG_B + 1), 1, SR_SIDE_B);
    end_world(&world, 2);
}

static void what_was_joined_goes_on_as_one_in_every_way_it_can_be_found(void **state)
{
    (void)state;
    struct world world = new_world();
    check(send(&world, A1_TO_B2, TAG_B, 1000), 0, SR_SIDE_A);
    check(send(&world, B_TO_A, TAG_A, 1), 1, SR_SIDE_A);
    check_joined(acknowledge(&world, B_TO_A, TAG_A, 1000), 0, SR_SIDE_B, 1);
    check(see_flags(&world, B_TO_A, TAG_B, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_MIDDLE, SR_ENDED_ABORT);
    check(init(&world, B_TO_A, TAG_B), 2, SR_SIDE_A);
    check(send(&world, A1_TO_B2, TAG_B, 1001), 0, SR_SIDE_A);
    end_world(&world, 3);
}

/* Whichever it is, each of them may be the other half of the one that comes last. */
static void halves_without_end_cost_no_more_than_others(void **state)
{
    (void)state;
    struct world world = new_world();
    for (uint32_t i = 0; i + 1 < SR_ASSOCIATIONS_LIMIT; i++)
        check(send(&world, A1_TO_B2, i + 1, 9000), (int)i, SR_SIDE_A);
    for (uint32_t i = 0; i < 100000; i++)
        check(acknowledge(&world, B_TO_A, TAG_A, 9000), SR_ASSOCIATIONS_LIMIT - 1, SR_SIDE_A);
    end_world(&world, SR_ASSOCIATIONS_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_that_repeats_the_question_is_of_its_association),
        cmocka_unit_test(one_common_address_and_other_information_do_not_join),
        cmocka_unit_test(feedback_on_what_the_other_half_sent_joins_them_however_late),
        cmocka_unit_test(the_half_that_was_seen_first_keeps_its_number_whichever_proves_it),
        cmocka_unit_test(feedback_on_what_the_other_half_did_not_send_joins_nothing),
        cmocka_unit_test(feedback_far_from_what_was_sent_between_the_same_ends_is_of_another_instance),
        cmocka_unit_test(a_proof_that_fits_two_halves_is_none),
        cmocka_unit_test(a_server_and_its_clients_on_the_same_ports_stay_apart),
        cmocka_unit_test(an_address_that_is_learned_joins_halves_between_the_same_ends),
        cmocka_unit_test(of_two_halves_between_the_same_ends_addresses_alone_choose_none),
        cmocka_unit_test(halves_whose_feedback_is_on_other_numberings_are_not_one),
        cmocka_unit_test(an_address_that_was_learned_tells_the_first_packet_of_the_other_half),
        cmocka_unit_test(an_init_of_a_new_instance_is_not_joined_to_the_old_one_by_addresses),
        cmocka_unit_test(what_was_joined_goes_on_as_one_in_every_way_it_can_be_found),
        cmocka_unit_test(halves_without_end_cost_no_more_than_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
