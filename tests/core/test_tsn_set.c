/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of sets of TSNs, against one that keeps each TSN by itself. */
#include "bytes_builder.h"

#include "timeline/tsn_set.h"

enum { TSNS = 20000, LARGEST = 8192, LONG = 512 };

static const uint32_t bases[] = {5000, UINT32_MAX - TSNS / 2};

struct pair {
    struct sr_tsn_set set;
    bool plain[TSNS];
    uint32_t base, low, high; /* the TSN of the first of `plain`; the window begins and ends there */
    uint32_t random;
};

static uint32_t below(struct pair *pair, uint32_t end)
{
    pair->random = pair->random * 1664525u + 1013904223u;
    return (pair->random >> 8) % end;
}

static struct sr_tsn tsn_of(const struct pair *pair, uint32_t i)
{
    return sr_tsn(pair->base + i);
}

static void change(struct pair *pair, uint32_t first, uint32_t last, bool in)
{
    if (first == last && in)
        sr_tsn_set_add(&pair->set, tsn_of(pair, first));
    else if (first == last)
        sr_tsn_set_remove(&pair->set, tsn_of(pair, first));
    else
        (in ? sr_tsn_set_add_range : sr_tsn_set_remove_range)(&pair->set, tsn_of(pair, first), tsn_of(pair, last));
    for (uint32_t i = first; i <= last; i++)
        pair->plain[i] = in;
}

static void check(const struct pair *pair, uint32_t first, uint32_t last)
{
    uint32_t count = 0, next = last + 1, missing = last + 1;
    for (uint32_t i = last + 1; i-- > first;) {
        count += pair->plain[i];
        next = pair->plain[i] ? i : next;
        missing = pair->plain[i] ? missing : i;
    }
    struct sr_tsn tsn = tsn_of(pair, first), end = tsn_of(pair, last);
    assert_int_equal(sr_tsn_set_has(&pair->set, tsn), pair->plain[first]);
    assert_int_equal(sr_tsn_set_count(&pair->set, tsn, end), count);
    assert_int_equal(sr_tsn_set_next(&pair->set, &tsn, end), next <= last);
    assert_true(next > last || tsn.value == tsn_of(pair, next).value);
    tsn = tsn_of(pair, first);
    assert_int_equal(sr_tsn_set_next_missing(&pair->set, &tsn, end), missing <= last);
    assert_true(missing > last || tsn.value == tsn_of(pair, missing).value);
}

/* The window moves up; what comes in is cleared, as whoever has the set does it. */
static void move(struct pair *pair, uint32_t by)
{
    if (pair->high + by >= TSNS)
        return;
    change(pair, pair->high + 1, pair->high + by, false);
    pair->high += by;
    if (pair->high - pair->low >= pair->set.capacity)
        pair->low = pair->high - pair->set.capacity + 1;
}

static void it_says_of_each_tsn_what_happened_to_it(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        static struct pair pair;
        memset(&pair, 0, sizeof pair);
        pair.base = bases[seed % 2];
        pair.random = seed;
        assert_true(sr_tsn_set_init(&pair.set, seed % 3 == 0 ? 1 : LARGEST >> seed % 4));
        for (int round = 0; round < 4000; round++) {
            uint32_t span = pair.high - pair.low + 1;
            uint32_t first = pair.low + below(&pair, span), last = first + below(&pair, pair.high - first + 1);
            check(&pair, first, last);
            bool is_long = below(&pair, 4) == 0;
            last = is_long ? last : first;
            change(&pair, first, last, below(&pair, 3) > 0);
            if (below(&pair, 3) == 0)
                move(&pair, 1 + below(&pair, is_long ? 40 : 3));
            if (below(&pair, 400) == 0 && pair.set.capacity < LARGEST)
                assert_true(sr_tsn_set_grow(&pair.set, pair.set.capacity * 2, tsn_of(&pair, pair.low),
                                            tsn_of(&pair, pair.high)));
        }
        assert_in_range(pair.set.capacity, 64, LARGEST);
        sr_tsn_set_free(&pair.set);
    }
}

static void a_range_that_ends_before_it_begins_is_none(void **state)
{
    (void)state;
    struct sr_tsn_set set;
    struct sr_tsn tsn = sr_tsn(7);
    assert_true(sr_tsn_set_init(&set, LONG));
    sr_tsn_set_add_range(&set, sr_tsn(7), sr_tsn(6));
    assert_false(sr_tsn_set_has(&set, sr_tsn(7)));
    sr_tsn_set_add_range(&set, sr_tsn(1), sr_tsn(LONG));
    sr_tsn_set_remove_range(&set, sr_tsn(7), sr_tsn(6));
    assert_int_equal(sr_tsn_set_count(&set, sr_tsn(1), sr_tsn(LONG)), LONG);
    assert_int_equal(sr_tsn_set_count(&set, sr_tsn(7), sr_tsn(6)), 0);
    assert_false(sr_tsn_set_next(&set, &tsn, sr_tsn(6)));
    assert_false(sr_tsn_set_next_missing(&set, &tsn, sr_tsn(6)));
    sr_tsn_set_free(&set);
}

/* So that a SACK whose blocks repeat what is known costs its blocks. */
static void words_that_are_full_are_known_and_no_others(void **state)
{
    (void)state;
    struct sr_tsn_set set;
    assert_true(sr_tsn_set_init(&set, LARGEST));
    sr_tsn_set_add_range(&set, sr_tsn(0), sr_tsn(LARGEST - 2));
    assert_int_equal(set.full[0], UINT64_MAX);
    assert_int_equal(set.full[1], UINT64_MAX >> 1);
    sr_tsn_set_add(&set, sr_tsn(LARGEST - 1));
    assert_int_equal(set.full[1], UINT64_MAX);
    sr_tsn_set_remove(&set, sr_tsn(0));
    sr_tsn_set_remove_range(&set, sr_tsn(64), sr_tsn(128));
    assert_int_equal(set.full[0], ~UINT64_C(7));
    sr_tsn_set_free(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_of_each_tsn_what_happened_to_it),
        cmocka_unit_test(a_range_that_ends_before_it_begins_is_none),
        cmocka_unit_test(words_that_are_full_are_known_and_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
