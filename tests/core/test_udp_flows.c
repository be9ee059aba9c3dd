/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which UDP flows carry SCTP, on the table itself and through a frame's headers. */
#include "bytes_builder.h"

#include "capture/decapsulate.h"
#include "capture/udp_flows.h"

enum { LINKTYPE_RAW = 101, PROTOCOL_UDP = 17 };

static struct sr_udp_flow flow_of(uint8_t a, uint16_t a_port, uint8_t b, uint16_t b_port)
{
    return (struct sr_udp_flow){{{10, 0, 0, a}, 4}, {{10, 0, 0, b}, 4}, a_port, b_port};
}

static void only_named_ports_are_named_on_either_side(void **state)
{
    (void)state;
    struct sr_udp_flows *flows = sr_udp_flows_new();
    assert_true(sr_udp_flows_named(flows, 9899, 1));
    assert_true(sr_udp_flows_named(flows, 1, 9899));
    assert_false(sr_udp_flows_named(flows, 9898, 9900));
    assert_false(sr_udp_flows_named(flows, 0, 65535));
    sr_udp_flows_name_port(flows, 0);
    sr_udp_flows_name_port(flows, 65535);
    for (uint32_t port = 0; port <= 65535; port++) {
        bool named = port == 0 || port == 65535 || port == 9899;
        assert_int_equal(sr_udp_flows_named(flows, (uint16_t)port, 5), named);
        assert_int_equal(sr_udp_flows_named(flows, 5, (uint16_t)port), named);
    }
    sr_udp_flows_free(flows);
}

static void a_learned_flow_is_known_in_both_directions(void **state)
{
    (void)state;
    struct sr_udp_flows *flows = sr_udp_flows_new();
    struct sr_udp_flow there = flow_of(1, 1000, 2, 2000), back = flow_of(2, 2000, 1, 1000);
    assert_false(sr_udp_flows_known(flows, &there));
    assert_false(sr_udp_flows_known(flows, &back));
    sr_udp_flows_learn(flows, &there);
    assert_true(sr_udp_flows_known(flows, &there));
    assert_true(sr_udp_flows_known(flows, &back));
    sr_udp_flows_free(flows);
}

static void a_flow_that_differs_in_anything_is_another_flow(void **state)
{
    (void)state;
    struct sr_udp_flows *flows = sr_udp_flows_new();
    struct sr_udp_flow learned = flow_of(1, 1000, 2, 2000);
    sr_udp_flows_learn(flows, &learned);
    struct sr_udp_flow others[] = {flow_of(1, 1000, 2, 2001), flow_of(1, 1001, 2, 2000), flow_of(3, 1000, 2, 2000),
                                   flow_of(1, 1000, 3, 2000), flow_of(1, 2000, 2, 1000), flow_of(2, 1000, 1, 2000),
                                   flow_of(1, 1000, 2, 2000), flow_of(1, 1000, 2, 2000)};
    others[6].a.family = 6;
    others[7].b.bytes[15] = 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(sr_udp_flows_known(flows, &others[i]));
    sr_udp_flows_free(flows);
}

/* All of them have the same ports and addresses in sum, so they share a set of the table. */
static void of_too_many_flows_the_one_learned_longest_ago_is_pushed_out(void **state)
{
    (void)state;
    enum { WAYS = 4 };
    struct sr_udp_flows *flows = sr_udp_flows_new();
    struct sr_udp_flow learned[WAYS + 2];
    for (uint16_t i = 0; i < WAYS + 2; i++) {
        learned[i] = flow_of(1, 1000 + i, 2, 2000 - i);
        sr_udp_flows_learn(flows, &learned[i]);
    }
    for (int i = 0; i < WAYS + 2; i++)
        assert_int_equal(sr_udp_flows_known(flows, &learned[i]), i >= 2);
    sr_udp_flows_learn(flows, &learned[0]); /* it comes back with its next right packet */
    for (int i = 0; i < WAYS + 2; i++)
        assert_int_equal(sr_udp_flows_known(flows, &learned[i]), i == 0 || i >= 3);
    sr_udp_flows_free(flows);
}

/* ---- through the headers ---- */

struct datagram {
    uint16_t sport, dport;
    struct bytes payload;
    uint32_t cut; /* bytes at the end that were not captured */
};

static struct bytes sctp_packet(bool right)
{
    struct bytes packet = {0};
    put_common_header(&packet, 5000, 5001, 77);
    put_data(&packet, 3, 1, 0, 0, 0, 4);
    seal(&packet, 0);
    packet.at[8] ^= right ? 0 : 1;
    return packet;
}

/* SR_SKIP_COUNT stands for: it is SCTP. */
static void check_datagram(struct sr_decapsulator *decapsulator, const struct datagram *datagram, enum sr_skip expected)
{
    struct bytes frame = {0};
    uint32_t length = (uint32_t)datagram->payload.length + 8;
    put16s(&frame, 2, 0x4500u, 20 + length);
    put32s(&frame, 4, 0u, 0x40000000u | PROTOCOL_UDP << 16, 0x0a000001u, 0x0a000002u);
    put16s(&frame, 4, (uint32_t)datagram->sport, (uint32_t)datagram->dport, length, 0u);
    put(&frame, datagram->payload.at, datagram->payload.length);

    size_t captured = frame.length - datagram->cut;
    uint8_t *bytes = exact(frame.at, captured);
    struct sr_cursor cursor = sr_cursor(bytes, (uint32_t)captured, (uint32_t)frame.length);
    struct sr_packet packet;
    memset(&packet, 0xa5, sizeof packet);
    enum sr_skip skip = SR_SKIP_COUNT;
    bool found = sr_decapsulate(decapsulator, LINKTYPE_RAW, cursor, &packet, &skip);
    assert_int_equal(skip, expected);
    assert_int_equal(found, expected == SR_SKIP_COUNT);
    if (found) {
        assert_memory_equal(packet.src.bytes, ((uint8_t[16]){10, 0, 0, 1}), 16);
        assert_memory_equal(packet.dst.bytes, ((uint8_t[16]){10, 0, 0, 2}), 16);
        assert_int_equal(packet.src.family, 4);
        assert_int_equal(packet.dst.family, 4);
        assert_int_equal(packet.encapsulation, SR_ENCAPSULATION_UDP);
        assert_ptr_equal(packet.bytes, bytes + 28);
        assert_int_equal(packet.captured, captured - 28);
        assert_int_equal(packet.wire, frame.length - 28);
    }
    free_exact(bytes, captured);
}

static void a_flow_is_sctp_from_its_first_right_packet(void **state)
{
    (void)state;
    struct sr_decapsulator decapsulator;
    assert_true(sr_decapsulator_init(&decapsulator));
    struct datagram right = {1000, 2000, sctp_packet(true), 0}, back = {2000, 1000, sctp_packet(false), 0};
    struct datagram wrong = {1000, 2000, sctp_packet(false), 0}, other = {1000, 2001, sctp_packet(false), 0};
    struct datagram cut = {1000, 2000, sctp_packet(true), 1};
    check_datagram(&decapsulator, &wrong, SR_SKIP_OTHER_PROTOCOL);
    check_datagram(&decapsulator, &cut, SR_SKIP_OTHER_PROTOCOL);
    check_datagram(&decapsulator, &right, SR_SKIP_COUNT);
    check_datagram(&decapsulator, &wrong, SR_SKIP_COUNT);
    check_datagram(&decapsulator, &cut, SR_SKIP_COUNT);
    check_datagram(&decapsulator, &other, SR_SKIP_OTHER_PROTOCOL);
    /* Back again, on the same addresses here, it is another flow. */
    check_datagram(&decapsulator, &back, SR_SKIP_OTHER_PROTOCOL);
    sr_decapsulator_free(&decapsulator);
}

static void a_named_port_needs_no_right_packet(void **state)
{
    (void)state;
    struct sr_decapsulator decapsulator;
    assert_true(sr_decapsulator_init(&decapsulator));
    struct datagram wrong = {9899, 2000, sctp_packet(false), 0}, to = {1, 9899, sctp_packet(false), 0};
    struct datagram other = {1, 7000, sctp_packet(false), 0}, empty = {1, 9899, {0}, 0};
    check_datagram(&decapsulator, &wrong, SR_SKIP_COUNT);
    check_datagram(&decapsulator, &to, SR_SKIP_COUNT);
    check_datagram(&decapsulator, &empty, SR_SKIP_COUNT);
    check_datagram(&decapsulator, &other, SR_SKIP_OTHER_PROTOCOL);
    sr_udp_flows_name_port(decapsulator.udp_flows, 7000);
    check_datagram(&decapsulator, &other, SR_SKIP_COUNT);
    sr_decapsulator_free(&decapsulator);
}

static void too_few_bytes_teach_nothing(void **state)
{
    (void)state;
    struct sr_decapsulator decapsulator;
    assert_true(sr_decapsulator_init(&decapsulator));
    struct datagram bare = {1000, 2000, {0}, 0}, again = {1000, 2000, sctp_packet(false), 0};
    put_common_header(&bare.payload, 1, 2, 3);
    seal(&bare.payload, 0);
    check_datagram(&decapsulator, &bare, SR_SKIP_OTHER_PROTOCOL);
    for (bare.payload.length = 0; bare.payload.length < 12; bare.payload.length++)
        check_datagram(&decapsulator, &bare, SR_SKIP_OTHER_PROTOCOL);
    check_datagram(&decapsulator, &again, SR_SKIP_OTHER_PROTOCOL);
    sr_decapsulator_free(&decapsulator);
}

static void a_flow_without_addresses_and_ports_is_not_known_before_it_is_learned(void **state)
{
    (void)state;
    struct sr_udp_flows *flows = sr_udp_flows_new();
    struct sr_udp_flow nothing = {0};
    assert_false(sr_udp_flows_known(flows, &nothing));
    sr_udp_flows_learn(flows, &nothing);
    assert_true(sr_udp_flows_known(flows, &nothing));
    sr_udp_flows_free(flows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_named_ports_are_named_on_either_side),
        cmocka_unit_test(a_learned_flow_is_known_in_both_directions),
        cmocka_unit_test(a_flow_that_differs_in_anything_is_another_flow),
        cmocka_unit_test(of_too_many_flows_the_one_learned_longest_ago_is_pushed_out),
        cmocka_unit_test(a_flow_is_sctp_from_its_first_right_packet),
        cmocka_unit_test(a_named_port_needs_no_right_packet),
        cmocka_unit_test(too_few_bytes_teach_nothing),
        cmocka_unit_test(a_flow_without_addresses_and_ports_is_not_known_before_it_is_learned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
