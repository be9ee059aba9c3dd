/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of round trips and what is said of their windows: when one ends, and what is known of the congestion window
 * then. */
#include "bytes_builder.h"

#include "limits/windows.h"
#include "wire/time.h"

enum { MTU = 1200, DATA = MTU - 28, WINDOW = 100000, FIRST = 10 };

static struct sr_journal journal;
static struct sr_spool rows;
static struct sr_association association;
static struct sr_half half;
static struct sr_windows windows;

static int set_up(void **state)
{
    (void)state;
    sr_journal_init(&journal, 1 << 20);
    sr_spool_init(&rows, &journal.store, sizeof(struct sr_window_row));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sr_spool_free(&rows);
    sr_journal_free(&journal);
    return 0;
}

static void begin(enum sr_stack_family family)
{
    sr_spool_clear(&rows);
    association = (struct sr_association){.side = {{.family = (uint8_t)family}, {.family = SR_FAMILY_OTHER}}};
    half = (struct sr_half){.journal = &journal, .association = &association};
    sr_windows_begin(&windows, &rows, &half, true);
    sr_windows_told(&windows, WINDOW);
}

static const struct sr_window_row *last_row(void)
{
    return sr_spool_visit(&rows, rows.count - 1);
}

static struct sr_transmission_row packet(uint32_t tsn, enum sr_cause cause)
{
    return (struct sr_transmission_row){.tsn = tsn, .frame = tsn, .cause = (uint8_t)cause, .bytes = DATA};
}

/* A packet that is full leaves at a time, while so many are outstanding. */
static void leaves(uint32_t tsn, int64_t now_ns, uint64_t outstanding)
{
    struct sr_transmission_row row = packet(tsn, SR_CAUSE_UNKNOWN);
    sr_windows_sent(&windows, &row, now_ns, DATA, (struct sr_amount){outstanding * DATA, outstanding},
                    SR_LIMIT_APPLICATION);
}

static void acked(uint32_t cum, int64_t now_ns, uint32_t newly_acked)
{
    const struct sr_sack_row sack = {.cum_tsn = cum,
                                     .frame = cum + 1000,
                                     .a_rwnd = WINDOW,
                                     .newly_acked = newly_acked,
                                     .newly_acked_bytes = newly_acked * DATA};
    sr_windows_acked(&windows, &sack, now_ns, (struct sr_amount){DATA, 1});
}

static void the_window_is_that_of_the_stack_that_is_known(void **state)
{
    (void)state;
    static const struct {
        enum sr_stack_family family;
        uint8_t profile;
    } cases[] = {
        {SR_FAMILY_PION, SR_PROFILE_PION},     {SR_FAMILY_USRSCTP, SR_PROFILE_USRSCTP},
        {SR_FAMILY_DCSCTP, SR_PROFILE_DCSCTP}, {SR_FAMILY_LINUX, SR_PROFILE_LINUX},
        {SR_FAMILY_OTHER, SR_NO_WORD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin(cases[i].family);
        leaves(FIRST, 100, 0);
        sr_windows_finish(&windows);
        assert_int_equal(rows.count, 1);
        assert_int_equal(last_row()->cwnd_profile, cases[i].profile);
    }
}

static void a_round_trip_ends_with_the_feedback_that_acknowledges_its_first_packet(void **state)
{
    (void)state;
    begin(SR_FAMILY_USRSCTP);
    leaves(FIRST, 100, 0);
    leaves(FIRST + 1, 110, 1);
    acked(FIRST - 1, 150, 0); /* it tells nothing new */
    acked(FIRST - 1, 180, 1); /* by a block */
    acked(FIRST, 200, 1);
    acked(FIRST + 1, 210, 1); /* that is of the next one */
    leaves(FIRST + 2, 220, 0);
    assert_int_equal(rows.count, 1);
    assert_int_equal(last_row()->begin_ns, 100);
    assert_int_equal(last_row()->end_ns, 200);
    assert_int_equal(last_row()->end_frame, FIRST + 1000);
    assert_int_equal(last_row()->packets, 2);
    assert_int_equal(last_row()->acked_bytes, 2 * DATA);
    assert_int_equal(last_row()->outstanding_bytes, 2 * DATA);
}

static void feedback_that_tells_nothing_new_ends_none(void **state)
{
    (void)state;
    begin(SR_FAMILY_USRSCTP);
    leaves(FIRST, 100, 0);
    acked(FIRST, 200, 0);
    leaves(FIRST + 1, 220, 0);
    assert_int_equal(rows.count, 0);
    sr_windows_finish(&windows);
    assert_int_equal(last_row()->end_ns, 100);
}

/* RFC 9260 section 7.2.3: T3-rtx leaves one packet. */
static int64_t after(enum sr_cause cause)
{
    begin(SR_FAMILY_USRSCTP);
    leaves(FIRST, 100, 0);
    struct sr_transmission_row again = packet(FIRST, cause);
    sr_windows_resent(&windows, &again, 200, sr_tsn(FIRST), DATA, (struct sr_amount){DATA, 1});
    sr_windows_finish(&windows);
    return last_row()->cwnd_most;
}

static void what_a_timer_sends_again_leaves_a_window_of_one_packet_also_over_another_path(void **state)
{
    (void)state;
    assert_int_equal(after(SR_CAUSE_T3), MTU);
    assert_int_equal(after(SR_CAUSE_FAILOVER), MTU);
    assert_int_equal(after(SR_CAUSE_FAST), 2 * MTU);
    assert_int_equal(after(SR_CAUSE_HANDSHAKE), 3 * (MTU - 12));
    assert_int_equal(after(SR_CAUSE_UNKNOWN), 3 * (MTU - 12));
}

/* RFC 9260 section 7.2.1: some rules make the window smaller then, and by how much is not known. */
static void behind_a_pause_no_room_is_certain_where_any_rule_may_shrink_the_window(void **state)
{
    (void)state;
    begin(SR_FAMILY_OTHER);
    leaves(FIRST, 100, 0);
    assert_int_not_equal(sr_windows_room(&windows, (struct sr_amount){0, 0}), 0);
    sr_windows_idle(&windows);
    assert_int_equal(sr_windows_room(&windows, (struct sr_amount){0, 0}), 0);
}

/* Section 7.2.1: it may be as high as the peer's window, and is, for usrsctp; a timeout halves it, to four packets at
 * least (section 7.2.3). */
static void the_threshold_of_slow_start_is_told_where_the_stack_and_the_size_of_its_packets_are_known(void **state)
{
    (void)state;
    struct sr_transmission_row last = packet(FIRST, SR_CAUSE_UNKNOWN), again = packet(FIRST, SR_CAUSE_T3);
    last.flags = 1; /* its message ends with it: packets may be larger */
    begin(SR_FAMILY_USRSCTP);
    sr_windows_sent(&windows, &last, 100, DATA, (struct sr_amount){0, 0}, SR_LIMIT_APPLICATION);
    sr_windows_finish(&windows);
    assert_true(last_row()->ssthresh == SR_NO_TIME);
    begin(SR_FAMILY_USRSCTP);
    leaves(FIRST, 100, 0);
    sr_windows_finish(&windows);
    assert_int_equal(last_row()->ssthresh, WINDOW);
    begin(SR_FAMILY_USRSCTP);
    leaves(FIRST, 100, 0);
    sr_windows_resent(&windows, &again, 200, sr_tsn(FIRST), DATA, (struct sr_amount){DATA, 1});
    sr_windows_finish(&windows);
    assert_int_equal(last_row()->ssthresh, 4 * MTU);
    begin(SR_FAMILY_OTHER);
    leaves(FIRST, 100, 0);
    sr_windows_finish(&windows);
    assert_true(last_row()->ssthresh == SR_NO_TIME);
}

static void without_a_window_of_the_peer_no_threshold_is_known(void **state)
{
    (void)state;
    begin(SR_FAMILY_USRSCTP);
    sr_windows_told(&windows, 0);
    leaves(FIRST, 100, 0);
    sr_windows_finish(&windows);
    assert_true(last_row()->ssthresh == SR_NO_TIME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_window_is_that_of_the_stack_that_is_known),
        cmocka_unit_test(a_round_trip_ends_with_the_feedback_that_acknowledges_its_first_packet),
        cmocka_unit_test(feedback_that_tells_nothing_new_ends_none),
        cmocka_unit_test(the_threshold_of_slow_start_is_told_where_the_stack_and_the_size_of_its_packets_are_known),
        cmocka_unit_test(without_a_window_of_the_peer_no_threshold_is_known),
        cmocka_unit_test(behind_a_pause_no_room_is_certain_where_any_rule_may_shrink_the_window),
        cmocka_unit_test(what_a_timer_sends_again_leaves_a_window_of_one_packet_also_over_another_path),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
