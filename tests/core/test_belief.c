/* SPDX-License-Identifier: BSD-2-Clause */
/* Which SACKs are not believed: one that acknowledges what is sent for the first time later is forged. The receiver is
 * 20 ms away. */
#include "talk.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, LATER_US = 3010000 };
enum { REACH = 8192, LOW = 1000, OTHER = 10000000, THIRD = 50000000 };

/* TSNs up to 8 were sent, and acknowledged. */
static struct talk *with_handshake(void)
{
    return talk_after_eight(SENDER_US, WAY_US, false);
}

static const struct sr_sack_row *last_sack(const struct talk *talk)
{
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    return sr_sack_at(journal, journal->sacks.count - 1);
}

/* The last SACK, and frees the talk. */
static bool is_believed(struct talk *talk)
{
    judge(talk);
    const struct sr_sack_row *row = last_sack(talk);
    bool refuted = row->refuted;
    assert_int_equal(row->malformed >> SR_SACK_ANOMALY_CLAIMS_UNSENT & 1, refuted);
    talk_free(talk);
    return !refuted;
}

static void what_is_sent_for_the_first_time_later_was_not_there(void **state)
{
    (void)state;
    for (uint32_t first = 9; first <= 11; first++) {
        struct talk *talk = with_handshake();
        sack(talk, AT_US, 10, "");
        data(talk, LATER_US, first);
        assert_int_equal(is_believed(talk), first > 10);
    }
}

static void the_highest_of_its_blocks_is_what_it_claims(void **state)
{
    (void)state;
    static const char *const blocks[] = {"10 12 14", "10 14 12", "14 10 12", "n14 10", "10 n14"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (uint32_t first = 13; first <= 15; first++) {
            struct talk *talk = with_handshake();
            sack(talk, AT_US, 8, blocks[i]);
            data(talk, LATER_US, first);
            assert_int_equal(is_believed(talk), first > 14);
        }
}

static void what_is_sent_again_was_there(void **state)
{
    (void)state;
    for (uint32_t again = 7; again <= 9; again++) { /* 9 is new */
        struct talk *talk = with_handshake();
        sack(talk, AT_US, 9, "");
        data(talk, LATER_US, again);
        data(talk, LATER_US + 1000, 10);
        assert_int_equal(is_believed(talk), again != 9);
    }
}

static void a_forward_tsn_lets_what_was_never_seen_be_acknowledged(void **state)
{
    (void)state;
    for (int forward = 0; forward < 2; forward++) {
        struct talk *talk = with_handshake();
        if (forward)
            forward_tsn(talk, AT_US - 1000, 10);
        sack(talk, AT_US, 10, "");
        data(talk, LATER_US, 9); /* it comes late */
        assert_int_equal(is_believed(talk), forward);
    }
}

static void a_forward_tsn_passes_over_as_much_as_is_within_reach(void **state)
{
    (void)state;
    for (uint32_t further = 0; further < 2; further++) {
        struct talk *talk = with_handshake();
        forward_tsn(talk, AT_US - 1000, 8 + REACH + further);
        sack(talk, AT_US, 10, "");
        data(talk, LATER_US, 9);
        assert_int_equal(is_believed(talk), !further);
    }
}

/* Just below where TSNs begin again: what has no TSN passes over nothing. */
static void no_other_chunk_passes_over_what_was_never_sent(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_HEARTBEAT, SR_CHUNK_FORWARD_TSN, SR_CHUNK_I_FORWARD_TSN};
    for (int i = 0; i < 3; i++) {
        const uint32_t last = UINT32_MAX - 4;
        struct talk *talk = talk_new();
        data(talk, AT_US - 50000, last);
        sack(talk, AT_US - 40000, last, "");
        if (types[i] == SR_CHUNK_HEARTBEAT)
            heartbeat(talk, AT_US - 1000, A, false, 1);
        else
            control(talk, AT_US - 1000, A, types[i], 1, last + 2);
        sack(talk, AT_US, last + 2, "");
        data(talk, LATER_US, last + 1);
        assert_int_equal(is_believed(talk), types[i] != SR_CHUNK_HEARTBEAT);
    }
}

/* Of two packets side by side the one that is broken says nothing. */
static void one_with_a_wrong_checksum_claims_nothing(void **state)
{
    (void)state;
    struct talk *talk = with_handshake();
    sack(talk, AT_US, 9, "");
    talk->broken = true;
    sack(talk, AT_US + 1, 9, "");
    talk->broken = false;
    data(talk, LATER_US, 9);
    assert_true(is_believed(talk));
}

/* What goes on after the capture began may acknowledge what was sent before it. */
static void in_the_middle_all_that_is_acknowledged_was_sent_until_that_is_seen(void **state)
{
    (void)state;
    for (int settled = 0; settled < 2; settled++) {
        struct talk *talk = talk_new();
        data(talk, AT_US - 3000, LOW);
        sack(talk, AT_US - 2000, LOW + 5, "");
        if (settled) /* nothing more is on its way */
            sack(talk, AT_US - 1000, LOW + 5, "");
        sack(talk, AT_US, LOW + 7, "");
        data(talk, LATER_US, LOW + 6);
        assert_int_equal(is_believed(talk), !settled);
    }
}

static void what_is_too_far_above_was_not_sent_before_the_capture(void **state)
{
    (void)state;
    for (uint32_t further = 0; further < 2; further++) {
        struct talk *talk = talk_new();
        data(talk, AT_US - 3000, LOW);
        sack(talk, AT_US - 2000, LOW + REACH + further, "");
        sack(talk, AT_US - 1000, LOW, "");
        sack(talk, AT_US, LOW + 2, "");
        data(talk, LATER_US, LOW + 1);
        assert_int_equal(is_believed(talk), !further);
    }
}

static void until_that_is_seen_nothing_is_held_against_a_sack(void **state)
{
    (void)state;
    const uint32_t aheads[] = {2, REACH, REACH + 1};
    for (int i = 0; i < 3; i++) {
        struct talk *talk = talk_new();
        data(talk, AT_US - 3000, LOW);
        sack(talk, AT_US, LOW + aheads[i], "");
        data(talk, LATER_US, LOW + 1);
        assert_true(is_believed(talk));
    }
}

static void one_packet_with_a_tsn_far_away_is_broken_and_two_near_each_other_are_numbered_anew(void **state)
{
    (void)state;
    for (int anew = 0; anew < 2; anew++) {
        struct talk *talk = with_handshake();
        sack(talk, AT_US - 3000, 9, ""); /* a claim, too */
        data(talk, AT_US - 2000, OTHER);
        data(talk, AT_US - 1000, anew ? OTHER + 1 : THIRD);
        sack(talk, AT_US, 9, "");
        data(talk, LATER_US, 9);
        assert_int_equal(is_believed(talk), anew);
    }
}

/* A second tap of the capture: the packet is the same. */
static void one_with_a_tsn_far_away_that_is_captured_twice_is_one(void **state)
{
    (void)state;
    struct talk *talk = with_handshake();
    data(talk, AT_US - 2000, OTHER);
    talk->id[A] -= 1;
    data(talk, AT_US - 1990, OTHER);
    sack(talk, AT_US, 9, "");
    data(talk, LATER_US, 9);
    assert_false(is_believed(talk));
}

static void what_is_seen_within_reach_settles_what_lies_below_it(void **state)
{
    (void)state;
    for (uint32_t further = 0; further < 2; further++) {
        struct talk *talk = with_handshake();
        sack(talk, AT_US, 9, "");
        data(talk, LATER_US - 1000, 8 + REACH + further);
        data(talk, LATER_US, 9); /* it comes late */
        assert_int_equal(is_believed(talk), !further);
    }
}

static void a_numbering_is_as_near_as_it_reaches_up_or_down(void **state)
{
    (void)state;
    for (int32_t further = 0; further < 2; further++)
        for (int32_t side = -1; side <= 1; side += 2) {
            struct talk *talk = with_handshake();
            sack(talk, AT_US - 3000, 9, ""); /* a claim, too */
            data(talk, AT_US - 2000, OTHER);
            data(talk, AT_US - 1000, (uint32_t)(OTHER + side * (REACH + further)));
            sack(talk, AT_US, 9, "");
            data(talk, LATER_US, 9);
            assert_int_equal(is_believed(talk), !further);
        }
}

static void behind_another_numbering_nothing_is_held_against_what_was_claimed_before(void **state)
{
    (void)state;
    for (int anew = 0; anew < 2; anew++) {
        struct talk *talk = talk_new();
        data(talk, AT_US - 3000, OTHER);
        sack(talk, AT_US - 2000, OTHER, "");
        sack(talk, AT_US, OTHER + 2, "");
        for (uint32_t i = 0; anew && i < 2; i++)
            data(talk, LATER_US - 1000, LOW + i);
        data(talk, LATER_US, anew ? LOW + 2 : OTHER + 1);
        assert_int_equal(is_believed(talk), anew);
    }
}

static void what_is_so_far_below_is_of_another_numbering_too(void **state)
{
    enum { PAST = 1 << 18 };
    (void)state;
    for (uint32_t nearer = 0; nearer <= 2; nearer += 2) {
        struct talk *talk = talk_new();
        data(talk, AT_US - 3000, OTHER);
        sack(talk, AT_US - 2000, OTHER, "");
        sack(talk, AT_US, OTHER + 2, "");
        data(talk, LATER_US - 2000, OTHER - PAST + nearer);
        data(talk, LATER_US - 1000, OTHER - PAST + nearer - 1);
        data(talk, LATER_US, OTHER + 1);
        assert_int_equal(is_believed(talk), nearer == 0);
    }
}

/* RFC 6525 section 5.1.4: what is claimed of one numbering is not refuted by another, and of the new one nothing is on
 * its way. */
static void behind_a_reset_claims_are_of_the_new_numbering(void **state)
{
    enum { BEFORE, BEHIND, NEVER, CASES };
    (void)state;
    for (int when = BEFORE; when < CASES; when++) {
        struct talk *talk = with_handshake();
        if (when != BEHIND)
            sack(talk, AT_US - 100000, 9, "");
        if (when != NEVER) {
            control(talk, AT_US - 50000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
            control(talk, AT_US - 40000, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, 7u);
        }
        if (when == BEHIND) {
            data(talk, AT_US - 3000, 7);
            sack(talk, AT_US, 8, "");
        }
        data(talk, LATER_US, when == BEHIND ? 8 : 9);
        assert_int_equal(is_believed(talk), when == BEFORE);
    }
}

static void a_tsn_far_away_before_a_reset_makes_no_numbering_with_one_behind_it(void **state)
{
    (void)state;
    struct talk *talk = with_handshake();
    data(talk, AT_US - 100000, OTHER);
    control(talk, AT_US - 50000, A, SR_CHUNK_RE_CONFIG, 2, 0x000f0008u, 5u);
    control(talk, AT_US - 40000, B, SR_CHUNK_RE_CONFIG, 5, 0x00100014u, 5u, 1u, 5000u, 7u);
    data(talk, AT_US - 3000, 7);
    data(talk, AT_US - 2000, OTHER + 1);
    sack(talk, AT_US, 8, "");
    data(talk, LATER_US, 8);
    assert_false(is_believed(talk));
}

/* As where an association is judged while it goes on. */
static void what_was_said_of_it_before_is_said_anew(void **state)
{
    (void)state;
    struct talk *talk = with_handshake();
    sack(talk, AT_US, 9, "");
    judge(talk);
    struct sr_sack_row *row = (struct sr_sack_row *)(uintptr_t)last_sack(talk);
    row->refuted = 1;
    row->malformed |= 1u << SR_SACK_ANOMALY_CLAIMS_UNSENT;
    data(talk, LATER_US, 8); /* again */
    assert_true(is_believed(talk));
}

/* A limit on memory. */
static void of_very_many_claims_the_oldest_is_believed(void **state)
{
    (void)state;
    enum { CLAIMS = 1 << 14 };
    struct talk *talk = with_handshake();
    for (int64_t i = 0; i <= CLAIMS; i++)
        sack(talk, AT_US + i, 9, "");
    data(talk, AT_US + CLAIMS + 1000, 9); /* those of the last 2 ms may have answered it */
    judge(talk);
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    assert_false(sr_sack_at(journal, 8)->refuted);
    assert_true(sr_sack_at(journal, 9)->refuted);
    assert_true(sr_sack_at(journal, 8 + CLAIMS - 1001)->refuted);
    assert_false(sr_sack_at(journal, 8 + CLAIMS - 1000)->refuted);
    talk_free(talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_for_the_first_time_later_was_not_there),
        cmocka_unit_test(the_highest_of_its_blocks_is_what_it_claims),
        cmocka_unit_test(what_is_sent_again_was_there),
        cmocka_unit_test(a_forward_tsn_lets_what_was_never_seen_be_acknowledged),
        cmocka_unit_test(a_forward_tsn_passes_over_as_much_as_is_within_reach),
        cmocka_unit_test(no_other_chunk_passes_over_what_was_never_sent),
        cmocka_unit_test(one_with_a_wrong_checksum_claims_nothing),
        cmocka_unit_test(in_the_middle_all_that_is_acknowledged_was_sent_until_that_is_seen),
        cmocka_unit_test(what_is_too_far_above_was_not_sent_before_the_capture),
        cmocka_unit_test(until_that_is_seen_nothing_is_held_against_a_sack),
        cmocka_unit_test(one_packet_with_a_tsn_far_away_is_broken_and_two_near_each_other_are_numbered_anew),
        cmocka_unit_test(one_with_a_tsn_far_away_that_is_captured_twice_is_one),
        cmocka_unit_test(what_is_seen_within_reach_settles_what_lies_below_it),
        cmocka_unit_test(a_numbering_is_as_near_as_it_reaches_up_or_down),
        cmocka_unit_test(behind_another_numbering_nothing_is_held_against_what_was_claimed_before),
        cmocka_unit_test(what_is_so_far_below_is_of_another_numbering_too),
        cmocka_unit_test(behind_a_reset_claims_are_of_the_new_numbering),
        cmocka_unit_test(a_tsn_far_away_before_a_reset_makes_no_numbering_with_one_behind_it),
        cmocka_unit_test(what_was_said_of_it_before_is_said_anew),
        cmocka_unit_test(of_very_many_claims_the_oldest_is_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
