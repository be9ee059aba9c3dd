/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what may have been repeated by the network (docs/verdict-rules.md, "Which copy came first"). */
#include "bytes_builder.h"

#include "facts/repeated.h"

enum { ONE = 7, OTHER = 8, WITHIN_NS = 200, AGE_NS = 199 };

static struct sr_journal journal;

/* Two copies of a TSN that were sent without an identification, with the same bytes. */
static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    for (uint32_t i = 0; i < 2; i++) {
        struct sr_transmission_row *row = sr_spool_append(&journal.transmissions);
        assert_non_null(row);
        *row = (struct sr_transmission_row){.time_ns = i * AGE_NS, .prev_row = i, .fingerprint = ONE};
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_journal_free(&journal);
    return 0;
}

static bool may_be_repeated(enum sr_vantage vantage, uint8_t class)
{
    struct sr_half half = {.journal = &journal};
    half.measured.vantage = (uint8_t)vantage;
    half.measured.vantage_class = class;
    return sr_comes_as_repeated(&half, sr_transmission_at(&journal, 1), WITHIN_NS);
}

static void a_packet_that_comes_again_soon_may_be_repeated(void **state)
{
    (void)state;
    struct sr_transmission_row *again = sr_transmission_at(&journal, 1);
    assert_true(may_be_repeated(SR_VANTAGE_MIDDLE, 5));
    again->time_ns = WITHIN_NS;
    assert_false(may_be_repeated(SR_VANTAGE_MIDDLE, 5));
    again->time_ns = AGE_NS;
    again->fingerprint = OTHER;
    assert_false(may_be_repeated(SR_VANTAGE_MIDDLE, 5));
    again->fingerprint = ONE;
    again->packet_id = 1;
    assert_false(may_be_repeated(SR_VANTAGE_MIDDLE, 5));
    again->packet_id = 0;
    again->fingerprint = sr_transmission_at(&journal, 0)->fingerprint = 0; /* of neither is it known */
    assert_false(may_be_repeated(SR_VANTAGE_MIDDLE, 5));
}

static void but_not_on_the_way_to_a_tap_that_is_surely_at_the_sender(void **state)
{
    (void)state;
    assert_false(may_be_repeated(SR_VANTAGE_SENDER, 5));
    assert_false(may_be_repeated(SR_VANTAGE_SENDER, 4));
    assert_true(may_be_repeated(SR_VANTAGE_SENDER, 3));  /* told by less than a handshake */
    assert_false(may_be_repeated(SR_VANTAGE_SENDER, 0)); /* told */
    assert_true(may_be_repeated(SR_VANTAGE_RECEIVER, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_packet_that_comes_again_soon_may_be_repeated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(but_not_on_the_way_to_a_tap_that_is_surely_at_the_sender, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
