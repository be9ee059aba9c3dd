/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether new data takes several paths at once, over a round trip of 50 ms. */
#include "bytes_builder.h"

#include "facts/path_loops.h"
#include "facts/paths_at_once.h"

#define MS INT64_C(1000000)

struct sent {
    int64_t ms;
    uint32_t path;
    enum sr_kind kind;
};

static bool at_once(const struct sent *sent, uint32_t count)
{
    struct sr_journal journal;
    struct sr_association association = {0};
    struct sr_path_loops loops = {0};
    struct sr_half half = {.journal = &journal, .association = &association, .path_loops = &loops};
    half.measured.receiver.typical_ns = 40 * MS;
    half.measured.sender_loop_ns = 10 * MS;
    sr_journal_init(&journal, 1 << 20);
    for (uint32_t i = 0; i < count; i++) {
        struct sr_transmission_row *row = sr_journal_transmission(&journal);
        *row = (struct sr_transmission_row){
            .time_ns = sent[i].ms * MS, .path = sent[i].path, .kind = (uint8_t)sent[i].kind};
        sr_journal_link(&journal, &association.entries);
    }
    bool found = sr_uses_paths_at_once(&half);
    half.path_loops = NULL; /* where there is but one path nobody looks */
    assert_false(sr_uses_paths_at_once(&half));
    sr_journal_free(&journal);
    return found;
}

#define NEW SR_KIND_ORIGINAL
#define AGAIN SR_KIND_RETRANSMISSION

#define AT_ONCE(...)                                                                                                   \
    at_once((const struct sent[]){__VA_ARGS__}, sizeof(const struct sent[]){__VA_ARGS__} / sizeof(struct sent))

static void where_it_comes_back_within_a_round_trip_twice(void **state)
{
    (void)state;
    assert_true(AT_ONCE({0, 1, NEW}, {10, 2, NEW}, {49, 1, NEW}, {59, 2, NEW}));
    assert_false(AT_ONCE({0, 1, NEW}, {10, 2, NEW}, {49, 1, NEW}));
    assert_false(AT_ONCE({0, 1, NEW}, {10, 2, NEW}, {50, 1, NEW}, {60, 2, NEW}));
}

static void not_where_it_stays_or_another_path_takes_over(void **state)
{
    (void)state;
    assert_false(AT_ONCE({0, 1, NEW}, {10, 1, NEW}, {20, 1, NEW}, {30, 1, NEW}));
    assert_false(AT_ONCE({0, 1, NEW}, {10, 1, NEW}, {20, 2, NEW}, {30, 2, NEW}, {40, 2, NEW}));
}

static void not_where_it_is_sent_again_elsewhere(void **state)
{
    (void)state;
    assert_false(AT_ONCE({0, 1, NEW}, {10, 2, AGAIN}, {20, 1, NEW}, {30, 2, AGAIN}, {40, 1, NEW}));
}

/* A limit on memory. */
static void of_many_paths_the_first_eight_are_looked_at(void **state)
{
    (void)state;
#define EIGHT {0, 1, NEW}, {1, 2, NEW}, {2, 3, NEW}, {3, 4, NEW}, {4, 5, NEW}, {5, 6, NEW}, {6, 7, NEW}, {7, 8, NEW}
    assert_false(AT_ONCE(EIGHT, {8, 9, NEW}, {9, 10, NEW}, {10, 9, NEW}, {11, 10, NEW}, {12, 9, NEW}));
    assert_true(AT_ONCE(EIGHT, {8, 9, NEW}, {9, 1, NEW}, {10, 9, NEW}, {11, 2, NEW}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_it_comes_back_within_a_round_trip_twice),
        cmocka_unit_test(not_where_it_stays_or_another_path_takes_over),
        cmocka_unit_test(not_where_it_is_sent_again_elsewhere),
        cmocka_unit_test(of_many_paths_the_first_eight_are_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
