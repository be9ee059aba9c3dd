/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the TSNs that a judge has not done with. */
#include "bytes_builder.h"

#include "timeline/ledger.h"

/* What left, in order. */
struct left {
    uint32_t count;
    uint32_t tsns[4];
};

static void leaves(void *context, const struct sr_ledger_slot *slot)
{
    struct left *left = context;
    if (left->count < 4)
        left->tsns[left->count] = slot->tsn.value;
    left->count++;
}

static struct sr_ledger new_ledger(void)
{
    struct sr_ledger ledger;
    assert_true(sr_ledger_init(&ledger));
    return ledger;
}

/* As a judge does it. */
static struct sr_ledger_slot *send_tsn(struct sr_ledger *ledger, uint32_t tsn, struct left *left)
{
    struct sr_ledger_slot *slot = sr_ledger_sent(ledger, sr_tsn(tsn), leaves, left);
    if (slot) {
        slot->copies++;
        slot->last_row++;
    }
    return slot;
}

/* How many become acknowledged. */
static uint32_t take(struct sr_ledger *ledger, const struct sr_sack_row *row, const uint32_t *lists)
{
    struct sr_ledger_walk walk = sr_ledger_take(ledger, row, lists);
    uint32_t count = 0;
    while (sr_ledger_next_acked(&walk))
        count++;
    return count;
}

/* By a block, of a SACK whose cumulative TSN says nothing new. */
static uint32_t ack(struct sr_ledger *ledger, uint32_t first, uint32_t last)
{
    const struct sr_sack_row row = {.cum_tsn = ledger->una.value - 1, .gaps = 1};
    return take(ledger, &row, (const uint32_t[]){first, last});
}

static void a_tsn_is_acknowledged_once(void **state)
{
    (void)state;
    static const uint32_t starts[] = {1, 1000, UINT32_MAX - 2};
    for (int i = 0; i < 3; i++) {
        struct sr_ledger ledger = new_ledger();
        struct left left = {0};
        uint32_t start = starts[i];
        for (uint32_t n = 0; n < 6; n++)
            assert_non_null(send_tsn(&ledger, start + n, &left));
        assert_int_equal(ack(&ledger, start + 2, start + 3), 2);
        assert_int_equal(ack(&ledger, start + 2, start + 3), 0);
        assert_int_equal(ack(&ledger, start + 1, start + 4), 2);
        assert_int_equal(ack(&ledger, start, start + 100), 2); /* what was not sent does not count */
        assert_int_equal(left.count, 0);
        sr_ledger_free(&ledger);
    }
}

static void what_was_never_seen_is_passed_over(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    send_tsn(&ledger, 500, &left);
    send_tsn(&ledger, 505, &left);
    assert_null(sr_ledger_at(&ledger, sr_tsn(503)));
    assert_int_equal(ack(&ledger, 1, 505), 2);
    struct sr_ledger_slot *late = send_tsn(&ledger, 503, &left);
    assert_non_null(late);
    assert_true(late->acked); /* it was acknowledged before it was seen */
    assert_int_equal(ack(&ledger, 1, 505), 0);
    sr_ledger_free(&ledger);
}

/* A replay puts in the TSNs that were skipped: they are none that was seen, and are counted once. */
static void what_was_put_in_unseen_is_counted(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    send_tsn(&ledger, 20, &left);
    sr_ledger_count(sr_ledger_sent(&ledger, sr_tsn(21), leaves, &left));
    send_tsn(&ledger, 23, &left); /* nobody put 22 in */
    static const uint32_t unseen[] = {1, 0};
    for (int i = 0; i < 2; i++) {
        const struct sr_sack_row row = {.cum_tsn = 23};
        struct sr_ledger_walk walk = sr_ledger_take(&ledger, &row, NULL);
        while (sr_ledger_next_acked(&walk))
            ;
        assert_int_equal(walk.unseen, unseen[i]);
    }
    sr_ledger_free(&ledger);
}

static void what_was_never_seen_takes_no_slot(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    send_tsn(&ledger, 7, &left);
    send_tsn(&ledger, 7 + SR_LEDGER_REACH, &left);
    assert_int_equal(ack(&ledger, 8, 6 + SR_LEDGER_REACH), 0);
    assert_int_equal(sr_tsn_set_count(&ledger.acked, sr_tsn(7), ledger.highest), SR_LEDGER_REACH - 1);
    for (uint32_t first = 8; first < SR_LEDGER_REACH; first += 1000)
        assert_int_equal(ack(&ledger, first, 6 + SR_LEDGER_REACH), 0);
    assert_int_equal(sr_tsn_set_count(&ledger.sent, sr_tsn(7), ledger.highest), 2);
    assert_true(send_tsn(&ledger, 5000, &left)->acked);
    assert_int_equal(ack(&ledger, 1, 7 + SR_LEDGER_REACH), 2);
    sr_ledger_free(&ledger);
}

/* Against a TSN at a time, in an order that a link may give them and in any other. */
static void any_order_acknowledges_what_it_says(void **state)
{
    (void)state;
    enum { TSNS = 6000, ROUNDS = 3000 };
    static const uint32_t starts[] = {1, UINT32_MAX - TSNS / 2};
    for (uint32_t seed = 1; seed <= 8; seed++) {
        static bool sent[TSNS], acked[TSNS];
        struct sr_ledger ledger = new_ledger();
        struct left left = {0};
        uint32_t start = starts[seed % 2], random = seed, highest = 0;
        memset(sent, 0, sizeof sent);
        memset(acked, 0, sizeof acked);
        sent[0] = send_tsn(&ledger, start, &left) != NULL;
        for (int round = 0; round < ROUNDS; round++) {
            random = random * 1664525u + 1013904223u;
            uint32_t at = (random >> 8) % TSNS, length = (random >> 24) * (seed % 4 == 0 ? 1 : 8);
            if (round % 2 == 0) {
                uint32_t tsn = seed % 3 == 0 ? at : (highest + at % 40) % TSNS;
                struct sr_ledger_slot *slot = send_tsn(&ledger, start + tsn, &left);
                assert_true(!slot || slot->acked == acked[tsn] || tsn > highest);
                sent[tsn] |= slot != NULL;
                highest = tsn > highest ? tsn : highest;
                continue;
            }
            uint32_t expected = 0;
            for (uint32_t tsn = at; tsn <= at + length && tsn <= highest; tsn++) {
                bool is_kept = sr_tsn_distance(sr_tsn(start + tsn), ledger.base) >= 0;
                expected += is_kept && sent[tsn] && !acked[tsn];
                acked[tsn] |= is_kept;
            }
            assert_int_equal(ack(&ledger, start + at, start + at + length), expected);
        }
        sr_ledger_free(&ledger);
    }
}

/* TSNs 1 to 10, and one that acknowledges 3 and 4 by a gap. */
static struct sr_ledger with_a_gap(struct left *left)
{
    struct sr_ledger ledger = new_ledger();
    for (uint32_t tsn = 1; tsn <= 10; tsn++)
        send_tsn(&ledger, tsn, left);
    const struct sr_sack_row row = {.cum_tsn = 1, .gaps = 1};
    assert_int_equal(take(&ledger, &row, (const uint32_t[]){3, 4}), 3);
    return ledger;
}

static void the_cumulative_tsn_and_all_blocks_are_acknowledged(void **state)
{
    (void)state;
    struct left left = {0};
    struct sr_ledger ledger = with_a_gap(&left);
    const struct sr_sack_row row = {.cum_tsn = 2, .gaps = 1, .nr_gaps = 1}, none = {.cum_tsn = 20};
    const uint32_t lists[] = {4, 6, 8, 8};
    assert_int_equal(ledger.una.value, 2);
    assert_int_equal(take(&ledger, &row, lists), 4);
    assert_int_equal(ledger.una.value, 3);
    assert_int_equal(take(&ledger, &none, NULL), 3);
    assert_int_equal(ledger.una.value, 11); /* not above what was seen */
    assert_int_equal(take(&ledger, &row, lists), 0);
    assert_int_equal(ledger.una.value, 11);
    sr_ledger_free(&ledger);
}

/* Here it is told wrongly: that shows that it is not looked at. */
static void what_the_acknowledgement_before_told_is_not_looked_at_again(void **state)
{
    (void)state;
    for (int passed_over = 0; passed_over < 2; passed_over++) {
        struct left left = {0};
        struct sr_ledger ledger = with_a_gap(&left);
        const struct sr_sack_row row = {.cum_tsn = 1, .gaps = 2, .told = 1};
        if (passed_over)
            sr_ledger_pass_over(&ledger);
        assert_int_equal(take(&ledger, &row, (const uint32_t[]){3, 5, 8, 8}), 1 + passed_over);
        sr_ledger_free(&ledger);
    }
}

static void what_was_told_beyond_what_was_kept_then_is_looked_at_again(void **state)
{
    (void)state;
    const struct sr_sack_row row = {.cum_tsn = 1, .gaps = 1}, again = {.cum_tsn = 1, .gaps = 1, .told = 1};
    const uint32_t gap[] = {3, 12};
    struct left left = {0};
    struct sr_ledger ledger = with_a_gap(&left);
    assert_int_equal(take(&ledger, &row, gap), 6);
    send_tsn(&ledger, 11, &left);
    send_tsn(&ledger, 12, &left);
    assert_int_equal(take(&ledger, &again, gap), 2);
    assert_true(ledger.took_all);
    assert_int_equal(take(&ledger, &again, NULL), 0);
    assert_false(ledger.took_all); /* it was left out */
    assert_int_equal(take(&ledger, &again, gap), 0);
    assert_true(ledger.took_all);
    sr_ledger_clear(&ledger, leaves, &left);
    assert_false(ledger.took_all);
    sr_ledger_free(&ledger);
}

static void the_last_open_one_has_only_acknowledged_ones_above(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    assert_false(sr_ledger_is_last_open(&ledger, sr_tsn(1)));
    for (uint32_t tsn = 1; tsn <= 5; tsn++)
        send_tsn(&ledger, tsn, &left);
    assert_true(sr_ledger_is_last_open(&ledger, sr_tsn(5)));
    assert_false(sr_ledger_is_last_open(&ledger, sr_tsn(3)));
    ack(&ledger, 4, 5);
    assert_true(sr_ledger_is_last_open(&ledger, sr_tsn(3)));
    sr_ledger_free(&ledger);
}

/* Only what nobody waits for leaves, while there is room. */
static void it_grows_while_its_lowest_is_outstanding_and_else_lets_it_go(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    uint32_t start = UINT32_MAX - 100;
    for (uint32_t n = 0; n < 10 * SR_LEDGER_FIRST; n++)
        assert_non_null(send_tsn(&ledger, start + n, &left));
    assert_int_equal(left.count, 0);
    assert_true(ledger.capacity >= 10 * SR_LEDGER_FIRST);
    for (uint32_t n = 0; n < 10 * SR_LEDGER_FIRST; n++)
        assert_int_equal(sr_ledger_at(&ledger, sr_tsn(start + n))->last_row, 1);
    assert_int_equal(ack(&ledger, start, start + 10 * SR_LEDGER_FIRST - 1), 10 * SR_LEDGER_FIRST);
    uint32_t capacity = ledger.capacity;
    for (uint32_t n = 10 * SR_LEDGER_FIRST; n < 40 * SR_LEDGER_FIRST; n++) {
        assert_non_null(send_tsn(&ledger, start + n, &left));
        ack(&ledger, start + n, start + n);
    }
    assert_int_equal(ledger.capacity, capacity);
    assert_true(left.count > 0);
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(left.tsns[n], start + n);
    sr_ledger_free(&ledger);
}

/* Its places are all taken. */
static void what_follows_the_highest_is_not_in_it(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    for (uint32_t tsn = 1; tsn <= 3 * SR_LEDGER_FIRST; tsn++) {
        assert_null(sr_ledger_at(&ledger, sr_tsn(tsn)));
        send_tsn(&ledger, tsn, &left);
        assert_non_null(sr_ledger_at(&ledger, sr_tsn(tsn)));
        ack(&ledger, tsn, tsn);
    }
    assert_null(sr_ledger_at(&ledger, sr_tsn(2 * SR_LEDGER_FIRST)));
    assert_non_null(sr_ledger_at(&ledger, sr_tsn(2 * SR_LEDGER_FIRST + 1)));
    sr_ledger_free(&ledger);
}

static void it_is_never_larger_than_its_limit(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    for (uint32_t n = 0; n < SR_LEDGER_LARGEST + 10; n++)
        send_tsn(&ledger, n, &left);
    assert_int_equal(ledger.capacity, SR_LEDGER_LARGEST);
    assert_int_equal(left.count, 10);
    assert_int_equal(left.tsns[0], 0);
    assert_null(sr_ledger_at(&ledger, sr_tsn(9)));
    assert_non_null(sr_ledger_at(&ledger, sr_tsn(10)));
    sr_ledger_free(&ledger);
}

static void one_tsn_far_away_is_out_of_reach_and_a_second_begins_anew(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    send_tsn(&ledger, 7, &left);
    assert_null(send_tsn(&ledger, 0x40000000, &left));
    assert_non_null(send_tsn(&ledger, 8, &left));
    assert_null(send_tsn(&ledger, 0x60000000, &left)); /* not near the one before */
    assert_int_equal(left.count, 0);
    assert_non_null(send_tsn(&ledger, 0x60000001, &left));
    assert_int_equal(left.count, 2);
    assert_int_equal(left.tsns[0], 7);
    assert_int_equal(left.tsns[1], 8);
    assert_null(sr_ledger_at(&ledger, sr_tsn(8)));
    sr_ledger_free(&ledger);
}

/* What comes so late is of this numbering, though nothing is left of it. */
static void what_is_far_below_begins_anew_beyond_twice_what_it_can_hold(void **state)
{
    (void)state;
    for (uint32_t further = 0; further < 2; further++) {
        struct sr_ledger ledger = new_ledger();
        struct left left = {0};
        uint32_t top = 1 << 30, low = top - 2 * SR_LEDGER_LARGEST - further;
        send_tsn(&ledger, top, &left);
        assert_null(send_tsn(&ledger, low, &left));
        assert_int_equal(send_tsn(&ledger, low, &left) != NULL, further);
        assert_int_equal(left.count, further);
        sr_ledger_free(&ledger);
    }
}

static void feedback_follows_as_far_as_it_can_hold_above_and_twice_that_below(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    const uint32_t top = 1 << 30;
    assert_true(sr_ledger_follows(&ledger, sr_tsn(5))); /* nothing is known yet */
    send_tsn(&ledger, top, &left);
    assert_true(sr_ledger_follows(&ledger, sr_tsn(top + SR_LEDGER_LARGEST)));
    assert_false(sr_ledger_follows(&ledger, sr_tsn(top + SR_LEDGER_LARGEST + 1)));
    assert_true(sr_ledger_follows(&ledger, sr_tsn(top - 2 * SR_LEDGER_LARGEST)));
    assert_false(sr_ledger_follows(&ledger, sr_tsn(top - 2 * SR_LEDGER_LARGEST - 1)));
    sr_ledger_free(&ledger);
}

/* So far a second one may be from the one before. */
static void a_second_tsn_far_away_is_near_within_reach_up_or_down(void **state)
{
    (void)state;
    for (int32_t further = 0; further < 2; further++)
        for (int32_t side = -1; side <= 1; side += 2) {
            struct sr_ledger ledger = new_ledger();
            struct left left = {0};
            send_tsn(&ledger, 7, &left);
            assert_null(send_tsn(&ledger, 0x40000000, &left));
            uint32_t second = (uint32_t)(0x40000000 + side * (SR_LEDGER_REACH + further));
            assert_int_equal(send_tsn(&ledger, second, &left) != NULL, !further);
            sr_ledger_free(&ledger);
        }
}

static void a_jump_within_reach_keeps_what_is_outstanding(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    send_tsn(&ledger, 7, &left);
    assert_non_null(send_tsn(&ledger, 7 + SR_LEDGER_REACH, &left));
    assert_int_equal(sr_ledger_at(&ledger, sr_tsn(7))->copies, 1);
    assert_non_null(send_tsn(&ledger, 7 + 2 * SR_LEDGER_REACH, &left));
    assert_int_equal(left.count, 1);
    assert_int_equal(left.tsns[0], 7);
    sr_ledger_free(&ledger);
}

static void clearing_lets_all_go_and_it_can_be_used_again(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    for (uint32_t pass = 0; pass < 3; pass++) {
        left = (struct left){0};
        send_tsn(&ledger, UINT32_MAX, &left);
        send_tsn(&ledger, 0, &left);
        ack(&ledger, 0, 0);
        sr_ledger_clear(&ledger, leaves, &left);
        assert_int_equal(left.count, 2);
        assert_int_equal(left.tsns[0], UINT32_MAX);
        assert_int_equal(left.tsns[1], 0);
        assert_null(sr_ledger_at(&ledger, sr_tsn(0)));
        assert_int_equal(ack(&ledger, 0, 10), 0);
    }
    sr_ledger_free(&ledger);
}

/* Also what comes behind the first that is seen of it. */
static void what_follows_a_new_numbering_begins_with_its_first(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    send_tsn(&ledger, 10, &left);
    sr_ledger_reset(&ledger, sr_tsn(5000), leaves, &left);
    assert_int_equal(left.count, 1);
    assert_null(sr_ledger_at(&ledger, sr_tsn(5000)));
    assert_non_null(send_tsn(&ledger, 5001, &left));
    assert_null(send_tsn(&ledger, 4999, &left)); /* there is none before */
    assert_non_null(send_tsn(&ledger, 5000, &left));
    sr_ledger_free(&ledger);
}

static void a_response_numbers_anew_what_does_not_go_on_with_it_once(void **state)
{
    (void)state;
    struct sr_ledger ledger = new_ledger();
    struct left left = {0};
    assert_false(sr_ledger_resets(&ledger, sr_tsn(5000))); /* nothing was sent */
    send_tsn(&ledger, 10, &left);
    assert_false(sr_ledger_resets(&ledger, sr_tsn(11)));
    assert_true(sr_ledger_resets(&ledger, sr_tsn(10)));
    assert_true(sr_ledger_resets(&ledger, sr_tsn(5000)));
    sr_ledger_reset(&ledger, sr_tsn(5000), leaves, &left);
    send_tsn(&ledger, 5000, &left);
    assert_false(sr_ledger_resets(&ledger, sr_tsn(5000))); /* that is told again (RFC 6525 section 5.2.1) */
    assert_true(sr_ledger_resets(&ledger, sr_tsn(11)));
    sr_ledger_free(&ledger);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tsn_is_acknowledged_once),
        cmocka_unit_test(what_was_never_seen_is_passed_over),
        cmocka_unit_test(what_was_put_in_unseen_is_counted),
        cmocka_unit_test(what_was_never_seen_takes_no_slot),
        cmocka_unit_test(any_order_acknowledges_what_it_says),
        cmocka_unit_test(the_cumulative_tsn_and_all_blocks_are_acknowledged),
        cmocka_unit_test(what_the_acknowledgement_before_told_is_not_looked_at_again),
        cmocka_unit_test(what_was_told_beyond_what_was_kept_then_is_looked_at_again),
        cmocka_unit_test(the_last_open_one_has_only_acknowledged_ones_above),
        cmocka_unit_test(it_grows_while_its_lowest_is_outstanding_and_else_lets_it_go),
        cmocka_unit_test(what_follows_the_highest_is_not_in_it),
        cmocka_unit_test(it_is_never_larger_than_its_limit),
        cmocka_unit_test(one_tsn_far_away_is_out_of_reach_and_a_second_begins_anew),
        cmocka_unit_test(what_is_far_below_begins_anew_beyond_twice_what_it_can_hold),
        cmocka_unit_test(feedback_follows_as_far_as_it_can_hold_above_and_twice_that_below),
        cmocka_unit_test(a_second_tsn_far_away_is_near_within_reach_up_or_down),
        cmocka_unit_test(a_jump_within_reach_keeps_what_is_outstanding),
        cmocka_unit_test(clearing_lets_all_go_and_it_can_be_used_again),
        cmocka_unit_test(what_follows_a_new_numbering_begins_with_its_first),
        cmocka_unit_test(a_response_numbers_anew_what_does_not_go_on_with_it_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
