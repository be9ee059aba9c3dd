/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what packets the capture or the network has once more, and of what an engine makes of them. */
#include "bytes_builder.h"

#include "association/repeats.h"
#include "engine/engine.h"

enum { TAG_A = 0xa0a0a0a0u, TAG_B = 0xb0b0b0b0u, US = 1000 };

static const struct sr_address host = {{10, 0, 0, 1}, 4}, outside = {{192, 0, 2, 1}, 4}, peer = {{10, 0, 0, 2}, 4};

/* Where a packet is seen, beside its bytes. */
struct seen {
    int64_t time_ns;
    uint16_t id;
    uint8_t hop_limit;
    bool outside; /* the host's address is translated */
};

static struct bytes packet_of(bool from_host)
{
    struct bytes packet = {0};
    put_common_header(&packet, from_host ? 1000 : 2000, from_host ? 2000 : 1000, from_host ? TAG_B : TAG_A);
    return packet;
}

static struct bytes data_packet(uint32_t tsn)
{
    struct bytes packet = packet_of(true);
    put_data(&packet, 3, tsn, 0, 0, 0, 4);
    seal(&packet, 0);
    return packet;
}

static struct bytes sack_packet(uint32_t cum)
{
    struct bytes packet = packet_of(false);
    size_t start = begin_chunk(&packet, SR_CHUNK_SACK, 0);
    put32s(&packet, 2, cum, 5000u);
    put16s(&packet, 2, 0u, 0u);
    end_chunk(&packet, start);
    seal(&packet, 0);
    return packet;
}

static struct bytes report_of(uint32_t cum, uint32_t twice)
{
    struct bytes packet = packet_of(false);
    size_t start = begin_chunk(&packet, SR_CHUNK_SACK, 0);
    put32s(&packet, 2, cum, 5000u);
    put16s(&packet, 2, 0u, 1u);
    put32(&packet, twice);
    end_chunk(&packet, start);
    seal(&packet, 0);
    return packet;
}

/* An INIT of the host, or the INIT ACK of its peer. */
static struct bytes init_packet(bool from_host)
{
    struct bytes packet = {0};
    put_common_header(&packet, from_host ? 1000 : 2000, from_host ? 2000 : 1000, from_host ? 0 : TAG_A);
    size_t start = begin_chunk(&packet, from_host ? SR_CHUNK_INIT : SR_CHUNK_INIT_ACK, 0);
    put32s(&packet, 2, from_host ? TAG_A : TAG_B, 65536u);
    put16s(&packet, 2, 10u, 10u);
    put32(&packet, 1);
    end_chunk(&packet, start);
    seal(&packet, 0);
    return packet;
}

static struct sr_engine *new_engine(void)
{
    struct sr_engine_options options = {.tables = (1 << SR_TABLE_COUNT) - 1};
    struct sr_engine *engine = sr_engine_new(&options);
    assert_non_null(engine);
    return engine;
}

static void pass(struct sr_engine *engine, const struct bytes *packet, struct seen seen)
{
    bool from_host = packet->at[0] == 1000 >> 8 && packet->at[1] == (1000 & 255);
    const struct sr_address *own = seen.outside ? &outside : &host;
    uint8_t *bytes = exact(packet->at, packet->length);
    struct sr_packet given = {
        .frame = sr_engine_totals(engine).packets + 1,
        .time_ns = seen.time_ns,
        .src = from_host ? *own : peer,
        .dst = from_host ? peer : *own,
        .id = seen.id,
        .hop_limit = seen.hop_limit,
        .bytes = bytes,
        .captured = (uint32_t)packet->length,
        .wire = (uint32_t)packet->length,
    };
    assert_true(sr_engine_packet(engine, &given));
    free_exact(bytes, packet->length);
}

static const struct sr_side *side_of(struct sr_engine *engine, unsigned side)
{
    assert_int_equal(sr_registry_count(sr_engine_associations(engine)), 1);
    return &sr_registry_at(sr_engine_associations(engine), 0)->side[side];
}

static uint32_t repeats_of_sack(struct sr_engine *engine, uint32_t row)
{
    return sr_sack_at(sr_engine_journal(engine), row)->repeats;
}

static uint8_t kind_of(struct sr_engine *engine, uint32_t row)
{
    return sr_transmission_at(sr_engine_journal(engine), row)->seen_kind;
}

static void a_packet_with_the_same_identification_repeats_another_however_late(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    struct bytes data = data_packet(1), other = data_packet(2), sack = sack_packet(1);
    pass(engine, &data, (struct seen){0, 7, 64, false});
    pass(engine, &sack, (struct seen){50 * US, 1, 64, false});
    pass(engine, &other, (struct seen){100 * US, 8, 64, false});
    pass(engine, &data, (struct seen){900 * US, 7, 64, false});
    pass(engine, &sack, (struct seen){30000 * US, 1, 64, false});
    pass(engine, &data, (struct seen){40000 * US, 7, 64, false});
    assert_int_equal(kind_of(engine, 2), SR_KIND_CAPTURE_DUPLICATE);
    assert_int_equal(kind_of(engine, 3), SR_KIND_NETWORK_DUPLICATE);
    assert_int_equal(repeats_of_sack(engine, 0), 0);
    assert_int_equal(repeats_of_sack(engine, 1), 2);
    assert_int_equal(side_of(engine, 0)->data.chunks, 2);
    assert_int_equal(side_of(engine, 0)->data.bytes, 8);
    assert_int_equal(side_of(engine, 0)->packets, 2);
    assert_int_equal(side_of(engine, 0)->repeated, 2);
    assert_int_equal(side_of(engine, 0)->repeated_late, 1);
    assert_int_equal(side_of(engine, 1)->sacks.chunks, 1);
    assert_int_equal(sr_side_chunks(side_of(engine, 1), SR_CHUNK_SACK), 1);
    sr_engine_free(engine);
}

static void the_same_acknowledgement_sent_again_repeats_nothing(void **state)
{
    (void)state;
    const struct {
        uint16_t id;
        int64_t later_ns;
    } cases[] = {{2, 10 * US}, {2, 2000 * US}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_engine *engine = new_engine();
        struct bytes sack = sack_packet(1);
        pass(engine, &sack, (struct seen){0, 1, 64, false});
        pass(engine, &sack, (struct seen){cases[i].later_ns, cases[i].id, 64, false});
        assert_int_equal(repeats_of_sack(engine, 1), 0);
        assert_int_equal(side_of(engine, 0)->sacks.chunks, 2);
        sr_engine_free(engine);
    }
}

static void where_no_identification_tells_only_what_soon_comes_again_is_repeated(void **state)
{
    (void)state;
    const struct {
        int64_t later_ns;
        bool repeated;
    } cases[] = {{999999, true}, {-999999, true}, {1000000, false}, {-1000000, false}, {0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_engine *engine = new_engine();
        struct bytes sack = sack_packet(1), other = sack_packet(2);
        pass(engine, &sack, (struct seen){0, 0, 64, false});
        pass(engine, &other, (struct seen){0, 0, 64, false});
        pass(engine, &sack, (struct seen){cases[i].later_ns, 0, 64, false});
        assert_int_equal(repeats_of_sack(engine, 2), cases[i].repeated ? 1 : 0);
        assert_int_equal(side_of(engine, 0)->late.unsure, !cases[i].repeated);
        sr_engine_free(engine);
    }
}

static void where_no_identification_tells_a_few_equal_acknowledgements_are_sent(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    int64_t now_ns = 0;
    for (uint32_t cum = 1; cum <= 9; cum++) {
        struct bytes sack = sack_packet(cum);
        pass(engine, &sack, (struct seen){now_ns += 2000 * US, 0, 64, false});
        if (cum >= 5)
            pass(engine, &sack, (struct seen){now_ns += 40 * US, 0, 64, false});
    }
    assert_int_equal(repeats_of_sack(engine, 5), 0);
    assert_int_equal(repeats_of_sack(engine, 7), 7);
    assert_int_equal(side_of(engine, 0)->alike_soon, 1);
    assert_int_equal(side_of(engine, 0)->repeated, 4);
    sr_engine_free(engine);
}

/* As where several SACKs come at once, and the sender answers each. */
static void what_was_sent_again_may_be_so_once_more_unless_the_capture_repeats(void **state)
{
    (void)state;
    for (int repeats = 0; repeats <= 1; repeats++) {
        struct sr_engine *engine = new_engine();
        struct bytes data = data_packet(1), other = data_packet(2);
        pass(engine, &data, (struct seen){0, 0, 64, false});
        pass(engine, &other, (struct seen){0, 0, 64, false});
        if (repeats)
            pass(engine, &other, (struct seen){1 * US, 0, 64, false});
        pass(engine, &data, (struct seen){100000 * US, 0, 64, false});
        pass(engine, &data, (struct seen){100001 * US, 0, 64, false});
        assert_int_equal(side_of(engine, 0)->repeated, 2 * repeats);
        assert_int_equal(side_of(engine, 0)->data.chunks, repeats ? 3 : 4);
        sr_engine_free(engine);
    }
}

/* Its first copy was lost before the tap, or comes late. A capture that has some packets twice has none of them more
 * often: the third was sent. */
static void so_may_what_fills_a_gap_from_the_third_on(void **state)
{
    (void)state;
    static const int64_t later_ns[] = {10 * US, 300000 * US}; /* reordered, sent again */
    for (size_t i = 0; i < sizeof later_ns / sizeof *later_ns; i++) {
        struct sr_engine *engine = new_engine();
        struct bytes below = data_packet(1), gap = data_packet(2), above = data_packet(3);
        pass(engine, &below, (struct seen){0, 0, 64, false});
        pass(engine, &above, (struct seen){0, 0, 64, false});
        pass(engine, &gap, (struct seen){later_ns[i], 0, 64, false});
        pass(engine, &gap, (struct seen){later_ns[i] + 1 * US, 0, 64, false});
        assert_int_equal(side_of(engine, 0)->repeated, 1);
        for (int copy = 2; copy < 5; copy++)
            pass(engine, &gap, (struct seen){later_ns[i] + copy * US, 0, 64, false});
        assert_int_equal(side_of(engine, 0)->repeated, 1);
        assert_int_equal(side_of(engine, 0)->data.chunks, 6);
        sr_engine_free(engine);
    }
}

static void fill_twice(struct sr_engine *engine, uint32_t tsn, int64_t time_ns)
{
    struct bytes above = data_packet(tsn + 1), gap = data_packet(tsn);
    pass(engine, &above, (struct seen){time_ns, 0, 64, false});
    pass(engine, &gap, (struct seen){time_ns + 300000 * US, 0, 64, false});
    pass(engine, &gap, (struct seen){time_ns + 300001 * US, 0, 64, false});
}

/* A receiver has twice what was sent twice, and once what was captured twice. Another copy may be what it tells of. */
static void what_the_receiver_had_twice_was_sent_and_so_was_what_comes_so_soon_from_then_on(void **state)
{
    (void)state;
    static const struct {
        uint32_t reported;
        bool another, damaged;
        uint32_t repeated;
    } cases[] = {{2, false, false, 1}, {3, false, false, 2}, {2, true, false, 2}, {2, false, true, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_engine *engine = new_engine();
        struct bytes below = data_packet(1), gap = data_packet(2), report = report_of(3, cases[i].reported);
        struct bytes answer = sack_packet(1);
        pass(engine, &below, (struct seen){0, 0, 64, false});
        pass(engine, &answer, (struct seen){1 * US, 0, 64, false}); /* whose checksum is right: they all are */
        fill_twice(engine, 2, 10 * US);
        if (cases[i].another)
            pass(engine, &gap, (struct seen){400000 * US, 0, 64, false});
        report.at[8] ^= cases[i].damaged; /* its checksum: RFC 9260 section 6.8 has it discarded */
        pass(engine, &report, (struct seen){500000 * US, 0, 64, false});
        assert_int_equal(side_of(engine, 0)->repeated, 1);
        fill_twice(engine, 4, 600000 * US);
        assert_int_equal(side_of(engine, 0)->repeated, cases[i].repeated);
        sr_engine_free(engine);
    }
}

static void an_identification_that_never_changes_tells_nothing(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    struct bytes first = sack_packet(1), second = sack_packet(2);
    pass(engine, &first, (struct seen){0, 9, 64, false});
    pass(engine, &second, (struct seen){5000 * US, 9, 64, false});
    pass(engine, &second, (struct seen){10000 * US, 9, 64, false});
    pass(engine, &first, (struct seen){15000 * US, 9, 64, false});
    for (uint32_t row = 0; row < 4; row++)
        assert_int_equal(repeats_of_sack(engine, row), 0);
    sr_engine_free(engine);
}

static void what_a_router_translates_is_captured_twice_and_no_further_address(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    struct bytes init = init_packet(true), init_ack = init_packet(false);
    struct bytes data = data_packet(1), sack = sack_packet(1);
    pass(engine, &init, (struct seen){0, 7, 64, false});
    pass(engine, &init, (struct seen){10 * US, 7, 63, true});
    pass(engine, &init_ack, (struct seen){100 * US, 1, 60, true});
    pass(engine, &init_ack, (struct seen){110 * US, 1, 59, false});
    pass(engine, &data, (struct seen){1000 * US, 8, 64, false});
    pass(engine, &data, (struct seen){5000 * US, 8, 63, true});
    pass(engine, &sack, (struct seen){20000 * US, 2, 60, true});
    pass(engine, &sack, (struct seen){25000 * US, 2, 59, false});
    assert_int_equal(kind_of(engine, 1), SR_KIND_CAPTURE_DUPLICATE);
    assert_int_equal(repeats_of_sack(engine, 1), 7);
    assert_int_equal(sr_registry_at(sr_engine_associations(engine), 0)->packets, 4);
    assert_int_equal(side_of(engine, 0)->addresses, 1);
    assert_int_equal(side_of(engine, 1)->addresses, 1);
    assert_false(sr_registry_at(sr_engine_associations(engine), 0)->features >> SR_FEATURE_MULTIHOMING & 1);
    sr_engine_free(engine);
}

static void an_address_is_forgotten_once_it_is_known_to_be_translated(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    struct bytes init = init_packet(true), init_ack = init_packet(false), data = data_packet(1);
    pass(engine, &init, (struct seen){0, 7, 64, false});
    pass(engine, &init_ack, (struct seen){5000 * US, 1, 60, true});
    assert_int_equal(side_of(engine, 0)->addresses, 2);
    pass(engine, &data, (struct seen){10000 * US, 8, 64, false});
    pass(engine, &data, (struct seen){10010 * US, 8, 63, true});
    assert_int_equal(side_of(engine, 0)->addresses, 1);
    assert_true(sr_address_equal(&side_of(engine, 0)->address[0], &host));
    assert_false(sr_registry_at(sr_engine_associations(engine), 0)->features >> SR_FEATURE_MULTIHOMING & 1);
    sr_engine_free(engine);
}

static void with_other_addresses_it_is_another_packet_unless_a_router_has_passed_it_on(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    struct bytes data = data_packet(1);
    pass(engine, &data, (struct seen){0, 7, 64, false});
    pass(engine, &data, (struct seen){10 * US, 7, 64, true});
    pass(engine, &data, (struct seen){20 * US, 9, 63, true});
    assert_int_equal(side_of(engine, 0)->repeated, 0);
    sr_engine_free(engine);
}

static void an_init_that_is_repeated_begins_nothing_even_when_the_first_was_refused(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    struct bytes init = init_packet(true), abort = packet_of(false);
    size_t start = begin_chunk(&abort, SR_CHUNK_ABORT, 0);
    end_chunk(&abort, start);
    seal(&abort, 0);
    pass(engine, &init, (struct seen){0, 7, 64, false});
    pass(engine, &abort, (struct seen){100 * US, 1, 64, false});
    pass(engine, &init, (struct seen){500 * US, 7, 64, false});
    assert_int_equal(sr_side_chunks(side_of(engine, 0), SR_CHUNK_INIT), 1);
    sr_engine_free(engine);
}

static void what_the_network_repeats_may_be_captured_twice_too(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine();
    struct bytes data = data_packet(1);
    pass(engine, &data, (struct seen){0, 7, 64, false});
    pass(engine, &data, (struct seen){3000 * US, 7, 64, false});
    pass(engine, &data, (struct seen){3010 * US, 7, 64, false});
    assert_int_equal(kind_of(engine, 1), SR_KIND_NETWORK_DUPLICATE);
    assert_int_equal(kind_of(engine, 2), SR_KIND_CAPTURE_DUPLICATE);
    assert_int_equal(side_of(engine, 0)->late.sure, 1);
    sr_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_with_the_same_identification_repeats_another_however_late),
        cmocka_unit_test(the_same_acknowledgement_sent_again_repeats_nothing),
        cmocka_unit_test(where_no_identification_tells_only_what_soon_comes_again_is_repeated),
        cmocka_unit_test(where_no_identification_tells_a_few_equal_acknowledgements_are_sent),
        cmocka_unit_test(an_identification_that_never_changes_tells_nothing),
        cmocka_unit_test(what_was_sent_again_may_be_so_once_more_unless_the_capture_repeats),
        cmocka_unit_test(so_may_what_fills_a_gap_from_the_third_on),
        cmocka_unit_test(what_the_receiver_had_twice_was_sent_and_so_was_what_comes_so_soon_from_then_on),
        cmocka_unit_test(what_a_router_translates_is_captured_twice_and_no_further_address),
        cmocka_unit_test(an_address_is_forgotten_once_it_is_known_to_be_translated),
        cmocka_unit_test(with_other_addresses_it_is_another_packet_unless_a_router_has_passed_it_on),
        cmocka_unit_test(an_init_that_is_repeated_begins_nothing_even_when_the_first_was_refused),
        cmocka_unit_test(what_the_network_repeats_may_be_captured_twice_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
