/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the chunks of one packet say of each other: it arrives whole or not at all. The receiver is 20 ms away,
 * and reports what comes twice. */
#include "talk_rows.h"

enum {
    WAY_US = 20000,
    SENDER_US = 100,
    AT_US = 3000000,
    AGAIN_US = 4000000,
    SOON_US = AGAIN_US + 5000,
    LATE_US = AGAIN_US + WAY_US
};

static struct talk *without_reports(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static struct talk *with_reports(void)
{
    struct talk *talk = without_reports();
    data(talk, 2000000, 8);
    sack(talk, 2000000 + WAY_US, 8, "d8");
    return talk;
}

/* 9 is sent again with 10, just before its first copy is acknowledged. */
#define NINE_WITH_TEN DATA(AT_US, 9), DATA_OF(AGAIN_US, 9, 2), SACK(SOON_US, 9, "")

static struct talk_row rows[] = {
    {"what is sent again beside a chunk that came came, too",
     with_reports,
     {NINE_WITH_TEN, SACK(LATE_US, 10, "")},
     {{9, 2, "retransmission t3/3 spurious/4 S8 K6 acked/4 by 25"}, {10, 1, "original acked/5 by 26"}}},
    {"where the receiver reports nothing that is not asked",
     without_reports,
     {NINE_WITH_TEN, SACK(LATE_US, 10, "")},
     {{9, 2, "retransmission t3/3 spurious/4 S8 K6 acked/2 by 23"}, {10, 1, "original acked/5 by 24"}}},
    {"beside one that was lost it was lost",
     with_reports,
     {NINE_WITH_TEN, SACK(LATE_US, 9, ""), DATA(AGAIN_US + 900000, 11), SACK(AGAIN_US + 900000 + WAY_US, 9, "11"),
      DATA(AGAIN_US + 1100000, 10), SACK(AGAIN_US + 1100000 + WAY_US, 11, "")},
     {{9, 2, "retransmission t3/3 spurious/4 S8 K6 lost/3 by 25"}, {10, 1, "original lost/4 by 30"}}},
    {"a copy that came tells it of the one beside it, and of no other packet",
     with_reports,
     {DATA_OF(AT_US, 9, 2), DATA(AT_US + 10, 11), DATA_OF(AGAIN_US, 9, 2), DATA(AGAIN_US + WAY_US / 16 + 50, 11),
      SACK(SOON_US, 9, "11"), SACK(LATE_US, 10, "")},
     {{10, 2, "retransmission t3/3 needed/4 K6 acked/4 by 28"},
      {9, 2, "retransmission t3/3 spurious/4 S8 K6 acked/4 by 27"},
      {11, 2, "retransmission t3_gbn/3 spurious/4 S8 K14 acked/2 by 27"}}},
};

static uint64_t lost_of(struct talk *talk)
{
    uint64_t lost = figures_of(talk, A)->lost_tsns;
    talk_free(talk);
    return lost;
}

/* Both are lost that were in one packet: 9, which had come before, and 10. Feedback behind that is no loss. */
static void each_tsn_of_a_packet_that_was_lost_is_lost(void **state)
{
    (void)state;
    struct talk *talk = with_reports();
    data(talk, AT_US, 9);
    data_of(talk, AGAIN_US, A, 9, 2);
    sack(talk, SOON_US, 9, "");
    sack(talk, LATE_US, 9, "");
    data(talk, AGAIN_US + 900000, 11);
    sack(talk, AGAIN_US + 900000 + WAY_US, 9, "11");
    data(talk, AGAIN_US + 1100000, 10);
    for (int64_t i = 0; i < 10; i++)
        sack(talk, AGAIN_US + 1100000 + WAY_US + i * 1000, 11, "");
    judge(talk);
    check_sent(talk, 9, 2, "retransmission t3/3 spurious/4 S8 K6 lost/3 by 25");
    assert_int_equal(lost_of(talk), 2);
}

/* 9 and 11 are lost once, 10 twice, and the other side's 1000 once; only feedback of the latest copies follows. */
static void what_is_lost_twice_counts_once_in_its_direction(void **state)
{
    (void)state;
    struct talk *talk = with_reports();
    data_of(talk, AT_US - 500000, B, 1000, 1);
    data_of(talk, AT_US - 499000, B, 1001, 1);
    data_of(talk, AT_US + 500000, B, 1000, 1);
    sack_of(talk, AT_US + 500100, A, 1001, "");
    data_of(talk, AT_US, A, 9, 3);
    data_of(talk, AGAIN_US, A, 9, 2);
    sack(talk, SOON_US, 9, "");
    sack(talk, LATE_US, 9, "");
    data_of(talk, AGAIN_US + 2000000, A, 10, 2);
    sack(talk, AGAIN_US + 2000000 + WAY_US, 11, "");
    judge(talk);
    check_sent(talk, 9, 2, "retransmission t3/3 spurious/4 S8 K6 lost/3 by 29");
    check_sent(talk, 10, 2, "retransmission t3/3 needed/3 S10 K5 lost/3 by 32");
    assert_int_equal(figures_of(talk, B)->lost_tsns, 1);
    assert_int_equal(lost_of(talk), 3);
}

/* By the missing report alone 9 would be. */
static void what_came_with_another_chunk_is_no_loss(void **state)
{
    (void)state;
    struct talk *talk = with_reports();
    data(talk, AT_US, 9);
    data_of(talk, AGAIN_US, A, 9, 2);
    sack(talk, SOON_US, 9, "");
    sack(talk, LATE_US, 10, "");
    judge(talk);
    assert_int_equal(lost_of(talk), 0);
}

/* Feedback of the other direction lies between 14 and 15. */
static void what_lies_between_the_chunks_of_a_packet_does_not_part_them(void **state)
{
    (void)state;
    struct talk *talk = with_reports();
    struct bytes chunks = {0};
    flight(talk, AT_US - 500000, 9, 5, 10);
    sack(talk, AT_US - 400000, 13, "");
    data(talk, AT_US, 14);
    put_chunk(talk, &chunks, 14);
    size_t start = begin_chunk(&chunks, SR_CHUNK_SACK, 0);
    put32s(&chunks, 2, 999u, (uint32_t)TALK_WINDOW);
    put16s(&chunks, 2, 0u, 0u);
    end_chunk(&chunks, start);
    put_chunk(talk, &chunks, 15);
    say(talk, AGAIN_US, A, &chunks);
    sack(talk, SOON_US, 14, "");
    sack(talk, LATE_US, 15, "");
    judge(talk);
    check_sent(talk, 14, 2, "retransmission t3/3 spurious/4 S8 K6 acked/4 by 31");
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_tsn_of_a_packet_that_was_lost_is_lost),
        cmocka_unit_test(what_is_lost_twice_counts_once_in_its_direction),
        cmocka_unit_test(what_came_with_another_chunk_is_no_loss),
        cmocka_unit_test(what_lies_between_the_chunks_of_a_packet_does_not_part_them),
    };
    return CHECK_ROWS("packets", rows, check_row) + cmocka_run_group_tests(tests, NULL, NULL);
}
