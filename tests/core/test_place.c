/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is said of a direction's sender where the caller leaves stacks out. */
#include "talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

/* A sender has sent something again, as several stacks would. */
static struct talk *judged_without(uint8_t without)
{
    struct talk *talk = talk_told((struct sr_told){.without = without});
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    data(talk, AT_US, 9);
    data(talk, AT_US + 1000000, 9);
    sack(talk, AT_US + 1000000 + WAY_US, 9, "");
    judge(talk);
    return talk;
}

/* Which it is said to be. */
static enum sr_profile profile_of(uint8_t without)
{
    struct talk *talk = judged_without(without);
    const struct sr_path_row *path = sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
    enum sr_profile profile = (enum sr_profile)path->profile;
    talk_free(talk);
    return profile;
}

static void a_stack_that_is_left_out_is_said_of_nobody(void **state)
{
    (void)state;
    assert_int_equal(profile_of(0), SR_PROFILE_USRSCTP);
    assert_int_equal(profile_of(1 << SR_PROFILE_LINUX), SR_PROFILE_USRSCTP);
    assert_int_equal(profile_of(1 << SR_PROFILE_USRSCTP), SR_PROFILE_RFC9260);
}

/* What each stack would have sent again is in rack_marks; one that is left out does as RFC 9260 says. */
static void nothing_is_marked_as_by_a_stack_that_is_left_out(void **state)
{
    (void)state;
    static const enum sr_profile profiles[] = {SR_PROFILE_USRSCTP, SR_PROFILE_DCSCTP, SR_PROFILE_LINUX};
    for (size_t i = 0; i < 2 * sizeof profiles / sizeof *profiles; i++) {
        enum sr_profile profile = profiles[i / 2];
        struct talk *talk = judged_without(i % 2 ? (uint8_t)(1 << profile) : 0);
        const struct sr_spool *marks = &sr_engine_judgement(talk->engine)->rack_marks;
        uint32_t of_it = 0;
        for (uint64_t n = 0; n < marks->count; n++)
            of_it += ((const struct sr_rack_mark_row *)sr_spool_visit(marks, n))->profile == profile;
        assert_int_equal(of_it > 0, i % 2 == 0);
        talk_free(talk);
    }
}

/* Nothing is sent again that would show it. */
static void a_sender_is_what_it_was_told_to_be(void **state)
{
    (void)state;
    for (uint8_t told = 0; told < SR_PROFILE_COUNT; told++) {
        struct talk *talk = talk_told((struct sr_told){.profile = 1 + told});
        warm_up(talk, 8, WAY_US);
        judge(talk);
        const struct sr_path_row *path = sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
        assert_int_equal(path->profile, told);
        assert_int_equal(path->sender_known, SR_ANSWER_YES);
        assert_int_equal(path->told, 1u << SR_TOLD_WHAT_PROFILE);
        talk_free(talk);
    }
}

/* pion lists I-DATA since 1.10.0, and has RACK since 1.9.0: what it sends again need not show it. */
static enum sr_answer has_rack(bool lists_i_data)
{
    struct talk *talk = talk_new();
    for (int from = A; from <= B; from++) {
        struct bytes chunk = {0};
        size_t start = begin_chunk(&chunk, from == A ? SR_CHUNK_INIT : SR_CHUNK_INIT_ACK, 0);
        put32s(&chunk, 2, TALK_TAG + (uint32_t)from, (uint32_t)TALK_WINDOW);
        put16s(&chunk, 2, 0xffffu, 0xffffu);
        put32(&chunk, from == A ? 1 : 1000);
        size_t element = begin_element(&chunk, 0x8008);
        put16s(&chunk, 2, 0x82c0u, lists_i_data ? 0x40c2u : 0xc2c0u);
        end_element(&chunk, element);
        end_chunk(&chunk, start);
        say_with(talk, from == A ? 0 : WAY_US, from, &chunk, from == A);
    }
    control(talk, WAY_US + SENDER_US, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
    control(talk, 2 * WAY_US + SENDER_US, B, SR_CHUNK_COOKIE_ACK, 0);
    warm_up(talk, 8, WAY_US);
    data(talk, AT_US, 9);
    data(talk, AT_US + 1000000, 9);
    sack(talk, AT_US + 1000000 + WAY_US, 9, "");
    judge(talk);
    const struct sr_path_row *path = sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
    enum sr_answer answer = (enum sr_answer)path->sender_has_rack;
    assert_int_equal(path->profile, SR_PROFILE_PION);
    talk_free(talk);
    return answer;
}

static void a_pion_that_lists_i_data_has_rack(void **state)
{
    (void)state;
    assert_int_equal(has_rack(true), SR_ANSWER_YES);
    assert_int_equal(has_rack(false), SR_ANSWER_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_that_is_left_out_is_said_of_nobody),
        cmocka_unit_test(nothing_is_marked_as_by_a_stack_that_is_left_out),
        cmocka_unit_test(a_pion_that_lists_i_data_has_rack),
        cmocka_unit_test(a_sender_is_what_it_was_told_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
