/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the replay makes of packets that it was not shown, and of what answers show of the receiver. */
#include "talk_text.h"
#include "taps_of_talk.h"

/* 11 and 12 pass, with a packet between them that does not: of 12 or of something else. 14 is the last of three, and
 * comes alone when pion probes. */
static enum sr_kind probe_behind(uint32_t skipped)
{
    struct talk *talk = behind_a_loss(true);
    data(talk, 5000000, 11);
    talk->id[A] += 1;
    data(talk, 5000100, 12 + skipped);
    sack(talk, 5000100 + SENDER_US, skipped ? 11 : 12, skipped ? "13" : "");
    if (skipped) {
        data(talk, 5000200 + WAY_US, 12);
        sack(talk, 5000200 + WAY_US + SENDER_US, 13, "");
    }
    talk->id[A] += 1;
    int64_t probe_us = 6000200 + 3 * WAY_US + 200000;
    flight(talk, 6000000, 13 + skipped, 2, 100);
    sack(talk, 6000100 + SENDER_US, 14 + skipped, "");
    talk->id[A] += 1;
    data(talk, probe_us, 15 + skipped);
    sack(talk, probe_us + SENDER_US, 15 + skipped, "");
    judge(talk);
    enum sr_kind kind = (enum sr_kind)row_of(talk, 15 + skipped, 1)->kind;
    talk_free(talk);
    return kind;
}

static void a_packet_that_is_missing_tells_where_it_was_of_this_association(void **state)
{
    (void)state;
    assert_int_equal(probe_behind(1), SR_KIND_RETRANSMISSION);
    assert_int_equal(probe_behind(0), SR_KIND_ORIGINAL);
}

/* 13 is lost before the tap, and comes alone when pion probes; so long after it 14 comes, and so much feedback before
 * that. */
static enum sr_kind probe_before_feedback(int64_t next_us, uint32_t sacks)
{
    struct talk *talk = behind_a_loss(true);
    flight(talk, 5000000, 11, 2, 100);
    sack(talk, 5000100 + SENDER_US, 12, "");
    talk->id[A] += 1;
    int64_t probe_us = 5000200 + 3 * WAY_US + 200000;
    data(talk, probe_us, 13);
    for (uint32_t i = 0; i < sacks; i++)
        sack(talk, probe_us + SENDER_US + i, 13, "");
    data(talk, probe_us + next_us, 14);
    sack(talk, probe_us + next_us + SENDER_US, 14, "");
    judge(talk);
    enum sr_kind kind = (enum sr_kind)row_of(talk, 13, 1)->kind;
    talk_free(talk);
    return kind;
}

static enum sr_kind probe_before(int64_t next_us)
{
    return probe_before_feedback(next_us, 0);
}

static void a_probe_is_alone_where_nothing_follows_within_a_round_trip(void **state)
{
    (void)state;
    assert_int_equal(probe_before(WAY_US + SENDER_US + 1), SR_KIND_RETRANSMISSION);
    assert_int_equal(probe_before(WAY_US + SENDER_US), SR_KIND_ORIGINAL);
}

/* Feedback takes so long to it by the handshake, less what hosts take; a host may be faster than then by a sixteenth.
 */
static void what_follows_as_feedback_has_come_to_the_sender_leaves_it_alone(void **state)
{
    (void)state;
    enum { TAKES_US = WAY_US - 2 * SENDER_US, COMES_US = TAKES_US - TAKES_US / 16 };
    assert_int_equal(probe_before_feedback(SENDER_US + COMES_US, 1), SR_KIND_RETRANSMISSION);
    assert_int_equal(probe_before_feedback(SENDER_US + COMES_US - 1, 1), SR_KIND_ORIGINAL);
}

/* No other stack has probes; what else was sent again is 9, as a timeout would. */
static void a_probe_of_what_was_lost_speaks_for_pion(void **state)
{
    (void)state;
    struct talk *talk = behind_a_loss(true);
    flight(talk, 5000000, 11, 2, 100);
    sack(talk, 5000100 + SENDER_US, 12, "");
    talk->id[A] += 1;
    data(talk, 5000200 + 3 * WAY_US + 200000, 13);
    judge(talk);
    assert_int_equal(row_of(talk, 13, 1)->cause, SR_CAUSE_TLP);
    const struct sr_path_row *path = sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
    assert_int_equal(path->profile, SR_PROFILE_PION);
    assert_true(path->profile_score == 1.0f);
    talk_free(talk);
}

/* 13 is lost before the tap, behind two packets that were acknowledged, and comes so long after that feedback. Its
 * sender is 250 ms away. */
static enum sr_cause cause_of_tail(bool pion, uint8_t without, int64_t after_us)
{
    enum { FAR_US = 250000 };
    struct talk *talk = talk_told((struct sr_told){.without = without});
    shake_hands(talk, FAR_US, SENDER_US, pion);
    warm_up(talk, MANY, SENDER_US);
    talk->id[A] += 1;
    data(talk, 3000000, 10);
    sack(talk, 3000000 + SENDER_US, 8, "10");
    data(talk, 4000000, 9);
    sack(talk, 4000000 + SENDER_US, 10, "");
    flight(talk, 6000000, 11, 2, 100);
    sack(talk, 6000100 + SENDER_US, 12, "");
    talk->id[A] += 1;
    data(talk, 6000100 + SENDER_US + FAR_US + after_us, 13);
    sack(talk, 6000100 + 2 * SENDER_US + FAR_US + after_us, 13, "");
    judge(talk);
    assert_int_equal(row_of(talk, 13, 1)->kind, SR_KIND_RETRANSMISSION);
    enum sr_cause cause = (enum sr_cause)row_of(talk, 13, 1)->cause;
    talk_free(talk);
    return cause;
}

/* Behind two round trips and 2 ms with several packets in flight, and 200 ms with one (association.go). */
static void pion_has_probes_and_no_other_stack(void **state)
{
    (void)state;
    enum { TRIPS_US = 2 * (250000 + SENDER_US) };
    static const int64_t probes_us[] = {TRIPS_US + 2000, TRIPS_US + 200000};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cause_of_tail(true, 0, probes_us[i]), SR_CAUSE_TLP);
        assert_int_equal(cause_of_tail(true, 1 << SR_PROFILE_USRSCTP, probes_us[i]), SR_CAUSE_TLP);
        assert_int_equal(cause_of_tail(true, 1 << SR_PROFILE_PION, probes_us[i]), SR_CAUSE_T3);
        assert_int_equal(cause_of_tail(false, 0, probes_us[i]), SR_CAUSE_T3);
    }
    assert_int_equal(cause_of_tail(false, 0, 1000), SR_CAUSE_T3);
}

/* A limit on what that costs. */
static void what_follows_behind_64_chunks_is_not_looked_at(void **state)
{
    (void)state;
    assert_int_equal(probe_before_feedback(WAY_US / 2, 63), SR_KIND_ORIGINAL);
    assert_int_equal(probe_before_feedback(WAY_US / 2, 64), SR_KIND_RETRANSMISSION);
}

/* 13 and 14 are lost before the tap. */
static void what_a_timeout_owes_it_owes_behind_the_next_one_too(void **state)
{
    (void)state;
    struct talk *talk = behind_a_loss(false);
    flight(talk, 5000000, 11, 2, 100);
    talk->id[A] += 2;
    data(talk, 6000000, 11);
    data(talk, 8000000, 11);
    data(talk, 8000100, 12);
    sack(talk, 8000100 + SENDER_US, 12, "d11 d12");
    data(talk, 8000100 + WAY_US, 13);
    data(talk, 8000200 + WAY_US, 14);
    sack(talk, 8000200 + WAY_US + SENDER_US, 14, "");
    judge(talk);
    check_sent(talk, 13, 1, "retransmission t3_gbn/3 needed/3 S14 K14 acked/4 by 33");
    talk_free(talk);
}

/* Of packets alone each is answered at once, or every second packet is. */
static uint8_t answered_after(uint32_t packets)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    for (uint32_t i = 0; i < 20; i++) {
        flight(talk, 3000000 + i * 100000, 9 + packets * i, packets, 10);
        sack(talk, 3000000 + i * 100000 + 10 * (packets - 1) + WAY_US, 8 + packets * (i + 1), "");
    }
    judge(talk);
    const struct sr_path_row *path = sr_spool_visit(&sr_engine_judgement(talk->engine)->paths, 0);
    uint8_t frequency = path->sack_frequency_lo;
    assert_int_equal(path->sack_frequency_hi, frequency);
    talk_free(talk);
    return frequency;
}

static void answers_show_after_how_many_packets_they_are_sent(void **state)
{
    (void)state;
    assert_int_equal(answered_after(1), 1);
    assert_int_equal(answered_after(2), 2);
}

/* The first of another numbering is lost before the tap: three reports ask for it as for any other. */
static void what_was_not_seen_of_another_numbering_was_sent_too(void **state)
{
    (void)state;
    const uint32_t bases[] = {7000, 3000000000};
    for (int i = 0; i < 2; i++) {
        uint32_t base = bases[i];
        char blocks[32];
        struct talk *talk = in_the_middle(false);
        control(talk, 3000000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
        control(talk, 3000000 + HALF_US, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, base);
        flight(talk, 4000000, base + 1, 4, 1000);
        for (uint32_t j = 1; j <= 4; j++) {
            snprintf(blocks, sizeof blocks, "%u-%u", base + 1, base + j);
            sack(talk, 4000000 + (j - 1) * 1000 + HALF_US, base - 1, blocks);
        }
        data(talk, 4002000 + 2 * HALF_US, base);
        sack(talk, 4002000 + 3 * HALF_US, base + 4, "");
        judge(talk);
        check_sent(talk, base, 1, "retransmission fast/2 at 29 needed/4 S14 K3 acked/4 by 32");
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_probe_is_alone_where_nothing_follows_within_a_round_trip),
        cmocka_unit_test(a_probe_of_what_was_lost_speaks_for_pion),
        cmocka_unit_test(pion_has_probes_and_no_other_stack),
        cmocka_unit_test(what_follows_behind_64_chunks_is_not_looked_at),
        cmocka_unit_test(a_packet_that_is_missing_tells_where_it_was_of_this_association),
        cmocka_unit_test(what_a_timeout_owes_it_owes_behind_the_next_one_too),
        cmocka_unit_test(answers_show_after_how_many_packets_they_are_sent),
        cmocka_unit_test(what_was_not_seen_of_another_numbering_was_sent_too),
        cmocka_unit_test(what_follows_as_feedback_has_come_to_the_sender_leaves_it_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
