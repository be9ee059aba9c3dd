/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the scoreboard: which copy of its TSN a chunk is, and which are duplicates of the capture. */
#include "scoreboard_wire.h"

/* ---- copies ---- */

static void each_copy_names_the_first_and_the_one_before(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    check_copy(send(&wire, 100), 1, 1, 0);
    check_copy(send(&wire, 101), 1, 2, 0);
    check_copy(send(&wire, 100), 2, 1, 1);
    check_copy(send(&wire, 100), 3, 1, 3);
    check_copy(send(&wire, 101), 2, 2, 2);
    end_wire(&wire);
}

static void tsns_below_the_first_one_seen_are_first_copies_too(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 100, 3);
    check_copy(send(&wire, 99), 1, 4, 0);
    check_copy(send(&wire, 40), 1, 5, 0);
    check_copy(send(&wire, 99), 2, 4, 4);
    check_copy(send(&wire, 102), 2, 3, 3);
    check_ack(&wire, 101, 4);
    end_wire(&wire);
}

static void a_capture_may_begin_with_tsns_far_above_the_lowest_outstanding_one(void **state)
{
    (void)state;
    static const uint32_t below[] = {1, 4095, 4096, 5000, 60000, SR_SCOREBOARD_LARGEST - 1};
    for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
        struct wire wire = new_wire();
        send(&wire, 1u << 20);
        check_copy(send(&wire, (1u << 20) - below[i]), 1, 2, 0);
        check_copy(send(&wire, (1u << 20) - below[i]), 2, 2, 2);
        assert_int_equal(wire.board.forgotten, 0);
        end_wire(&wire);
    }
}

static void copies_are_counted_across_the_wrap(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0xffffff00, 0x200);
    check_copy(send(&wire, 0xffffffff), 2, 0x100, 0x100);
    check_copy(send(&wire, 0), 2, 0x101, 0x101);
    check_copy(send(&wire, 0x1ff), 1, 0x203, 0);
    check_ack(&wire, 0xfffffffe, 0xff);
    check_ack_gap(&wire, 0xfffffffe, (struct block){2, 5}, 4);
    check_ack(&wire, 4, 2);
    end_wire(&wire);
}

/* ---- duplicates ---- */

struct packet_marks {
    uint32_t fingerprint;
    uint16_t id;
    int64_t time_ns;
};

static struct sr_copy send_marked(struct wire *wire, struct packet_marks marks)
{
    return put_on(wire, (struct sr_sent_chunk){.tsn = sr_tsn(7),
                                               .bytes = BYTES,
                                               .time_ns = marks.time_ns,
                                               .identity = {marks.fingerprint, marks.id}});
}

static bool second_repeats_first(struct packet_marks first, struct packet_marks second)
{
    struct wire wire = new_wire();
    check_copy(send_marked(&wire, first), 1, 1, 0);
    struct sr_copy copy = send_marked(&wire, second);
    assert_int_equal(copy.copy, sr_is_duplicate(copy.kind) ? 1 : 2);
    assert_int_equal(copy.first_frame, 1);
    assert_int_equal(copy.prev_frame, 1);
    end_wire(&wire);
    return sr_is_duplicate(copy.kind);
}

enum { PRINT = 0xabcd, NEVER = 0 };

static void the_same_packet_with_its_identification_is_a_duplicate_whenever_it_comes(void **state)
{
    (void)state;
    static const int64_t later[] = {0, 1, MS, 10 * MS, INT64_C(3600000) * MS, -10 * MS};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        assert_true(
            second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT, 5, later[i]}));
}

static void another_identification_or_other_bytes_are_a_retransmission(void **state)
{
    (void)state;
    assert_false(second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT, 6, 0}));
    assert_false(second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT, 0, 0}));
    assert_false(second_repeats_first((struct packet_marks){PRINT, 0, 0}, (struct packet_marks){PRINT, 5, 0}));
    assert_false(second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT + 1, 5, 0}));
}

static void without_an_identification_only_what_comes_within_a_millisecond_is_a_duplicate(void **state)
{
    (void)state;
    const struct packet_marks first = {PRINT, 0, INT64_C(1700000000000) * MS};
    static const struct {
        int64_t later;
        bool duplicate;
    } cases[] = {{0, true}, {MS - 1, true}, {MS, false}, {200 * MS, false}, {-MS + 1, true}, {-MS, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(second_repeats_first(first, (struct packet_marks){PRINT, 0, first.time_ns + cases[i].later}),
                         cases[i].duplicate);
}

static void a_packet_without_a_time_says_nothing_of_how_soon_it_came(void **state)
{
    (void)state;
    const struct packet_marks timed = {PRINT, 0, INT64_MAX - 1}, without = {PRINT, 0, INT64_MIN};
    assert_false(second_repeats_first(timed, without));
    assert_false(second_repeats_first(without, timed));
    assert_false(second_repeats_first(without, without));
    assert_false(second_repeats_first(timed, (struct packet_marks){PRINT, 0, INT64_MIN + 1}));
    assert_true(second_repeats_first((struct packet_marks){PRINT, 5, INT64_MIN}, (struct packet_marks){PRINT, 5, 0}));
}

static void a_packet_without_a_fingerprint_repeats_nothing(void **state)
{
    (void)state;
    assert_false(second_repeats_first((struct packet_marks){NEVER, 5, 0}, (struct packet_marks){NEVER, 5, 0}));
    assert_false(second_repeats_first((struct packet_marks){NEVER, 0, 0}, (struct packet_marks){NEVER, 0, 0}));
}

static void a_duplicate_has_the_number_of_the_copy_that_it_repeats(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    check_copy(send_marked(&wire, (struct packet_marks){PRINT, 1, 0}), 1, 1, 0);
    check_duplicate(send_marked(&wire, (struct packet_marks){PRINT, 1, 0}), 1, 1, 1);
    check_duplicate(send_marked(&wire, (struct packet_marks){PRINT, 1, 50 * MS}), 1, 1, 1);
    check_copy(send_marked(&wire, (struct packet_marks){PRINT, 2, 60 * MS}), 2, 1, 1);
    check_duplicate(send_marked(&wire, (struct packet_marks){PRINT, 2, 60 * MS}), 2, 1, 4);
    check_duplicate(send_marked(&wire, (struct packet_marks){PRINT, 1, 65 * MS}), 1, 1, 1); /* the first, again */
    check_copy(send_marked(&wire, (struct packet_marks){PRINT, 3, 70 * MS}), 3, 1, 4);
    check_ack(&wire, 7, 1);
    end_wire(&wire);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_copy_names_the_first_and_the_one_before),
        cmocka_unit_test(tsns_below_the_first_one_seen_are_first_copies_too),
        cmocka_unit_test(a_capture_may_begin_with_tsns_far_above_the_lowest_outstanding_one),
        cmocka_unit_test(copies_are_counted_across_the_wrap),
        cmocka_unit_test(the_same_packet_with_its_identification_is_a_duplicate_whenever_it_comes),
        cmocka_unit_test(another_identification_or_other_bytes_are_a_retransmission),
        cmocka_unit_test(without_an_identification_only_what_comes_within_a_millisecond_is_a_duplicate),
        cmocka_unit_test(a_packet_without_a_time_says_nothing_of_how_soon_it_came),
        cmocka_unit_test(a_packet_without_a_fingerprint_repeats_nothing),
        cmocka_unit_test(a_duplicate_has_the_number_of_the_copy_that_it_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
