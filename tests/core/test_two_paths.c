/* SPDX-License-Identifier: BSD-2-Clause */
/* A sender that uses two paths at once (CMT): by which reports it sends again, and SACKs that the longer path brings
 * late. */
#include "talk_text.h"

enum { WAY_US = 20000, HERE_US = 100, AT_US = 3000000, TWO_PACKETS = 2 << 6 };

static void take_path(struct talk *talk, int path)
{
    talk->address[A] = (uint8_t)(1 + 2 * path);
    talk->address[B] = (uint8_t)(2 + 2 * path);
}

static void data_on(struct talk *talk, int path, int64_t at_us, uint32_t tsn)
{
    take_path(talk, path);
    data(talk, at_us, tsn);
}

/* From TSN 9 on, a millisecond apart, like "01110" on which path. */
static struct talk *sent(enum sr_profile profile, const char *paths)
{
    struct talk *talk = talk_told((struct sr_told){.profile = (uint8_t)(1 + profile)});
    talk->hop_limit[A] = 64;
    talk->hop_limit[B] = 60;
    shake_hands(talk, HERE_US, WAY_US, false);
    warm_up(talk, 8, WAY_US);
    for (uint32_t i = 0; paths[i]; i++)
        data_on(talk, paths[i] - '0', AT_US + i * 1000, 9 + i);
    return talk;
}

/* So long after the first of them could be acknowledged. */
static void tell(struct talk *talk, int path, int64_t ms, uint32_t cum, const char *gaps)
{
    take_path(talk, path);
    sack(talk, AT_US + WAY_US + ms * 1000, cum, gaps);
}

/* TSN 9 is lost, and sent again when what was sent behind it on its path has made three reports. */
static void reports_are_counted_by_path(void **state)
{
    (void)state;
    const char *paths[] = {"01110001", "00000001"}; /* both, or but one until the end */
    const char *said[] = {"retransmission fast/3 at 34 needed/4 K1 acked/4 by 36",
                          "retransmission fast_deferred/2 at 31 needed/4 K3 acked/4 by 36"};
    for (int one = 0; one < 2; one++) {
        struct talk *talk = sent(SR_PROFILE_RFC9260, paths[one]);
        tell(talk, !one, 1, 8, "10");
        tell(talk, !one, 2, 8, "10-11");
        tell(talk, !one, 3, 8, "10-12");
        tell(talk, 0, 4, 8, "10-13");
        tell(talk, 0, 5, 8, "10-14");
        tell(talk, 0, 6, 8, "10-15");
        data_on(talk, 0, AT_US + WAY_US + 6000 + HERE_US, 9);
        tell(talk, 0, 27, 16, "");
        judge(talk);
        check_sent(talk, 9, 2, said[one]);
        talk_free(talk);
    }
}

/* With DAC the first report tells of two packets behind TSN 9. */
static void a_report_may_tell_of_two_packets(void **state)
{
    (void)state;
    const char *said[] = {"retransmission fast/2 needed/4 acked/4 by 33",
                          "retransmission fast/3 at 31 needed/4 K3 acked/4 by 33"};
    for (int dac = 0; dac < 2; dac++) {
        struct talk *talk = sent(SR_PROFILE_USRSCTP, "00010101");
        talk->sack_flags = dac ? TWO_PACKETS : 0;
        tell(talk, 0, 2, 8, "10-11");
        talk->sack_flags = 0;
        tell(talk, 1, 3, 8, "10-12");
        tell(talk, 0, 4, 8, "10-13");
        data_on(talk, 0, AT_US + WAY_US + 4000 + HERE_US, 9);
        tell(talk, 0, 25, 16, "");
        judge(talk);
        check_sent(talk, 9, 2, said[dac]);
        talk_free(talk);
    }
}

static uint32_t marks_of_rack(const struct talk *talk)
{
    const struct sr_judgement *judgement = sr_engine_judgement(talk->engine);
    uint32_t count = 0;
    for (uint64_t i = 0; i < judgement->rack_marks.count; i++) {
        const struct sr_rack_mark_row *mark = sr_spool_visit(&judgement->rack_marks, i);
        count += mark->profile == SR_PROFILE_RFC8985 && mark->tsn != 9;
    }
    return count;
}

static uint32_t stale_sacks(const struct talk *talk)
{
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    uint32_t count = 0;
    for (uint64_t i = 0; i < journal->sacks.count; i++)
        count += sr_sack_at(journal, i)->stale;
    return count;
}

/* Two SACKs in a row, or one before the cumulative TSN advances, leave out what came before they left. */
static void what_the_longer_path_brings_late_takes_nothing_back(void **state)
{
    (void)state;
    for (uint32_t late = 1; late <= 3; late++) {
        struct talk *talk = sent(SR_PROFILE_USRSCTP, "0101010101");
        tell(talk, 0, 9, 8, "10-17");
        tell(talk, 1, 10, 8, "10");
        if (late > 1)
            tell(talk, 1, 11, 8, "10-12");
        if (late > 2)
            tell(talk, 1, 12, 8, "10-14");
        if (late > 1)
            tell(talk, 0, 13, 8, "10-18");
        tell(talk, 0, 14, 18, ""); /* 9 was but late */
        judge(talk);
        assert_int_equal(stale_sacks(talk), late);
        assert_int_equal(marks_of_rack(talk), 0);
        assert_int_equal(figures_of(talk, A)->stale_sacks, 0); /* none on its own path */
        assert_int_equal(figures_of(talk, A)->withdrawn_tsns, 0);
        talk_free(talk);
    }
}

/* What was taken back, sent again and came is no SACK that was overtaken. */
static void what_is_sent_again_may_have_been_taken_back(void **state)
{
    (void)state;
    struct talk *talk = sent(SR_PROFILE_USRSCTP, "0101010101");
    tell(talk, 0, 9, 8, "10-17");
    tell(talk, 1, 10, 8, "10");
    for (uint32_t tsn = 11; tsn <= 17; tsn++)
        data_on(talk, 0, AT_US + WAY_US + 11000 + tsn * 100, tsn);
    tell(talk, 0, 34, 18, "");
    judge(talk);
    assert_int_equal(stale_sacks(talk), 0);
    talk_free(talk);
}

/* What acknowledges something new left the receiver last. */
static void what_acknowledges_something_new_was_not_overtaken(void **state)
{
    (void)state;
    struct talk *talk = sent(SR_PROFILE_USRSCTP, "0101010101");
    tell(talk, 0, 9, 8, "10-17");
    tell(talk, 1, 10, 9, "");
    tell(talk, 0, 14, 18, "");
    judge(talk);
    assert_int_equal(stale_sacks(talk), 0);
    talk_free(talk);
}

/* A TSN of the first path goes again over the other, which answers in less than half of the first one's loop: too soon
 * only where that path showed its own. */
static void an_answer_is_too_soon_for_a_path_that_is_known(void **state)
{
    (void)state;
    const char *said[] = {"retransmission t3/4 undetermined/2 S11 K16 acked/2 by 23",
                          "retransmission t3/4 spurious/4 S8 K16 acked/2 by 29"};
    for (uint32_t known = 0; known < 2; known++) {
        struct talk *talk = sent(SR_PROFILE_RFC9260, "");
        uint32_t tsn = 9;
        for (; known && tsn < 12; tsn++) {
            int64_t at_us = AT_US - 1000000 + (tsn - 9) * 100000;
            data_on(talk, 1, at_us, tsn);
            sack(talk, at_us + WAY_US, tsn, "");
        }
        data_on(talk, 0, AT_US, tsn);
        data_on(talk, 1, AT_US + 1000000, tsn);
        tell(talk, 1, 1000 - WAY_US / 1000 + 6, tsn, "");
        judge(talk);
        check_sent(talk, tsn, 2, said[known]);
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_are_counted_by_path),
        cmocka_unit_test(a_report_may_tell_of_two_packets),
        cmocka_unit_test(what_the_longer_path_brings_late_takes_nothing_back),
        cmocka_unit_test(what_is_sent_again_may_have_been_taken_back),
        cmocka_unit_test(what_acknowledges_something_new_was_not_overtaken),
        cmocka_unit_test(an_answer_is_too_soon_for_a_path_that_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
