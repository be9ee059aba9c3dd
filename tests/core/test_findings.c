/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person should know: each kind of finding on losses, hosts and the capture, and how many are kept. That the
 * sentences are those of Python is tested where both are (tests/plugin/test_findings.py, tests/page/test_findings.py).
 */
#include "findings_of_talk.h"

#include "books/figures.h"

static bool in_scope(const void *scope, uint32_t assoc)
{
    return *(const uint32_t *)scope == assoc;
}

static uint8_t needed(const void *overrides, const struct sr_transmission_row *row)
{
    (void)overrides;
    (void)row;
    return SR_VERDICT_NEEDED;
}

static void of_a_quiet_conversation_nothing_is_said(void **state)
{
    (void)state;
    expect(at_sender(false), "");
}

/* Five chunks from TSN 9 on are late; their timeout sends all again. */
static struct talk *storm(void)
{
    struct talk *talk = at_sender(false);
    flight(talk, 3 * S, 9, 5, 1000);
    data(talk, 4 * S, 9);
    sack(talk, 4100000, 10, "");
    flight(talk, 4100100, 11, 3, 100);
    sack(talk, 4101000, 13, "");
    sack(talk, 4 * S + 100000 + WAY_US, 13, "d9");
    sack(talk, 4100200 + WAY_US, 13, "d11 d12");
    sack(talk, 4100400 + WAY_US, 13, "d13");
    return talk;
}

static void a_timeout_that_sends_again_what_comes_late(void **state)
{
    (void)state;
    expect(storm(), "warning spurious_storm 26 28 29 30; note stall 21");
}

static void what_the_user_knows_better_counts(void **state)
{
    (void)state;
    struct talk *talk = storm();
    judge(talk);
    assert_string_equal(told_of(talk, (struct sr_findings_asked){.latest_ns = SR_NO_TIME, .verdict_of = needed}),
                        "warning tail_loss_timeout 26");
    talk_free(talk);
}

static void of_an_association_that_is_not_asked_for_nothing_is_said(void **state)
{
    (void)state;
    struct talk *talk = storm();
    uint32_t wanted = 0;
    struct sr_findings_asked asked = {.latest_ns = SR_NO_TIME, .in_scope = in_scope, .scope = &wanted};
    judge(talk);
    assert_true(strlen(told_of(talk, asked)) > 0);
    wanted = 1;
    assert_string_equal(told_of(talk, asked), "");
    talk_free(talk);
}

/* Whether a copy arrived is known of a receiver that reports duplicates, as that of the storm. How long the last chunk
 * waited is said of the tail, and not again of a stall. */
static void a_tail_and_a_retransmission_are_lost(void **state)
{
    (void)state;
    struct talk *talk = storm();
    flight(talk, 5 * S, 14, 2, 1000);
    sack(talk, 5 * S + WAY_US, 14, "");
    data(talk, 6 * S, 15);
    data(talk, 8 * S, 15);
    sack(talk, 8 * S + WAY_US, 15, "");
    data(talk, 9 * S, 16);
    data(talk, 10 * S, 16);
    sack(talk, 10 * S + WAY_US, 16, "");
    expect(
        talk,
        "warning spurious_storm 26 28 29 30; warning lost_retransmission_timeout 39; warning tail_loss_timeout 38 42; "
        "warning stall 21 36");
}

/* Their number is that of the packets that T3-rtx sent. */
static void two_chunks_of_one_packet_are_lost_once(void **state)
{
    (void)state;
    struct talk *talk = storm(); /* its duplicates say that the receiver reports them */
    data_of(talk, 5 * S, A, 14, 2);
    data_of(talk, 6 * S, A, 14, 2);
    sack(talk, 6 * S + WAY_US, 15, "");
    judge(talk);
    assert_non_null(strstr(text_of(talk, all, SR_FINDING_TAIL_LOSS_TIMEOUT), "was lost once and waited"));
    talk_free(talk);
}

static void a_chunk_is_overtaken(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    flight(talk, 3 * S, 9, 5, 1000);
    sack(talk, 3 * S + 1000 + WAY_US, 8, "10");
    sack(talk, 3 * S + 2000 + WAY_US, 8, "10-11");
    sack(talk, 3 * S + 3000 + WAY_US, 8, "10-12");
    data(talk, 3 * S + 3050 + WAY_US, 9);
    sack(talk, 3 * S + 4000 + WAY_US, 13, "");
    sack(talk, 3 * S + 3050 + 2 * WAY_US, 13, "d9");
    expect(talk, "warning reordering_retransmits 29");
}

static void a_timer_is_shorter_than_the_delay_of_a_sack(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    for (uint32_t i = 0; i < 3; i++) { /* one timeout may be something else */
        data(talk, (3 + i) * S, 9 + i);
        data(talk, (3 + i) * S + 150000, 9 + i);
        sack(talk, (3 + i) * S + 160000, 9 + i, "");
        sack(talk, (3 + i) * S + 150000 + WAY_US, 9 + i, i == 0 ? "d9" : i == 1 ? "d10" : "d11");
    }
    expect(talk, "warning timer_before_sack 22 26"); /* behind the third nothing follows: its cause has class 2 */
}

static void what_may_be_no_timer_is_not_called_too_short(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    data(talk, 3 * S, 9);
    data(talk, 3 * S + 150000, 9);
    sack(talk, 3 * S + 160000, 9, "");
    sack(talk, 3 * S + 150000 + WAY_US, 9, "d9");
    expect(talk, "");
}

static void a_receiver_takes_back_and_closes_its_window(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    flight(talk, 3 * S, 9, 5, 1000);
    sack(talk, 3002000 + WAY_US, 8, "10-11");
    sack(talk, 3004000 + WAY_US, 8, "10-13");
    sack(talk, 3006000 + WAY_US, 8, "10");
    sack(talk, 3007000 + WAY_US, 8, "10");
    data(talk, 3007100 + WAY_US, 9);
    flight(talk, 3100000, 11, 3, 1000);
    sack(talk, 3007100 + 2 * WAY_US, 10, "");
    talk->a_rwnd = 0;
    sack(talk, 3102000 + WAY_US, 13, "");
    talk->a_rwnd = TALK_WINDOW;
    sack(talk, 5 * S, 13, "");
    expect(talk, "warning zero_window 35 36; warning reneging 28");
}

static void a_sender_falls_silent(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    data(talk, 3 * S, 9);
    data(talk, 4 * S, 9);
    expect(talk, "warning stuck_sender 22");
}

static void what_is_wrong_with_packets(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    struct bytes chunk = {0};
    data(talk, 3 * S, 9);
    sack(talk, 3 * S + WAY_US, 9, "");
    talk->content = 7;
    data(talk, 3200000, 9);
    talk->content = 0;
    talk->broken = true;
    data(talk, 3300000, 10);
    talk->broken = false;
    size_t start = begin_chunk(&chunk, SR_CHUNK_SACK, 0);
    put32(&chunk, 9);
    end_chunk(&chunk, start);
    say(talk, 3400000, B, &chunk);
    sack(talk, 3500000, 9, "14-12");
    talk->id[B] -= talk->counts[B];
    sack(talk, 3500010, 9, "14-12");
    expect(talk, "warning bad_checksum 24; warning conflicting_tsns 23; warning malformed_chunks 25; warning "
                 "malformed_sacks 26; warning stuck_sender 24; note capture_duplicates 27");
}

static void what_the_capture_misses(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    data(talk, 3 * S, 9);
    data(talk, 3001000, 11);
    sack(talk, 3001000 + WAY_US, 11, "");
    data(talk, 3100000, 2000000);
    expect(talk, "warning capture_loss 23; note unseen_tsns 1");
}

static void only_one_direction_was_captured(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    flight(talk, 3 * S, 9, 2, 1000);
    expect(talk, "warning one_way 1");
}

/* Out of reach, and again near it. */
static void numbering_begins_anew(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    flight(talk, 3 * S, 9 + (1u << 30), 2, 1000);
    sack(talk, 3 * S + WAY_US, 10 + (1u << 30), "");
    expect(talk, "note numbering_jumps 1");
}

/* What has passed one comes to the other later; the way back is longer. */
static void a_capture_was_merged_of_two_places(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    for (uint32_t tsn = 1; tsn < 20; tsn++) {
        int64_t at_us = tsn * S;
        data(talk, at_us, tsn);
        talk->id[A]--;
        data(talk, at_us + WAY_US / 2, tsn);
        sack(talk, at_us + WAY_US / 2 + 100, tsn, "");
        talk->id[B] -= talk->counts[B];
        sack(talk, at_us + WAY_US + 2000, tsn, "");
    }
    expect(talk, "warning two_taps 1; note capture_duplicates 6; note capture_duplicates 8");
}

static void packets_without_data_were_filtered_out(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    for (uint32_t i = 0; i < 5; i++) {
        data_of(talk, i * S, A, 1 + i, 1);
        data_of(talk, i * S + WAY_US, B, 1000 + i, 1);
    }
    expect(talk, "warning filtered 1 2");
}

static void marks_are_left_out(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    judge(talk);
    sr_figures_kept(sr_engine_judgement(talk->engine), 0)->marks_left_out = 1;
    assert_string_equal(told_of(talk, all), "warning mark_limit");
    talk_free(talk);
}

/* Its retransmission comes, and so had what was sent before: a SACK that acknowledges that came late. */
static void a_receiver_reports_no_duplicates(void **state)
{
    (void)state;
    struct talk *talk = storm();
    judge(talk);
    struct sr_path_row *path = sr_spool_at(&sr_engine_judgement(talk->engine)->paths, 0);
    path->dup_capable = SR_ANSWER_NO;
    assert_string_equal(told_of(talk, all),
                        "warning spurious_storm 26 28 29 30; note no_duplicate_reports; note stall 21");
    talk_free(talk);
}

/* Of more than eight of a kind the first; each with what is behind its own. */
static void of_many_of_a_kind_the_first_is_told(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    uint32_t tsn = 9;
    for (int64_t at_us = 3 * S; tsn < 9 + 9 * 3; at_us += 4 * S, tsn += 3) {
        flight(talk, at_us, tsn, 3, 1000);
        data(talk, at_us + S, tsn);
        sack(talk, at_us + S + 10, tsn + 2, "");
        flight(talk, at_us + S + 20, tsn + 1, 2, 10);
        sack(talk, at_us + S + WAY_US, tsn + 2, "d1");
    }
    expect(talk, "warning spurious_storm 24 32 40 48 56 64 72 80 others 8; note stall 21 29 37 45 53 61 69 77");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_quiet_conversation_nothing_is_said),
        cmocka_unit_test(a_timeout_that_sends_again_what_comes_late),
        cmocka_unit_test(what_the_user_knows_better_counts),
        cmocka_unit_test(of_an_association_that_is_not_asked_for_nothing_is_said),
        cmocka_unit_test(a_tail_and_a_retransmission_are_lost),
        cmocka_unit_test(two_chunks_of_one_packet_are_lost_once),
        cmocka_unit_test(a_chunk_is_overtaken),
        cmocka_unit_test(a_timer_is_shorter_than_the_delay_of_a_sack),
        cmocka_unit_test(what_may_be_no_timer_is_not_called_too_short),
        cmocka_unit_test(a_receiver_takes_back_and_closes_its_window),
        cmocka_unit_test(a_sender_falls_silent),
        cmocka_unit_test(what_is_wrong_with_packets),
        cmocka_unit_test(what_the_capture_misses),
        cmocka_unit_test(only_one_direction_was_captured),
        cmocka_unit_test(of_many_of_a_kind_the_first_is_told),
        cmocka_unit_test(numbering_begins_anew),
        cmocka_unit_test(a_capture_was_merged_of_two_places),
        cmocka_unit_test(packets_without_data_were_filtered_out),
        cmocka_unit_test(marks_are_left_out),
        cmocka_unit_test(a_receiver_reports_no_duplicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
