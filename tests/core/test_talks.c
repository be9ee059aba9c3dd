/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole conversations and all that is said of them: talks/NAME.rows. What changes in a rule shows there, row by row. */
#include "talk_text.h"
#include "taps_of_talk.h"

/* TSN 9 of seven is lost; each of the others is acknowledged, and with the third missing report it is sent again. */
static void lose_one(struct talk *talk, int64_t loop_us, int64_t reacts_us)
{
    flight(talk, 3000000, 9, 7, 1000);
    for (uint32_t i = 1; i < 7; i++) {
        char blocks[16];
        snprintf(blocks, sizeof blocks, "10-%u", 9 + i);
        if (i == 4)
            data(talk, 3003000 + loop_us + reacts_us, 9);
        sack(talk, 3000000 + i * 1000 + loop_us, 8, blocks);
    }
    sack(talk, 3003000 + 2 * loop_us + reacts_us, 15, "");
}

static void three_missing_reports_send_again(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    lose_one(talk, WAY_US, 50);
    check_all(talk, "three_missing_reports_send_again");
    talk = in_the_middle(false);
    lose_one(talk, HALF_US, HALF_US);
    check_all(talk, "three_missing_reports_send_again_in_the_middle");
    talk = at_sender(true);
    lose_one(talk, WAY_US, 50);
    check_all(talk, "three_missing_reports_send_again_of_pion");
}

/* 9 and 10 are lost and have their third missing report at once. pion before RACK sends what fits in one packet, and
 * the rest when the cumulative TSN advances (gatherOutboundFastRetransmissionPackets). */
static void pion_sends_one_packet_of_what_is_missing(void **state)
{
    (void)state;
    struct talk *talk = at_sender(true);
    for (uint32_t round = 0; round < 3; round++) {
        uint32_t tsn = 9 + 7 * round;
        int64_t at_us = 3000000 + round * 1000000, third_us = at_us + 4000 + WAY_US;
        flight(talk, at_us, tsn, 7, 1000);
        for (uint32_t i = 2; i < 5; i++) {
            char blocks[24];
            snprintf(blocks, sizeof blocks, "%u-%u", tsn + 2, tsn + i);
            sack(talk, at_us + i * 1000 + WAY_US, tsn - 1, blocks);
        }
        data(talk, third_us + 50, tsn);
        char blocks[24];
        snprintf(blocks, sizeof blocks, "%u-%u", tsn + 2, tsn + 6);
        sack(talk, third_us + 50 + WAY_US, tsn, blocks);
        data(talk, third_us + 100 + WAY_US, tsn + 1);
        sack(talk, third_us + 100 + 2 * WAY_US, tsn + 6, "");
    }
    check_all(talk, "pion_sends_one_packet_of_what_is_missing");
}

static void a_probe_finds_the_lost_tail(void **state)
{
    (void)state;
    struct talk *talk = at_sender(true);
    flight(talk, 3000000, 9, 4, 100);
    sack(talk, 3000100 + WAY_US, 10, "");
    data(talk, 3000300 + WAY_US + 3 * WAY_US + 2000, 12);
    sack(talk, 3000300 + WAY_US + 4 * WAY_US + 2000, 10, "12");
    data(talk, 3000300 + WAY_US + 4 * WAY_US + 2050, 11);
    sack(talk, 3000300 + WAY_US + 5 * WAY_US + 2050, 12, "");
    check_all(talk, "a_probe_finds_the_lost_tail");
    for (int pto_us = 2 * WAY_US; pto_us <= 2 * WAY_US + 205000; pto_us += 41000) {
        char name[64];
        talk = at_sender(true);
        flight(talk, 3000000, 9, 2, 100);
        data(talk, 3000100 + pto_us, 10);
        sack(talk, 3000100 + pto_us + WAY_US, 10, pto_us > 100000 ? "d10" : "");
        snprintf(name, sizeof name, "a_probe_after_%d_us", pto_us);
        check_all(talk, name);
    }
}

static void rack_marks_at_acknowledgements_and_by_its_timer(void **state)
{
    (void)state;
    struct talk *talk = talk_told((struct sr_told){.profile = 1 + SR_PROFILE_RFC8985});
    shake_hands(talk, SENDER_US, WAY_US, false);
    warm_up(talk, MANY, WAY_US);
    flight(talk, 3000000, 9, 6, 4000);
    sack(talk, 3004000 + WAY_US, 8, "10");
    data(talk, 3004000 + WAY_US + 5050, 9); /* the reordering timer */
    sack(talk, 3008000 + WAY_US, 8, "10-11");
    sack(talk, 3016000 + WAY_US, 8, "10-11 13");
    sack(talk, 3020000 + WAY_US, 8, "10-11 13-14");
    data(talk, 3020050 + WAY_US, 12);
    sack(talk, 3004000 + 2 * WAY_US + 5050, 11, "13-14");
    sack(talk, 3020050 + 2 * WAY_US, 14, "");
    flight(talk, 3200000, 15, 3, 100);
    data(talk, 3200200 + 3 * WAY_US, 18); /* a probe with new data */
    sack(talk, 3200200 + 4 * WAY_US, 14, "18");
    flight(talk, 3200250 + 4 * WAY_US, 15, 3, 100);
    sack(talk, 3200450 + 5 * WAY_US, 18, "");
    check_all(talk, "rack_marks_at_acknowledgements_and_by_its_timer");
}

static void a_receiver_takes_back_what_it_had(void **state)
{
    (void)state;
    for (int promised = 0; promised < 2; promised++) {
        struct talk *talk = at_sender(false);
        flight(talk, 3000000, 9, 5, 1000);
        sack(talk, 3002000 + WAY_US, 8, promised ? "n10-11" : "10-11");
        sack(talk, 3004000 + WAY_US, 8, promised ? "n10-13" : "10-13");
        sack(talk, 3006000 + WAY_US, 8, promised ? "n10" : "10");
        sack(talk, 3007000 + WAY_US, 8, promised ? "n10" : "10");
        data(talk, 3007100 + WAY_US, 9);
        flight(talk, 3100000, 11, 3, 1000);
        sack(talk, 3007100 + 2 * WAY_US, 10, "");
        sack(talk, 3102000 + WAY_US, 13, "");
        data(talk, 3200000, 14);
        data(talk, 3300000, 14);
        sack(talk, 3200000 + WAY_US, 14, "");
        sack(talk, 3300000 + WAY_US, 14, "d14");
        check_all(talk, promised ? "a_receiver_breaks_its_promise" : "a_receiver_takes_back_what_it_had");
    }
}

static void late_and_full_sacks_take_nothing_back(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    flight(talk, 3000000, 9, 20, 100);
    sack(talk, 3000100 + WAY_US, 8, "10");
    sack(talk, 3000300 + WAY_US, 8, "10-12");
    sack(talk, 3000200 + WAY_US + 300, 8, "10-11"); /* overtaken */
    sack(talk, 3000400 + WAY_US + 300, 8, "10-13");
    sack(talk, 3001400 + WAY_US, 8, "10-13 15 17 19 21 23");
    sack(talk, 3001500 + WAY_US, 8, "10-13 15 17 19 21 23");
    sack(talk, 3001600 + WAY_US, 8, "10-13 15 17 19 20-21 23");
    sack(talk, 3001800 + WAY_US, 8, "9-9 10-13 15 17 19");
    sack(talk, 3001900 + WAY_US, 13, "15 17 19 21 23 25");
    flight(talk, 3300000, 9, 20, 100);
    sack(talk, 3302000 + WAY_US, 28, "");
    sack(talk, 3303000 + WAY_US, 20, "");
    check_all(talk, "late_and_full_sacks_take_nothing_back");
}

static void what_the_sender_gives_up(void **state)
{
    (void)state;
    for (int arrives = 0; arrives < 2; arrives++) {
        struct talk *talk = at_sender(false);
        flight(talk, 3000000, 9, 6, 1000);
        sack(talk, 3005000 + WAY_US, 8, "11 13-14");
        data(talk, 3006000 + WAY_US, 9);
        forward_tsn(talk, 3100000, 10);
        if (arrives)
            sack(talk, 3090000 + WAY_US, 8, "10-11 13-14");
        sack(talk, 3100000 + WAY_US, 11, "13-14");
        forward_tsn(talk, 3200000, 9);
        forward_tsn(talk, 3200100, 14);
        data(talk, 3200200, 12);
        sack(talk, 3200200 + WAY_US, 14, arrives ? "d12" : "");
        forward_tsn(talk, 3300000, 18);
        data(talk, 3300100, 16);
        data(talk, 3300200, 19);
        sack(talk, 3300200 + WAY_US, 19, "");
        check_all(talk, arrives ? "what_the_sender_gives_up_and_came" : "what_the_sender_gives_up");
    }
}

static void a_packet_drop_names_what_is_sent_again(void **state)
{
    (void)state;
    struct talk *talk = in_the_middle(false);
    flight(talk, 3000000, 9, 3, 1000);
    packet_drop(talk, 3000000 + HALF_US, 9);
    sack(talk, 3001000 + HALF_US, 8, "10");
    data(talk, 3000000 + 2 * HALF_US + 100, 9);
    sack(talk, 3002000 + HALF_US, 8, "10-11");
    sack(talk, 3000100 + 3 * HALF_US, 11, "");
    check_all(talk, "a_packet_drop_names_what_is_sent_again");
}

static void a_closed_window_is_probed(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    data(talk, 3000000, 9);
    talk->a_rwnd = 0;
    sack(talk, 3000000 + WAY_US, 9, "");
    data(talk, 3000100 + WAY_US, 10);
    sack(talk, 3000100 + 2 * WAY_US, 9, "");
    data(talk, 4000100 + WAY_US, 10);
    sack(talk, 4000100 + 2 * WAY_US, 9, "");
    data(talk, 6000100 + WAY_US, 10);
    talk->a_rwnd = TALK_WINDOW;
    sack(talk, 6000100 + 2 * WAY_US, 10, "");
    talk->a_rwnd = 0;
    sack(talk, 6100100 + 2 * WAY_US, 10, "");
    sack(talk, 6200100 + 2 * WAY_US, 10, "");
    check_all(talk, "a_closed_window_is_probed");
}

static void both_sides_send_over_two_paths(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    heartbeat(talk, 2500000, A, false, 77);
    heartbeat(talk, 2500000 + WAY_US, B, true, 77);
    heartbeat(talk, 2600000, B, false, 78);
    heartbeat(talk, 2600300, A, true, 78);
    for (int i = 0; i < 4; i++) {
        data_of(talk, 3000000 + i * 50000, B, 1000 + (uint32_t)i, 1);
        sack_of(talk, 3000300 + i * 50000, A, 1000 + (uint32_t)i, "");
    }
    data_of(talk, 3300000, B, 1005, 1);
    sack_of(talk, 3300300, A, 1003, "1005");
    data_of(talk, 3310000, B, 1004, 1);
    sack_of(talk, 3310300, A, 1005, "");
    flight(talk, 3500000, 9, 4, 1000);
    sack(talk, 3501000 + WAY_US, 8, "10");
    talk->address[A] = 3;
    talk->address[B] = 4;
    for (uint32_t i = 0; i < 4; i++)
        heartbeat(talk, 3600000 + i * 1000000, A, false, 90 + i);
    data(talk, 7500000, 9);
    sack(talk, 7500000 + WAY_US, 10, "");
    data(talk, 7600000, 11);
    data(talk, 7600100, 12);
    sack(talk, 7600100 + WAY_US, 12, "");
    check_all(talk, "both_sides_send_over_two_paths");
}

/* What is overtaken before the tap of the receiver. */
static void what_comes_late_was_not_lost(void **state)
{
    (void)state;
    struct talk *talk = at_receiver(false);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t tsn = 9 + 4 * i;
        int64_t at_us = 3000000 + i * 200000;
        data(talk, at_us, tsn + 1);
        sack(talk, at_us + SENDER_US, tsn - 1, i == 1 ? "14 18 22" : i == 3 ? "22" : "");
        data(talk, at_us + 1000 + i * 700, tsn);
        sack(talk, at_us + 1000 + i * 700 + SENDER_US, tsn + 1, "");
        data(talk, at_us + 50000, tsn + 3);
        sack(talk, at_us + 50000 + SENDER_US, tsn + 1, "");
        data(talk, at_us + 50000 + 3 * WAY_US, tsn + 2);
        sack(talk, at_us + 50000 + 3 * WAY_US + SENDER_US, tsn + 3, "");
    }
    check_all(talk, "what_comes_late_was_not_lost");
}

static void what_the_capture_repeats(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    data(talk, 3000000, 9);
    talk->id[A]--;
    data(talk, 3000010, 9);
    data(talk, 3000100, 10);
    talk->id[A]--;
    data(talk, 3006100, 10);
    sack(talk, 3000100 + WAY_US, 10, "");
    sack(talk, 3006100 + WAY_US, 10, "d10");
    data(talk, 3100000, 12);
    data(talk, 3100100, 11);
    sack(talk, 3100000 + WAY_US, 10, "12");
    talk->broken = true;
    data(talk, 3200000, 13);
    talk->broken = false;
    data(talk, 3300000, 13);
    sack(talk, 3300000 + WAY_US, 13, "");
    check_all(talk, "what_the_capture_repeats");
}

static void a_capture_begins_in_the_middle(void **state)
{
    (void)state;
    for (int hops = 0; hops < 2; hops++) {
        struct talk *talk = talk_new();
        talk->hop_limit[A] = hops ? 64 : 0;
        talk->hop_limit[B] = hops ? 60 : 0;
        sack(talk, 0, 40, "43-44");
        data(talk, 1000, 42);
        data(talk, 2000, 45);
        sack(talk, 1000 + WAY_US, 40, "42-44");
        sack(talk, 2000 + WAY_US, 40, "42-45");
        data(talk, 2100 + WAY_US, 41);
        sack(talk, 2100 + 2 * WAY_US, 45, "");
        for (uint32_t i = 0; i < 5; i++) {
            int64_t at_us = 500000 + i * 300000;
            uint32_t tsn = 46 + 6 * i;
            char blocks[3][16];
            flight(talk, at_us, tsn, 6, 500);
            snprintf(blocks[0], sizeof blocks[0], "%u", tsn + 1);
            snprintf(blocks[1], sizeof blocks[1], "%u-%u", tsn + 1, tsn + 2);
            snprintf(blocks[2], sizeof blocks[2], "%u-%u", tsn + 1, tsn + 3);
            for (int j = 0; j < 3; j++)
                sack(talk, at_us + 500 * (j + 1) + WAY_US, tsn - 1, blocks[j]);
            data(talk, at_us + 1500 + WAY_US + 300, tsn);
            sack(talk, at_us + 1500 + 2 * WAY_US + 300, tsn + 5, i == 3 ? "d70" : "");
        }
        check_all(talk, hops ? "a_capture_begins_in_the_middle_at_the_sender" : "a_capture_begins_in_the_middle");
    }
}

static void the_tsns_are_numbered_anew(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    flight(talk, 3000000, 9, 3, 1000);
    sack(talk, 3002000 + WAY_US, 10, "");
    control(talk, 3100000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
    control(talk, 3100000 + WAY_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, 7000u);
    flight(talk, 3200000, 7000, 3, 1000);
    sack(talk, 3202000 + WAY_US, 6999, "7001-7002");
    data(talk, 4200000, 7000);
    sack(talk, 4200000 + WAY_US, 7002, "");
    flight(talk, 4300000, 900000, 3, 1000); /* and without a word */
    sack(talk, 4302000 + WAY_US, 900002, "");
    check_all(talk, "the_tsns_are_numbered_anew");
}

static void the_clock_steps(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    data(talk, 3000000, 9);
    sack(talk, 9000000, 9, "");
    data(talk, 9100000, 10);
    sack(talk, 9100000 + WAY_US, 10, "");
    data(talk, 9200000, 11);
    sack(talk, 9199000, 11, "");
    sack(talk, 9300000, 13, "");
    data(talk, 9300500, 12);
    data(talk, 9305000, 13);
    check_all(talk, "the_clock_steps");
}

static void feedback_claims_what_was_not_sent(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    data(talk, 3000000, 9);
    sack(talk, 3000000 + WAY_US, 11, "13");
    data(talk, 3100000, 10);
    sack(talk, 3100000 + WAY_US, 10, "");
    flight(talk, 3200000, 11, 3, 100);
    sack(talk, 3200000 + WAY_US, 16, "");
    data(talk, 4300000, 11);
    sack(talk, 4300000 + WAY_US, 16, "d11");
    data(talk, 4400000, 17);
    sack(talk, 4400000 + WAY_US, 17, "");
    check_all(talk, "feedback_claims_what_was_not_sent");
}

static void packets_with_data_alone(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    for (uint32_t i = 0; i < 6; i++) {
        data(talk, i * 700000, 1 + i);
        data_of(talk, i * 700000 + 1000, B, 1000 + i, 1);
    }
    data(talk, 4300000, 6);
    check_all(talk, "packets_with_data_alone");
}

static void a_tail_that_is_lost_before_the_tap(void **state)
{
    (void)state;
    struct talk *talk = at_receiver(false);
    talk->id[A] += 1; /* 9 is lost, and known to be */
    data(talk, 3000000, 10);
    sack(talk, 3000000 + SENDER_US, 8, "10");
    data(talk, 4000000, 9);
    sack(talk, 4000000 + SENDER_US, 10, "");
    flight(talk, 5000000, 11, 3, 100);
    sack(talk, 5000200 + SENDER_US, 13, "");
    talk->id[A] += 3; /* 14 to 16 */
    data(talk, 6100000, 14);
    sack(talk, 6100000 + SENDER_US, 14, "");
    data(talk, 6100000 + WAY_US, 15);
    data(talk, 6100100 + WAY_US, 16);
    sack(talk, 6100100 + WAY_US + SENDER_US, 16, "");
    data(talk, 7000000, 17);
    sack(talk, 7000000 + SENDER_US, 17, "");
    check_all(talk, "a_tail_that_is_lost_before_the_tap");
}

static void pion_answers_every_second_packet(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    shake_hands(talk, HALF_US, HALF_US, true);
    for (uint32_t i = 0; i < 6; i++) {
        flight(talk, 1000000 + i * 300000, 1 + 3 * i, 3, 100);
        sack(talk, 1000100 + i * 300000 + HALF_US, 2 + 3 * i, "");
        sack(talk, 1200200 + i * 300000 + HALF_US, 3 + 3 * i, "");
    }
    for (int copy = 0; copy < 2; copy++) {
        uint32_t tsn = 19 + 3 * (uint32_t)copy;
        int64_t at_us = 4000000 + copy * 3000000;
        data(talk, at_us, tsn);
        data(talk, at_us + 1000000, tsn);
        sack(talk, at_us + 1000000 + HALF_US + (copy ? 200000 : 0), tsn, "");
        flight(talk, at_us + 2000000, tsn + 1, 2, 100);
        sack(talk, at_us + 2000100 + HALF_US, tsn + 2, "");
    }
    check_all(talk, "pion_answers_every_second_packet");
}

static void what_is_told_is_taken(void **state)
{
    (void)state;
    const struct sr_told told[] = {
        {.vantage = 1 + SR_VANTAGE_SENDER, .profile = 1 + SR_PROFILE_LINUX},
        {.vantage = 1 + SR_VANTAGE_RECEIVER, .profile = 1 + SR_PROFILE_USRSCTP},
        {.vantage = 1 + SR_VANTAGE_MIDDLE, .loop = true, .loop_ns = 5000 * US, .profile = 1 + SR_PROFILE_DCSCTP},
        {.loop = true, .loop_ns = 0, .max_ack_delay = true, .max_ack_delay_ns = 0, .profile = 1 + SR_PROFILE_RFC8985},
        {.profile = 1 + SR_PROFILE_RFC9260},
        {.profile = 1 + SR_PROFILE_PION},
    };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        char name[64];
        struct talk *talk = talk_told(told[i]);
        shake_hands(talk, HALF_US, HALF_US, false);
        warm_up(talk, MANY, HALF_US);
        lose_one(talk, HALF_US, HALF_US);
        flight(talk, 5000000, 16, 4, 100);
        data(talk, 5400000, 16);
        sack(talk, 5400000 + HALF_US, 19, "d16");
        data_of(talk, 6000000, B, 1000, 1);
        sack_of(talk, 6000000 + HALF_US, A, 1000, "");
        snprintf(name, sizeof name, "what_is_told_is_taken_%zu", i);
        check_all(talk, name);
    }
}

static void a_path_becomes_too_narrow(void **state)
{
    (void)state;
    struct talk *talk = at_sender(false);
    flight(talk, 3000000, 9, 2, 1000);
    talk->fragmentable = true;
    data(talk, 3500000, 9);
    data(talk, 3500100, 10);
    sack(talk, 3500100 + WAY_US, 10, "");
    check_all(talk, "a_path_becomes_too_narrow");
}

static void copies_of_which_some_came(void **state)
{
    (void)state;
    const char *const dups[] = {"", "d9", "d9 d9"};
    for (int i = 0; i < 3; i++) {
        char name[64];
        struct talk *talk = in_the_middle(false);
        data_of(talk, 2500000, A, 9, 1);
        data(talk, 3500000, 9);
        data(talk, 5500000, 9);
        sack(talk, 5500000 + HALF_US, 9, dups[i]);
        data(talk, 5600000, 10);
        data(talk, 5600500, 10);
        sack(talk, 5600000 + HALF_US, 10, "");
        sack(talk, 5600500 + HALF_US, 10, "d10");
        snprintf(name, sizeof name, "copies_of_which_some_came_%d", i);
        check_all(talk, name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_missing_reports_send_again),
        cmocka_unit_test(pion_sends_one_packet_of_what_is_missing),
        cmocka_unit_test(a_probe_finds_the_lost_tail),
        cmocka_unit_test(rack_marks_at_acknowledgements_and_by_its_timer),
        cmocka_unit_test(a_receiver_takes_back_what_it_had),
        cmocka_unit_test(late_and_full_sacks_take_nothing_back),
        cmocka_unit_test(what_the_sender_gives_up),
        cmocka_unit_test(a_packet_drop_names_what_is_sent_again),
        cmocka_unit_test(a_closed_window_is_probed),
        cmocka_unit_test(both_sides_send_over_two_paths),
        cmocka_unit_test(what_comes_late_was_not_lost),
        cmocka_unit_test(what_the_capture_repeats),
        cmocka_unit_test(a_capture_begins_in_the_middle),
        cmocka_unit_test(the_tsns_are_numbered_anew),
        cmocka_unit_test(the_clock_steps),
        cmocka_unit_test(feedback_claims_what_was_not_sent),
        cmocka_unit_test(packets_with_data_alone),
        cmocka_unit_test(a_tail_that_is_lost_before_the_tap),
        cmocka_unit_test(pion_answers_every_second_packet),
        cmocka_unit_test(what_is_told_is_taken),
        cmocka_unit_test(a_path_becomes_too_narrow),
        cmocka_unit_test(copies_of_which_some_came),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
