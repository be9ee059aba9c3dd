/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the occasion of a resend tells, where no mark does (docs/verdict-rules.md, "Why it was sent again"). */
#include "bytes_builder.h"

#include "judge/occasion.h"

#define MS INT64_C(1000000)

/* A round trip takes 50 ms, no RTO is shorter than 400. */
static struct sr_journal journal;
static struct sr_association association; /* whose handshake was not seen */
static struct sr_half half;
static struct sr_transmission_row *again;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    half = (struct sr_half){.journal = &journal, .association = &association};
    half.measured.vantage = SR_VANTAGE_SENDER;
    half.measured.receiver.typical_ns = half.measured.receiver.floor_ns = 50 * MS;
    half.measured.shortest_rto_ns = 400 * MS;
    for (uint32_t i = 0; i < 4; i++) {
        struct sr_transmission_row *row = sr_spool_append(&journal.transmissions);
        assert_non_null(row);
        *row = (struct sr_transmission_row){.frame = i + 1};
    }
    again = sr_transmission_at(&journal, 3);
    *again = (struct sr_transmission_row){.time_ns = 1000 * MS, .prev_row = 1};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_journal_free(&journal);
    return 0;
}

/* The second copy of a TSN, a second after the first. */
static struct sr_explained silent_for(int64_t silent_ns)
{
    struct sr_explained explained = {.row = 3, .silent_ns = silent_ns, .probe_late_ns = SR_NO_TIME};
    memset(explained.cause, SR_CAUSE_UNKNOWN, sizeof explained.cause);
    return explained;
}

static enum sr_cause cause_of(const struct sr_explained *explained, unsigned chosen, uint32_t begun)
{
    struct sr_episode episode = {.row = begun};
    return sr_occasion_cause(&half, explained, again, chosen, &episode);
}

static void a_silence_of_a_round_trip_ends_with_a_timeout(void **state)
{
    (void)state;
    struct sr_explained silent = silent_for(51 * MS), busy = silent_for(50 * MS);
    struct sr_episode episode = {0};
    assert_int_equal(sr_occasion_cause(&half, &silent, again, SR_SENDER_USRSCTP, &episode), SR_CAUSE_T3);
    assert_int_equal(episode.row, 4);
    assert_int_equal(cause_of(&busy, SR_SENDER_USRSCTP, 0), SR_CAUSE_UNKNOWN);
    again->time_ns = 399 * MS; /* no timer is as short */
    assert_int_equal(cause_of(&silent, SR_SENDER_USRSCTP, 0), SR_CAUSE_UNKNOWN);
}

static void a_timer_does_not_send_when_feedback_has_just_come(void **state)
{
    (void)state;
    struct sr_explained fed = silent_for(500 * MS);
    fed.at_feedback = true;
    assert_int_equal(cause_of(&fed, SR_SENDER_USRSCTP, 0), SR_CAUSE_UNKNOWN);
    fed.asked_for = true;
    assert_int_equal(cause_of(&fed, SR_SENDER_USRSCTP, 0), SR_CAUSE_FAST);
}

static void nor_where_what_was_held_up_before_the_tap_is_asked_for(void **state)
{
    (void)state;
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    again->time_ns = 40 * MS; /* both copies came together */
    struct sr_explained released = silent_for(0);
    released.released = released.at_feedback = true;
    assert_int_equal(cause_of(&released, SR_SENDER_USRSCTP, 0), SR_CAUSE_T3);
    released.asked_for = true;
    assert_int_equal(cause_of(&released, SR_SENDER_USRSCTP, 0), SR_CAUSE_FAST);
}

static void copies_a_loop_apart_were_not_held_up_together(void **state)
{
    (void)state;
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    struct sr_explained released = silent_for(0);
    released.released = true;
    again->time_ns = 50 * MS - 1;
    assert_int_equal(cause_of(&released, SR_SENDER_USRSCTP, 0), SR_CAUSE_T3);
    again->time_ns = 50 * MS;
    assert_int_equal(cause_of(&released, SR_SENDER_USRSCTP, 0), SR_CAUSE_UNKNOWN);
}

static void what_was_outstanding_at_a_timeout_follows_it_as_feedback_comes(void **state)
{
    (void)state;
    struct sr_explained next = silent_for(399 * MS);
    next.at_feedback = true;
    assert_int_equal(cause_of(&next, SR_SENDER_USRSCTP, 3), SR_CAUSE_T3_GBN);
    next.at_feedback = false;
    assert_int_equal(cause_of(&next, SR_SENDER_USRSCTP, 3), SR_CAUSE_T3_GBN);
    again->prev_row = 3; /* it was sent again since */
    assert_int_equal(cause_of(&next, SR_SENDER_USRSCTP, 3), SR_CAUSE_T3);
}

static void after_another_silence_it_is_another_timeout(void **state)
{
    (void)state;
    struct sr_explained next = silent_for(400 * MS);
    assert_int_equal(cause_of(&next, SR_SENDER_USRSCTP, 3), SR_CAUSE_T3);
    next.at_feedback = true;
    assert_int_equal(cause_of(&next, SR_SENDER_USRSCTP, 3), SR_CAUSE_T3_GBN);
}

static void what_feedback_asks_for_for_the_third_time_is_fast_behind_a_timeout_too(void **state)
{
    (void)state;
    struct sr_explained asked = silent_for(10 * MS);
    asked.at_feedback = asked.asked_for = asked.passed_over = true;
    assert_int_equal(cause_of(&asked, SR_SENDER_USRSCTP, 3), SR_CAUSE_FAST);
    assert_int_equal(cause_of(&asked, SR_SENDER_PION, 3), SR_CAUSE_T3_GBN); /* its RACK does not wait for that */
    struct sr_episode episode = {.row = 3};
    assert_true(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_UNKNOWN, SR_SENDER_USRSCTP));
    assert_true(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_RACK, SR_SENDER_USRSCTP));
    assert_false(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP));
    assert_false(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_FAST_DEFERRED, SR_SENDER_USRSCTP));
    sr_transmission_at(&journal, 0)->kind = SR_KIND_RETRANSMISSION; /* it is so once: RFC 9260 section 7.2.4 */
    assert_true(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP));
    assert_int_equal(cause_of(&asked, SR_SENDER_USRSCTP, 3), SR_CAUSE_T3_GBN);
}

static void dcsctp_fast_retransmits_again_behind_a_timeout_which_its_own_tap_alone_would_show(void **state)
{
    (void)state;
    struct sr_episode episode = {.row = 3};
    struct sr_explained asked = silent_for(10 * MS);
    sr_transmission_at(&journal, 0)->kind = SR_KIND_RETRANSMISSION;
    assert_true(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_FAST, SR_SENDER_DCSCTP));
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    assert_false(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_FAST, SR_SENDER_DCSCTP));
    assert_true(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_RACK, SR_SENDER_DCSCTP));
    assert_true(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP));
    assert_true(sr_occasion_follows(&half, &episode, &asked, again, SR_CAUSE_FAST, SR_SENDER_LINUX));
}

/* Away from it what did not reach the sender is not seen: of a fast retransmission one packet leaves at once, so what
 * the timer found had not been marked. */
static void what_was_marked_before_a_timeout_and_left_behind_it_the_timeout_had_marked(void **state)
{
    (void)state;
    struct sr_episode episode = {.row = 3}; /* frame 3 */
    struct sr_explained marked = silent_for(10 * MS);
    for (uint32_t trigger = 2; trigger <= 4; trigger++) {
        marked.trigger[SR_SENDER_USRSCTP] = trigger;
        half.measured.vantage = SR_VANTAGE_SENDER;
        assert_false(sr_occasion_follows(&half, &episode, &marked, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP));
        half.measured.vantage = SR_VANTAGE_MIDDLE;
        bool follows = sr_occasion_follows(&half, &episode, &marked, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP);
        assert_int_equal(follows, trigger <= 3);
        follows = sr_occasion_follows(&half, &episode, &marked, again, SR_CAUSE_FAST_DEFERRED, SR_SENDER_USRSCTP);
        assert_int_equal(follows, trigger <= 3);
    }
    sr_transmission_at(&journal, 0)->kind = SR_KIND_RETRANSMISSION; /* it is so once */
    assert_true(sr_occasion_follows(&half, &episode, &marked, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP));
}

static void what_was_lost_before_the_tap_was_outstanding_if_more_had_passed_it(void **state)
{
    (void)state;
    struct sr_episode episode = {.row = 3, .top = sr_tsn(7)}, none = {.top = sr_tsn(7)};
    struct sr_explained first_seen = silent_for(10 * MS);
    again->prev_row = 0;
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    for (again->tsn = 6; again->tsn <= 8; again->tsn++) {
        bool follows = sr_occasion_follows(&half, &episode, &first_seen, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP);
        assert_int_equal(follows, again->tsn <= 7);
        assert_false(sr_occasion_follows(&half, &none, &first_seen, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP));
    }
    again->tsn = 7;
    first_seen.trigger[SR_SENDER_USRSCTP] = 4; /* missing reports had marked it since */
    assert_false(sr_occasion_follows(&half, &episode, &first_seen, again, SR_CAUSE_FAST, SR_SENDER_USRSCTP));
    half.measured.vantage = SR_VANTAGE_SENDER; /* there nothing is lost before it */
    assert_false(sr_occasion_follows(&half, &episode, &first_seen, again, SR_CAUSE_UNKNOWN, SR_SENDER_USRSCTP));
}

static void a_timeout_knows_how_much_had_passed_the_tap(void **state)
{
    (void)state;
    struct sr_explained silent = silent_for(51 * MS);
    struct sr_episode episode = {0};
    silent.top = sr_tsn(9);
    assert_int_equal(sr_occasion_cause(&half, &silent, again, SR_SENDER_USRSCTP, &episode), SR_CAUSE_T3);
    assert_int_equal(episode.top.value, 9);
}

/* Both copies left the queue together: of a sender that fast-retransmits once that is a timeout. */
static void what_is_asked_for_sooner_than_any_timer_is_fast_again_of_dcsctp(void **state)
{
    (void)state;
    struct sr_explained released = silent_for(0);
    released.released = released.asked_for = true;
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    half.measured.receiver.jitter_ns = 1 * MS;
    again->time_ns = 40 * MS;
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 0), SR_CAUSE_FAST);
    assert_int_equal(cause_of(&released, SR_SENDER_USRSCTP, 0), SR_CAUSE_T3); /* that waits for newer data */
    assert_int_equal(cause_of(&released, SR_SENDER_LINUX, 0), SR_CAUSE_T3);
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 3), SR_CAUSE_FAST); /* whatever was outstanding */
    released.by_timer = true;
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 0), SR_CAUSE_T3);
    released.by_timer = released.asked_for = false;
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 0), SR_CAUSE_T3);
    released.asked_for = true;
    released.released = false;
    released.silent_ns = 399 * MS - 1;
    again->time_ns = 399 * MS - 1; /* with the jitter a timer may be as short */
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 3), SR_CAUSE_FAST);
    again->time_ns++;
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 3), SR_CAUSE_T3_GBN);
    again->time_ns = 40 * MS;
    half.measured.vantage = SR_VANTAGE_SENDER; /* there all feedback that it acts on is seen to come */
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 3), SR_CAUSE_T3_GBN);
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    again->prev_row = 0; /* how old the copy before is nobody knows */
    released.released = released.never_missed = released.alone_again = true;
    assert_int_equal(cause_of(&released, SR_SENDER_DCSCTP, 0), SR_CAUSE_T3);
}

static void a_timeout_where_the_receiver_has_no_room_is_a_probe_of_its_window(void **state)
{
    (void)state;
    struct sr_explained full = silent_for(500 * MS);
    full.no_room = true; /* however much is outstanding: RFC 9260 section 6.1 A */
    assert_int_equal(cause_of(&full, SR_SENDER_USRSCTP, 0), SR_CAUSE_ZERO_WINDOW_PROBE);
    full.alone = true;
    assert_int_equal(cause_of(&full, SR_SENDER_USRSCTP, 0), SR_CAUSE_ZERO_WINDOW_PROBE);
}

static void what_a_stack_with_rack_sends_after_a_silence_is_its_probe(void **state)
{
    (void)state;
    again->time_ns = 399 * MS;
    half.measured.sender_loop_ns = 10 * MS; /* two round trips take 120 ms */
    struct sr_explained silent = silent_for(120 * MS), busy = silent_for(119 * MS), fed = silent_for(120 * MS);
    silent.passed_over = busy.passed_over = fed.passed_over = fed.at_feedback = true;
    assert_int_equal(cause_of(&silent, SR_SENDER_PION, 0), SR_CAUSE_TLP);
    assert_int_equal(cause_of(&busy, SR_SENDER_PION, 0), SR_CAUSE_RACK);
    assert_int_equal(cause_of(&fed, SR_SENDER_PION, 0), SR_CAUSE_RACK);
}

static void a_probe_is_late_by_half_of_the_whole_round_trip_at_most(void **state)
{
    (void)state;
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    half.measured.receiver.typical_ns = 2 * MS;
    half.measured.sender_loop_ns = 58 * MS;
    struct sr_explained late = silent_for(61 * MS);
    again->time_ns = 90 * MS;
    late.last_open = late.passed_over = true;
    late.probe_late_ns = 30 * MS;
    assert_int_equal(cause_of(&late, SR_SENDER_PION, 0), SR_CAUSE_TLP);
    late.probe_late_ns++;
    assert_int_equal(cause_of(&late, SR_SENDER_PION, 0), SR_CAUSE_RACK);
    late.probe_late_ns = -1;
    assert_int_equal(cause_of(&late, SR_SENDER_PION, 0), SR_CAUSE_RACK);
}

static void what_is_passed_over_and_was_never_seen_rack_sends_unless_it_did_before(void **state)
{
    (void)state;
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    struct sr_explained lost = silent_for(300 * MS);
    lost.last_open = lost.passed_over = true;
    again->prev_row = 0;
    assert_int_equal(cause_of(&lost, SR_SENDER_PION, 0), SR_CAUSE_RACK);
    lost.cause[SR_SENDER_PION] = SR_CAUSE_RACK;
    assert_int_equal(cause_of(&lost, SR_SENDER_PION, 0), SR_CAUSE_TLP);
    lost.cause[SR_SENDER_PION] = SR_CAUSE_UNKNOWN;
    lost.passed_over = false;
    assert_int_equal(cause_of(&lost, SR_SENDER_PION, 0), SR_CAUSE_TLP);
    lost.passed_over = true;
    again->prev_row = 1;
    again->time_ns = 300 * MS;
    assert_int_equal(cause_of(&lost, SR_SENDER_PION, 0), SR_CAUSE_TLP);
}

/* Its mark is old: what was sent then was lost before the tap. */
static void what_rack_marked_leaves_after_a_silence_by_a_timer(void **state)
{
    (void)state;
    struct sr_explained marked = silent_for(100 * MS);
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    marked.cause[SR_SENDER_PION] = SR_CAUSE_RACK;
    marked.passed_over = marked.last_open = true;
    again->prev_row = 0;
    assert_true(sr_occasion_contradicts(&half, &marked, SR_SENDER_PION)); /* after two round trips by its probe's */
    assert_int_equal(cause_of(&marked, SR_SENDER_PION, 0), SR_CAUSE_TLP);
    marked.silent_ns--;
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_PION));
    marked.silent_ns = 399 * MS;
    marked.last_open = false; /* that sends the last that is outstanding */
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_PION));
    marked.silent_ns = 400 * MS;
    assert_true(sr_occasion_contradicts(&half, &marked, SR_SENDER_PION));
    struct sr_episode episode = {0};
    assert_int_equal(sr_occasion_cause(&half, &marked, again, SR_SENDER_PION, &episode), SR_CAUSE_T3);
    assert_int_equal(episode.row, 4);
    marked.at_feedback = true;
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_PION));
    marked.at_feedback = false;
    marked.cause[SR_SENDER_PION] = SR_CAUSE_RACK_TIMER; /* that is one */
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_PION));
    marked.cause[SR_SENDER_PION] = SR_CAUSE_RACK;
    half.measured.vantage = SR_VANTAGE_SENDER; /* where nothing is lost before the tap */
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_PION));
}

static void what_missing_reports_marked_leaves_by_a_timer_after_a_silence_of_its_rto(void **state)
{
    (void)state;
    struct sr_explained marked = silent_for(600 * MS);
    half.measured.vantage = SR_VANTAGE_RECEIVER;
    half.measured.shortest_rto_ns = 700 * MS;
    marked.cause[SR_SENDER_USRSCTP] = SR_CAUSE_FAST;
    marked.passed_over = marked.asked_for = true;
    again->prev_row = 0;
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
    marked.silent_for_rto = 1u << SR_SENDER_DCSCTP;
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
    marked.silent_for_rto = 1u << SR_SENDER_USRSCTP;
    assert_true(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
    half.measured.shortest_rto_ns = 400 * MS;
    assert_int_equal(cause_of(&marked, SR_SENDER_USRSCTP, 0), SR_CAUSE_T3);
    marked.silent_for_rto = 0;
    assert_int_equal(cause_of(&marked, SR_SENDER_USRSCTP, 0), SR_CAUSE_FAST);
}

static void a_mark_of_a_timeout_is_not_believed_long_after_it_at_feedback(void **state)
{
    (void)state;
    struct sr_explained marked = silent_for(10 * MS);
    marked.cause[SR_SENDER_USRSCTP] = SR_CAUSE_T3;
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
    marked.at_feedback = true;
    assert_true(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
    assert_int_equal(cause_of(&marked, SR_SENDER_USRSCTP, 0), SR_CAUSE_T3_GBN);
    marked.asked_for = true;
    assert_int_equal(cause_of(&marked, SR_SENDER_USRSCTP, 0), SR_CAUSE_FAST);
    marked.on_time = 1u << SR_SENDER_USRSCTP;
    assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
}

/* Linux does so once (SCTP_DONT_FRTX), usrsctp and dcSCTP again. */
static void what_was_fast_a_timeout_before_is_not_fast_again_where_a_sender_does_so_once(void **state)
{
    (void)state;
    struct sr_explained asked = silent_for(10 * MS);
    struct sr_transmission_row *before = sr_transmission_at(&journal, 0);
    asked.at_feedback = asked.asked_for = true;
    association.side[0].family = SR_FAMILY_LINUX;
    before->cause = SR_CAUSE_FAST;
    before->time_ns = again->time_ns - 400 * MS;
    assert_int_equal(cause_of(&asked, SR_SENDER_LINUX, 0), SR_CAUSE_T3);
    assert_int_equal(cause_of(&asked, SR_SENDER_USRSCTP, 0), SR_CAUSE_FAST);
    assert_int_equal(cause_of(&asked, SR_SENDER_DCSCTP, 0), SR_CAUSE_FAST);
    before->time_ns++; /* no timer is as short */
    assert_int_equal(cause_of(&asked, SR_SENDER_LINUX, 0), SR_CAUSE_FAST);
    before->time_ns--;
    before->cause = SR_CAUSE_T3; /* that does not count */
    assert_int_equal(cause_of(&asked, SR_SENDER_LINUX, 0), SR_CAUSE_FAST);
    before->cause = SR_CAUSE_FAST_DEFERRED;
    assert_int_equal(cause_of(&asked, SR_SENDER_LINUX, 0), SR_CAUSE_T3);
    association.side[0].family = SR_FAMILY_OTHER; /* nobody knows how often it does */
    assert_int_equal(cause_of(&asked, SR_SENDER_LINUX, 0), SR_CAUSE_FAST);
    association.side[0].family = SR_FAMILY_UNKNOWN;
    assert_int_equal(cause_of(&asked, SR_SENDER_LINUX, 0), SR_CAUSE_FAST);
}

static void nor_one_of_missing_reports_when_a_timer_expires(void **state)
{
    (void)state;
    const enum sr_cause fast[] = {SR_CAUSE_FAST, SR_CAUSE_FAST_DEFERRED};
    for (int i = 0; i < 2; i++) {
        struct sr_explained marked = silent_for(400 * MS);
        marked.cause[SR_SENDER_USRSCTP] = (uint8_t)fast[i];
        assert_true(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
        marked.silent_ns -= 1;
        assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
        marked.silent_ns = SR_NO_TIME;
        assert_false(sr_occasion_contradicts(&half, &marked, SR_SENDER_USRSCTP));
    }
}

static void nor_a_probe_of_what_feedback_has_just_passed_over_away_from_the_sender(void **state)
{
    (void)state;
    struct sr_explained probe = silent_for(10 * MS);
    probe.cause[SR_SENDER_PION] = SR_CAUSE_TLP;
    probe.at_feedback = probe.passed_over = true;
    assert_false(sr_occasion_contradicts(&half, &probe, SR_SENDER_PION));
    half.measured.vantage = SR_VANTAGE_MIDDLE;
    assert_true(sr_occasion_contradicts(&half, &probe, SR_SENDER_PION));
    assert_int_equal(cause_of(&probe, SR_SENDER_PION, 0), SR_CAUSE_RACK);
    probe.passed_over = false;
    assert_false(sr_occasion_contradicts(&half, &probe, SR_SENDER_PION));
    probe.passed_over = true;
    probe.at_feedback = false;
    assert_false(sr_occasion_contradicts(&half, &probe, SR_SENDER_PION));
}

static void what_was_acknowledged_in_order_was_not_marked_as_lost(void **state)
{
    (void)state;
    const enum sr_cause by_loss[] = {SR_CAUSE_FAST, SR_CAUSE_FAST_DEFERRED, SR_CAUSE_RACK, SR_CAUSE_RACK_TIMER};
    struct sr_explained acked = silent_for(10 * MS);
    acked.at_feedback = acked.asked_for = acked.passed_over = acked.alone_again = true;
    for (int i = 0; i < 4; i++) {
        acked.cause[SR_SENDER_PION] = (uint8_t)by_loss[i];
        acked.never_missed = false;
        assert_false(sr_occasion_contradicts(&half, &acked, SR_SENDER_PION));
        acked.never_missed = true;
        assert_true(sr_occasion_contradicts(&half, &acked, SR_SENDER_PION));
    }
    assert_int_equal(cause_of(&acked, SR_SENDER_PION, 0), SR_CAUSE_UNKNOWN);
    assert_int_equal(cause_of(&acked, SR_SENDER_USRSCTP, 0), SR_CAUSE_UNKNOWN); /* it may have timers of its own */
    half.told.profile = 1 + SR_PROFILE_USRSCTP;
    assert_int_equal(cause_of(&acked, SR_SENDER_USRSCTP, 0), SR_CAUSE_T3_GBN); /* nothing else can have marked it */
    again->time_ns = 49 * MS;                                                  /* no RTO is shorter than a round trip */
    assert_int_equal(cause_of(&acked, SR_SENDER_USRSCTP, 0), SR_CAUSE_UNKNOWN);
    sr_transmission_at(&journal, 0)->prev_row = 2; /* but there was a copy before */
    sr_transmission_at(&journal, 1)->time_ns = -1 * MS;
    assert_int_equal(cause_of(&acked, SR_SENDER_USRSCTP, 0), SR_CAUSE_T3_GBN);
    again->time_ns = 1000 * MS;
    again->prev_row = 0; /* what came of a copy before is not known */
    assert_int_equal(cause_of(&acked, SR_SENDER_USRSCTP, 0), SR_CAUSE_UNKNOWN);
    again->prev_row = 1;
    acked.never_missed = false;
    assert_int_equal(cause_of(&acked, SR_SENDER_PION, 0), SR_CAUSE_RACK);
    assert_int_equal(cause_of(&acked, SR_SENDER_USRSCTP, 0), SR_CAUSE_FAST);
}

static void but_by_rack_of_pion_where_the_first_copy_of_what_was_sent_again_came(void **state)
{
    (void)state;
    struct sr_explained acked = silent_for(10 * MS);
    acked.at_feedback = acked.never_missed = true;
    acked.cause[SR_SENDER_PION] = SR_CAUSE_RACK;
    assert_false(sr_occasion_contradicts(&half, &acked, SR_SENDER_PION));
    assert_int_equal(cause_of(&acked, SR_SENDER_PION, 0), SR_CAUSE_RACK);
    acked.cause[SR_SENDER_PION] = SR_CAUSE_FAST;
    assert_true(sr_occasion_contradicts(&half, &acked, SR_SENDER_PION));
}

static void behind_a_silence_a_timeout_has_sent_it(void **state)
{
    (void)state;
    struct sr_explained released = silent_for(1 * MS);
    released.at_feedback = released.released = released.alone_again = true;
    assert_int_equal(cause_of(&released, SR_SENDER_PION, 0), SR_CAUSE_RACK);
    released.never_missed = true;
    assert_int_equal(cause_of(&released, SR_SENDER_PION, 0), SR_CAUSE_UNKNOWN); /* no RTO is as short */
    half.measured.vantage = SR_VANTAGE_MIDDLE; /* but a queue may have moved the copies together */
    assert_int_equal(cause_of(&released, SR_SENDER_PION, 0), SR_CAUSE_T3);
    half.measured.vantage = SR_VANTAGE_SENDER; /* and so may a path that stood still, where an answer was seen */
    again->frame = 4;
    again->acked_frame = 3;
    assert_int_equal(cause_of(&released, SR_SENDER_PION, 0), SR_CAUSE_T3);
    released.last_open = true; /* then it may as well be a probe */
    assert_int_equal(cause_of(&released, SR_SENDER_PION, 0), SR_CAUSE_UNKNOWN);
    released.last_open = released.released = false;
    assert_int_equal(cause_of(&released, SR_SENDER_PION, 0), SR_CAUSE_UNKNOWN);
}

/* Three TSNs sent again in frame 4 and one in frame 5. */
static struct sr_causes packets_of_resends(void)
{
    struct sr_causes causes = {.half = &half, .explained_count = 4};
    sr_spool_init(&causes.explained, &journal.store, sizeof(struct sr_explained));
    for (uint32_t i = 0; i < 4; i++) {
        struct sr_transmission_row *row = i == 0 ? again : sr_spool_append(&journal.transmissions);
        struct sr_explained *explained = sr_spool_append(&causes.explained);
        assert_true(row && explained);
        *row = (struct sr_transmission_row){.time_ns = 1000 * MS, .frame = i < 3 ? 4 : 5, .prev_row = 1};
        *explained = silent_for(100 * MS);
        explained->row = 3 + i;
    }
    return causes;
}

static void what_nothing_can_have_asked_for_tells_of_its_whole_packet(void **state)
{
    (void)state;
    struct sr_causes causes = packets_of_resends();
    half.told.profile = 1 + SR_PROFILE_USRSCTP;
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP));
    sr_causes_explained(&causes, 3)->never_missed = true; /* in the next packet */
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP));
    assert_true(sr_occasion_has_timer_packet(&causes, 3, SR_SENDER_USRSCTP));
    sr_causes_explained(&causes, 2)->never_missed = true;
    half.told.profile = 0;
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP)); /* it may have timers of its own */
    half.told.profile = 1 + SR_PROFILE_USRSCTP;
    assert_true(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP));
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_PION)); /* its probe would be one, too */
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_RFC8985));
    sr_transmission_at(&journal, 5)->prev_row = 0;
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP));
    sr_transmission_at(&journal, 5)->prev_row = 1;
    again->time_ns = 49 * MS; /* no RTO is shorter than a round trip */
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP));
    again->time_ns = 50 * MS;
    assert_true(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP));
    sr_causes_explained(&causes, 0)->at_feedback = true;
    assert_false(sr_occasion_has_timer_packet(&causes, 0, SR_SENDER_USRSCTP));
    sr_spool_free(&causes.explained);
}

static void all_of_a_packet_of_a_timer_begins_a_timeout(void **state)
{
    (void)state;
    struct sr_explained sent = silent_for(100 * MS);
    struct sr_episode episode = {0};
    again->time_ns = 120 * MS;
    sent.passed_over = sent.asked_for = true;
    assert_int_equal(cause_of(&sent, SR_SENDER_USRSCTP, 0), SR_CAUSE_FAST);
    sent.by_timer = true;
    assert_int_equal(sr_occasion_cause(&half, &sent, again, SR_SENDER_USRSCTP, &episode), SR_CAUSE_T3);
    assert_int_equal(episode.row, 4);
    sent.no_room = true;
    assert_int_equal(cause_of(&sent, SR_SENDER_USRSCTP, 0), SR_CAUSE_ZERO_WINDOW_PROBE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_silence_of_a_round_trip_ends_with_a_timeout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_timer_does_not_send_when_feedback_has_just_come, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nor_where_what_was_held_up_before_the_tap_is_asked_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copies_a_loop_apart_were_not_held_up_together, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_outstanding_at_a_timeout_follows_it_as_feedback_comes, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(after_another_silence_it_is_another_timeout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_feedback_asks_for_for_the_third_time_is_fast_behind_a_timeout_too, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(
            dcsctp_fast_retransmits_again_behind_a_timeout_which_its_own_tap_alone_would_show, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_marked_before_a_timeout_and_left_behind_it_the_timeout_had_marked,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_lost_before_the_tap_was_outstanding_if_more_had_passed_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_timeout_knows_how_much_had_passed_the_tap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_asked_for_sooner_than_any_timer_is_fast_again_of_dcsctp, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_probe_is_late_by_half_of_the_whole_round_trip_at_most, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_passed_over_and_was_never_seen_rack_sends_unless_it_did_before, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_rack_marked_leaves_after_a_silence_by_a_timer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_missing_reports_marked_leaves_by_a_timer_after_a_silence_of_its_rto,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_timeout_where_the_receiver_has_no_room_is_a_probe_of_its_window, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_a_stack_with_rack_sends_after_a_silence_is_its_probe, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_mark_of_a_timeout_is_not_believed_long_after_it_at_feedback, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_was_fast_a_timeout_before_is_not_fast_again_where_a_sender_does_so_once,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(nor_one_of_missing_reports_when_a_timer_expires, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_acknowledged_in_order_was_not_marked_as_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(but_by_rack_of_pion_where_the_first_copy_of_what_was_sent_again_came, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_nothing_can_have_asked_for_tells_of_its_whole_packet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_of_a_packet_of_a_timer_begins_a_timeout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(behind_a_silence_a_timeout_has_sent_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nor_a_probe_of_what_feedback_has_just_passed_over_away_from_the_sender, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
