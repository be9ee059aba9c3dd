/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is said of a direction's sender where the caller leaves stacks out. */
#include "talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

/* A sender has sent something again, as several stacks would; which it is said to be. */
static enum sr_profile profile_of(uint8_t without)
{
    struct talk *talk = talk_told((struct sr_told){.without = without});
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    data(talk, AT_US, 9);
    data(talk, AT_US + 1000000, 9);
    sack(talk, AT_US + 1000000 + WAY_US, 9, "");
    judge(talk);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_that_is_left_out_is_said_of_nobody),
        cmocka_unit_test(a_sender_is_what_it_was_told_to_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
