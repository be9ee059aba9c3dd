/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the first pass over an association: which answers tell how far the receiver is, and what else it notes. */
#include "talk.h"

#include "halves_of_talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000 };

/* Of a talk that was judged, anew: the data of side A. */
static struct sr_measured measure(struct talk *talk)
{
    struct sr_half *halves = halves_of(talk);
    struct sr_measured measured = halves[A].measured;
    halves_free(halves);
    return measured;
}

/* Frees the talk. */
static struct sr_measured measured_in(struct talk *talk)
{
    judge(talk);
    struct sr_measured measured = measure(talk);
    talk_free(talk);
    return measured;
}

static void feedback_that_acknowledges_what_was_never_seen_answers_nobody_knows_what(void **state)
{
    (void)state;
    const char *const blocks[] = {"10-11", "10-12", "11-12", "12"};
    for (int i = 0; i < 4; i++) {
        struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
        flight(talk, AT_US, 9, 3, 10);
        sack(talk, AT_US + 20 + WAY_US, 8, blocks[i]);
        assert_int_equal(measured_in(talk).loop.count, i == 0 ? 9 : 8);
    }
}

/* Sent again, and acknowledged so long after the last copy: the soonest of two. */
static void how_soon_what_was_sent_again_is_acknowledged_is_told_of_its_last_copy(void **state)
{
    (void)state;
    struct sr_measured once = measured_in(talk_after_eight(SENDER_US, WAY_US, false));
    assert_true(once.resent_ns == INT64_MAX);
    assert_false(once.resends);
    for (uint32_t copies = 2; copies <= 3; copies++) {
        struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
        for (uint32_t tsn = 9; tsn <= 11; tsn++) {
            int64_t at_us = AT_US + 10000000 * tsn;
            for (uint32_t copy = 0; copy < copies; copy++)
                data(talk, at_us + 1000000 * copy, tsn);
            sack(talk, at_us + 1000000 * (copies - 1) + (tsn == 10 ? 7000 : WAY_US), tsn, "");
        }
        struct sr_measured again = measured_in(talk);
        assert_int_equal(again.resent_ns, 7000 * US);
        assert_true(again.resends);
    }
}

/* Of one packet both came together. */
static void what_was_sent_later_and_came_before_what_was_sent_once_overtook_it(void **state)
{
    (void)state;
    for (int packets = 1; packets <= 2; packets++)
        for (int again = 0; again < 2; again++) {
            struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
            data_of(talk, AT_US, A, 9, packets == 1 ? 2 : 1);
            if (packets == 2)
                data(talk, AT_US + 10, 10);
            sack(talk, AT_US + 10 + WAY_US, 8, "10");
            if (again)
                data(talk, AT_US + 1000000, 9);
            sack(talk, AT_US + 1000000 + WAY_US, 10, "");
            assert_int_equal(measured_in(talk).overtaken, packets == 2 && !again);
        }
}

/* What a SACK tells again is what the one before told, also where that is not believed: here it claims what is sent
 * later. */
static void what_a_forged_sack_told_before_comes_with_the_next_one(void **state)
{
    (void)state;
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, 9, 6, 10);
    sack(talk, AT_US + WAY_US, 8, "10");
    sack(talk, AT_US + WAY_US + 20, 8, "10 12 20");
    sack(talk, AT_US + WAY_US + 40, 8, "10 12 14");
    data(talk, AT_US + 500000, 15);
    for (uint32_t tsn = 9; tsn <= 13; tsn += 2)
        data(talk, AT_US + 1000000 + tsn, tsn);
    sack(talk, AT_US + 1000000 + WAY_US, 15, "");
    assert_false(measured_in(talk).overtaken); /* 12 came before 14 */
}

/* Of 60 packets alone the first ones are answered so soon, and all others after 20 ms, as the handshake is where there
 * is one. */
static struct sr_receiver_loop loop_of_answers(uint32_t answers, bool handshake, int64_t first_us, int64_t second_us,
                                               int64_t third_us)
{
    const int64_t sooner_us[] = {first_us, second_us, third_us};
    struct talk *talk = talk_new();
    if (handshake)
        shake_hands(talk, SENDER_US, WAY_US, false);
    data(talk, 500000, 1);
    sack(talk, 500000 + WAY_US, 1, "");
    for (uint32_t i = 0; i < answers - 1; i++) {
        data(talk, AT_US + 100000 * i, 2 + i);
        sack(talk, AT_US + 100000 * i + (i < 3 ? sooner_us[i] : WAY_US), 2 + i, "");
    }
    struct sr_measured measured = measured_in(talk);
    assert_int_equal(measured.loop.count, answers - !handshake);
    return measured.receiver;
}

static struct sr_receiver_loop loop_of(bool handshake, int64_t first_us, int64_t second_us, int64_t third_us)
{
    return loop_of_answers(60u + !handshake, handshake, first_us, second_us, third_us);
}

/* The least answer, less what lies between it and one of twenty; not below nothing. */
static void answers_that_are_sooner_than_the_handshake_lower_the_floor(void **state)
{
    (void)state;
    static const struct {
        int64_t first_us, third_us, floor_us, least_us;
    } cases[] = {{20000, 20000, 20000, 20000}, {18000, 19000, 17000, 18000}, {19400, 20000, 18800, 19400},
                 {19000, 20000, 18000, 19000}, {7000, 14000, 0, 7000},       {7000, 15000, 0, 7000},
                 {8000, 15000, 1000, 8000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_receiver_loop loop = loop_of(true, cases[i].first_us, cases[i].third_us, cases[i].third_us);
        assert_int_equal(loop.floor_ns, cases[i].floor_us * US);
        assert_int_equal(loop.early_ns, cases[i].floor_us * US);
        assert_int_equal(loop.least_ns, cases[i].least_us * US);
        assert_int_equal(loop.typical_ns, WAY_US * US);
        assert_int_equal(loop.jitter_ns, (WAY_US - cases[i].first_us) * US);
    }
    assert_int_equal(loop_of(true, 21000, 21000, 21000).floor_ns, WAY_US * US);
    assert_int_equal(loop_of(true, 21000, 21000, 21000).least_ns, WAY_US * US);
}

/* A host may answer data faster than its handshake, by a sixteenth: of fewer than twenty answers, or where all but a
 * few wait in a queue, that none did says nothing. */
static void the_handshake_alone_does_not_show_the_floor(void **state)
{
    (void)state;
    assert_int_equal(loop_of_answers(20, true, WAY_US, WAY_US, WAY_US).floor_ns, WAY_US * US);
    assert_int_equal(loop_of_answers(19, true, WAY_US, WAY_US, WAY_US).floor_ns, WAY_US * US / 16 * 15);
    assert_int_equal(loop_of_answers(19, true, 18000, WAY_US, WAY_US).floor_ns, 18000 * US);
}

static void where_nothing_was_acknowledged_no_loop_is_known(void **state)
{
    (void)state;
    for (int handshake = 0; handshake < 2; handshake++) {
        struct talk *talk = talk_new();
        if (handshake)
            shake_hands(talk, SENDER_US, WAY_US, false);
        data(talk, AT_US, 1);
        struct sr_receiver_loop loop = measured_in(talk).receiver;
        int64_t known_ns = handshake ? WAY_US * US : 0;
        assert_int_equal(loop.floor_ns, known_ns);
        assert_int_equal(loop.early_ns, known_ns);
        assert_int_equal(loop.typical_ns, known_ns);
        assert_int_equal(loop.least_ns, handshake ? known_ns : SR_NO_TIME);
    }
}

/* A quarter less, and a sixteenth to be early, but no later than what was seen. */
static void without_a_handshake_one_of_twenty_tells_the_loop(void **state)
{
    (void)state;
    static const struct {
        int64_t first_us, third_us, floor_us, early_us, least_us;
    } cases[] = {{20000, 20000, 15000, 18750, 20000},
                 {18800, 20000, 15000, 18750, 20000},
                 {18000, 20000, 15000, 18000, 20000},
                 {14000, 20000, 14000, 14000, 20000},
                 {14000, 16000, 12000, 14000, 16000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_receiver_loop loop = loop_of(false, cases[i].first_us, cases[i].third_us, cases[i].third_us);
        assert_int_equal(loop.floor_ns, cases[i].floor_us * US);
        assert_int_equal(loop.early_ns, cases[i].early_us * US);
        assert_int_equal(loop.least_ns, cases[i].least_us * US);
    }
}

/* Of two packets the second is answered at once; a packet alone waits 40 ms. */
static void a_timer_of_the_receiver_is_believed_where_answers_to_second_packets_were_seen(void **state)
{
    (void)state;
    for (uint32_t pairs = 3; pairs <= 4; pairs++) {
        struct talk *talk = talk_new();
        shake_hands(talk, SENDER_US, WAY_US, false);
        int64_t at_us = warm_up(talk, 8, WAY_US + 40000);
        uint32_t tsn = 9;
        for (uint32_t i = 0; i < pairs; i++, at_us += 100000, tsn += 2) {
            flight(talk, at_us, tsn, 2, 10);
            sack(talk, at_us + 10 + WAY_US, tsn + 1, "");
        }
        struct sr_measured measured = measured_in(talk);
        assert_int_equal(measured.at_once.loop_ns, WAY_US * US);
        assert_int_equal(measured.at_once.wait_ns, 40000 * US);
        assert_int_equal(measured.ack_delay_ns, pairs == 4 ? 40000 * US : SR_ACK_DELAY_NS);
        assert_int_equal(measured.settled_ns, TALK_NS + (measured.receiver.typical_ns + measured.ack_delay_ns * 5 / 4));
        if (pairs == 4)
            assert_int_equal(measured.receiver.typical_ns, WAY_US * US);
    }
}

/* What was sent before the first feedback may have been sent before the capture, too. */
static void the_network_repeats_what_was_surely_sent_once_and_reported_twice(void **state)
{
    (void)state;
    static const struct {
        uint32_t tsn;
        bool again, of_network;
    } cases[] = {{9, false, false}, {10, false, false}, {11, false, true}, {11, true, false}, {12, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char dup[16];
        struct talk *talk = talk_new();
        flight(talk, AT_US, 9, 2, 10);
        sack(talk, AT_US + 10 + WAY_US, 10, "");
        flight(talk, AT_US + 100000, 11, 2, 10);
        if (cases[i].again)
            data(talk, AT_US + 1000000, cases[i].tsn);
        snprintf(dup, sizeof dup, "d%u", cases[i].tsn);
        sack(talk, AT_US + 1000000 + WAY_US, 11, dup); /* 12 is not acknowledged */
        assert_int_equal(measured_in(talk).dups_of_network, cases[i].of_network);
    }
}

/* Whatever the numbers are. */
static void feedback_with_a_lower_cumulative_tsn_was_overtaken_but_the_first_was_not(void **state)
{
    (void)state;
    const uint32_t bases[] = {1, 3000000000};
    for (int i = 0; i < 2; i++)
        for (int overtaken = 0; overtaken < 2; overtaken++) {
            struct talk *talk = talk_new();
            flight(talk, AT_US, bases[i], 2, 10);
            sack(talk, AT_US + 10 + WAY_US, bases[i] + (overtaken ? 1 : 0), "");
            sack(talk, AT_US + 20 + WAY_US, bases[i] + (overtaken ? 0 : 1), "");
            assert_int_equal(measured_in(talk).overtaken, overtaken);
        }
}

/* The books note what was seen before, also what the network repeats. */
static void the_copy_before_is_one_that_the_sender_sent(void **state)
{
    (void)state;
    enum { ORIGINAL = 8, REPEATED, AGAIN };
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    data(talk, AT_US, 9);
    talk->id[A]--;
    data(talk, AT_US + 10000, 9);
    data(talk, AT_US + 1000000, 9);
    judge(talk);
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    struct sr_transmission_row *again = sr_transmission_at(journal, AGAIN);
    assert_int_equal(sr_transmission_at(journal, REPEATED)->kind, SR_KIND_NETWORK_DUPLICATE);
    again->prev_row = 1 + REPEATED;
    measure(talk);
    assert_int_equal(again->prev_row, 1 + ORIGINAL);
    talk_free(talk);
}

/* B sends a packet that A acknowledges, and then two that A acknowledges together after 30 ms. */
static void acknowledge_two(struct talk *talk, int64_t at_us)
{
    data_of(talk, at_us, B, 1000, 1);
    sack_of(talk, at_us + 50000, A, 1000, "");
    data_of(talk, at_us + 100000, B, 1001, 1);
    data_of(talk, at_us + 100010, B, 1002, 1);
    sack_of(talk, at_us + 130010, A, 1002, "");
}

/* How far the sender is, where the capture has no handshake: A may acknowledge data, and where B asks to close, A
 * answers so much later. */
static int64_t guessed_us(bool acknowledges, uint8_t asks_by, int64_t answer_us)
{
    struct talk *talk = talk_new();
    data(talk, AT_US, 9);
    sack(talk, AT_US + WAY_US, 9, "");
    if (acknowledges)
        acknowledge_two(talk, AT_US + 100000);
    if (asks_by == SR_CHUNK_SHUTDOWN)
        control(talk, AT_US + 500000, B, asks_by, 1, 9u);
    else
        sack(talk, AT_US + 500000, 9, "");
    control(talk, AT_US + 500000 + answer_us, A, SR_CHUNK_SHUTDOWN_ACK, 0);
    int64_t loop_ns = measured_in(talk).handshake_ns[1];
    return loop_ns == SR_NO_TIME ? -1 : loop_ns / US;
}

/* A SACK does not. */
static void who_is_asked_to_close_by_a_shutdown_answers_at_once(void **state)
{
    (void)state;
    assert_int_equal(guessed_us(false, SR_CHUNK_SHUTDOWN, 14000), 14000);
    assert_int_equal(guessed_us(false, SR_CHUNK_SACK, 14000), -1);
}

/* Or it holds more than what its host takes. */
static void how_soon_it_acknowledges_two_packets_is_its_loop_unless_it_closes_in_less_than_half_of_that(void **state)
{
    (void)state;
    assert_int_equal(guessed_us(true, SR_CHUNK_SACK, 14000), 30000);
    assert_int_equal(guessed_us(true, SR_CHUNK_SHUTDOWN, 40000), 30000);
    assert_int_equal(guessed_us(true, SR_CHUNK_SHUTDOWN, 15000), 30000);
    assert_int_equal(guessed_us(true, SR_CHUNK_SHUTDOWN, 14999), 14999);
}

/* Three reports that 10 is missing, and 10 again so much later; two of that, as one may be by chance. */
static int64_t guessed_by_reaction_us(int64_t later_us, bool acknowledges, bool has_heartbeat)
{
    struct talk *talk = talk_new();
    data(talk, AT_US, 9);
    sack(talk, AT_US + WAY_US, 9, "");
    if (has_heartbeat) { /* it tells the loop to the receiver alone */
        heartbeat(talk, AT_US + 100000, A, false, 7);
        heartbeat(talk, AT_US + 100000 + WAY_US, B, true, 7);
    }
    for (uint32_t i = 0; i < 2; i++) {
        int64_t at_us = AT_US + 1000000 * (i + 1);
        uint32_t first = 10 + 5 * i;
        flight(talk, at_us, first, 5, 10);
        for (uint32_t j = 0; j < 3; j++) {
            char blocks[32];
            snprintf(blocks, sizeof blocks, "%u-%u", first + 1, first + 1 + j);
            sack(talk, at_us + WAY_US + 10 * j, first - 1, blocks);
        }
        data(talk, at_us + WAY_US + 20 + later_us, first);
        sack(talk, at_us + 3 * WAY_US + later_us, first + 4, "");
    }
    if (acknowledges)
        acknowledge_two(talk, AT_US + 4000000);
    int64_t loop_ns = measured_in(talk).handshake_ns[1];
    return loop_ns == SR_NO_TIME ? -1 : loop_ns / US;
}

static void the_shorter_of_both_reactions_is_its_loop(void **state)
{
    (void)state;
    for (int has_heartbeat = 0; has_heartbeat < 2; has_heartbeat++) {
        assert_int_equal(guessed_by_reaction_us(25000, false, has_heartbeat), 25000);
        assert_int_equal(guessed_by_reaction_us(25000, true, has_heartbeat), 25000);
        assert_int_equal(guessed_by_reaction_us(35000, true, has_heartbeat), 30000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feedback_that_acknowledges_what_was_never_seen_answers_nobody_knows_what),
        cmocka_unit_test(how_soon_what_was_sent_again_is_acknowledged_is_told_of_its_last_copy),
        cmocka_unit_test(what_was_sent_later_and_came_before_what_was_sent_once_overtook_it),
        cmocka_unit_test(what_a_forged_sack_told_before_comes_with_the_next_one),
        cmocka_unit_test(a_timer_of_the_receiver_is_believed_where_answers_to_second_packets_were_seen),
        cmocka_unit_test(answers_that_are_sooner_than_the_handshake_lower_the_floor),
        cmocka_unit_test(the_handshake_alone_does_not_show_the_floor),
        cmocka_unit_test(where_nothing_was_acknowledged_no_loop_is_known),
        cmocka_unit_test(without_a_handshake_one_of_twenty_tells_the_loop),
        cmocka_unit_test(the_network_repeats_what_was_surely_sent_once_and_reported_twice),
        cmocka_unit_test(feedback_with_a_lower_cumulative_tsn_was_overtaken_but_the_first_was_not),
        cmocka_unit_test(who_is_asked_to_close_by_a_shutdown_answers_at_once),
        cmocka_unit_test(how_soon_it_acknowledges_two_packets_is_its_loop_unless_it_closes_in_less_than_half_of_that),
        cmocka_unit_test(the_shorter_of_both_reactions_is_its_loop),
        cmocka_unit_test(the_copy_before_is_one_that_the_sender_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
