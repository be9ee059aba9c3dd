/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what a DATA chunk on the wire is taken for. Setup: TSN 2 is missing behind the tap's 1 and 3. Trigger: a
 * chunk with TSN 2. Expectation: late, or sent again, by what the sender can have known. */
#include "bytes_builder.h"

#include "association/scoreboard.h"
#include "wire/time.h"

enum { MS = 1000000 };

struct wire {
    struct sr_scoreboard board;
    struct sr_slot_budget budget;
    struct sr_loop loop;
    uint32_t frame;
    bool at_tap;
};

static enum sr_kind sent_as(struct wire *wire, uint32_t tsn, int64_t time_ns, uint32_t fingerprint, uint16_t id)
{
    struct sr_sent_chunk sent = {.tsn = sr_tsn(tsn),
                                 .bytes = 10,
                                 .frame = ++wire->frame,
                                 .time_ns = time_ns,
                                 .identity = {fingerprint, id},
                                 .loop = wire->loop,
                                 .at_tap = wire->at_tap};
    return sr_scoreboard_sent(&wire->board, &wire->budget, &sent).kind;
}

static enum sr_kind sent_at(struct wire *wire, uint32_t tsn, int64_t time_ns)
{
    return sent_as(wire, tsn, time_ns, 1000 + wire->frame, 0);
}

static void ack(struct wire *wire, uint32_t cum, uint16_t gap_first, uint16_t gap_last, int64_t time_ns)
{
    const uint8_t gap[] = {(uint8_t)(gap_first >> 8), (uint8_t)gap_first, (uint8_t)(gap_last >> 8), (uint8_t)gap_last};
    struct sr_sack sack = {.cum_tsn = sr_tsn(cum), .gaps = {gap, gap_first > 0}};
    sr_scoreboard_acked(&wire->board, &wire->budget, &sack, time_ns);
}

/* 1 at 0 ms, 3 at 1 ms. */
static struct wire with_a_gap(void)
{
    struct wire wire = {.budget = {1 << 16}};
    assert_int_equal(sent_at(&wire, 1, 0), SR_KIND_ORIGINAL);
    assert_int_equal(sent_at(&wire, 3, MS), SR_KIND_ORIGINAL);
    return wire;
}

static void check_filled(struct wire *wire, int64_t time_ns, enum sr_kind kind)
{
    assert_int_equal(sent_at(wire, 2, time_ns), kind);
    sr_scoreboard_free(&wire->board, &wire->budget);
}

static void a_gap_filled_before_any_feedback_shows_it_is_late(void **state)
{
    (void)state;
    struct wire wire = with_a_gap();
    check_filled(&wire, 100 * MS, SR_KIND_REORDERED);
}

static void a_gap_filled_after_the_shortest_timeout_is_sent_again(void **state)
{
    (void)state;
    struct wire late = with_a_gap(), again = with_a_gap();
    check_filled(&late, 200 * MS, SR_KIND_REORDERED);
    check_filled(&again, 201 * MS, SR_KIND_RETRANSMISSION);
}

static void feedback_that_shows_the_gap_needs_a_loop_to_cause_a_retransmission(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct wire wire = with_a_gap();
        wire.loop = (struct sr_loop){.known = true, .shortest_ns = 32 * MS};
        ack(&wire, 1, 2, 2, 5 * MS);
        check_filled(&wire, 5 * MS + 30 * MS - 1 + again, again ? SR_KIND_RETRANSMISSION : SR_KIND_REORDERED);
    }
}

static void with_an_unknown_loop_a_millisecond_after_feedback_is_enough(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct wire wire = with_a_gap();
        ack(&wire, 1, 2, 2, 5 * MS);
        check_filled(&wire, 6 * MS - 1 + again, again ? SR_KIND_RETRANSMISSION : SR_KIND_REORDERED);
    }
}

static void feedback_that_does_not_reach_beyond_the_gap_shows_nothing(void **state)
{
    (void)state;
    struct wire wire = with_a_gap();
    ack(&wire, 1, 0, 0, 5 * MS);
    check_filled(&wire, 100 * MS, SR_KIND_REORDERED);
}

static void what_was_acknowledged_before_it_was_seen_is_sent_again(void **state)
{
    (void)state;
    struct wire wire = with_a_gap();
    wire.loop = (struct sr_loop){.known = true, .shortest_ns = 500 * MS};
    ack(&wire, 3, 0, 0, 5 * MS);
    check_filled(&wire, 6 * MS, SR_KIND_RETRANSMISSION);
}

static void what_was_given_up_is_not_sent_again_however_late_it_comes(void **state)
{
    (void)state;
    struct wire late = with_a_gap(), above = with_a_gap();
    struct wire *const wires[] = {&late, &above};
    for (uint32_t i = 0; i < 2; i++) {
        sr_scoreboard_forward(&wires[i]->board, sr_tsn(2 - i));
        sr_scoreboard_forward(&wires[i]->board, sr_tsn(0)); /* overtaken */
        ack(wires[i], 3, 0, 0, 2 * MS);
    }
    check_filled(&late, 2000 * MS, SR_KIND_REORDERED);
    check_filled(&above, 3 * MS, SR_KIND_RETRANSMISSION);
}

static void a_new_numbering_forgets_what_was_given_up(void **state)
{
    (void)state;
    struct wire wire = with_a_gap();
    wire.loop = (struct sr_loop){.known = true, .shortest_ns = 16 * MS};
    sr_scoreboard_forward(&wire.board, sr_tsn(1002));
    assert_true(sr_scoreboard_reset(&wire.board, sr_tsn(1000)));
    assert_int_equal(sent_at(&wire, 1000, 10 * MS), SR_KIND_ORIGINAL);
    assert_int_equal(sent_at(&wire, 1003, 11 * MS), SR_KIND_ORIGINAL);
    ack(&wire, 1003, 0, 0, 12 * MS);
    assert_int_equal(sent_at(&wire, 1002, 13 * MS), SR_KIND_RETRANSMISSION);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

static void what_lies_before_the_feedback_by_its_time_is_late(void **state)
{
    (void)state; /* as where the files of several taps were merged */
    struct wire wire = with_a_gap();
    ack(&wire, 3, 0, 0, 5 * MS);
    check_filled(&wire, 4 * MS, SR_KIND_REORDERED);
}

static void without_times_a_gap_filler_is_late(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    sent_at(&wire, 1, SR_NO_TIME);
    sent_at(&wire, 3, SR_NO_TIME);
    ack(&wire, 1, 2, 2, SR_NO_TIME);
    check_filled(&wire, 100 * MS, SR_KIND_REORDERED);
}

static void a_second_copy_is_a_retransmission_or_a_duplicate(void **state)
{
    (void)state;
    static const struct {
        uint32_t fingerprint;
        uint16_t id;
        int64_t later_ns;
        enum sr_kind kind;
    } cases[] = {
        {7, 5, 0, SR_KIND_CAPTURE_DUPLICATE},  {7, 5, MS - 1, SR_KIND_CAPTURE_DUPLICATE},
        {7, 5, MS, SR_KIND_NETWORK_DUPLICATE}, {7, 5, 900 * MS, SR_KIND_NETWORK_DUPLICATE},
        {7, 6, 0, SR_KIND_RETRANSMISSION},     {8, 5, 0, SR_KIND_RETRANSMISSION},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wire wire = {.budget = {1 << 16}};
        assert_int_equal(sent_as(&wire, 9, 0, 7, 5), SR_KIND_ORIGINAL);
        assert_int_equal(sent_as(&wire, 9, cases[i].later_ns, cases[i].fingerprint, cases[i].id), cases[i].kind);
        sr_scoreboard_free(&wire.board, &wire.budget);
    }
}

/* As sctp of npm does: what has three missing reports twice before it leaves stands in its packet twice. */
static void a_tsn_that_stands_in_a_packet_twice_was_sent_twice(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    for (int packet = 0; packet < 2; packet++) { /* which the capture has twice */
        for (int copy = 0; copy < 2; copy++) {
            enum sr_kind once = copy == 0 ? SR_KIND_ORIGINAL : SR_KIND_RETRANSMISSION;
            enum sr_kind kind = sent_as(&wire, 9, 0, 7, 5);
            assert_int_equal(kind, packet == 0 ? once : SR_KIND_CAPTURE_DUPLICATE);
            wire.frame -= copy == 0;
        }
    }
    sr_scoreboard_free(&wire.board, &wire.budget);
}

/* Its sender counts packets: equal numbers say nothing of which was sent first. */
static void nor_was_its_second_copy_there_overtaken(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    for (uint16_t tsn = 1; tsn <= 20; tsn++)
        if (tsn != 10)
            assert_int_equal(sent_as(&wire, tsn, tsn * MS, 100 + tsn, tsn), SR_KIND_ORIGINAL);
    assert_int_equal(sent_as(&wire, 10, 90 * MS, 7, 21), SR_KIND_RETRANSMISSION);
    wire.frame--;
    assert_int_equal(sent_as(&wire, 10, 90 * MS, 7, 21), SR_KIND_RETRANSMISSION);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

/* One that has no number may be late as well. */
static void only_the_senders_count_says_that_it_was_overtaken(void **state)
{
    (void)state;
    for (uint16_t id = 0; id <= 10; id += 10) {
        struct wire wire = {.budget = {1 << 16}};
        for (uint16_t tsn = 1; tsn <= 20; tsn++)
            if (tsn != 10)
                assert_int_equal(sent_as(&wire, tsn, tsn * MS, 100 + tsn, tsn), SR_KIND_ORIGINAL);
        struct sr_sent_chunk late = {
            .tsn = sr_tsn(10), .bytes = 10, .frame = 90, .time_ns = 90 * MS, .identity = {7, id}};
        struct sr_copy copy = sr_scoreboard_sent(&wire.board, &wire.budget, &late);
        assert_int_equal(copy.kind, SR_KIND_REORDERED);
        assert_int_equal(copy.overtaken, id != 0);
        sr_scoreboard_free(&wire.board, &wire.budget);
    }
}

static void the_capture_alone_repeats_so_soon_what_was_sent_once(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    assert_int_equal(sent_as(&wire, 9, 0, 7, 0), SR_KIND_ORIGINAL);
    assert_int_equal(sent_as(&wire, 9, 1, 7, 0), SR_KIND_CAPTURE_DUPLICATE);
    assert_int_equal(sent_as(&wire, 9, 100 * MS, 7, 0), SR_KIND_RETRANSMISSION);
    assert_int_equal(sent_as(&wire, 9, 100 * MS + 1, 7, 0), SR_KIND_RETRANSMISSION);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

static void of_a_gap_filler_more_must_be_known(void **state)
{
    (void)state;
    struct wire wire = with_a_gap();
    assert_int_equal(sent_as(&wire, 2, 201 * MS, 7, 0), SR_KIND_RETRANSMISSION);
    assert_int_equal(sent_as(&wire, 2, 201 * MS + 1, 7, 0), SR_KIND_RETRANSMISSION);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

static void what_was_acknowledged_before_it_is_seen_was_sent_before_the_capture(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    ack(&wire, 10, 5, 9, 0); /* 15 to 19 have arrived */
    assert_int_equal(sent_at(&wire, 12, 5 * MS), SR_KIND_RETRANSMISSION);
    assert_int_equal(sent_at(&wire, 19, 6 * MS), SR_KIND_RETRANSMISSION);
    assert_int_equal(sent_at(&wire, 20, 7 * MS), SR_KIND_ORIGINAL);
    ack(&wire, 20, 0, 0, 50 * MS); /* all that was seen: the capture has caught up */
    ack(&wire, 20, 9, 9, 51 * MS);
    assert_int_equal(sent_at(&wire, 21, 60 * MS), SR_KIND_ORIGINAL);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

static void what_lies_below_the_first_tsn_seen_is_sent_again_once_feedback_left_it_out(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    assert_int_equal(sent_at(&wire, 20, 0), SR_KIND_ORIGINAL);
    ack(&wire, 10, 10, 10, 30 * MS);
    assert_int_equal(sent_at(&wire, 11, 40 * MS), SR_KIND_RETRANSMISSION);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

/* The handshake was seen: the TSN with which the data begins was lost before the tap. */
static void so_is_the_tsn_with_which_the_data_begins(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    assert_int_equal(sent_at(&wire, 11, 0), SR_KIND_ORIGINAL);
    wire.board.caught_up = true;
    ack(&wire, 9, 11, 11, 30 * MS);
    assert_int_equal(sent_at(&wire, 10, 40 * MS), SR_KIND_RETRANSMISSION);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

static void at_the_tap_of_the_sender_nothing_is_late(void **state)
{
    (void)state;
    for (int at_tap = 0; at_tap < 2; at_tap++) {
        struct wire wire = {.budget = {1 << 16}, .at_tap = at_tap};
        sent_at(&wire, 20, 0);
        assert_int_equal(sent_at(&wire, 11, 40 * MS), at_tap ? SR_KIND_RETRANSMISSION : SR_KIND_REORDERED);
        sr_scoreboard_free(&wire.board, &wire.budget);
    }
}

static void kinds_are_the_same_across_the_wrap_around(void **state)
{
    (void)state;
    struct wire wire = {.budget = {1 << 16}};
    assert_int_equal(sent_at(&wire, 0xfffffffe, 0), SR_KIND_ORIGINAL);
    assert_int_equal(sent_at(&wire, 1, MS), SR_KIND_ORIGINAL);
    assert_int_equal(sent_at(&wire, 0xffffffff, 2 * MS), SR_KIND_REORDERED);
    ack(&wire, 0xffffffff, 2, 2, 3 * MS);
    assert_int_equal(sent_at(&wire, 0, 10 * MS), SR_KIND_RETRANSMISSION);
    sr_scoreboard_free(&wire.board, &wire.budget);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_filled_before_any_feedback_shows_it_is_late),
        cmocka_unit_test(a_gap_filled_after_the_shortest_timeout_is_sent_again),
        cmocka_unit_test(feedback_that_shows_the_gap_needs_a_loop_to_cause_a_retransmission),
        cmocka_unit_test(with_an_unknown_loop_a_millisecond_after_feedback_is_enough),
        cmocka_unit_test(feedback_that_does_not_reach_beyond_the_gap_shows_nothing),
        cmocka_unit_test(what_was_acknowledged_before_it_was_seen_is_sent_again),
        cmocka_unit_test(what_was_given_up_is_not_sent_again_however_late_it_comes),
        cmocka_unit_test(a_new_numbering_forgets_what_was_given_up),
        cmocka_unit_test(what_lies_before_the_feedback_by_its_time_is_late),
        cmocka_unit_test(without_times_a_gap_filler_is_late),
        cmocka_unit_test(a_tsn_that_stands_in_a_packet_twice_was_sent_twice),
        cmocka_unit_test(nor_was_its_second_copy_there_overtaken),
        cmocka_unit_test(only_the_senders_count_says_that_it_was_overtaken),
        cmocka_unit_test(the_capture_alone_repeats_so_soon_what_was_sent_once),
        cmocka_unit_test(of_a_gap_filler_more_must_be_known),
        cmocka_unit_test(what_was_acknowledged_before_it_is_seen_was_sent_before_the_capture),
        cmocka_unit_test(what_lies_below_the_first_tsn_seen_is_sent_again_once_feedback_left_it_out),
        cmocka_unit_test(so_is_the_tsn_with_which_the_data_begins),
        cmocka_unit_test(at_the_tap_of_the_sender_nothing_is_late),
        cmocka_unit_test(a_second_copy_is_a_retransmission_or_a_duplicate),
        cmocka_unit_test(kinds_are_the_same_across_the_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
