/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what an association counts of the packets of its sides. */
#include "bytes_builder.h"

#include "association/association.h"

static void acknowledgements_are_counted_by_what_they_hold(void **state)
{
    (void)state;
    struct sr_association association = {0};
    struct sr_side *side = &association.side[SR_SIDE_B];
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
        sr_association_packet(&association, SR_SIDE_B, &packet, SR_CHECKSUM_CRC32C);
        sr_association_sack(&association, SR_SIDE_B, &sacks[i], 0);
    }
    const struct sr_sent_sacks *counts = &side->sacks;
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
    assert_int_equal(side->data.chunks, 0);
}

static void packets_and_anomalies_are_counted_with_the_frame_of_the_first(void **state)
{
    (void)state;
    struct sr_association association = {0};
    struct sr_side *side = &association.side[SR_SIDE_B];
    struct sr_packet packets[] = {
        {.frame = 3, .time_ns = 30, .encapsulation = SR_ENCAPSULATION_UDP, .captured = 100, .wire = 100},
        {.frame = 5, .time_ns = 20, .encapsulation = SR_ENCAPSULATION_IP, .captured = 12, .wire = 100},
        {.frame = 9, .time_ns = INT64_MIN, .encapsulation = SR_ENCAPSULATION_IP, .captured = 13, .wire = 4294967295},
    };
    sr_association_packet(&association, SR_SIDE_B, &packets[0], SR_CHECKSUM_WRONG);
    sr_association_packet(&association, SR_SIDE_B, &packets[1], SR_CHECKSUM_CUT);
    sr_association_anomaly(&association, SR_SIDE_B, SR_CHUNK_ANOMALY_SNAPPED);
    sr_association_anomaly(&association, SR_SIDE_B, SR_CHUNK_ANOMALY_BLIND);
    sr_association_packet(&association, SR_SIDE_B, &packets[2], SR_CHECKSUM_CUT);
    sr_association_anomaly(&association, SR_SIDE_B, SR_CHUNK_ANOMALY_BLIND);
    assert_int_equal(association.features, 1u << SR_FEATURE_UDP);
    assert_int_equal(association.packets, 3);
    assert_int_equal(association.side[SR_SIDE_A].packets, 0);
    assert_int_equal(side->packets, 3);
    assert_int_equal(association.first_frame, 3);
    assert_int_equal(association.last_frame, 9);
    assert_int_equal(association.first_time_ns, 30);
    assert_int_equal(association.last_time_ns, INT64_MIN);
    assert_int_equal(side->blind_bytes, 88 + 4294967282);
    for (int i = 0; i < SR_CHECKSUM_COUNT; i++) {
        assert_int_equal(side->checksums[i], i == SR_CHECKSUM_WRONG ? 1 : i == SR_CHECKSUM_CUT ? 2 : 0);
        assert_int_equal(side->checksums_first[i], i == SR_CHECKSUM_WRONG ? 3 : i == SR_CHECKSUM_CUT ? 5 : 0);
    }
    for (int i = 0; i < SR_CHUNK_ANOMALY_COUNT; i++) {
        bool snapped = i == SR_CHUNK_ANOMALY_SNAPPED, blind = i == SR_CHUNK_ANOMALY_BLIND;
        assert_int_equal(side->anomalies[i], snapped ? 1 : blind ? 2 : 0);
        assert_int_equal(side->anomalies_first[i], snapped || blind ? 5 : 0);
    }
    for (int i = 0; i < SR_SIDE_CHUNK_TYPES; i++)
        assert_int_equal(side->chunks[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acknowledgements_are_counted_by_what_they_hold),
        cmocka_unit_test(packets_and_anomalies_are_counted_with_the_frame_of_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
