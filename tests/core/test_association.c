/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what an association counts of the packets of its sides. */
#include "bytes_builder.h"

#include "association/association.h"

static void acknowledgements_are_counted_by_what_they_hold(void **state)
{
    (void)state;
    struct sr_association association = {0};
    struct sr_slot_budget budget = {0};
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
        sr_association_packet(&association, SR_SIDE_B, &packet, SR_CHECKSUM_CRC32C, 0);
        sr_association_sack(&association, SR_SIDE_B, &budget, &sacks[i], 0, i == 3); /* counted though discarded */
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
    sr_association_clear(&association, &budget);
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
    sr_association_packet(&association, SR_SIDE_B, &packets[0], SR_CHECKSUM_WRONG, 0);
    sr_association_packet(&association, SR_SIDE_B, &packets[1], SR_CHECKSUM_CUT, 0);
    sr_association_anomaly(&association, SR_SIDE_B, SR_CHUNK_ANOMALY_SNAPPED);
    sr_association_anomaly(&association, SR_SIDE_B, SR_CHUNK_ANOMALY_BLIND);
    sr_association_packet(&association, SR_SIDE_B, &packets[2], SR_CHECKSUM_CUT, 0);
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
        assert_int_equal(sr_side_chunks(side, (unsigned)i), 0);
    struct sr_slot_budget budget = {0};
    sr_association_clear(&association, &budget);
}

static enum sr_kind sent_again_after(const uint16_t ids[3], int64_t later_ns)
{
    static const struct {
        uint32_t tsn, fingerprint;
    } packets[] = {{1, 7}, {2, 8}, {1, 7}};
    struct sr_association association = {0};
    struct sr_slot_budget budget = {1 << 16};
    struct sr_copy copy = {0};
    for (size_t i = 0; i < 3; i++) {
        struct sr_packet packet = {.frame = i + 1, .time_ns = i < 2 ? 0 : later_ns, .id = ids[i]};
        sr_association_packet(&association, SR_SIDE_A, &packet, SR_CHECKSUM_CRC32C, packets[i].fingerprint);
        struct sr_sent_chunk sent = {
            .tsn = sr_tsn(packets[i].tsn),
            .bytes = 10,
            .frame = (uint32_t)packet.frame,
            .time_ns = packet.time_ns,
            .identity = sr_association_identity(&association, SR_SIDE_A, &packet),
        };
        copy = sr_association_data(&association, SR_SIDE_A, &budget, sent);
    }
    sr_association_clear(&association, &budget);
    return copy.kind;
}

/* Setup: TSN 1, TSN 2, then the bytes of the first packet again. A sender that gives every packet the same IP
 * identification (RFC 6864 section 4.1 lets it) says nothing by it. */
static void a_constant_identification_tells_no_duplicate(void **state)
{
    (void)state;
    enum { SECOND = 1000000000 };
    const uint16_t changing[] = {5, 6, 5}, constant[] = {5, 5, 5}, new_one[] = {5, 6, 7};
    assert_int_equal(sent_again_after(changing, SECOND), SR_KIND_NETWORK_DUPLICATE);
    assert_int_equal(sent_again_after(changing, 1), SR_KIND_CAPTURE_DUPLICATE);
    assert_int_equal(sent_again_after(constant, SECOND), SR_KIND_RETRANSMISSION);
    assert_int_equal(sent_again_after(new_one, 1), SR_KIND_RETRANSMISSION);
}

/* Hop limits of the packets of a and b. */
static bool is_at_a(uint8_t of_a, uint8_t of_b)
{
    struct sr_association association = {0};
    const struct sr_packet from_a = {.hop_limit = of_a}, from_b = {.hop_limit = of_b};
    sr_association_packet(&association, SR_SIDE_A, &from_a, SR_CHECKSUM_CRC32C, 0);
    sr_association_packet(&association, SR_SIDE_B, &from_b, SR_CHECKSUM_CRC32C, 0);
    return sr_is_at_tap(&association, SR_SIDE_A);
}

static void the_tap_is_at_the_side_whose_packets_passed_no_router(void **state)
{
    (void)state;
    assert_true(is_at_a(64, 120));
    assert_true(is_at_a(255, 57));
    assert_false(is_at_a(64, 128)); /* one link, or the same host */
    assert_false(is_at_a(63, 120));
    assert_false(is_at_a(64, 0)); /* no IP header */
    assert_false(is_at_a(0, 60));
}

/* Captures have them by the hundred thousand: docs/architecture.md says what one may take of the temporary file. */
static void an_association_takes_little_room(void **state)
{
    enum { MOST = 1280 };
    (void)state;
    assert_in_range(sizeof(struct sr_association), 1, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(acknowledgements_are_counted_by_what_they_hold),
        cmocka_unit_test(packets_and_anomalies_are_counted_with_the_frame_of_the_first),
        cmocka_unit_test(a_constant_identification_tells_no_duplicate),
        cmocka_unit_test(the_tap_is_at_the_side_whose_packets_passed_no_router),
        cmocka_unit_test(an_association_takes_little_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
