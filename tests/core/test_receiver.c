/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of when a receiver acknowledges, by each rule. Times are milliseconds; the loop is 1. */
#include "bytes_builder.h"

#include "facts/receiver.h"

#define MS INT64_C(1000000)

struct packet {
    uint32_t at_ms, tsn;
};

/* What the receiver has at the beginning: all up to TSN 10 but where a test says more. */
static struct sr_received received = {.cum = {10}};

/* Each packet is a frame of its own; `expected_ms` ends with a 0. */
static void check(enum sr_ack_rule rule, const struct packet *packets, uint32_t count, const uint32_t *expected_ms)
{
    struct sr_arrival arrivals[SR_ARRIVALS];
    int64_t answers_ns[SR_ANSWERS];
    for (uint32_t i = 0; i < count; i++)
        arrivals[i] = (struct sr_arrival){packets[i].at_ms * MS, i + 1, sr_tsn(packets[i].tsn), false};
    uint32_t answers = sr_receiver_answers(rule, &received, arrivals, count, MS, SR_ACK_DELAY_NS, answers_ns);
    for (uint32_t i = 0; i < answers; i++)
        assert_int_equal(answers_ns[i], expected_ms[i] * MS);
    assert_int_equal(expected_ms[answers], 0);
}

#define PACKETS(...) (const struct packet[]){__VA_ARGS__}, sizeof(struct packet[]){__VA_ARGS__} / sizeof(struct packet)
#define ANSWERS(...)                                                                                                   \
    (const uint32_t[])                                                                                                 \
    {                                                                                                                  \
        __VA_ARGS__, 0                                                                                                 \
    }

static void every_second_packet_is_answered_at_once(void **state)
{
    (void)state;
    for (int rule = 0; rule < SR_ACK_RULE_EVERY; rule++)
        check((enum sr_ack_rule)rule, PACKETS({10, 11}, {20, 12}, {30, 13}, {40, 14}), ANSWERS(21, 41));
}

static void a_lone_packet_is_answered_after_the_delay(void **state)
{
    (void)state;
    for (int rule = 0; rule < SR_ACK_RULE_EVERY; rule++) {
        check((enum sr_ack_rule)rule, PACKETS({10, 11}), ANSWERS(211));
        check((enum sr_ack_rule)rule, PACKETS({10, 11}, {209, 12}), ANSWERS(210));
        check((enum sr_ack_rule)rule, PACKETS({10, 11}, {210, 12}), ANSWERS(211, 411));
    }
}

static void every_packet_is_answered_at_once_by_one_rule(void **state)
{
    (void)state;
    check(SR_ACK_RULE_EVERY, PACKETS({10, 11}, {20, 12}, {30, 14}, {40, 13}, {50, 13}), ANSWERS(11, 21, 31, 41, 51));
}

static void no_packet_has_no_answer(void **state)
{
    (void)state;
    struct sr_arrival none = {0};
    int64_t answers_ns[SR_ANSWERS];
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++)
        assert_int_equal(
            sr_receiver_answers((enum sr_ack_rule)rule, &received, &none, 0, MS, SR_ACK_DELAY_NS, answers_ns), 0);
}

static void every_packet_is_answered_at_once_while_there_is_a_gap(void **state)
{
    (void)state;
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++)
        check((enum sr_ack_rule)rule, PACKETS({10, 12}, {20, 13}, {30, 15}), ANSWERS(11, 21, 31));
}

static void the_packet_that_closes_the_last_gap_is_answered_at_once_by_one_rule(void **state)
{
    (void)state;
    check(SR_ACK_RULE_PROMPT, PACKETS({10, 12}, {20, 11}), ANSWERS(11, 21));
    check(SR_ACK_RULE_PION, PACKETS({10, 12}, {20, 11}), ANSWERS(11, 221));
    check(SR_ACK_RULE_PION, PACKETS({10, 12}, {20, 11}, {30, 13}), ANSWERS(11, 31));
    /* one of two gaps is left */
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++)
        check((enum sr_ack_rule)rule, PACKETS({10, 12}, {20, 14}, {30, 11}), ANSWERS(11, 21, 31));
}

static void a_packet_that_brings_nothing_new_is_answered_at_once_by_one_rule(void **state)
{
    (void)state;
    check(SR_ACK_RULE_PROMPT, PACKETS({10, 10}), ANSWERS(11));
    check(SR_ACK_RULE_PION, PACKETS({10, 10}), ANSWERS(211));
    check(SR_ACK_RULE_PROMPT, PACKETS({10, 11}, {250, 11}), ANSWERS(211, 251));
    check(SR_ACK_RULE_PION, PACKETS({10, 11}, {250, 11}), ANSWERS(211, 451));
}

static void blocks_reported_before_are_a_gap_until_it_closes(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {13, 15};
    received.blocks = blocks;
    received.block_count = 1;
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++)
        check((enum sr_ack_rule)rule, PACKETS({10, 11}, {20, 16}), ANSWERS(11, 21));
    check(SR_ACK_RULE_PROMPT, PACKETS({10, 11}, {20, 12}, {30, 16}), ANSWERS(11, 21, 231));
    check(SR_ACK_RULE_PION, PACKETS({10, 11}, {20, 12}, {30, 16}), ANSWERS(11, 31));
    received.blocks = NULL;
    received.block_count = 0;
}

static void chunks_of_one_frame_are_one_packet(void **state)
{
    (void)state;
    const struct sr_arrival arrivals[] = {
        {10 * MS, 1, {11}, false}, {10 * MS, 1, {12}, false}, {20 * MS, 2, {13}, false}, {20 * MS, 2, {14}, false}};
    int64_t answers_ns[SR_ANSWERS];
    assert_int_equal(sr_receiver_answers(SR_ACK_RULE_PROMPT, &received, arrivals, 4, MS, SR_ACK_DELAY_NS, answers_ns),
                     1);
    assert_int_equal(answers_ns[0], 21 * MS);
}

/* The first of the two that fill the gap below 13 still leaves one. */
static void every_chunk_of_a_packet_may_meet_a_gap(void **state)
{
    (void)state;
    static const uint32_t blocks[] = {13, 13};
    const struct sr_arrival arrivals[] = {{10 * MS, 1, {11}, false}, {10 * MS, 1, {12}, false}};
    int64_t answers_ns[SR_ANSWERS];
    received.blocks = blocks;
    received.block_count = 1;
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++) {
        assert_int_equal(
            sr_receiver_answers((enum sr_ack_rule)rule, &received, arrivals, 2, MS, SR_ACK_DELAY_NS, answers_ns), 1);
        assert_int_equal(answers_ns[0], 11 * MS);
    }
    received.blocks = NULL;
    received.block_count = 0;
}

static void what_has_the_i_bit_is_answered_at_once(void **state)
{
    (void)state;
    const struct sr_arrival arrivals[] = {{10 * MS, 1, {11}, true}};
    int64_t answers_ns[SR_ANSWERS];
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++) {
        assert_int_equal(
            sr_receiver_answers((enum sr_ack_rule)rule, &received, arrivals, 1, MS, SR_ACK_DELAY_NS, answers_ns), 1);
        assert_int_equal(answers_ns[0], 11 * MS);
    }
}

static void tsns_may_wrap_around(void **state)
{
    (void)state;
    received.cum = sr_tsn(UINT32_MAX);
    for (int rule = 0; rule < SR_ACK_RULE_EVERY; rule++)
        check((enum sr_ack_rule)rule, PACKETS({10, 0}, {20, 1}, {30, 3}), ANSWERS(21, 31));
    received.cum = sr_tsn(10);
}

static void as_many_arrivals_as_may_be_have_answers_that_fit(void **state)
{
    (void)state;
    struct sr_arrival arrivals[SR_ARRIVALS];
    int64_t answers_ns[SR_ANSWERS];
    for (uint32_t i = 0; i < SR_ARRIVALS; i++) /* each is answered late */
        arrivals[i] = (struct sr_arrival){i * 1000 * MS, i + 1, sr_tsn(11 + i), false};
    for (int rule = 0; rule < SR_ACK_RULE_COUNT; rule++)
        assert_in_range(sr_receiver_answers((enum sr_ack_rule)rule, &received, arrivals, SR_ARRIVALS, MS,
                                            SR_ACK_DELAY_NS, answers_ns),
                        SR_ANSWERS - 2, SR_ANSWERS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_second_packet_is_answered_at_once),
        cmocka_unit_test(a_lone_packet_is_answered_after_the_delay),
        cmocka_unit_test(every_packet_is_answered_at_once_by_one_rule),
        cmocka_unit_test(no_packet_has_no_answer),
        cmocka_unit_test(every_packet_is_answered_at_once_while_there_is_a_gap),
        cmocka_unit_test(the_packet_that_closes_the_last_gap_is_answered_at_once_by_one_rule),
        cmocka_unit_test(a_packet_that_brings_nothing_new_is_answered_at_once_by_one_rule),
        cmocka_unit_test(blocks_reported_before_are_a_gap_until_it_closes),
        cmocka_unit_test(chunks_of_one_frame_are_one_packet),
        cmocka_unit_test(every_chunk_of_a_packet_may_meet_a_gap),
        cmocka_unit_test(what_has_the_i_bit_is_answered_at_once),
        cmocka_unit_test(tsns_may_wrap_around),
        cmocka_unit_test(as_many_arrivals_as_may_be_have_answers_that_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
