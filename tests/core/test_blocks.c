/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what several lists of blocks cover together, against a list of TSNs. */
#include "bytes_builder.h"

#include "timeline/blocks.h"

enum { TSNS = 60, ROUNDS = 500 };

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void check(uint32_t cum, uint32_t lists[SR_BLOCK_LISTS][TSNS], const uint32_t *counts)
{
    bool covered[TSNS + 2] = {false};
    uint32_t last = 0;
    struct sr_blocks blocks;
    sr_blocks_begin(&blocks, sr_tsn(cum));
    for (int list = 0; list < SR_BLOCK_LISTS; list++) {
        sr_blocks_add(&blocks, lists[list], counts[list]);
        for (uint32_t i = 0; i < counts[list]; i++)
            for (uint32_t tsn = lists[list][2 * i]; tsn - cum <= lists[list][2 * i + 1] - cum; tsn++) {
                covered[tsn - cum] = true;
                last = tsn - cum > last ? tsn - cum : last;
            }
    }
    struct sr_stretch hole, part;
    uint32_t at = 1;
    while (sr_blocks_next(&blocks, &hole, &part)) {
        assert_int_equal(hole.first.value, cum + at);
        while (at <= last && !covered[at])
            at++;
        assert_int_equal(hole.last.value, cum + at - 1);
        assert_int_equal(part.first.value, cum + at);
        while (at <= last && covered[at])
            at++;
        assert_int_equal(part.last.value, cum + at - 1);
    }
    assert_int_equal(at, last + 1);
    assert_int_equal(hole.first.value, cum + at);
}

static void lists_that_overlap_cover_what_any_of_them_has(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t lists[SR_BLOCK_LISTS][TSNS], counts[SR_BLOCK_LISTS] = {0}, cum = round % 2 ? 100 : UINT32_MAX - 20;
        for (uint32_t list = 0; list < SR_BLOCK_LISTS; list++) {
            for (uint32_t at = next(&random) % 12 + 1; at < TSNS; at += next(&random) % 12 + 2) {
                lists[list][2 * counts[list]] = cum + at;
                at += next(&random) % 5;
                at = at < TSNS ? at : TSNS - 1;
                lists[list][2 * counts[list]++ + 1] = cum + at;
            }
            counts[list] = next(&random) % 4 == 0 ? 0 : counts[list];
        }
        check(cum, lists, counts);
    }
}

static void what_the_cumulative_tsn_covers_is_left_out(void **state)
{
    (void)state;
    const uint32_t list[] = {5, 8, 10, 12, 20, 20};
    struct sr_blocks blocks;
    struct sr_stretch hole, part;
    sr_blocks_begin(&blocks, sr_tsn(10));
    sr_blocks_add(&blocks, list, 3);
    assert_true(sr_blocks_next(&blocks, &hole, &part));
    assert_int_equal(hole.last.value + 1, hole.first.value); /* empty */
    assert_int_equal(part.first.value, 11);
    assert_int_equal(part.last.value, 12);
    assert_true(sr_blocks_next(&blocks, &hole, &part));
    assert_int_equal(hole.first.value, 13);
    assert_int_equal(hole.last.value, 19);
    assert_false(sr_blocks_next(&blocks, &hole, &part));
    assert_int_equal(hole.first.value, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_that_overlap_cover_what_any_of_them_has),
        cmocka_unit_test(what_the_cumulative_tsn_covers_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
