/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the retransmission queue as the capture shows it, against one that keeps each TSN by itself. */
#include "bytes_builder.h"

#include "association/scoreboard.h"
#include "timeline/window.h"

enum { TSNS = 400, ROUNDS = 6000, BYTES = 100 };

struct plain {
    bool sent, received, freed, abandoned;
};

struct pair {
    struct sr_window window;
    struct sr_window_budget budget;
    struct plain plain[TSNS];
    uint32_t base; /* the TSN of the first of `plain` */
    uint32_t from, to;
};

static struct sr_tsn tsn_of(const struct pair *pair, uint32_t i)
{
    return sr_tsn(pair->base + i);
}

static void check(struct pair *pair)
{
    uint64_t queued = 0, necessary = 0;
    uint32_t received = 0;
    for (uint32_t i = pair->from; i <= pair->to; i++) {
        const struct plain *plain = &pair->plain[i];
        uint32_t bytes = plain->sent && !plain->freed ? BYTES + i : 0;
        queued += bytes;
        necessary += plain->received || plain->abandoned ? 0 : bytes;
        received += plain->received;
        assert_int_equal(sr_tsn_set_has(&pair->window.received, tsn_of(pair, i)), plain->received);
        assert_int_equal(sr_tsn_set_has(&pair->window.freed, tsn_of(pair, i)), plain->freed);
    }
    assert_int_equal(pair->window.queued_bytes, queued);
    assert_int_equal(pair->window.necessary_bytes, necessary);
    assert_int_equal(sr_tsn_set_count(&pair->window.received, tsn_of(pair, pair->from), tsn_of(pair, pair->to)),
                     received);
}

/* Each search, from one TSN to another. */
static void check_next(struct pair *pair, uint32_t first, uint32_t last)
{
    for (int what = 0; what < 3; what++) {
        uint32_t i = first;
        for (; i <= last; i++) {
            const struct plain *plain = &pair->plain[i];
            if (what == 0 ? !plain->received : what == 1 ? !plain->freed : plain->received)
                break;
        }
        struct sr_tsn tsn = tsn_of(pair, first), end = tsn_of(pair, last);
        bool found = what == 0   ? sr_tsn_set_next_missing(&pair->window.received, &tsn, end)
                     : what == 1 ? sr_tsn_set_next_missing(&pair->window.freed, &tsn, end)
                                 : sr_tsn_set_next(&pair->window.received, &tsn, end);
        assert_int_equal(found, i <= last);
        if (found)
            assert_int_equal(tsn.value, tsn_of(pair, i).value);
    }
}

static uint32_t random_below(uint32_t *state, uint32_t end)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % end;
}

static void step(struct pair *pair, uint32_t *state)
{
    uint32_t i = pair->from + random_below(state, pair->to - pair->from + 1);
    struct sr_tsn tsn = tsn_of(pair, i);
    struct plain *plain = &pair->plain[i];
    switch (random_below(state, 7)) {
    case 0:
        sr_window_sent(&pair->window, tsn, i, (uint16_t)(BYTES + i));
        plain->sent = true;
        break;
    case 1:
        sr_window_receive(&pair->window, tsn);
        plain->received = true;
        break;
    case 2:
        sr_window_release(&pair->window, tsn);
        plain->freed = true;
        break;
    case 3:
        sr_window_withdraw(&pair->window, tsn);
        plain->received = false;
        break;
    case 4:
        plain->abandoned = random_below(state, 2);
        sr_window_abandon(&pair->window, tsn, plain->abandoned);
        break;
    default: {
        uint32_t up = random_below(state, 9) == 0 ? random_below(state, 40) : 1;
        bool down = random_below(state, 4) == 0 && pair->from > up;
        if (down)
            pair->from -= up;
        else if (pair->to + up < TSNS)
            pair->to += up;
        else
            break;
        assert_true(sr_window_reach(&pair->window, &pair->budget, tsn_of(pair, down ? pair->from : pair->to)));
        break;
    }
    }
}

static void it_says_of_each_tsn_what_happened_to_it(void **state)
{
    (void)state;
    const uint32_t bases[] = {5000, 0xffffff40};
    for (uint32_t seed = 1; seed <= 20; seed++) {
        uint32_t random = seed * 7919;
        struct pair pair = {.budget = {1 << 16}, .base = bases[seed % 2], .from = TSNS / 4, .to = TSNS / 4};
        assert_true(sr_window_begin(&pair.window, &pair.budget, tsn_of(&pair, pair.from)));
        for (int i = 0; i < ROUNDS / 20; i++) {
            step(&pair, &random);
            check(&pair);
            uint32_t first = pair.from + random_below(&random, pair.to - pair.from + 1);
            check_next(&pair, first, first + random_below(&random, pair.to - first + 1));
            assert_false(sr_window_holds(&pair.window, tsn_of(&pair, pair.from - 1)));
            assert_true(sr_window_holds(&pair.window, tsn_of(&pair, pair.from)));
            assert_true(sr_window_holds(&pair.window, tsn_of(&pair, pair.to)));
            assert_false(sr_window_holds(&pair.window, tsn_of(&pair, pair.to + 1)));
        }
        sr_window_free(&pair.window, &pair.budget);
        assert_int_equal(pair.budget.left, 1 << 16);
    }
}

static void beyond_its_history_it_forgets_what_the_sender_may_free(void **state)
{
    (void)state;
    for (int freed = 0; freed < 2; freed++) {
        struct sr_window window = {0};
        struct sr_window_budget budget = {1 << 18};
        assert_true(sr_window_begin(&window, &budget, sr_tsn(1)));
        for (uint32_t tsn = 1; tsn <= SR_SCOREBOARD_HISTORY + 10; tsn++) {
            assert_true(sr_window_reach(&window, &budget, sr_tsn(tsn)));
            sr_window_sent(&window, sr_tsn(tsn), tsn, 10);
            if (freed)
                sr_window_release(&window, sr_tsn(tsn));
        }
        assert_int_equal(window.capacity, freed ? SR_SCOREBOARD_HISTORY : 2 * SR_SCOREBOARD_HISTORY);
        assert_int_equal(window.base.value, freed ? 11 : 1);
        assert_int_equal(window.forgot, freed);
        assert_int_equal(window.queued_bytes, freed ? 0 : 10 * (SR_SCOREBOARD_HISTORY + 10));
        assert_int_equal(sr_window_reach(&window, &budget, sr_tsn(0)), !freed);
        sr_window_free(&window, &budget);
        assert_int_equal(budget.left, 1 << 18);
    }
}

static void it_grows_for_what_is_outstanding_alone_and_not_beyond_its_limit(void **state)
{
    (void)state;
    for (int freed = 0; freed < 2; freed++) {
        struct sr_window window = {0};
        struct sr_window_budget budget = {1 << 20};
        assert_true(sr_window_begin(&window, &budget, sr_tsn(1)));
        for (uint32_t tsn = 1; tsn <= SR_SCOREBOARD_LARGEST; tsn++) {
            assert_true(sr_window_reach(&window, &budget, sr_tsn(tsn)));
            sr_window_sent(&window, sr_tsn(tsn), tsn, 10);
            if (freed)
                sr_window_release(&window, sr_tsn(tsn));
        }
        assert_true(sr_window_reach(&window, &budget, sr_tsn(SR_SCOREBOARD_LARGEST + 2))); /* one is not seen */
        assert_int_equal(window.capacity, freed ? SR_SCOREBOARD_HISTORY : SR_SCOREBOARD_LARGEST);
        assert_int_equal(window.base.value, SR_SCOREBOARD_LARGEST + 3 - window.capacity);
        assert_int_equal(window.queued_bytes, freed ? 0 : 10 * (SR_SCOREBOARD_LARGEST - 2));
        sr_window_free(&window, &budget);
    }
}

static void below_what_it_forgot_it_holds_nothing_any_more(void **state)
{
    (void)state;
    for (uint32_t passed_over = 0; passed_over < 3; passed_over++) {
        struct sr_window window = {0};
        struct sr_window_budget budget = {1 << 18};
        assert_true(sr_window_begin(&window, &budget, sr_tsn(10)));
        for (uint32_t tsn = 10; tsn < 10 + SR_SCOREBOARD_HISTORY; tsn++) {
            assert_true(sr_window_reach(&window, &budget, sr_tsn(tsn)));
            sr_window_sent(&window, sr_tsn(tsn), tsn, 10);
            sr_window_release(&window, sr_tsn(tsn));
        }
        assert_true(sr_window_reach(&window, &budget, sr_tsn(10 + SR_SCOREBOARD_HISTORY + passed_over)));
        assert_int_equal(window.base.value, 11 + passed_over);
        assert_false(sr_window_reach(&window, &budget, sr_tsn(10)));
        assert_true(sr_window_reach(&window, &budget, sr_tsn(11 + passed_over)));
        sr_window_free(&window, &budget);
    }
}

/* Of the TSN that had its place before, all is known. */
static void of_what_is_passed_over_nothing_is_known(void **state)
{
    (void)state;
    struct sr_window window = {0};
    struct sr_window_budget budget = {1 << 18};
    uint32_t tsn = 1, last = 0;
    assert_true(sr_window_begin(&window, &budget, sr_tsn(tsn)));
    for (; tsn <= 2 * SR_SCOREBOARD_HISTORY; tsn += tsn % 100 == 0 ? 2 : 1) { /* one of a hundred is not seen */
        assert_true(sr_window_reach(&window, &budget, sr_tsn(tsn)));
        sr_window_sent(&window, sr_tsn(tsn), tsn, 10);
        sr_window_receive(&window, sr_tsn(tsn));
        sr_window_release(&window, sr_tsn(tsn));
        struct sr_tsn before = sr_tsn(tsn - 1);
        bool seen_before = before.value == last && last > 0;
        last = tsn;
        if (before.value == 0)
            continue;
        assert_int_equal(sr_tsn_set_has(&window.sent, before), seen_before);
        assert_int_equal(sr_tsn_set_has(&window.received, before), seen_before);
        assert_int_equal(sr_tsn_set_has(&window.freed, before), seen_before);
    }
    sr_window_free(&window, &budget);
}

static void without_budget_it_forgets_what_is_outstanding_too(void **state)
{
    (void)state;
    struct sr_window window = {0};
    struct sr_window_budget budget = {0};
    assert_true(sr_window_begin(&window, &budget, sr_tsn(1)));
    for (uint32_t tsn = 1; tsn <= 20; tsn++) {
        assert_true(sr_window_reach(&window, &budget, sr_tsn(tsn)));
        sr_window_sent(&window, sr_tsn(tsn), tsn, 10);
    }
    assert_int_equal(window.capacity, 16);
    assert_int_equal(window.base.value, 5);
    assert_int_equal(window.queued_bytes, 160);
    assert_int_equal(window.necessary_bytes, 160);
    assert_true(sr_window_reach(&window, &budget, sr_tsn(1000)));
    assert_int_equal(window.base.value, 985);
    assert_int_equal(window.queued_bytes, 0);
    assert_false(sr_window_reach(&window, &budget, sr_tsn(984)));
    sr_window_free(&window, &budget);
    assert_int_equal(budget.left, 0);
}

static void what_lies_too_far_below_has_no_place(void **state)
{
    (void)state;
    struct sr_window window = {0};
    struct sr_window_budget budget = {1 << 20};
    const uint32_t top = 1 << 20;
    assert_true(sr_window_begin(&window, &budget, sr_tsn(top)));
    assert_false(sr_window_reach(&window, &budget, sr_tsn(top - SR_SCOREBOARD_LARGEST)));
    assert_true(sr_window_reach(&window, &budget, sr_tsn(top - SR_SCOREBOARD_LARGEST + 1)));
    assert_int_equal(window.base.value, top - SR_SCOREBOARD_LARGEST + 1);
    sr_window_free(&window, &budget);
}

static void a_new_numbering_knows_nothing_of_the_one_before(void **state)
{
    (void)state;
    struct sr_window window = {0};
    struct sr_window_budget budget = {1 << 16};
    assert_true(sr_window_begin(&window, &budget, sr_tsn(1)));
    for (uint32_t again = 0; again < 70000; again++) {
        sr_window_sent(&window, sr_tsn(1), 5, 10);
        sr_window_receive(&window, sr_tsn(1));
        sr_window_release(&window, sr_tsn(1));
        assert_int_equal(window.received_to.value, 1);
        window.took_all = true;
        assert_true(sr_window_begin(&window, &budget, sr_tsn(1)));
        assert_int_equal(sr_window_at(&window, sr_tsn(1))->first_row, 0);
        assert_false(sr_tsn_set_has(&window.received, sr_tsn(1)));
        assert_false(sr_tsn_set_has(&window.freed, sr_tsn(1)));
        assert_int_equal(window.received_to.value, 0);
        assert_false(window.took_all);
        assert_int_equal(window.queued_bytes + window.necessary_bytes, 0);
    }
    sr_window_free(&window, &budget);
}

static void the_first_copy_and_the_last_are_kept(void **state)
{
    (void)state;
    struct sr_window window = {0};
    struct sr_window_budget budget = {1 << 16};
    assert_false(sr_window_holds(&window, sr_tsn(7)));
    assert_true(sr_window_begin(&window, &budget, sr_tsn(7)));
    sr_window_sent(&window, sr_tsn(7), 3, 10);
    sr_window_sent(&window, sr_tsn(7), 8, 30);
    assert_int_equal(sr_window_at(&window, sr_tsn(7))->first_row, 4);
    assert_int_equal(sr_window_at(&window, sr_tsn(7))->last_row, 9);
    assert_int_equal(window.queued_bytes, 30);
    sr_window_free(&window, &budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_of_each_tsn_what_happened_to_it),
        cmocka_unit_test(beyond_its_history_it_forgets_what_the_sender_may_free),
        cmocka_unit_test(it_grows_for_what_is_outstanding_alone_and_not_beyond_its_limit),
        cmocka_unit_test(below_what_it_forgot_it_holds_nothing_any_more),
        cmocka_unit_test(of_what_is_passed_over_nothing_is_known),
        cmocka_unit_test(without_budget_it_forgets_what_is_outstanding_too),
        cmocka_unit_test(what_lies_too_far_below_has_no_place),
        cmocka_unit_test(a_new_numbering_knows_nothing_of_the_one_before),
        cmocka_unit_test(the_first_copy_and_the_last_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
