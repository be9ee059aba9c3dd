/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of SACK, NR-SACK and SHUTDOWN: their lists, and each thing that can be wrong with them. */
#include "bytes_builder.h"

#include "wire/sack.h"

enum { CUM = 1000, A_RWND = 65000, MOST = 8 };

#define ANOMALY(name) (1u << SR_SACK_ANOMALY_##name)

struct block {
    uint16_t first, last;
};

/* A chunk as it is to be written, and as it must come back. */
struct lists {
    uint32_t gaps, nr_gaps, dups;
    struct block gap[MOST], nr_gap[MOST];
    uint32_t dup[MOST];
};

struct written {
    uint8_t type, flags;
    uint32_t cum;
    struct lists lists;
    int more_gaps, more_nr_gaps, more_dups; /* that the counts claim and the chunk does not have */
    size_t trailing;
    bool no_reserved_field;
};

static void put_blocks(struct bytes *to, const struct block *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        put16s(to, 2, (uint32_t)blocks[i].first, (uint32_t)blocks[i].last);
}

static struct bytes chunk_of(const struct written *written)
{
    const struct lists *lists = &written->lists;
    uint32_t gaps = lists->gaps + (uint32_t)written->more_gaps, dups = lists->dups + (uint32_t)written->more_dups;
    uint32_t nr_gaps = lists->nr_gaps + (uint32_t)written->more_nr_gaps;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, written->type, written->flags);
    put32(&chunk, written->cum);
    if (written->type != SR_CHUNK_SHUTDOWN)
        put32(&chunk, A_RWND);
    if (written->type == SR_CHUNK_SACK)
        put16s(&chunk, 2, gaps, dups);
    if (written->type == SR_CHUNK_NR_SACK) {
        put16s(&chunk, 2, gaps, nr_gaps);
        if (!written->no_reserved_field)
            put16s(&chunk, 2, dups, 0u);
    }
    put_blocks(&chunk, lists->gap, lists->gaps);
    put_blocks(&chunk, lists->nr_gap, lists->nr_gaps);
    for (uint32_t i = 0; i < lists->dups; i++)
        put32(&chunk, lists->dup[i]);
    put_zeros(&chunk, written->trailing);
    end_chunk(&chunk, start);
    return chunk;
}

static void check_blocks(const struct sr_sack *sack, struct sr_sack_list list, const struct block *blocks,
                         uint32_t count)
{
    assert_int_equal(list.count, count);
    for (uint32_t i = 0; i < count; i++) {
        struct sr_tsn_range range = sr_sack_block(sack, list, i);
        assert_int_equal(range.first.value, sack->cum_tsn.value + blocks[i].first);
        assert_int_equal(range.last.value, sack->cum_tsn.value + blocks[i].last);
    }
}

static void check_sack(const struct bytes *from, size_t captured, uint32_t cum, const struct lists *lists,
                       uint32_t anomalies)
{
    uint8_t *bytes = exact(from->at, captured);
    struct sr_chunk chunk = {from->at[0], from->at[1], sr_be16(from->at + 2), bytes, (uint32_t)captured};
    struct sr_sack sack;
    memset(&sack, 0xa5, sizeof sack);
    assert_int_equal(sr_sack(&chunk, &sack), SR_SACK);
    assert_int_equal(sack.cum_tsn.value, cum);
    assert_int_equal(sack.a_rwnd, chunk.type == SR_CHUNK_SHUTDOWN ? 0 : A_RWND);
    assert_int_equal(sack.flags, chunk.flags);
    assert_int_equal(sack.kind, chunk.type == SR_CHUNK_SACK      ? SR_SACK_KIND_SACK
                                : chunk.type == SR_CHUNK_NR_SACK ? SR_SACK_KIND_NR_SACK
                                                                 : SR_SACK_KIND_SHUTDOWN);
    check_blocks(&sack, sack.gaps, lists->gap, lists->gaps);
    check_blocks(&sack, sack.nr_gaps, lists->nr_gap, lists->nr_gaps);
    assert_int_equal(sack.dups.count, lists->dups);
    for (uint32_t i = 0; i < lists->dups; i++)
        assert_int_equal(sr_sack_dup(&sack, i).value, lists->dup[i]);
    assert_int_equal(sack.anomalies, anomalies);
    free_exact(bytes, captured);
}

static void check_step(const struct bytes *from, size_t captured, enum sr_sack_step expected)
{
    uint8_t *bytes = exact(from->at, captured);
    struct sr_chunk chunk = {from->at[0], from->at[1], sr_be16(from->at + 2), bytes, (uint32_t)captured};
    struct sr_sack sack;
    assert_int_equal(sr_sack(&chunk, &sack), expected);
    free_exact(bytes, captured);
}

/* The whole chunk, with all its bytes. */
static void check_whole(const struct written *written, uint32_t anomalies)
{
    struct bytes chunk = chunk_of(written);
    check_sack(&chunk, sr_be16(chunk.at + 2), written->cum, &written->lists, anomalies);
}

static void a_sack_without_lists_acknowledges_up_to_its_cumulative_tsn(void **state)
{
    (void)state;
    check_whole(&(struct written){.type = SR_CHUNK_SACK, .flags = 0xc1, .cum = 0xffffffff}, 0);
}

static void a_sack_shows_gaps_and_duplicates(void **state)
{
    (void)state;
    check_whole(
        &(struct written){
            .type = SR_CHUNK_SACK,
            .cum = CUM,
            .lists = {.gaps = 2, .gap = {{2, 3}, {5, 65535}}, .dups = 3, .dup = {CUM - 1, CUM + 2, CUM + 2}}},
        0);
}

static void an_nr_sack_keeps_both_kinds_of_blocks_apart(void **state)
{
    (void)state;
    /* Disjoint, as usrsctp writes it. */
    check_whole(
        &(struct written){
            .type = SR_CHUNK_NR_SACK,
            .flags = 0x40,
            .cum = CUM,
            .lists =
                {.gaps = 2, .gap = {{2, 3}, {9, 9}}, .nr_gaps = 1, .nr_gap = {{5, 7}}, .dups = 1, .dup = {CUM + 6}}},
        0);
    /* Every NR-gap also a gap, as the first draft has it. */
    check_whole(&(struct written){.type = SR_CHUNK_NR_SACK,
                                  .cum = CUM,
                                  .lists = {.gaps = 1, .gap = {{2, 9}}, .nr_gaps = 1, .nr_gap = {{5, 7}}}},
                0);
}

static void an_nr_sack_without_the_reserved_field_is_read_from_offset_16(void **state)
{
    (void)state;
    struct written written = {.type = SR_CHUNK_NR_SACK,
                              .cum = CUM,
                              .lists = {.gaps = 1, .gap = {{2, 3}}, .nr_gaps = 2, .nr_gap = {{5, 6}, {8, 8}}},
                              .no_reserved_field = true};
    check_whole(&written, ANOMALY(NO_RESERVED_FIELD));
    written.lists = (struct lists){0};
    check_whole(&written, ANOMALY(NO_RESERVED_FIELD));
    written.lists = (struct lists){.gaps = 1, .gap = {{2, 3}}};
    check_whole(&written, ANOMALY(NO_RESERVED_FIELD));
}

static void the_usual_layout_wins_where_both_fit(void **state)
{
    (void)state;
    /* No list, no reserved field, four trailing bytes: the same bytes as the usual layout without lists. */
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_NR_SACK, 0);
    put32s(&chunk, 4, (uint32_t)CUM, (uint32_t)A_RWND, 0u, 0u);
    end_chunk(&chunk, start);
    check_sack(&chunk, 20, CUM, &(struct lists){0}, 0);
}

static void an_nr_sack_of_neither_layout_that_has_no_room_for_the_counts_is_short(void **state)
{
    (void)state;
    struct bytes chunk = chunk_of(&(struct written){.type = SR_CHUNK_NR_SACK, .cum = CUM, .more_gaps = 1});
    for (uint32_t length = 16; length < 20; length++) {
        set16(&chunk, 2, length);
        check_step(&chunk, length, SR_SACK_SHORT);
        check_step(&chunk, 16, SR_SACK_SHORT);
    }
}

static void a_shutdown_acknowledges_without_lists_or_window(void **state)
{
    (void)state;
    check_whole(&(struct written){.type = SR_CHUNK_SHUTDOWN, .flags = 3, .cum = 0x80000000}, 0);
    check_whole(&(struct written){.type = SR_CHUNK_SHUTDOWN, .cum = 7, .trailing = 4}, 0);
}

static void blocks_wrap_with_the_tsn(void **state)
{
    (void)state;
    struct bytes chunk = chunk_of(&(struct written){.type = SR_CHUNK_NR_SACK,
                                                    .cum = 0xfffffff0,
                                                    .lists = {.gaps = 2,
                                                              .gap = {{2, 14}, {16, 17}},
                                                              .nr_gaps = 1,
                                                              .nr_gap = {{15, 65535}},
                                                              .dups = 2,
                                                              .dup = {0xffffffff, 0}}});
    struct sr_sack sack;
    assert_int_equal(
        sr_sack(&(struct sr_chunk){SR_CHUNK_NR_SACK, 0, (uint16_t)chunk.length, chunk.at, (uint32_t)chunk.length},
                &sack),
        SR_SACK);
    static const uint32_t first[] = {0xfffffff2, 0}, last[] = {0xfffffffe, 1};
    assert_int_equal(sack.gaps.count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(sr_sack_block(&sack, sack.gaps, i).first.value, first[i]);
        assert_int_equal(sr_sack_block(&sack, sack.gaps, i).last.value, last[i]);
    }
    assert_int_equal(sack.nr_gaps.count, 1);
    assert_int_equal(sr_sack_block(&sack, sack.nr_gaps, 0).first.value, 0xffffffff);
    assert_int_equal(sr_sack_block(&sack, sack.nr_gaps, 0).last.value, 0xffef);
    assert_int_equal(sack.dups.count, 2);
    assert_int_equal(sr_sack_dup(&sack, 0).value, 0xffffffff);
    assert_int_equal(sr_sack_dup(&sack, 1).value, 0);
    assert_int_equal(sack.anomalies, 0);
}

/* What is wrong with a list of blocks, as offsets from the first anomaly of the list. */
enum { ZERO_START = 1, AT_CUM = 2, REVERSED = 4, OVERLAP = 8, ADJACENT = 16, UNORDERED = 32 };

static const struct {
    uint32_t found, count;
    struct block blocks[MOST];
} odd_lists[] = {
    {0, 3, {{2, 2}, {4, 4}, {6, 65535}}},
    {ZERO_START, 1, {{0, 4}}},
    {ZERO_START, 1, {{0, 0}}},
    {AT_CUM, 1, {{1, 1}}},
    {REVERSED, 1, {{9, 8}}},
    {OVERLAP, 2, {{2, 5}, {5, 8}}},
    {OVERLAP, 2, {{2, 5}, {2, 5}}},
    {OVERLAP, 3, {{2, 20}, {5, 6}, {10, 12}}},
    {ADJACENT, 2, {{2, 5}, {6, 8}}},
    {UNORDERED, 2, {{7, 8}, {2, 3}}},
    {UNORDERED, 2, {{7, 8}, {6, 7}}},
    {ZERO_START | REVERSED, 2, {{0, 0}, {5, 4}}},
    {REVERSED, 2, {{9, 5}, {12, 13}}},
    {REVERSED | UNORDERED, 2, {{9, 5}, {7, 8}}},
    {ZERO_START | AT_CUM | ADJACENT, 2, {{0, 0}, {1, 1}}},
    {ZERO_START | AT_CUM | OVERLAP, 2, {{0, 1}, {1, 3}}},
    {OVERLAP | ADJACENT | UNORDERED, 4, {{2, 5}, {4, 8}, {9, 10}, {3, 3}}},
    {ZERO_START | AT_CUM | REVERSED | OVERLAP | ADJACENT | UNORDERED,
     6,
     {{0, 1}, {1, 4}, {5, 6}, {9, 8}, {3, 3}, {20, 20}}},
    {OVERLAP, 2, {{2, 65535}, {65535, 65535}}},
};

static void each_odd_list_is_named_and_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof odd_lists / sizeof *odd_lists; i++) {
        struct written sack = {.type = SR_CHUNK_SACK, .cum = CUM}, gaps = {.type = SR_CHUNK_NR_SACK, .cum = CUM};
        sack.lists.gaps = gaps.lists.gaps = odd_lists[i].count;
        memcpy(sack.lists.gap, odd_lists[i].blocks, sizeof sack.lists.gap);
        memcpy(gaps.lists.gap, odd_lists[i].blocks, sizeof gaps.lists.gap);
        check_whole(&sack, odd_lists[i].found << SR_SACK_ANOMALY_GAP_ZERO_START);
        check_whole(&gaps, odd_lists[i].found << SR_SACK_ANOMALY_GAP_ZERO_START);
    }
}

static void odd_gaps_and_odd_nr_gaps_are_named_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof odd_lists / sizeof *odd_lists; i++) {
        for (size_t j = 0; j < sizeof odd_lists / sizeof *odd_lists; j++) {
            struct written written = {.type = SR_CHUNK_NR_SACK, .cum = 0xfffffff0};
            written.lists.gaps = odd_lists[i].count;
            written.lists.nr_gaps = odd_lists[j].count;
            memcpy(written.lists.gap, odd_lists[i].blocks, sizeof written.lists.gap);
            memcpy(written.lists.nr_gap, odd_lists[j].blocks, sizeof written.lists.nr_gap);
            check_whole(&written, odd_lists[i].found << SR_SACK_ANOMALY_GAP_ZERO_START |
                                      odd_lists[j].found << SR_SACK_ANOMALY_NR_GAP_ZERO_START);
        }
    }
}

static void a_duplicate_that_the_chunk_calls_missing_is_named(void **state)
{
    (void)state;
    static const struct {
        uint32_t dup;
        bool missing;
    } cases[] = {
        {CUM - 5, false},
        {CUM, false},
        {CUM + 1, true},
        {CUM + 2, false},
        {CUM + 3, false},
        {CUM + 4, true},
        {CUM + 5, false},
        {CUM + 7, false},
        {CUM + 8, true},
        {CUM + 9, false},
        {CUM + 10, true},
        {CUM + 65536, true},
        {CUM + 65538, true},
        {CUM + 0x7fffffffu, true},
        {CUM + 0x80000000u, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct written written = {.type = SR_CHUNK_NR_SACK,
                                  .cum = CUM,
                                  .lists = {.gaps = 2,
                                            .gap = {{2, 3}, {9, 9}},
                                            .nr_gaps = 1,
                                            .nr_gap = {{5, 7}},
                                            .dups = 2,
                                            .dup = {CUM, cases[i].dup}}};
        check_whole(&written, cases[i].missing ? ANOMALY(DUP_NOT_RECEIVED) : 0);
    }
}

static void counts_beyond_the_chunk_are_cut_down_to_it(void **state)
{
    (void)state;
    struct written written = {.type = SR_CHUNK_SACK,
                              .cum = CUM,
                              .lists = {.gaps = 1, .gap = {{2, 3}}, .dups = 1, .dup = {CUM}},
                              .more_dups = 1};
    check_whole(&written, ANOMALY(LENGTH_MISMATCH));
    written.more_dups = 65534;
    check_whole(&written, ANOMALY(LENGTH_MISMATCH));

    /* Too many gaps take what was meant to be a duplicate. */
    written.lists = (struct lists){.gaps = 2, .gap = {{2, 3}, {5, 5}}};
    written.more_gaps = 1;
    written.more_dups = 1;
    check_whole(&written, ANOMALY(LENGTH_MISMATCH));

    written.type = SR_CHUNK_NR_SACK;
    written.lists = (struct lists){.gaps = 1, .gap = {{2, 3}}, .nr_gaps = 1, .nr_gap = {{5, 6}}};
    written.more_gaps = 0;
    written.more_nr_gaps = 65534;
    check_whole(&written, ANOMALY(LENGTH_MISMATCH));
    written.lists = (struct lists){0};
    written.more_gaps = written.more_nr_gaps = written.more_dups = 65535;
    check_whole(&written, ANOMALY(LENGTH_MISMATCH));
}

static void part_of_an_entry_at_the_end_belongs_to_no_list(void **state)
{
    (void)state;
    for (size_t trailing = 1; trailing < 4; trailing++) {
        struct written written = {.type = SR_CHUNK_SACK, .cum = CUM, .trailing = trailing};
        written.lists = (struct lists){.gaps = 1, .gap = {{2, 3}}};
        check_whole(&written, ANOMALY(TRAILING_BYTES));
        written.more_gaps = 1;
        check_whole(&written, ANOMALY(LENGTH_MISMATCH) | ANOMALY(TRAILING_BYTES));
        written.type = SR_CHUNK_NR_SACK;
        check_whole(&written, ANOMALY(LENGTH_MISMATCH) | ANOMALY(TRAILING_BYTES));
    }
}

static void bytes_behind_the_lists_are_named(void **state)
{
    (void)state;
    struct written written = {.type = SR_CHUNK_SACK, .cum = CUM, .trailing = 8};
    check_whole(&written, ANOMALY(TRAILING_BYTES));
    written.type = SR_CHUNK_NR_SACK;
    check_whole(&written, ANOMALY(TRAILING_BYTES));
}

static void every_anomaly_can_come_together(void **state)
{
    (void)state;
    /* Snapped and bytes behind the lists: the lists end before the chunk, the capture before the lists. */
    static const struct block odd[] = {{0, 1}, {1, 4}, {5, 6}, {9, 8}, {3, 3}};
    struct written written = {.type = SR_CHUNK_NR_SACK, .cum = CUM, .trailing = 4};
    written.lists.gaps = written.lists.nr_gaps = 5;
    written.lists.dups = 2;
    memcpy(written.lists.gap, odd, sizeof odd);
    memcpy(written.lists.nr_gap, odd, sizeof odd);
    written.lists.dup[0] = CUM + 100;
    uint32_t lists = UINT32_C(63) << SR_SACK_ANOMALY_GAP_ZERO_START | UINT32_C(63) << SR_SACK_ANOMALY_NR_GAP_ZERO_START;
    check_whole(&written, lists | ANOMALY(DUP_NOT_RECEIVED) | ANOMALY(TRAILING_BYTES));

    struct bytes chunk = chunk_of(&written);
    written.lists.dups = 1;
    check_sack(&chunk, 20 + 11 * 4 + 3, CUM, &written.lists,
               lists | ANOMALY(DUP_NOT_RECEIVED) | ANOMALY(TRAILING_BYTES) | ANOMALY(SNAPPED));
}

static void a_sack_shows_what_was_captured_at_every_length(void **state)
{
    (void)state;
    struct written written = {.type = SR_CHUNK_SACK,
                              .cum = CUM,
                              .lists = {.gaps = 2, .gap = {{2, 3}, {5, 6}}, .dups = 2, .dup = {CUM, CUM + 5}}};
    struct bytes chunk = chunk_of(&written);
    for (size_t captured = 4; captured < 12; captured++)
        check_step(&chunk, captured, SR_SACK_CUT);
    for (size_t captured = 12; captured < 32; captured++) {
        struct lists seen = written.lists;
        size_t entries = captured < 16 ? 0 : (captured - 16) / 4;
        seen.gaps = entries < 2 ? (uint32_t)entries : 2;
        seen.dups = entries > 2 ? (uint32_t)entries - 2 : 0;
        check_sack(&chunk, captured, CUM, &seen, ANOMALY(SNAPPED));
    }
    check_sack(&chunk, 32, CUM, &written.lists, 0);
}

static void an_nr_sack_shows_what_was_captured_at_every_length(void **state)
{
    (void)state;
    struct written written = {
        .type = SR_CHUNK_NR_SACK,
        .cum = CUM,
        .lists = {.gaps = 1, .gap = {{2, 3}}, .nr_gaps = 2, .nr_gap = {{5, 6}, {8, 8}}, .dups = 1, .dup = {CUM + 6}}};
    struct bytes chunk = chunk_of(&written);
    for (size_t captured = 4; captured < 12; captured++)
        check_step(&chunk, captured, SR_SACK_CUT);
    for (size_t captured = 12; captured < 20; captured++)
        check_sack(&chunk, captured, CUM, &(struct lists){0}, ANOMALY(SNAPPED));
    for (size_t captured = 20; captured < 36; captured++) {
        struct lists seen = written.lists;
        size_t entries = (captured - 20) / 4;
        seen.gaps = entries < 1 ? 0 : 1;
        seen.nr_gaps = entries < 1 ? 0 : entries < 3 ? (uint32_t)entries - 1 : 2;
        seen.dups = 0;
        check_sack(&chunk, captured, CUM, &seen, ANOMALY(SNAPPED));
    }
    check_sack(&chunk, 36, CUM, &written.lists, 0);
}

static void the_layout_without_reserved_field_shows_what_was_captured_at_every_length(void **state)
{
    (void)state;
    struct written written = {.type = SR_CHUNK_NR_SACK,
                              .cum = CUM,
                              .lists = {.gaps = 1, .gap = {{2, 3}}, .nr_gaps = 1, .nr_gap = {{5, 6}}},
                              .no_reserved_field = true};
    struct bytes chunk = chunk_of(&written);
    for (size_t captured = 4; captured < 12; captured++)
        check_step(&chunk, captured, SR_SACK_CUT);
    for (size_t captured = 12; captured < 20; captured++) /* which layout it is cannot be told yet */
        check_sack(&chunk, captured, CUM, &(struct lists){0}, ANOMALY(SNAPPED));
    for (size_t captured = 20; captured < 24; captured++)
        check_sack(&chunk, captured, CUM, &(struct lists){.gaps = 1, .gap = {{2, 3}}},
                   ANOMALY(SNAPPED) | ANOMALY(NO_RESERVED_FIELD));
    check_sack(&chunk, 24, CUM, &written.lists, ANOMALY(NO_RESERVED_FIELD));
}

/* Found by fuzzing: cut, it must not show what the whole chunk is too short for. */
static void an_nr_sack_too_short_for_its_counts_shows_nothing_cut_or_whole(void **state)
{
    (void)state;
    struct bytes chunk = chunk_of(&(struct written){.type = SR_CHUNK_NR_SACK, .cum = CUM});
    for (uint16_t length = 17; length < 20; length++) {
        set16(&chunk, 2, length);
        check_step(&chunk, length, SR_SACK_SHORT);
        for (size_t captured = 4; captured < 16; captured++)
            check_step(&chunk, captured, SR_SACK_CUT);
    }
}

static void a_shutdown_is_cut_until_its_tsn_is_there(void **state)
{
    (void)state;
    struct bytes chunk = chunk_of(&(struct written){.type = SR_CHUNK_SHUTDOWN, .cum = CUM});
    for (size_t captured = 4; captured < 8; captured++)
        check_step(&chunk, captured, SR_SACK_CUT);
    check_sack(&chunk, 8, CUM, &(struct lists){0}, 0);
}

static void a_length_below_the_fixed_fields_is_short(void **state)
{
    (void)state;
    static const struct {
        uint8_t type;
        uint32_t least;
    } kinds[] = {{SR_CHUNK_SACK, 16}, {SR_CHUNK_NR_SACK, 16}, {SR_CHUNK_SHUTDOWN, 8}};
    for (size_t i = 0; i < 3; i++) {
        for (uint32_t length = 4; length < kinds[i].least; length++) {
            struct bytes chunk = chunk_of(&(struct written){.type = kinds[i].type});
            set16(&chunk, 2, length);
            for (size_t captured = 4; captured <= length; captured++)
                check_step(&chunk, captured, SR_SACK_SHORT);
        }
    }
}

static void the_longest_lists_are_read_whole(void **state)
{
    (void)state;
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_SACK, 0);
    uint32_t count = (65535 - 16) / 4;
    put32s(&chunk, 2, (uint32_t)CUM, (uint32_t)A_RWND);
    put16s(&chunk, 2, count, 0u);
    for (uint32_t i = 0; i < count; i++)
        put16s(&chunk, 2, 2 + i * 3, 2 + i * 3 + 1);
    end_chunk(&chunk, start);
    struct sr_sack sack;
    struct sr_chunk as_chunk = {SR_CHUNK_SACK, 0, (uint16_t)chunk.length, chunk.at, (uint32_t)chunk.length};
    assert_int_equal(sr_sack(&as_chunk, &sack), SR_SACK);
    assert_int_equal(sack.gaps.count, count);
    assert_int_equal(sack.nr_gaps.count, 0);
    assert_int_equal(sack.dups.count, 0);
    assert_int_equal(sr_sack_block(&sack, sack.gaps, count - 1).last.value, CUM + 2 + (count - 1) * 3 + 1);
    assert_int_equal(sack.anomalies, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sack_without_lists_acknowledges_up_to_its_cumulative_tsn),
        cmocka_unit_test(a_sack_shows_gaps_and_duplicates),
        cmocka_unit_test(an_nr_sack_keeps_both_kinds_of_blocks_apart),
        cmocka_unit_test(an_nr_sack_without_the_reserved_field_is_read_from_offset_16),
        cmocka_unit_test(the_usual_layout_wins_where_both_fit),
        cmocka_unit_test(an_nr_sack_of_neither_layout_that_has_no_room_for_the_counts_is_short),
        cmocka_unit_test(a_shutdown_acknowledges_without_lists_or_window),
        cmocka_unit_test(blocks_wrap_with_the_tsn),
        cmocka_unit_test(each_odd_list_is_named_and_kept),
        cmocka_unit_test(odd_gaps_and_odd_nr_gaps_are_named_apart),
        cmocka_unit_test(a_duplicate_that_the_chunk_calls_missing_is_named),
        cmocka_unit_test(counts_beyond_the_chunk_are_cut_down_to_it),
        cmocka_unit_test(part_of_an_entry_at_the_end_belongs_to_no_list),
        cmocka_unit_test(bytes_behind_the_lists_are_named),
        cmocka_unit_test(every_anomaly_can_come_together),
        cmocka_unit_test(a_sack_shows_what_was_captured_at_every_length),
        cmocka_unit_test(an_nr_sack_shows_what_was_captured_at_every_length),
        cmocka_unit_test(the_layout_without_reserved_field_shows_what_was_captured_at_every_length),
        cmocka_unit_test(an_nr_sack_too_short_for_its_counts_shows_nothing_cut_or_whole),
        cmocka_unit_test(a_shutdown_is_cut_until_its_tsn_is_there),
        cmocka_unit_test(a_length_below_the_fixed_fields_is_short),
        cmocka_unit_test(the_longest_lists_are_read_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
