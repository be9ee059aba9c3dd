/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which copy came first, and of what that makes of the others (docs/verdicts.md, "Which copy came first"):
 * each rule at both sides of its threshold. The receiver is 20 ms away. */
#include "talk.h"

enum { WAY_US = 20000, HALF_US = 10000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = 4000000 };

static struct talk *begin(bool reports_duplicates)
{
    struct talk *talk = talk_new();
    shake_hands(talk, SENDER_US, WAY_US, false);
    for (uint32_t i = 1; i <= 8; i++) {
        data(talk, 1000000 + i * 100000, i);
        sack(talk, 1000000 + i * 100000 + WAY_US, i, "");
    }
    if (reports_duplicates) {
        data(talk, 2000000, 8);
        sack(talk, 2000000 + WAY_US, 8, "d8");
    }
    return talk;
}

/* TSN 9 goes out twice; its acknowledgement comes so long after the second copy. */
static void check_twice(int64_t after_us, const char *dups, bool reports, const char *first, const char *second)
{
    struct talk *talk = begin(reports);
    data(talk, AT_US, 9);
    data(talk, AGAIN_US, 9);
    sack(talk, AGAIN_US + after_us, 9, dups);
    judge(talk);
    check_sent(talk, 9, 1, first);
    check_sent(talk, 9, 2, second);
    talk_free(talk);
}

/* 20 us, for clocks and hosts. */
static void what_is_acknowledged_before_a_loop_was_acknowledged_for_the_copy_before(void **state)
{
    (void)state;
    check_twice(WAY_US - 20, "", false, "original acked/2 by 23",
                "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 23");
    check_twice(WAY_US - 21, "", false, "original acked/4 by 23", "retransmission t3/4 spurious/4 S9 K6 acked/2 by 23");
}

static void within_half_a_loop_that_is_clear_and_with_a_duplicate_report_certain(void **state)
{
    (void)state;
    check_twice(WAY_US / 2, "", false, "original acked/4 by 23", "retransmission t3/4 spurious/4 S9 K6 acked/2 by 23");
    check_twice(WAY_US / 2 - 1, "", false, "original acked/4 by 23",
                "retransmission t3/4 spurious/4 S8 K6 acked/2 by 23");
    check_twice(WAY_US / 2 - 1, "d9", false, "original acked/5 by 23",
                "retransmission t3/4 spurious/5 S3 S8 K6 acked/4 by 23");
    check_twice(WAY_US / 2, "d9", false, "original acked/4 by 23",
                "retransmission t3/4 spurious/4 S3 S9 K6 acked/4 by 23");
}

static void a_receiver_that_reports_duplicates_and_reports_none_had_one_copy(void **state)
{
    (void)state;
    check_twice(WAY_US, "", true, "original lost/4 by 25", "retransmission t3/4 needed/4 S10 K6 acked/4 by 25");
    check_twice(WAY_US, "d9", true, "original acked/4 by 25", "retransmission t3/4 spurious/4 S3 K6 acked/4 by 25");
}

/* 200 ms of SACK.Delay (RFC 9260 section 16) and a quarter. */
static void what_comes_later_than_a_receiver_may_wait_is_no_answer_to_the_last_copy(void **state)
{
    (void)state;
    check_twice(WAY_US + 250000, "", true, "original lost/4 by 25",
                "retransmission t3/4 needed/4 S10 K6 acked/4 by 25");
    check_twice(WAY_US + 250001, "", true, "original acked/3 by 25",
                "retransmission t3/4 spurious/3 S12 K6 lost/3 by 25");
}

/* Of n copies with d reports d + 1 came (RFC 3708 section 4). */
static void of_several_copies_reports_count_how_many_came(void **state)
{
    (void)state;
    const char *const dups[] = {"d9", "d9 d9", "d9 d9 d9"};
    const char *const said[][4] = {
        {"original acked/2 by 27", "retransmission t3/4 undetermined/2 S5 K5 acked/2 by 27",
         "retransmission t3/4 undetermined/2 S5 K5 acked/2 by 27",
         "retransmission t3/4 spurious/4 S5 K6 acked/3 by 27"},
        {"original acked/2 by 27", "retransmission t3/4 undetermined/2 S5 K5 acked/2 by 27",
         "retransmission t3/4 spurious/4 S5 K5 acked/3 by 27", "retransmission t3/4 spurious/4 S5 K6 acked/3 by 27"},
        {"original acked/4 by 27", "retransmission t3/4 spurious/4 S4 K5 acked/4 by 27",
         "retransmission t3/4 spurious/4 S4 K5 acked/4 by 27", "retransmission t3/4 spurious/4 S4 K6 acked/4 by 27"},
    };
    for (int i = 0; i < 3; i++) {
        struct talk *talk = begin(true);
        for (uint32_t copy = 0; copy < 4; copy++)
            data(talk, AT_US + ((1 << copy) - 1) * 1000000, 9);
        sack(talk, AT_US + 7000000 + WAY_US, 9, dups[i]);
        judge(talk);
        for (uint32_t copy = 0; copy < 4; copy++)
            check_sent(talk, 9, copy + 1, said[i][copy]);
        talk_free(talk);
    }
}

static void what_is_sent_after_its_acknowledgement_passed_is_spurious(void **state)
{
    (void)state;
    for (int middle = 0; middle < 2; middle++) {
        struct talk *talk = talk_new();
        int64_t sender_us = middle ? HALF_US : SENDER_US;
        shake_hands(talk, sender_us, HALF_US, false);
        warm_up(talk, 8, HALF_US);
        data(talk, AT_US, 9);
        sack(talk, AT_US + HALF_US, 9, "");
        data(talk, AT_US + HALF_US + 1000, 9);
        judge(talk);
        check_sent(talk, 9, 2,
                   middle ? "retransmission t3/3 spurious/5 S2 acked/2 by 22"
                          : "retransmission unknown/1 spurious/5 S17 acked/2 by 22");
        talk_free(talk);
    }
}

/* A copy that others overtook further than the network reorders was lost (S20). */
static void what_was_overtaken_was_lost(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct talk *talk = begin(false);
        flight(talk, AT_US, 9, 2, 1000);
        sack(talk, AT_US + 1000 + WAY_US, first ? 9 : 8, first ? "" : "10");
        data(talk, AGAIN_US, first ? 10 : 9);
        sack(talk, AGAIN_US + WAY_US, 10, "");
        judge(talk);
        if (first)
            check_sent(talk, 10, 2, "retransmission t3/4 undetermined/2 S11 K6 acked/2 by 25");
        else
            check_sent(talk, 9, 2, "retransmission t3/3 needed/4 K6 acked/4 by 25");
        check_sent(talk, first ? 10 : 9, 1, first ? "original acked/2 by 25" : "original lost/4 by 25");
        talk_free(talk);
    }
}

/* TSN 9 is overtaken by so much, and comes; then 11, by so much more. A quarter more is allowed for. */
static void a_network_that_reorders_so_far_may_do_so_again(void **state)
{
    (void)state;
    const int64_t more_us[] = {12500, 12501};
    for (int i = 0; i < 2; i++) {
        struct talk *talk = begin(false);
        flight(talk, AT_US, 9, 2, 10000);
        sack(talk, AT_US + 10000 + WAY_US, 8, "10");
        sack(talk, AT_US + 10100 + WAY_US, 10, "");
        data(talk, AT_US + 500000, 11);
        data(talk, AT_US + 500000 + more_us[i], 12);
        sack(talk, AT_US + 500000 + more_us[i] + WAY_US, 10, "12");
        data(talk, AT_US + 1500000, 11);
        sack(talk, AT_US + 1500000 + WAY_US, 12, "");
        judge(talk);
        check_sent(talk, 11, 2,
                   i == 0 ? "retransmission t3/3 undetermined/2 S11 K6 acked/2 by 29"
                          : "retransmission t3/3 needed/3 K6 acked/3 by 29");
        talk_free(talk);
    }
}

/* RFC 9260 section 6.8; section 6.2; draft-stewart-tsvwg-sctp-pktdrprep. */
static void what_the_receiver_did_not_take_was_not_the_first(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        struct talk *talk = begin(false);
        talk->a_rwnd = how == 1 ? 999 : TALK_WINDOW;
        talk->broken = how == 0;
        data(talk, AT_US, 9);
        talk->broken = false;
        if (how == 1)
            sack(talk, AT_US + WAY_US + 20, 8, "");
        if (how == 2)
            packet_drop(talk, AT_US + WAY_US, 9);
        talk->a_rwnd = TALK_WINDOW;
        data(talk, AGAIN_US, 9);
        sack(talk, AGAIN_US + WAY_US, 9, "");
        judge(talk);
        const char *second[] = {"retransmission t3/4 needed/4 K6 acked/4 by 23",
                                "retransmission zero_window_probe/4 needed/4 S21 K12 acked/4 by 24",
                                "retransmission t3/4 needed/4 K6 acked/4 by 24"};
        check_sent(talk, 9, 2, second[how]);
        talk_free(talk);
    }
}

/* The acknowledgement before was made when the copy had come, and room for all of it is enough. */
static void a_window_is_closed_where_it_is_smaller_than_the_chunk(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        struct talk *talk = begin(false);
        data(talk, AT_US, 9);
        talk->a_rwnd = how == 0 ? 1000 : 999;
        sack(talk, AT_US + WAY_US + (how == 1 ? 19 : 20), 8, "");
        talk->a_rwnd = TALK_WINDOW;
        data(talk, AT_US + 500000, 9);
        sack(talk, AT_US + 500000 + WAY_US, 9, "");
        judge(talk);
        check_sent(talk, 9, 1, how == 2 ? "original lost/4 by 24" : "original acked/2 by 24");
        talk_free(talk);
    }
}

/* dcSCTP's receiver. An answer would have come within 500 ms, and 50 for what hosts take; or it was lost behind a tap
 * that is not at the receiver. */
static void what_meets_a_closed_window_and_is_not_answered_was_thrown_away(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct talk *talk = begin(false);
        talk->a_rwnd = 999;
        sack(talk, AT_US - 100000, 8, "");
        data(talk, AT_US, 9);
        data(talk, AT_US + 550000 - WAY_US / 2 + late, 9);
        talk->a_rwnd = TALK_WINDOW;
        sack(talk, AT_US + 550000 + WAY_US + late, 9, "");
        judge(talk);
        check_sent(talk, 9, 1, late ? "original lost/3 by 24" : "original acked/2 by 24");
        check_sent(talk, 9, 2,
                   late ? "retransmission zero_window_probe/4 needed/3 S21 K12 acked/3 by 24"
                        : "retransmission zero_window_probe/4 undetermined/2 S11 K12 acked/2 by 24");
        talk_free(talk);
    }
}

static struct talk *begin_at_the_receiver(void)
{
    struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_RECEIVER});
    shake_hands(talk, WAY_US, SENDER_US, false);
    for (uint32_t i = 1; i <= 8; i++) {
        data(talk, 1000000 + i * 100000, i);
        sack(talk, 1000000 + i * 100000 + SENDER_US, i, "");
    }
    return talk;
}

static void at_its_own_tap_what_the_receiver_is_silent_on_was_thrown_away(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct talk *talk = begin_at_the_receiver();
        data(talk, AT_US, 9);
        sack(talk, AT_US + 550000 + SENDER_US + late, 8, "");
        data(talk, AGAIN_US, 9);
        sack(talk, AGAIN_US + SENDER_US, 9, "");
        judge(talk);
        check_sent(talk, 9, 1, late ? "original lost/4 by 24" : "original acked/5 by 24");
        check_sent(talk, 9, 2,
                   late ? "retransmission t3/4 needed/4 S1 S21 K6 acked/5 by 24"
                        : "retransmission t3/4 spurious/5 S1 K6 acked/5 by 24");
        talk_free(talk);
    }
}

/* Before its first SACK nothing says that there is room, as where a capture begins at a closed window. */
static void before_its_first_word_the_receiver_may_have_no_room(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct talk *talk = talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_RECEIVER});
        shake_hands(talk, WAY_US, SENDER_US, false);
        data(talk, AT_US, 1);
        data(talk, AT_US + 550000, 1);
        sack(talk, AT_US + 550000 + SENDER_US + late, 1, "");
        judge(talk);
        check_sent(talk, 1, 1, late ? "original lost/4 by 7" : "original acked/5 by 7");
        talk_free(talk);
    }
}

/* It has no room for one more block: what lies above the last it does not tell. */
static void what_lies_above_its_blocks_the_receiver_is_not_silent_on(void **state)
{
    (void)state;
    for (uint32_t tsn = 10; tsn <= 12; tsn += 2) {
        struct talk *talk = begin_at_the_receiver();
        data(talk, AT_US - 100, 11);
        data(talk, AT_US, tsn);
        sack(talk, AT_US + SENDER_US, 8, "11");
        sack(talk, AT_US + 600000, 8, "11");
        data(talk, AGAIN_US, tsn);
        sack(talk, AGAIN_US + SENDER_US, 8, tsn == 10 ? "10-11" : "11-12");
        judge(talk);
        check_sent(talk, tsn, 1, tsn == 10 ? "reordered lost/4 by 26" : "original acked/5 by 26");
        talk_free(talk);
    }
}

static void where_two_copies_met_a_closed_window_in_time_nobody_knows(void **state)
{
    (void)state;
    struct talk *talk = begin_at_the_receiver();
    talk->a_rwnd = 0;
    sack(talk, AT_US - 100000, 8, "");
    data(talk, AT_US, 9);
    data(talk, AT_US + 300000, 9);
    talk->a_rwnd = TALK_WINDOW;
    sack(talk, AT_US + 300000 + SENDER_US, 9, "");
    judge(talk);
    check_sent(talk, 9, 2, "retransmission zero_window_probe/3 undetermined/2 S11 K12 acked/2 by 24");
    talk_free(talk);
}

/* usrsctp rebuilds a SACK that waits, when its list of duplicates is empty again. */
static void of_copies_within_a_millisecond_there_may_be_no_report(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct talk *talk = begin(true);
        data(talk, AT_US, 9);
        data(talk, AT_US + 1000 + late, 9);
        sack(talk, AT_US + WAY_US, 9, "");
        judge(talk);
        check_sent(talk, 9, 2,
                   late ? "retransmission unknown/1 spurious/4 S9 lost/3 by 25"
                        : "retransmission unknown/1 spurious/4 S9 acked/2 by 25");
        talk_free(talk);
    }
}

/* RFC 3708 section 5: where the network repeats packets a report may be of its copy. */
static void where_the_network_repeats_packets_reports_are_less_sure(void **state)
{
    (void)state;
    for (int repeats = 0; repeats < 2; repeats++) {
        struct talk *talk = begin(false);
        data(talk, 2500000, 9);
        sack(talk, 2500000 + WAY_US, 9, "");
        sack(talk, 2510000 + WAY_US, 9, repeats ? "d9" : "");
        data(talk, AT_US, 10);
        data(talk, AGAIN_US, 10);
        sack(talk, AGAIN_US + WAY_US, 10, "d10");
        judge(talk);
        check_sent(talk, 10, 2,
                   repeats ? "retransmission t3/4 spurious/3 S3 K6 acked/4 by 26"
                           : "retransmission t3/4 spurious/4 S3 K6 acked/4 by 26");
        talk_free(talk);
    }
}

/* 200 ms: no timer of any stack is shorter, but where telephony sets it, to 100 ms at least. A sender that counts its
 * packets tells by the count. Where the first copy
 * ends a silence as long as a timer, both may have been held up on the way. */
static void what_the_network_may_have_repeated_is_not_surely_sent_again(void **state)
{
    (void)state;
    static const struct {
        int64_t at_us, after_us;
        uint16_t ip_id;
        const char *again;
    } ways[] = {
        {1900000, 99999, 0, "retransmission unknown/1 spurious/2 S2 acked/5 by 22"},
        {1900000, 100000, 0, "retransmission t3/3 spurious/2 S2 acked/5 by 22"},
        {AT_US, 199999, 0, "retransmission t3/3 spurious/2 S2 acked/5 by 22"},
        {AT_US, 200000, 0, "retransmission t3/3 spurious/5 S2 acked/5 by 22"},
        {AT_US, 199999, 500, "retransmission t3/3 spurious/5 S2 acked/5 by 22"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct talk *talk = begin_at_the_receiver();
        talk->ip_id[A] = ways[i].ip_id;
        data(talk, ways[i].at_us, 9);
        sack(talk, ways[i].at_us + SENDER_US, 9, "");
        data(talk, ways[i].at_us + ways[i].after_us, 9);
        judge(talk);
        check_sent(talk, 9, 2, ways[i].again);
        talk_free(talk);
    }
}

/* On the way to the sender's tap nothing is repeated. */
static void at_the_senders_tap_the_network_repeats_nothing(void **state)
{
    (void)state;
    struct talk *talk = begin(false);
    talk->ip_id[A] = 0;
    data(talk, AT_US, 9);
    sack(talk, AT_US + WAY_US, 9, "");
    data(talk, AT_US + 2 * WAY_US, 9);
    judge(talk);
    check_sent(talk, 9, 2, "retransmission unknown/1 spurious/5 S17 acked/2 by 22");
    talk_free(talk);
}

enum { FAST = 2, SLOW = 4, SLOW_WAY_US = 300000 };

/* The receiver has a second address, which is as far as that: three answers over each path tell, or one HEARTBEAT. */
static struct talk *begin_with_two_paths(bool by_heartbeat)
{
    struct talk *talk = begin(true);
    talk->address[B] = SLOW;
    if (by_heartbeat) {
        heartbeat(talk, 2100000, A, false, 77);
        heartbeat(talk, 2100000 + SLOW_WAY_US, B, true, 77);
    }
    for (uint32_t i = 0; i < 3 && !by_heartbeat; i++) {
        data(talk, 2100000 + i * 10000, 9 + i);
        sack(talk, 2100000 + i * 10000 + SLOW_WAY_US, 9 + i, "");
    }
    return talk;
}

/* 200 ms of SACK.Delay and a quarter, after the loop of the path that it took. */
static void an_answer_comes_when_the_path_of_its_copy_has_it_come(void **state)
{
    (void)state;
    const char *said[2][2] = {
        {"retransmission t3/4 needed/4 S10 K16 acked/4 by 31", "retransmission t3/4 spurious/3 S12 K16 lost/3 by 31"},
        {"retransmission t3/4 needed/4 S10 K16 acked/4 by 27", "retransmission t3/4 spurious/3 S12 K16 lost/3 by 27"}};
    for (int by_heartbeat = 0; by_heartbeat < 2; by_heartbeat++) {
        for (int late = 0; late < 2; late++) {
            struct talk *talk = begin_with_two_paths(by_heartbeat);
            talk->address[B] = FAST;
            data(talk, AT_US, 12);
            talk->address[B] = SLOW;
            data(talk, AGAIN_US, 12);
            sack(talk, AGAIN_US + SLOW_WAY_US + 250000 + late, 12, "");
            judge(talk);
            check_sent(talk, 12, 2, said[by_heartbeat][late]);
            talk_free(talk);
        }
    }
}

/* Of a path that showed nothing nobody knows when its answers come. */
static void of_a_path_that_shows_no_loop_nobody_knows(void **state)
{
    (void)state;
    struct talk *talk = begin(true);
    data(talk, AT_US, 9);
    talk->address[B] = SLOW;
    data(talk, AGAIN_US, 9);
    sack(talk, AGAIN_US + WAY_US, 9, "");
    judge(talk);
    check_sent(talk, 9, 2, "retransmission t3/4 undetermined/2 S11 K16 acked/2 by 25");
    talk_free(talk);
}

/* RTO.Initial: a path that takes longer cannot be used. */
static void a_path_that_shows_no_loop_takes_a_second_at_most(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct talk *talk = begin(true);
        talk->address[B] = SLOW;
        data(talk, AT_US, 9);
        talk->address[B] = FAST;
        data(talk, AT_US + 1000000 - WAY_US + more, 10);
        sack(talk, AT_US + 1000000 + more, 8, "10");
        data(talk, AT_US + 1100000, 9);
        sack(talk, AT_US + 1100000 + WAY_US, 10, "d9");
        judge(talk);
        check_sent(talk, 9, 2,
                   more ? "retransmission t3/2 needed/4 S3 K16 acked/4 by 27"
                        : "retransmission t3/2 spurious/4 S3 K16 acked/4 by 27");
        talk_free(talk);
    }
}

/* What is sent later over a faster path comes sooner: that is no reordering, and the copy before was not lost. */
static void what_takes_a_slower_path_is_overtaken_by_as_much(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        struct talk *talk = begin_with_two_paths(false);
        data(talk, AT_US, 12);
        talk->address[B] = FAST;
        data(talk, AT_US + SLOW_WAY_US - WAY_US + more, 13);
        sack(talk, AT_US + SLOW_WAY_US + more, 11, "13");
        data(talk, AT_US + SLOW_WAY_US + 100000, 12);
        sack(talk, AT_US + SLOW_WAY_US + 100000 + WAY_US, 13, "d12");
        judge(talk);
        check_sent(talk, 12, 2,
                   more ? "retransmission t3/3 needed/4 S3 acked/4 by 33"
                        : "retransmission t3/3 spurious/4 S3 acked/4 by 33");
        talk_free(talk);
    }
}

/* Nothing that comes later tells of it. */
static void what_is_never_acknowledged_stays_open(void **state)
{
    (void)state;
    for (int given_up = 0; given_up < 2; given_up++) {
        struct talk *talk = begin(false);
        data(talk, AT_US, 9);
        data(talk, AGAIN_US, 9);
        if (given_up)
            forward_tsn(talk, AGAIN_US + 100000, 9);
        judge(talk);
        check_sent(talk, 9, 1, given_up ? "original abandoned/1" : "original unresolved/1");
        check_sent(talk, 9, 2,
                   given_up ? "retransmission t3/4 undetermined/2 K6 abandoned/1"
                            : "retransmission t3/4 undetermined/2 K6 unresolved/1");
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_acknowledged_before_a_loop_was_acknowledged_for_the_copy_before),
        cmocka_unit_test(within_half_a_loop_that_is_clear_and_with_a_duplicate_report_certain),
        cmocka_unit_test(a_receiver_that_reports_duplicates_and_reports_none_had_one_copy),
        cmocka_unit_test(what_comes_later_than_a_receiver_may_wait_is_no_answer_to_the_last_copy),
        cmocka_unit_test(of_several_copies_reports_count_how_many_came),
        cmocka_unit_test(what_is_sent_after_its_acknowledgement_passed_is_spurious),
        cmocka_unit_test(what_was_overtaken_was_lost),
        cmocka_unit_test(a_network_that_reorders_so_far_may_do_so_again),
        cmocka_unit_test(what_the_receiver_did_not_take_was_not_the_first),
        cmocka_unit_test(a_window_is_closed_where_it_is_smaller_than_the_chunk),
        cmocka_unit_test(what_meets_a_closed_window_and_is_not_answered_was_thrown_away),
        cmocka_unit_test(at_its_own_tap_what_the_receiver_is_silent_on_was_thrown_away),
        cmocka_unit_test(before_its_first_word_the_receiver_may_have_no_room),
        cmocka_unit_test(what_lies_above_its_blocks_the_receiver_is_not_silent_on),
        cmocka_unit_test(where_two_copies_met_a_closed_window_in_time_nobody_knows),
        cmocka_unit_test(of_copies_within_a_millisecond_there_may_be_no_report),
        cmocka_unit_test(where_the_network_repeats_packets_reports_are_less_sure),
        cmocka_unit_test(what_the_network_may_have_repeated_is_not_surely_sent_again),
        cmocka_unit_test(at_the_senders_tap_the_network_repeats_nothing),
        cmocka_unit_test(an_answer_comes_when_the_path_of_its_copy_has_it_come),
        cmocka_unit_test(of_a_path_that_shows_no_loop_nobody_knows),
        cmocka_unit_test(a_path_that_shows_no_loop_takes_a_second_at_most),
        cmocka_unit_test(what_takes_a_slower_path_is_overtaken_by_as_much),
        cmocka_unit_test(what_is_never_acknowledged_stays_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
