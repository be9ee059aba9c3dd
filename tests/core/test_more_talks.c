/* SPDX-License-Identifier: BSD-2-Clause */
/* As test_talks.c, of what is rare: captures of two taps, forged numbers, stacks that guess, and talks at random. */
#include "talk_text.h"

enum {
    SENDER_US = 100,
    WAY_US = 20000,
    HALF_US = 10000,
    MANY = 8,
    RANDOM_TALKS = 16,
    MANY_RANDOM_TALKS = 400,
    STEPS = 45
};

static struct talk *begin(int64_t sender_us, int64_t receiver_us, bool pion)
{
    struct talk *talk = talk_new();
    shake_hands(talk, sender_us, receiver_us, pion);
    warm_up(talk, MANY, receiver_us);
    return talk;
}

static void a_file_of_two_taps(void **state)
{
    (void)state;
    for (int sure = 0; sure < 2; sure++) {
        struct talk *talk = talk_new();
        talk->id[A] = talk->id[B] = sure ? 100 : 0;
        for (uint32_t i = 0; i < 16; i++) {
            int64_t at_us = i * 100000;
            data(talk, at_us, 1 + i);
            talk->id[A] -= sure;
            data(talk, at_us + WAY_US, 1 + i);
            if (i == 9) {
                data(talk, at_us + 50000, 1 + i);
                talk->id[A] -= sure;
                data(talk, at_us + 50000 + WAY_US, 1 + i);
            }
            sack(talk, at_us + 50100 + WAY_US, 1 + i, "");
            talk->id[B] -= sure * talk->counts[B];
            sack(talk, at_us + 50100 + 2 * WAY_US, 1 + i, "");
        }
        check_all(talk, sure ? "a_file_of_two_taps" : "a_file_of_two_taps_that_nothing_tells_apart");
    }
}

/* Two interfaces whose clocks differ, close to the receiver: 9 to 12 are new, 13 is lost before the tap, 14 behind it;
 * what follows feedback by 10 ms has passed after it. */
static void feedback_is_captured_before_its_data(void **state)
{
    (void)state;
    enum { SKEW_US = 300, OFTEN_US = 50000 };
    for (int skewed = 0; skewed < 2; skewed++) {
        struct talk *talk = begin(WAY_US, SENDER_US, false);
        int64_t at_us = 3000000;
        for (uint32_t tsn = 9; tsn < 13; tsn++, at_us += OFTEN_US) {
            if (!skewed)
                data(talk, at_us - SENDER_US, tsn);
            sack(talk, at_us, tsn, "");
            if (skewed)
                data(talk, at_us + SKEW_US, tsn);
        }
        data(talk, at_us, 14);
        at_us += 1000000;
        sack(talk, at_us, 13, "");
        data(talk, at_us + SKEW_US, 13);
        at_us += 1000000;
        sack(talk, at_us, 14, "");
        data(talk, at_us + SKEW_US, 14);
        data(talk, at_us + 10000, 14);
        check_all(talk, skewed ? "feedback_is_captured_before_its_data" : "feedback_is_captured_behind_its_data");
    }
}

static void another_chunk_has_the_same_tsn(void **state)
{
    (void)state;
    struct talk *talk = begin(SENDER_US, WAY_US, false);
    data(talk, 3000000, 9);
    data(talk, 4000000, 9);
    talk->content = 5;
    data(talk, 4100000, 9);
    talk->content = 0;
    sack(talk, 4100000 + WAY_US, 9, "");
    data(talk, 4200000, 10);
    sack(talk, 4200000 + WAY_US, 10, "");
    check_all(talk, "another_chunk_has_the_same_tsn");
}

static void chunks_that_ask_for_an_answer_and_others(void **state)
{
    (void)state;
    struct talk *talk = begin(SENDER_US, WAY_US, false);
    talk->flags = 11; /* I bit */
    data(talk, 3000000, 9);
    sack(talk, 3000000 + WAY_US, 9, "");
    talk->flags = 3;
    flight(talk, 3100000, 10, 2, 100);
    sack(talk, 3100100 + WAY_US, 11, "");
    data_of(talk, 3200000, A, 12, 3);
    sack(talk, 3200000 + WAY_US, 14, "");
    flight(talk, 3300000, 15, 5, 100);
    sack(talk, 3300400 + WAY_US, 19, "");
    data(talk, 3400000, 20);
    sack(talk, 3400000 + WAY_US + 170000, 20, "");
    data(talk, 3700000, 20);
    sack(talk, 3700000 + WAY_US, 20, "d20 d20");
    data(talk, 3800000, 21);
    control(talk, 3800000 + WAY_US, B, SR_CHUNK_SHUTDOWN, 1, 21u);
    check_all(talk, "chunks_that_ask_for_an_answer_and_others");
}

static void a_sack_has_no_room_for_more_blocks(void **state)
{
    (void)state;
    struct talk *talk = begin(SENDER_US, WAY_US, false);
    for (uint32_t i = 0; i < 16; i++)
        data(talk, 3000000 + i * 100, 9 + i);
    sack(talk, 3010000 + WAY_US, 8, "10 12 14 16");
    sack(talk, 3011000 + WAY_US, 8, "10 12 14 16-18");
    sack(talk, 3012000 + WAY_US, 8, "10 12 14 17-18");
    sack(talk, 3013000 + WAY_US, 8, "10 12 13 15");
    sack(talk, 3014000 + WAY_US, 8, "10 12-13 15 17-18");
    sack(talk, 3015000 + WAY_US, 8, "10 12 15 17");
    sack(talk, 3016000 + WAY_US, 8, "10 12 15 17");
    sack(talk, 3017000 + WAY_US, 8, "12-13 10 15 17-30"); /* not in order, and beyond all */
    sack(talk, 3018000 + WAY_US, 8, "12-11 15");
    sack(talk, 3019000 + WAY_US, 24, "");
    check_all(talk, "a_sack_has_no_room_for_more_blocks");
}

static void what_was_dropped_comes_as_new(void **state)
{
    (void)state;
    for (int as_duplicate = 0; as_duplicate < 3; as_duplicate++) {
        char name[64];
        struct talk *talk = begin(SENDER_US, WAY_US, false);
        data(talk, 2500000, 8);
        sack(talk, 2500000 + WAY_US, 8, "d8");
        flight(talk, 3000000, 9, 4, 1000);
        sack(talk, 3003000 + WAY_US, 8, "10-12");
        sack(talk, 3004000 + WAY_US, 8, "10");
        sack(talk, 3005000 + WAY_US, 8, "10");
        if (as_duplicate < 2) {
            data(talk, 3100000, 11);
            data(talk, 3100100, 12);
        }
        sack(talk, 3100100 + WAY_US, 8, as_duplicate ? "10-12 d11 d12" : "10-12");
        data(talk, 4200000, 9);
        sack(talk, 4200000 + WAY_US, 12, "");
        snprintf(name, sizeof name, "what_was_dropped_comes_as_new_%d", as_duplicate);
        check_all(talk, name);
    }
}

static void new_data_as_a_probe(void **state)
{
    (void)state;
    static const char *const names[] = {"new_data_as_a_probe", "new_data_in_a_burst", "new_data_on_the_way"};
    for (int i = 0; i < 3; i++) {
        bool burst = i == 1;
        uint8_t vantage = i == 2 ? 1 + SR_VANTAGE_MIDDLE : 0; /* as told */
        struct talk *talk = talk_told((struct sr_told){.profile = 1 + SR_PROFILE_RFC8985, .vantage = vantage});
        shake_hands(talk, SENDER_US, WAY_US, false);
        warm_up(talk, MANY, WAY_US);
        flight(talk, 3000000, 9, 2, 100);
        data(talk, 3000100 + 2 * WAY_US, 11);
        if (burst)
            data(talk, 3000200 + 2 * WAY_US, 12);
        sack(talk, 3000100 + 3 * WAY_US, 9, "11");
        data(talk, 3000200 + 4 * WAY_US, 10);
        sack(talk, 3000200 + 5 * WAY_US, burst ? 12 : 11, "");
        flight(talk, 3500000, 13, 2, 100);
        data(talk, 3500100 + 2 * WAY_US, 14);
        data(talk, 4500100 + 2 * WAY_US, 13);
        sack(talk, 4500100 + 3 * WAY_US, 14, "");
        flight(talk, 5000000, 15, 3, 100);
        data(talk, 5000200 + 2 * WAY_US, 18);
        sack(talk, 5000200 + 3 * WAY_US, 18, "");
        check_all(talk, names[i]);
    }
}

static void the_original_comes_behind_its_copy(void **state)
{
    (void)state;
    for (int receiver = 0; receiver < 2; receiver++) {
        struct talk *talk = receiver ? begin(WAY_US, SENDER_US, false) : begin(HALF_US, HALF_US, false);
        int64_t loop_us = receiver ? SENDER_US : HALF_US;
        talk->id[A] = 201;
        data(talk, 3000000, 10);
        sack(talk, 3000000 + loop_us, 8, "10");
        talk->id[A] = 300;
        data(talk, 4000000, 9);
        sack(talk, 4000000 + loop_us, 10, "");
        talk->id[A] = 199;
        data(talk, 4005000, 9);
        sack(talk, 4005000 + loop_us, 10, "d9");
        check_all(talk,
                  receiver ? "the_original_comes_behind_its_copy" : "the_original_comes_behind_its_copy_in_the_middle");
    }
}

static void pion_probes_a_little_late(void **state)
{
    (void)state;
    for (int late = 0; late < 3; late++) {
        char name[64];
        struct talk *talk = begin(late == 2 ? HALF_US : SENDER_US, late == 2 ? HALF_US : WAY_US, true);
        int64_t loop_us = late == 2 ? HALF_US : WAY_US;
        for (uint32_t i = 0; i < 6; i++) {
            int64_t at_us = 3000000 + i * 2000000;
            flight(talk, at_us, 9 + 3 * i, 3, 100);
            sack(talk, at_us + 100 + loop_us, 10 + 3 * i, "");
            data(talk, at_us + 100 + loop_us + 240200 + (i == 5 ? 5000 + late * 10000 : 0), 11 + 3 * i);
            sack(talk, at_us + 100 + 2 * loop_us + 240200 + (i == 5 ? 5000 + late * 10000 : 0), 11 + 3 * i, "");
        }
        snprintf(name, sizeof name, "pion_probes_a_little_late_%d", late);
        check_all(talk, name);
    }
}

static void numbers_that_nobody_sent(void **state)
{
    (void)state;
    struct talk *talk = begin(SENDER_US, WAY_US, false);
    data(talk, 3000000, 9);
    data(talk, 3000100, 700000); /* one alone is broken */
    sack(talk, 3000000 + WAY_US, 9, "");
    sack(talk, 3001000 + WAY_US, 900000, "");
    sack(talk, 3002000 + WAY_US, 20, "22");
    forward_tsn(talk, 3003000 + WAY_US, 900000);
    data(talk, 3100000, 10);
    data(talk, 3100100, 1500000);
    data(talk, 3100200, 1500001); /* two are of another numbering */
    data(talk, 3100300, 1500001);
    sack(talk, 3100200 + WAY_US, 1500001, "");
    sack(talk, 3150000 + WAY_US, 10, "");
    control(talk, 3200000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
    sack(talk, 3300000, 1499000, "");
    data(talk, 3400000, 1499001);
    sack(talk, 3400000 + WAY_US, 1500001, "");
    check_all(talk, "numbers_that_nobody_sent");
}

static void the_handshake_is_not_whole(void **state)
{
    (void)state;
    for (int left_out = 0; left_out < 4; left_out++) {
        char name[64];
        struct talk *talk = talk_new();
        if (left_out != 0)
            init(talk, 0, A, false);
        if (left_out != 1)
            init(talk, HALF_US, B, false);
        if (left_out != 2)
            control(talk, 2 * HALF_US, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
        if (left_out == 3) { /* sent again */
            init(talk, 2 * HALF_US + 100, A, false);
            control(talk, 3 * HALF_US, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
        }
        control(talk, 3 * HALF_US, B, SR_CHUNK_COOKIE_ACK, 0);
        for (uint32_t i = 0; i < 4; i++) {
            data(talk, 1000000 + i * 100000, 1 + i);
            sack(talk, 1000000 + i * 100000 + HALF_US, 1 + i, "");
            data_of(talk, 1050000 + i * 100000, B, 1000 + i, 1);
            sack_of(talk, 1050000 + i * 100000 + HALF_US, A, 1000 + i, "");
        }
        flight(talk, 2000000, 5, 5, 500);
        sack(talk, 2000500 + HALF_US, 4, "6");
        sack(talk, 2001000 + HALF_US, 4, "6-7");
        sack(talk, 2001500 + HALF_US, 4, "6-8");
        data(talk, 2001500 + 2 * HALF_US, 5);
        sack(talk, 2001500 + 3 * HALF_US, 9, "");
        snprintf(name, sizeof name, "the_handshake_is_not_whole_%d", left_out);
        check_all(talk, name);
    }
}

static void an_answer_that_took_a_timer(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    shake_hands(talk, 1200000, HALF_US, false);
    for (uint32_t i = 0; i < 4; i++) {
        data_of(talk, 3000000 + i * 100000, B, 1000 + i, 1);
        sack_of(talk, 3000000 + i * 100000 + HALF_US, A, 1000 + i, "");
        data(talk, 3050000 + i * 100000, 1 + i);
        sack(talk, 3050000 + i * 100000 + HALF_US, 1 + i, "");
    }
    check_all(talk, "an_answer_that_took_a_timer");
}

/* The receiver holds each answer back for 120 ms, and what is sent twice is answered so too. */
static void a_receiver_shows_its_delay(void **state)
{
    (void)state;
    for (int at_once = 0; at_once < 2; at_once++) {
        struct talk *talk = talk_new();
        shake_hands(talk, HALF_US, HALF_US, at_once == 2);
        for (uint32_t i = 0; i < 10; i++) {
            data(talk, 1000000 + i * 300000, 1 + i);
            sack(talk, 1000000 + i * 300000 + HALF_US + (at_once ? 0 : 120000), 1 + i, "");
        }
        flight(talk, 5000000, 11, 2, 1000);
        sack(talk, 5001000 + HALF_US, 12, "");
        data(talk, 6000000, 13);
        data(talk, 7000000, 13);
        sack(talk, 7000000 + HALF_US + (at_once ? 0 : 120000), 13, "");
        data(talk, 8000000, 14);
        data(talk, 9000000, 14);
        sack(talk, 9000000 + HALF_US + (at_once ? 120000 : 0), 14, "");
        check_all(talk, at_once ? "a_receiver_answers_at_once" : "a_receiver_shows_its_delay");
    }
}

static void a_repetition_fares_as_what_it_repeats(void **state)
{
    (void)state;
    struct talk *talk = begin(SENDER_US, WAY_US, false);
    data(talk, 3000000, 9);
    talk->id[A]--;
    data(talk, 3005000, 9); /* by the network */
    data(talk, 3010000, 10);
    talk->id[A]--;
    data(talk, 3015000, 10);
    talk->id[A]--;
    data(talk, 3015100, 10); /* by the capture */
    sack(talk, 3010000 + WAY_US, 8, "10");
    data(talk, 4010000, 9);
    sack(talk, 4010000 + WAY_US, 10, "");
    check_all(talk, "a_repetition_fares_as_what_it_repeats");
}

static void a_probe_is_late_by_what_a_host_takes(void **state)
{
    (void)state;
    for (int64_t late_us = 13000; late_us <= 31000; late_us += 9000) {
        char name[64];
        struct talk *talk = begin(SENDER_US, 3 * WAY_US, true);
        for (uint32_t i = 0; i < 5; i++) {
            int64_t at_us = 3000000 + i * 2000000,
                    probe_us = at_us + 100 + 9 * WAY_US + 200200 + (i == 4 ? late_us : 0);
            flight(talk, at_us, 9 + 3 * i, 3, 100);
            sack(talk, at_us + 100 + 3 * WAY_US, 10 + 3 * i, "");
            data(talk, probe_us, 11 + 3 * i);
            sack(talk, probe_us + 3 * WAY_US, 11 + 3 * i, "");
        }
        snprintf(name, sizeof name, "a_probe_is_late_by_%lld_us", (long long)late_us);
        check_all(talk, name);
    }
}

static void what_was_outstanding_before_the_capture_is_sent_again(void **state)
{
    (void)state;
    for (int told = 0; told < 3; told++) {
        char name[64];
        struct talk *talk = told == 2 ? talk_told((struct sr_told){.vantage = 1 + SR_VANTAGE_SENDER}) : talk_new();
        talk->hop_limit[A] = 64;
        talk->hop_limit[B] = 50;
        sack(talk, 0, 40, "43-44");
        for (int i = 1; i < 4; i++)
            sack(talk, i * 1000, 40, i == 1 ? "43-45" : i == 2 ? "43-46" : "43-47");
        data(talk, 3100, 41);
        data(talk, 3200, 42);
        sack(talk, 3100 + WAY_US, 41, "43-47");
        sack(talk, 3200 + WAY_US, 47, told == 1 ? "d41" : "");
        data(talk, 1003300 + WAY_US, 47);
        sack(talk, 1003300 + 2 * WAY_US, 47, "d47");
        flight(talk, 2000000, 48, 3, 100);
        sack(talk, 2000200 + WAY_US, 47, "49-50");
        data(talk, 3000000, 48);
        sack(talk, 3000000 + WAY_US, 50, "");
        data(talk, 3100000, 39);
        sack(talk, 3100000 + WAY_US, 50, "d39");
        snprintf(name, sizeof name, "what_was_outstanding_before_the_capture_%d", told);
        check_all(talk, name);
    }
}

/* Late packets of a capture without a handshake, whose sender reacts a loop after the third report. */
static void what_comes_too_soon_was_only_late(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    talk->hop_limit[A] = talk->hop_limit[B] = 60;
    for (uint32_t i = 0; i < 8; i++) {
        int64_t at_us = i * 500000, late_us = i == 7 ? 4000 : HALF_US;
        uint32_t tsn = 100 + 5 * i;
        char blocks[16];
        flight(talk, at_us, tsn + 1, 4, 500);
        for (uint32_t j = 1; j <= 4; j++) {
            snprintf(blocks, sizeof blocks, "%u-%u", tsn + 1, tsn + j);
            sack(talk, at_us + (j - 1) * 500 + HALF_US, tsn - 1, blocks);
        }
        data(talk, at_us + 1000 + HALF_US + late_us, tsn);
        sack(talk, at_us + 1000 + 2 * HALF_US + late_us, tsn + 4, "");
    }
    check_all(talk, "what_comes_too_soon_was_only_late");
}

static void it_is_numbered_anew_where_the_sender_is_far_away(void **state)
{
    (void)state;
    struct talk *talk = begin(HALF_US, HALF_US, false);
    data(talk, 2500000, 8);
    flight(talk, 3000000, 9, 3, 1000);
    sack(talk, 3002000 + HALF_US, 11, "");
    control(talk, 3100000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
    control(talk, 3100000 + HALF_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, 7000u);
    flight(talk, 3100000 + 2 * HALF_US, 7000, 3, 1000);
    sack(talk, 3102000 + 3 * HALF_US, 6999, "7001-7002");
    data(talk, 4200000, 7000);
    data_of(talk, 4200100, B, 5000, 2);
    sack(talk, 4200000 + HALF_US, 7002, "");
    sack_of(talk, 4200100 + HALF_US, A, 5001, "");
    check_all(talk, "it_is_numbered_anew_where_the_sender_is_far_away");
}

static uint32_t next(uint32_t *random, uint32_t end)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 10) % end;
}

/* What `has` says as blocks above the cumulative TSN, and duplicates. */
static const char *blocks_of(const bool *has, uint32_t cum, uint32_t top, uint32_t dup)
{
    static char text[1024];
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t tsn = cum + 1; tsn <= top && length < sizeof text - 40; tsn++) {
        if (!has[tsn])
            continue;
        uint32_t first = tsn;
        while (tsn < top && has[tsn + 1])
            tsn++;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%u-%u", length ? " " : "", first, tsn);
    }
    if (dup)
        snprintf(text + length, sizeof text - length, "%sd%u", length ? " " : "", dup);
    return text;
}

/* Beside the data that begins with `tsn`. */
static void something_else(struct talk *talk, uint32_t *random, int64_t at_us, uint32_t tsn)
{
    switch (next(random, 24)) {
    case 0: data_of(talk, at_us, B, 1000 + talk->frame, 1); break;
    case 1: sack_of(talk, at_us, A, 999 + talk->frame, ""); break;
    case 2: heartbeat(talk, at_us, A, false, talk->frame); break;
    case 3: heartbeat(talk, at_us, B, true, talk->frame - 1 - next(random, 4)); break;
    case 4: packet_drop(talk, at_us, tsn); break;
    case 5: talk->address[A] ^= 2; break;
    case 6: talk->id[A] = (uint16_t)(talk->id[A] + next(random, 4)); break;
    case 7: talk->fragmentable = !talk->fragmentable; break;
    case 8:
        talk->broken = true;
        data(talk, at_us, tsn);
        talk->broken = false;
        break;
    case 9:
        talk->id[A]--;
        data(talk, at_us, tsn);
        break;
    case 10: talk->flags ^= 8; break;
    case 11: sack(talk, at_us, tsn + next(random, 6), ""); break;
    case 12: data(talk, at_us, tsn > 5 ? tsn - next(random, 5) : tsn); break;
    default: break;
    }
}

/* Loss on both ways, copies, late packets, what is given up and what is taken back, as numbers fall. */
static struct talk *talk_at_random(uint32_t seed, bool rich)
{
    static const int64_t loops_us[][2] = {{100, 20000}, {10000, 10000}, {20000, 100}};
    uint32_t random = seed * 2654435761u, tsn = 1, cum = 0, top = 0, kind = next(&random, 4);
    const int64_t *loop_us = loops_us[seed % 3];
    bool has[256] = {false}, reports = next(&random, 2);
    struct talk *talk = talk_new();
    if (seed % 2 == 0)
        talk->counts[B] = 1;
    if (rich && seed % 5 == 0)
        talk->hop_limit[A] = talk->hop_limit[B] = 60;
    if (seed % 4 != 3)
        shake_hands(talk, loop_us[0], loop_us[1], seed % 4 == 1);
    int64_t now_us = 1000000;
    for (int i = 0; i < STEPS; i++) {
        static const int64_t pauses_us[] = {150, 150, 700, 5000, 30000, 250000, 1000000};
        now_us += pauses_us[next(&random, 7)] + loop_us[1];
        uint32_t first = tsn, count = 1 + next(&random, 4), dup = 0;
        bool again = cum + 1 < tsn && next(&random, 3) == 0;
        if (again) {
            first = cum + 1 + (next(&random, 3) == 0 ? next(&random, tsn - cum - 1) : 0);
            count = 1;
        } else {
            tsn += count;
        }
        for (uint32_t j = 0; j < count; j++) {
            uint32_t what = next(&random, 12);
            if (what != 0) /* else lost before the tap */
                data(talk, now_us + j * 100, first + j);
            if (what < 3 || (kind == 1 && j == 0 && next(&random, 3) == 0))
                continue; /* or behind it */
            dup = has[first + j] || first + j <= cum ? first + j : dup;
            has[first + j] = true;
            top = first + j > top ? first + j : top;
        }
        if (rich)
            something_else(talk, &random, now_us + 950, first);
        if (kind == 2 && next(&random, 9) == 0 && cum + 1 < tsn)
            forward_tsn(talk, now_us + 900, ++cum);
        if (kind == 3 && top > cum + 1 && next(&random, 8) == 0)
            has[top--] = false;
        while (has[cum + 1])
            cum++;
        top = cum > top ? cum : top;
        talk->a_rwnd = next(&random, 25) == 0 ? 0 : TALK_WINDOW;
        if (next(&random, 7) != 0)
            sack(talk, now_us + 100 * count + loop_us[1], cum, blocks_of(has, cum, top, reports ? dup : 0));
        else if (talk->id[B] != 0)
            talk->id[B] += talk->counts[B];
        if (next(&random, 20) == 0)
            sack(talk, now_us + 100 * count + loop_us[1] + 50, cum, blocks_of(has, cum, top, 0));
    }
    return talk;
}

static void talks_at_random(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= RANDOM_TALKS; seed++) {
        char name[32];
        snprintf(name, sizeof name, "random_%u", seed);
        check_all(talk_at_random(seed, false), name);
    }
}

/* Too many to be read: a digest of each. Which rows another digest is of, `tell_all` says before and after. */
static void many_talks_at_random(void **state)
{
    (void)state;
    struct talk *all = talk_new();
    for (uint32_t seed = 1; seed <= MANY_RANDOM_TALKS; seed++) {
        struct talk *talk = talk_at_random(1000 + seed, true);
        tell_all(talk);
        tell_rest(talk);
        add(all, "talk %u: %016llx\n", seed, (unsigned long long)digest_of(talk));
        talk_free(talk);
    }
    check_text(all, "many_talks_at_random");
    talk_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_two_taps),
        cmocka_unit_test(feedback_is_captured_before_its_data),
        cmocka_unit_test(another_chunk_has_the_same_tsn),
        cmocka_unit_test(chunks_that_ask_for_an_answer_and_others),
        cmocka_unit_test(a_sack_has_no_room_for_more_blocks),
        cmocka_unit_test(what_was_dropped_comes_as_new),
        cmocka_unit_test(new_data_as_a_probe),
        cmocka_unit_test(the_original_comes_behind_its_copy),
        cmocka_unit_test(pion_probes_a_little_late),
        cmocka_unit_test(numbers_that_nobody_sent),
        cmocka_unit_test(the_handshake_is_not_whole),
        cmocka_unit_test(an_answer_that_took_a_timer),
        cmocka_unit_test(a_receiver_shows_its_delay),
        cmocka_unit_test(a_repetition_fares_as_what_it_repeats),
        cmocka_unit_test(a_probe_is_late_by_what_a_host_takes),
        cmocka_unit_test(what_was_outstanding_before_the_capture_is_sent_again),
        cmocka_unit_test(what_comes_too_soon_was_only_late),
        cmocka_unit_test(it_is_numbered_anew_where_the_sender_is_far_away),
        cmocka_unit_test(talks_at_random),
        cmocka_unit_test(many_talks_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
