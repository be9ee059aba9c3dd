/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what its sender gives up: by FORWARD-TSN, and where TSNs are numbered anew. */
#include "talk.h"

#include "books/figures.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

static struct talk *begin(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

/* How it is numbered is not known yet. */
static void what_is_passed_over_before_the_first_chunk_gives_up_nothing(void **state)
{
    (void)state;
    for (int before = 0; before < 2; before++) {
        struct talk *talk = talk_new();
        if (before)
            forward_tsn(talk, 0, 5);
        data(talk, 1000, 3);
        if (!before)
            forward_tsn(talk, 2000, 5);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->necessary_bytes, before ? 1000 : 0);
        talk_free(talk);
    }
}

/* Also where TSNs begin again between. */
static void what_the_sender_passes_over_was_given_up(void **state)
{
    static const uint32_t firsts[] = {100, UINT32_MAX - 20, UINT32_MAX - 1, UINT32_MAX};
    (void)state;
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        struct talk *talk = talk_new();
        flight(talk, 0, firsts[i], 4, 10);
        forward_tsn(talk, 100000, firsts[i] + 1);
        forward_tsn(talk, 200000, firsts[i]); /* it comes late */
        forward_tsn(talk, 300000, firsts[i] + 2);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->abandoned_tsns, 3);
        assert_int_equal(figures_of(talk, A)->queued_bytes, 4000);
        assert_int_equal(figures_of(talk, A)->necessary_bytes, 1000);
        talk_free(talk);
    }
}

/* It had arrived, and was taken back. */
static void what_is_passed_over_behind_an_acknowledgement_was_not_given_up(void **state)
{
    (void)state;
    struct talk *talk = begin();
    flight(talk, AT_US, 9, 5, 10);
    sack(talk, AT_US + WAY_US, 8, "11-13");
    sack(talk, AT_US + WAY_US + 1000, 8, "12-13");
    sack(talk, AT_US + WAY_US + 2000, 8, "12-13");
    forward_tsn(talk, AT_US + 100000, 13);
    judge(talk);
    assert_int_equal(figures_of(talk, A)->withdrawn_tsns, 1);
    assert_int_equal(figures_of(talk, A)->abandoned_tsns, 2);
    talk_free(talk);
}

/* RFC 6525 section 5.1.4, C2. */
static void what_is_outstanding_when_tsns_are_numbered_anew_was_given_up(void **state)
{
    (void)state;
    for (uint32_t outstanding = 0; outstanding < 3; outstanding++) {
        struct talk *talk = begin();
        flight(talk, AT_US, 9, outstanding, 10);
        control(talk, AT_US + 100000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
        control(talk, AT_US + 100000 + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, 7000u);
        data(talk, AT_US + 200000, 7000);
        judge(talk);
        assert_int_equal(figures_of(talk, A)->abandoned_tsns, outstanding);
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_passed_over_before_the_first_chunk_gives_up_nothing),
        cmocka_unit_test(what_the_sender_passes_over_was_given_up),
        cmocka_unit_test(what_is_passed_over_behind_an_acknowledgement_was_not_given_up),
        cmocka_unit_test(what_is_outstanding_when_tsns_are_numbered_anew_was_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
