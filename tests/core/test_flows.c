/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the flows and what they count. */
#include "bytes_builder.h"

#include "engine/flows.h"

enum { WINDOW = SR_FLOW_TSN_WINDOW };

static struct sr_flow_key key_of(uint32_t vtag)
{
    return (struct sr_flow_key){
        .path = {{10, 0, 0, 1, [16] = 4, 10, 0, 0, 2, [33] = 4}}, .sport = 1000, .dport = 2000, .vtag = vtag};
}

static struct sr_data data_of(uint32_t tsn)
{
    return (struct sr_data){.tsn = {tsn}, .bytes = 10};
}

static void check_data(const struct sr_flow *flow, struct sr_flow_data expected)
{
    assert_int_equal(flow->data.chunks, expected.chunks);
    assert_int_equal(flow->data.bytes, expected.chunks * 10);
    assert_int_equal(flow->data.tsns, expected.tsns);
    assert_int_equal(flow->data.repeated, expected.repeated);
    assert_int_equal(flow->data.below, expected.below);
    assert_int_equal(flow->data.first_tsn, expected.first_tsn);
    assert_int_equal(flow->data.lowest_tsn, expected.lowest_tsn);
    assert_int_equal(flow->data.highest_tsn, expected.highest_tsn);
}

/* A new flow that sees these TSNs one after the other. */
static void check_tsns(const uint32_t *tsns, size_t count, struct sr_flow_data expected)
{
    struct sr_flows *flows = sr_flows_new();
    struct sr_flow_key key = key_of(1);
    struct sr_flow *flow = sr_flows_find(flows, &key);
    for (size_t i = 0; i < count; i++) {
        struct sr_data data = data_of(tsns[i]);
        assert_true(sr_flow_count_data(flow, &data));
    }
    check_data(flow, expected);
    sr_flows_free(flows);
}

#define CHECK_TSNS(expected, ...)                                                                                      \
    check_tsns((const uint32_t[]){__VA_ARGS__}, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t),              \
               (struct sr_flow_data)expected)
#define COUNTS(...)                                                                                                    \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void a_flow_without_data_has_counted_none(void **state)
{
    (void)state;
    check_tsns(NULL, 0, (struct sr_flow_data){0});
}

static void each_tsn_is_counted_once_and_its_copies_apart(void **state)
{
    (void)state;
    CHECK_TSNS(COUNTS(.chunks = 7, .tsns = 4, .repeated = 3, .first_tsn = 10, .lowest_tsn = 10, .highest_tsn = 13), 10,
               11, 12, 11, 13, 13, 10);
}

static void a_tsn_before_the_first_one_seen_is_new(void **state)
{
    (void)state;
    CHECK_TSNS(COUNTS(.chunks = 4, .tsns = 3, .repeated = 1, .first_tsn = 10, .lowest_tsn = 5, .highest_tsn = 10), 10,
               9, 5, 9);
    CHECK_TSNS(
        COUNTS(.chunks = 3, .tsns = 2, .repeated = 1, .first_tsn = 2, .lowest_tsn = 0xfffffffe, .highest_tsn = 2), 2,
        0xfffffffe, 2);
}

static void tsns_go_on_across_the_wrap(void **state)
{
    (void)state;
    CHECK_TSNS(COUNTS(.chunks = 6, .tsns = 4, .repeated = 2, .first_tsn = 0xfffffffe, .lowest_tsn = 0xfffffffe,
                      .highest_tsn = 1),
               0xfffffffe, 0xffffffff, 0, 1, 0xffffffff, 0);
}

static void the_window_ends_below_its_last_tsn(void **state)
{
    (void)state;
    uint32_t base = 0x12340000;
    CHECK_TSNS(COUNTS(.chunks = 2, .tsns = 2, .first_tsn = base + WINDOW - 1, .lowest_tsn = base,
                      .highest_tsn = base + WINDOW - 1),
               base + WINDOW - 1, base);
    CHECK_TSNS(COUNTS(.chunks = 3, .tsns = 2, .repeated = 1, .first_tsn = base, .lowest_tsn = base,
                      .highest_tsn = base + WINDOW - 1),
               base, base + WINDOW - 1, base);
    CHECK_TSNS(
        COUNTS(.chunks = 3, .tsns = 2, .below = 1, .first_tsn = base, .lowest_tsn = base, .highest_tsn = base + WINDOW),
        base, base + WINDOW, base);
    CHECK_TSNS(COUNTS(.chunks = 2, .tsns = 1, .below = 1, .first_tsn = base + WINDOW, .lowest_tsn = base,
                      .highest_tsn = base + WINDOW),
               base + WINDOW, base);
}

static void what_the_window_passes_is_forgotten_and_nothing_else(void **state)
{
    (void)state;
    /* Both places of the bit map are used again after a round, and at every offset within a byte. */
    for (uint32_t step = 1; step < 40; step++) {
        uint32_t base = 0xffff0000 + step;
        CHECK_TSNS(COUNTS(.chunks = 6, .tsns = 4, .repeated = 2, .first_tsn = base, .lowest_tsn = base,
                          .highest_tsn = base + WINDOW - 1 + step),
                   base, base + step, base + step + 1, base + WINDOW - 1 + step, base + step, base + step + 1);
        CHECK_TSNS(
            COUNTS(.chunks = 3, .tsns = 3, .first_tsn = base, .lowest_tsn = base, .highest_tsn = base + WINDOW + step),
            base, base + WINDOW + step, base + WINDOW);
    }
}

static void a_jump_beyond_the_window_forgets_all_of_it(void **state)
{
    (void)state;
    static const uint32_t jumps[] = {WINDOW, WINDOW + 1, 2 * WINDOW, 0x7fffffff};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++)
        CHECK_TSNS(
            COUNTS(.chunks = 5, .tsns = 4, .below = 1, .first_tsn = 7, .lowest_tsn = 7, .highest_tsn = 8 + jumps[i]), 7,
            8, 8 + jumps[i], 9 + jumps[i] - WINDOW, 8);
}

/* Against a set of all TSNs seen, for a random walk of TSNs around the edges of the window. */
static void random_tsns_count_as_a_plain_set_says(void **state)
{
    (void)state;
    enum { MOST = 20000 };
    uint32_t *seen = calloc(MOST, sizeof *seen);
    struct sr_flows *flows = sr_flows_new();
    struct sr_flow_key key = key_of(1);
    struct sr_flow *flow = sr_flows_find(flows, &key);
    uint32_t random = 99, tsn = 0xfffff000, count = 0;
    struct sr_flow_data expected = {.first_tsn = tsn, .lowest_tsn = tsn, .highest_tsn = tsn};
    for (int i = 0; i < 3000; i++) {
        struct sr_data data = data_of(tsn);
        assert_true(sr_flow_count_data(flow, &data));
        expected.chunks++;
        if ((int32_t)(tsn - expected.highest_tsn) > 0)
            expected.highest_tsn = tsn;
        if ((int32_t)(tsn - expected.lowest_tsn) < 0)
            expected.lowest_tsn = tsn;
        bool known = false;
        for (uint32_t j = 0; j < count && !known; j++)
            known = seen[j] == tsn;
        if (expected.highest_tsn - tsn >= WINDOW)
            expected.below++;
        else if (known)
            expected.repeated++;
        else
            expected.tsns++, seen[count++] = tsn;
        check_data(flow, expected);
        random = random * 1103515245 + 12345;
        static const int32_t steps[] = {1, 1, 1, -1, -1, 8, -8, 100, -100, WINDOW - 1, -(WINDOW - 1), -(WINDOW + 3)};
        tsn += (uint32_t)steps[(random >> 16) % 12];
    }
    sr_flows_free(flows);
    free(seen);
}

static void acknowledgements_are_counted_by_what_they_hold(void **state)
{
    (void)state;
    struct sr_flows *flows = sr_flows_new();
    struct sr_flow_key key = key_of(1);
    struct sr_flow *flow = sr_flows_find(flows, &key);
    struct sr_sack sacks[] = {
        {.cum_tsn = {0xffffffff}, .a_rwnd = 5, .kind = SR_SACK_KIND_SACK},
        {.cum_tsn = {3}, .a_rwnd = 0, .gaps = {NULL, 2}, .dups = {NULL, 4}, .kind = SR_SACK_KIND_SACK},
        {.cum_tsn = {2},
         .a_rwnd = 9,
         .gaps = {NULL, 1},
         .nr_gaps = {NULL, 3},
         .anomalies = 1u << SR_SACK_ANOMALY_SNAPPED | 1u << SR_SACK_ANOMALY_DUP_NOT_RECEIVED,
         .kind = SR_SACK_KIND_NR_SACK},
        {.cum_tsn = {1}, .kind = SR_SACK_KIND_SHUTDOWN, .anomalies = 1u << SR_SACK_ANOMALY_SNAPPED},
    };
    for (size_t i = 0; i < sizeof sacks / sizeof *sacks; i++) {
        struct sr_packet packet = {.frame = 100 + i};
        sr_flow_count_packet(flow, &packet, SR_CHECKSUM_CRC32C);
        sr_flow_count_sack(flow, &sacks[i]);
    }
    const struct sr_flow_sacks *counts = &flow->sacks;
    assert_int_equal(counts->chunks, 4);
    assert_int_equal(counts->with_gaps, 2);
    assert_int_equal(counts->gaps, 3);
    assert_int_equal(counts->nr_gaps, 3);
    assert_int_equal(counts->dups, 4);
    assert_int_equal(counts->most_blocks, 4);
    assert_int_equal(counts->zero_window, 1);
    assert_int_equal(counts->malformed_first, 102);
    assert_int_equal(counts->first_cum_tsn, 0xffffffff);
    assert_int_equal(counts->highest_cum_tsn, 3);
    for (int i = 0; i < SR_SACK_ANOMALY_COUNT; i++)
        assert_int_equal(counts->malformed[i], i == SR_SACK_ANOMALY_SNAPPED            ? 2
                                               : i == SR_SACK_ANOMALY_DUP_NOT_RECEIVED ? 1
                                                                                       : 0);
    check_data(flow, (struct sr_flow_data){0});
    sr_flows_free(flows);
}

static void packets_and_anomalies_are_counted_with_the_frame_of_the_first(void **state)
{
    (void)state;
    struct sr_flows *flows = sr_flows_new();
    struct sr_flow_key key = key_of(1);
    struct sr_flow *flow = sr_flows_find(flows, &key);
    struct sr_packet packets[] = {
        {.frame = 3, .time_ns = 30, .encapsulation = SR_ENCAPSULATION_UDP, .captured = 100, .wire = 100},
        {.frame = 5, .time_ns = 20, .encapsulation = SR_ENCAPSULATION_IP, .captured = 12, .wire = 100},
        {.frame = 9, .time_ns = INT64_MIN, .encapsulation = SR_ENCAPSULATION_IP, .captured = 13, .wire = 4294967295},
    };
    sr_flow_count_packet(flow, &packets[0], SR_CHECKSUM_WRONG);
    sr_flow_count_packet(flow, &packets[1], SR_CHECKSUM_CUT);
    sr_flow_count_anomaly(flow, SR_CHUNK_ANOMALY_SNAPPED);
    sr_flow_count_anomaly(flow, SR_CHUNK_ANOMALY_BLIND);
    sr_flow_count_packet(flow, &packets[2], SR_CHECKSUM_CUT);
    sr_flow_count_anomaly(flow, SR_CHUNK_ANOMALY_BLIND);
    assert_int_equal(flow->encapsulation, SR_ENCAPSULATION_UDP);
    assert_int_equal(flow->packets, 3);
    assert_int_equal(flow->first_frame, 3);
    assert_int_equal(flow->last_frame, 9);
    assert_int_equal(flow->first_time_ns, 30);
    assert_int_equal(flow->last_time_ns, INT64_MIN);
    assert_int_equal(flow->blind_bytes, 88 + 4294967282);
    for (int i = 0; i < SR_CHECKSUM_COUNT; i++) {
        assert_int_equal(flow->checksums[i], i == SR_CHECKSUM_WRONG ? 1 : i == SR_CHECKSUM_CUT ? 2 : 0);
        assert_int_equal(flow->checksums_first[i], i == SR_CHECKSUM_WRONG ? 3 : i == SR_CHECKSUM_CUT ? 5 : 0);
    }
    for (int i = 0; i < SR_CHUNK_ANOMALY_COUNT; i++) {
        bool snapped = i == SR_CHUNK_ANOMALY_SNAPPED, blind = i == SR_CHUNK_ANOMALY_BLIND;
        assert_int_equal(flow->anomalies[i], snapped ? 1 : blind ? 2 : 0);
        assert_int_equal(flow->anomalies_first[i], snapped || blind ? 5 : 0);
    }
    for (int i = 0; i < SR_CHUNK_TYPES; i++)
        assert_int_equal(flow->chunks[i], 0);
    sr_flows_free(flows);
}

static void a_flow_is_found_again_by_its_whole_key(void **state)
{
    (void)state;
    struct sr_flows *flows = sr_flows_new();
    struct sr_flow_key keys[38 + 1];
    for (size_t i = 0; i < 39; i++)
        keys[i] = key_of(1);
    for (size_t i = 0; i < 34; i++)
        keys[i].path.bytes[i] ^= 0x80;
    keys[34].sport++;
    keys[35].dport++;
    keys[36].vtag = 0;
    keys[37].vtag = 0x80000001;
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 39; i++) {
            struct sr_flow *flow = sr_flows_find(flows, &keys[i]);
            assert_ptr_equal(flow, sr_flows_at(flows, i)); /* they stay in the order in which they began */
            assert_memory_equal(&flow->key.path, &keys[i].path, sizeof keys[i].path);
            assert_int_equal(flow->key.sport, keys[i].sport);
            assert_int_equal(flow->key.dport, keys[i].dport);
            assert_int_equal(flow->key.vtag, keys[i].vtag);
        }
        assert_int_equal(sr_flows_count(flows), 39);
    }
    sr_flows_free(flows);
}

static void beyond_the_limit_old_flows_are_found_and_new_ones_are_not_begun(void **state)
{
    (void)state;
    struct sr_flows *flows = sr_flows_new();
    for (uint32_t i = 0; i < SR_FLOWS_LIMIT; i++) {
        struct sr_flow_key key = key_of(i * 2654435761u);
        assert_non_null(sr_flows_find(flows, &key));
    }
    for (uint32_t i = SR_FLOWS_LIMIT; i < SR_FLOWS_LIMIT + 10; i++) {
        struct sr_flow_key key = key_of(i * 2654435761u);
        assert_null(sr_flows_find(flows, &key));
    }
    for (uint32_t i = 0; i < SR_FLOWS_LIMIT; i++) {
        struct sr_flow_key key = key_of(i * 2654435761u);
        assert_ptr_equal(sr_flows_find(flows, &key), sr_flows_at(flows, i));
    }
    assert_int_equal(sr_flows_count(flows), SR_FLOWS_LIMIT);
    sr_flows_free(flows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_without_data_has_counted_none),
        cmocka_unit_test(each_tsn_is_counted_once_and_its_copies_apart),
        cmocka_unit_test(a_tsn_before_the_first_one_seen_is_new),
        cmocka_unit_test(tsns_go_on_across_the_wrap),
        cmocka_unit_test(the_window_ends_below_its_last_tsn),
        cmocka_unit_test(what_the_window_passes_is_forgotten_and_nothing_else),
        cmocka_unit_test(a_jump_beyond_the_window_forgets_all_of_it),
        cmocka_unit_test(random_tsns_count_as_a_plain_set_says),
        cmocka_unit_test(acknowledgements_are_counted_by_what_they_hold),
        cmocka_unit_test(packets_and_anomalies_are_counted_with_the_frame_of_the_first),
        cmocka_unit_test(a_flow_is_found_again_by_its_whole_key),
        cmocka_unit_test(beyond_the_limit_old_flows_are_found_and_new_ones_are_not_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
