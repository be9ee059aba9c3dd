/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of on which side of the tap packets were lost, and where it therefore is not (docs/verdict-rules.md, "Where the
 * tap is"). */
#include "bytes_builder.h"

#include "facts/half.h"
#include "facts/losses.h"

static struct sr_half half_of(void)
{
    return (struct sr_half){.measured = {.resends = true}};
}

static void pass(struct sr_half *half, uint32_t tsn, enum sr_kind kind, uint32_t highest)
{
    struct sr_transmission_row row = {.tsn = tsn, .kind = (uint8_t)kind};
    struct sr_ledger_slot slot = {.tsn = sr_tsn(tsn)};
    struct sr_tsn above = sr_tsn(highest);
    sr_losses_sent(half, &row, &slot, highest == 0 ? NULL : &above);
}

static void what_was_sent_again_unseen_was_lost_before_the_tap(void **state)
{
    (void)state;
    struct sr_half half = half_of();
    pass(&half, 1, SR_KIND_ORIGINAL, 0);
    pass(&half, 3, SR_KIND_ORIGINAL, 1);
    assert_int_equal(half.measured.losses.holes, 1);
    pass(&half, 2, SR_KIND_RETRANSMISSION, 3);
    assert_int_equal(half.measured.losses.holes, 0);
    assert_int_equal(half.measured.losses.before, 1);
    assert_true(sr_losses_contradict(&half.measured.losses, SR_VANTAGE_SENDER));
    assert_false(sr_losses_contradict(&half.measured.losses, SR_VANTAGE_RECEIVER));
}

static void what_is_late_was_not(void **state)
{
    (void)state;
    struct sr_half half = half_of();
    pass(&half, 1, SR_KIND_ORIGINAL, 0);
    pass(&half, 3, SR_KIND_ORIGINAL, 1);
    pass(&half, 2, SR_KIND_REORDERED, 3);
    assert_int_equal(half.measured.losses.holes, 0);
    assert_false(sr_losses_contradict(&half.measured.losses, SR_VANTAGE_SENDER));
}

static void a_capture_that_leaves_out_packets_leaves_holes(void **state)
{
    (void)state;
    struct sr_half half = half_of();
    pass(&half, 1, SR_KIND_ORIGINAL, 0);
    pass(&half, 5, SR_KIND_ORIGINAL, 1);
    pass(&half, 2, SR_KIND_RETRANSMISSION, 5);
    assert_int_equal(half.measured.losses.holes, 2);
    assert_false(sr_losses_contradict(&half.measured.losses, SR_VANTAGE_SENDER));
}

static void what_was_sent_before_the_capture_was_not_lost_for_it(void **state)
{
    (void)state;
    for (uint32_t before = 2; before <= 3; before++) {
        struct sr_half half = half_of();
        half.measured.has_before = true;
        half.measured.before = sr_tsn(before);
        pass(&half, 4, SR_KIND_ORIGINAL, 0);
        pass(&half, 3, SR_KIND_RETRANSMISSION, 4);
        assert_int_equal(half.measured.losses.before, before == 2);
        assert_int_equal(half.measured.losses.holes, 0); /* it lies below all that was seen */
    }
}

/* A journal with copies in rows of one frame each. */
struct wire {
    struct sr_journal journal;
    struct sr_half half;
};

static void add(struct wire *wire, uint32_t frame)
{
    struct sr_transmission_row *row = sr_spool_append(&wire->journal.transmissions);
    assert_non_null(row);
    *row = (struct sr_transmission_row){.frame = frame};
}

/* Sends the TSN of row 1 again, after the receiver has the row `newest`. */
static uint32_t behind_after(uint32_t newest, uint32_t frame_of_newest, bool acked)
{
    struct wire wire = {0};
    sr_journal_init(&wire.journal, 1 << 20);
    add(&wire, 1);
    add(&wire, frame_of_newest);
    wire.half = half_of();
    wire.half.journal = &wire.journal;
    wire.half.measured.losses.arrived = newest;
    struct sr_transmission_row row = {.tsn = 1, .kind = SR_KIND_RETRANSMISSION};
    struct sr_ledger_slot slot = {.tsn = sr_tsn(1), .copies = 1, .last_row = 1, .acked = acked};
    struct sr_tsn highest = sr_tsn(2);
    sr_losses_sent(&wire.half, &row, &slot, &highest);
    uint32_t behind = wire.half.measured.losses.behind;
    sr_journal_free(&wire.journal);
    return behind;
}

static void what_packets_overtook_that_passed_later_was_lost_behind_the_tap(void **state)
{
    (void)state;
    assert_int_equal(behind_after(2, 2, false), 1);
    assert_int_equal(behind_after(1, 2, false), 0);
    assert_int_equal(behind_after(2, 1, false), 0); /* in the same packet nothing is lost alone */
    assert_int_equal(behind_after(2, 2, true), 0);
}

static void the_receiver_has_what_was_sent_once_and_acknowledged(void **state)
{
    (void)state;
    struct sr_losses losses = {0};
    sr_losses_acked(&losses, &(struct sr_ledger_slot){.copies = 1, .last_row = 5});
    sr_losses_acked(&losses, &(struct sr_ledger_slot){.copies = 1, .last_row = 4});
    sr_losses_acked(&losses, &(struct sr_ledger_slot){.copies = 2, .last_row = 9});
    sr_losses_acked(&losses, &(struct sr_ledger_slot){.copies = 1, .last_row = 9, .unseen_before = true});
    assert_int_equal(losses.arrived, 5);
}

static void one_chunk_a_host_may_throw_away_and_more_without_room(void **state)
{
    (void)state;
    struct sr_losses losses = {.behind = 1, .least_rwnd = 1000, .most_rwnd = 4000};
    assert_false(sr_losses_contradict(&losses, SR_VANTAGE_RECEIVER));
    losses.behind = 2;
    assert_true(sr_losses_contradict(&losses, SR_VANTAGE_RECEIVER));
    assert_false(sr_losses_contradict(&losses, SR_VANTAGE_SENDER));
    losses.least_rwnd = 999;
    assert_false(sr_losses_contradict(&losses, SR_VANTAGE_RECEIVER));
}

static void windows_are_those_that_were_told(void **state)
{
    (void)state;
    struct sr_losses losses = {0};
    const uint32_t told[] = {5000, 9000, 3000};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        sr_losses_told(&losses, &(struct sr_sack_row){.a_rwnd = told[i], .kind = SR_SACK_KIND_SACK});
    sr_losses_told(&losses, &(struct sr_sack_row){.kind = SR_SACK_KIND_SHUTDOWN});
    assert_int_equal(losses.least_rwnd, 3000);
    assert_int_equal(losses.most_rwnd, 9000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_sent_again_unseen_was_lost_before_the_tap),
        cmocka_unit_test(what_is_late_was_not),
        cmocka_unit_test(a_capture_that_leaves_out_packets_leaves_holes),
        cmocka_unit_test(what_was_sent_before_the_capture_was_not_lost_for_it),
        cmocka_unit_test(what_packets_overtook_that_passed_later_was_lost_behind_the_tap),
        cmocka_unit_test(the_receiver_has_what_was_sent_once_and_acknowledged),
        cmocka_unit_test(one_chunk_a_host_may_throw_away_and_more_without_room),
        cmocka_unit_test(windows_are_those_that_were_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
