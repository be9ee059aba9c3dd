/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the scoreboard: copies, duplicates, what is newly acknowledged, and a plain model that it must equal. */
#include "bytes_builder.h"

#include "association/kind.h"
#include "association/scoreboard.h"

enum { MS = 1000000, BYTES = 100, PLENTY = 1 << 19 };

/* A scoreboard with what happens to it: frames count up, a millisecond apart, each packet with its own IP-ID. */
struct wire {
    struct sr_scoreboard board;
    struct sr_slot_budget budget;
    uint32_t frame;
};

static struct wire new_wire(void)
{
    return (struct wire){.budget = {PLENTY}};
}

static void end_wire(struct wire *wire)
{
    sr_scoreboard_free(&wire->board, &wire->budget);
    assert_int_equal(wire->budget.left, PLENTY);
}

static struct sr_copy put_on(struct wire *wire, struct sr_sent_chunk sent)
{
    sent.frame = ++wire->frame;
    return sr_scoreboard_sent(&wire->board, &wire->budget, &sent);
}

/* Sent, in a packet that is like no other. */
static struct sr_copy send(struct wire *wire, uint32_t tsn)
{
    uint32_t number = wire->frame + 1;
    return put_on(wire, (struct sr_sent_chunk){.tsn = sr_tsn(tsn),
                                               .bytes = BYTES,
                                               .time_ns = (int64_t)number * MS,
                                               .fingerprint = 0x10000 + number,
                                               .ip_id = (uint16_t)(number % 0xffff + 1)});
}

static void send_run(struct wire *wire, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(send(wire, first + i).copy, 1);
}

static void check_copy(struct sr_copy copy, uint32_t number, uint32_t first_frame, uint32_t prev_frame)
{
    assert_int_equal(copy.copy, number);
    assert_int_equal(copy.first_frame, first_frame);
    assert_int_equal(copy.prev_frame, prev_frame);
    assert_false(sr_is_duplicate(copy.kind));
}

static void check_duplicate(struct sr_copy copy, uint32_t number, uint32_t first_frame, uint32_t prev_frame)
{
    assert_true(sr_is_duplicate(copy.kind));
    copy.kind = SR_KIND_ORIGINAL;
    check_copy(copy, number, first_frame, prev_frame);
}

struct block {
    uint16_t first, last;
};

static struct sr_sack_list list_of(uint8_t *bytes, const struct block *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint16_t ends[2] = {blocks[i].first, blocks[i].last};
        for (uint32_t end = 0; end < 2; end++) {
            bytes[i * 4 + end * 2] = (uint8_t)(ends[end] >> 8);
            bytes[i * 4 + end * 2 + 1] = (uint8_t)ends[end];
        }
    }
    return (struct sr_sack_list){bytes, count};
}

enum { MOST_BLOCKS = 16 };

static struct sr_newly ack_blocks(struct wire *wire, uint32_t cum, const struct block *gaps, uint32_t gap_count,
                                  const struct block *nr_gaps, uint32_t nr_gap_count)
{
    uint8_t bytes[2][MOST_BLOCKS * 4];
    struct sr_sack sack = {.cum_tsn = sr_tsn(cum),
                           .gaps = list_of(bytes[0], gaps, gap_count),
                           .nr_gaps = list_of(bytes[1], nr_gaps, nr_gap_count)};
    return sr_scoreboard_acked(&wire->board, &sack, (int64_t)wire->frame * MS);
}

static void check_newly(struct sr_newly newly, uint32_t chunks)
{
    assert_int_equal(newly.chunks, chunks);
    assert_int_equal(newly.bytes, chunks * BYTES);
}

static void check_ack(struct wire *wire, uint32_t cum, uint32_t chunks)
{
    check_newly(ack_blocks(wire, cum, NULL, 0, NULL, 0), chunks);
}

static void check_ack_gap(struct wire *wire, uint32_t cum, struct block gap, uint32_t chunks)
{
    check_newly(ack_blocks(wire, cum, &gap, 1, NULL, 0), chunks);
}

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
    uint16_t ip_id;
    int64_t time_ns;
};

static struct sr_copy send_marked(struct wire *wire, struct packet_marks marks)
{
    return put_on(wire, (struct sr_sent_chunk){.tsn = sr_tsn(7),
                                               .bytes = BYTES,
                                               .time_ns = marks.time_ns,
                                               .fingerprint = marks.fingerprint,
                                               .ip_id = marks.ip_id});
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

static void the_same_packet_with_its_ip_id_is_a_duplicate_whenever_it_comes(void **state)
{
    (void)state;
    static const int64_t later[] = {0, 1, MS, 10 * MS, INT64_C(3600000) * MS, -10 * MS};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        assert_true(
            second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT, 5, later[i]}));
}

static void another_ip_id_or_other_bytes_are_a_retransmission(void **state)
{
    (void)state;
    assert_false(second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT, 6, 0}));
    assert_false(second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT, 0, 0}));
    assert_false(second_repeats_first((struct packet_marks){PRINT, 0, 0}, (struct packet_marks){PRINT, 5, 0}));
    assert_false(second_repeats_first((struct packet_marks){PRINT, 5, 0}, (struct packet_marks){PRINT + 1, 5, 0}));
}

static void without_an_ip_id_only_what_comes_within_a_millisecond_is_a_duplicate(void **state)
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
    check_duplicate(send_marked(&wire, (struct packet_marks){PRINT, 1, 50 * MS}), 1, 1, 2);
    check_copy(send_marked(&wire, (struct packet_marks){PRINT, 2, 60 * MS}), 2, 1, 3);
    check_duplicate(send_marked(&wire, (struct packet_marks){PRINT, 2, 60 * MS}), 2, 1, 4);
    check_copy(send_marked(&wire, (struct packet_marks){PRINT, 3, 70 * MS}), 3, 1, 5);
    check_ack(&wire, 7, 1);
    end_wire(&wire);
}

/* ---- acknowledgements ---- */

static void a_tsn_is_newly_acknowledged_once(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 1, 20);
    check_ack(&wire, 3, 3);
    check_ack(&wire, 3, 0);
    check_ack_gap(&wire, 3, (struct block){2, 4}, 3); /* 5 to 7 */
    check_ack_gap(&wire, 3, (struct block){2, 5}, 1); /* and 8 */
    check_ack(&wire, 2, 0);                           /* one that was overtaken */
    check_ack(&wire, 20, 13);
    check_ack_gap(&wire, 0, (struct block){1, 40}, 0);
    end_wire(&wire);
}

static void gaps_and_nr_gaps_count_alike_and_together_once(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 1, 30);
    static const struct block gaps[] = {{3, 5}, {9, 9}}, nr_gaps[] = {{4, 6}, {11, 12}};
    check_newly(ack_blocks(&wire, 0, gaps, 2, nr_gaps, 2), 4 + 1 + 2);
    check_newly(ack_blocks(&wire, 0, nr_gaps, 2, gaps, 2), 0);
    check_newly(ack_blocks(&wire, 10, NULL, 0, nr_gaps, 2), 5 + 3 + 2); /* 1, 2, 7, 8, 10; 14 to 16; 21, 22 */
    end_wire(&wire);
}

static void blocks_that_contradict_themselves_count_for_what_they_can_mean(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 1, 30);
    static const struct block overlapping[] = {{3, 8}, {5, 10}, {3, 8}, {4, 4}};
    check_newly(ack_blocks(&wire, 0, overlapping, 4, NULL, 0), 8);
    check_ack_gap(&wire, 0, (struct block){20, 15}, 0);                         /* reversed */
    check_ack_gap(&wire, 0, (struct block){40, 50}, 0);                         /* above the highest */
    check_ack_gap(&wire, 0, (struct block){29, 65535}, 2);                      /* reaches above it */
    check_ack_gap(&wire, 0xffffff00, (struct block){0, 0x100}, 0);              /* ends below the lowest */
    check_ack_gap(&wire, 11, (struct block){0, 1}, 4);                          /* 1, 2, 11; 12 */
    check_ack_gap(&wire, 0xffffff00, (struct block){0x100 - 2, 0x100 + 14}, 2); /* begins below the lowest: 13, 14 */
    end_wire(&wire);
}

static void acknowledgements_before_any_data_acknowledge_nothing(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    check_ack_gap(&wire, 10, (struct block){2, 9}, 0);
    send_run(&wire, 10, 5);
    check_ack_gap(&wire, 10, (struct block){2, 9}, 1 + 3);
    end_wire(&wire);
}

static void tsns_that_were_never_seen_count_for_nothing(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 1, 3);
    send_run(&wire, 8, 3);
    check_ack(&wire, 9, 5);
    check_copy(send(&wire, 5), 1, 7, 0); /* lost to the capture, then sent again without need */
    check_ack(&wire, 10, 1);
    end_wire(&wire);
}

static void what_is_acknowledged_before_it_is_seen_counts_with_the_next_acknowledgement(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 1, 3);
    check_ack(&wire, 5, 3);
    send_run(&wire, 4, 2);
    check_ack(&wire, 5, 2);
    end_wire(&wire);
}

static void blocks_acknowledge_across_the_wrap(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0xfffffff0, 0x40);
    check_ack_gap(&wire, 0xfffffff5, (struct block){3, 20}, 6 + 18); /* 0xfffffff8 to 9 */
    check_ack_gap(&wire, 0xfffffffd, (struct block){3, 3}, 2);       /* 0xfffffff6 and 7 */
    check_ack_gap(&wire, 5, (struct block){5, 6}, 2);
    check_ack(&wire, 0x2f, 0x40 - 28);
    end_wire(&wire);
}

/* A SACK of another numbering, or a broken one, whose TSN lies where no window reaches. */
static void an_acknowledgement_from_far_away_acknowledges_nothing(void **state)
{
    (void)state;
    static const uint32_t away[] = {SR_SCOREBOARD_LARGEST + 100,
                                    1u << 24,
                                    0x7fffffff,
                                    0x7fffff00,
                                    0x80000000,
                                    0x80000001,
                                    0x7fff8000,
                                    0x80008000,
                                    0xff000000};
    for (size_t i = 0; i < sizeof away / sizeof *away; i++) {
        struct wire wire = new_wire();
        send_run(&wire, 100, 50);
        check_ack_gap(&wire, 100 + away[i], (struct block){0, 65535}, 0);
        check_ack_gap(&wire, 100 + away[i], (struct block){2, 30}, 0);
        check_ack(&wire, 149, 50);
        end_wire(&wire);
    }
}

/* ---- what is kept ---- */

static void everything_outstanding_is_kept_as_far_as_two_sacks_can_reach(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    const uint32_t first = 0xffff8000;
    send_run(&wire, first, SR_SCOREBOARD_LARGEST);
    check_copy(send(&wire, first), 2, 1, 1);
    check_copy(send(&wire, first + SR_SCOREBOARD_LARGEST - 1), 2, SR_SCOREBOARD_LARGEST, SR_SCOREBOARD_LARGEST);
    check_ack(&wire, first + SR_SCOREBOARD_LARGEST - 1, SR_SCOREBOARD_LARGEST);
    assert_int_equal(wire.board.forgotten, 0);
    end_wire(&wire);
}

static void beyond_that_the_oldest_are_forgotten_and_said_to_be(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, SR_SCOREBOARD_LARGEST + 10);
    check_copy(send(&wire, 10), 2, 11, 11);
    check_copy(send(&wire, 9), 2, 0, 0);
    assert_int_equal(wire.board.forgotten, 1);
    check_ack(&wire, SR_SCOREBOARD_LARGEST + 9, SR_SCOREBOARD_LARGEST);
    end_wire(&wire);
}

static void of_what_is_acknowledged_the_last_4096_are_kept(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    for (uint32_t tsn = 0; tsn < 100000; tsn++) {
        assert_int_equal(send(&wire, tsn).copy, 1);
        check_ack(&wire, tsn, 1);
    }
    assert_int_equal(wire.board.capacity, SR_SCOREBOARD_HISTORY);
    check_copy(send(&wire, 100000 - SR_SCOREBOARD_HISTORY), 2, 100001 - SR_SCOREBOARD_HISTORY,
               100001 - SR_SCOREBOARD_HISTORY);
    check_copy(send(&wire, 99999 - SR_SCOREBOARD_HISTORY), 2, 0, 0);
    end_wire(&wire);
}

static void a_hole_among_acknowledged_tsns_is_kept_too(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, SR_SCOREBOARD_HISTORY);
    static const struct block all_but_5 = {6, SR_SCOREBOARD_HISTORY - 1};
    check_ack_gap(&wire, 4, (struct block){all_but_5.first - 4, all_but_5.last - 4}, SR_SCOREBOARD_HISTORY - 1);
    send(&wire, SR_SCOREBOARD_HISTORY + 20);
    check_copy(send(&wire, 5), 2, 6, 6);
    check_ack(&wire, 5, 1);
    end_wire(&wire);
}

static void what_was_forgotten_does_not_come_back_as_new(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    for (uint32_t tsn = 0; tsn < 10000; tsn++) {
        send(&wire, tsn);
        check_ack(&wire, tsn, 1);
    }
    send_run(&wire, 10000, 9000); /* outstanding: the board grows again */
    assert_true(wire.board.capacity > SR_SCOREBOARD_HISTORY);
    check_copy(send(&wire, 5000), 2, 0, 0);
    assert_int_equal(wire.board.forgotten, 1);
    check_copy(send(&wire, 10000), 2, 10001, 10001);
    end_wire(&wire);
}

/* ---- jumps ---- */

static void one_tsn_out_of_reach_changes_nothing(void **state)
{
    (void)state;
    static const uint32_t strays[] = {1000000, 0x80000000, 0xff000000, 149 + SR_SCOREBOARD_REACH + 1};
    for (size_t i = 0; i < sizeof strays / sizeof *strays; i++) {
        struct wire wire = new_wire();
        send_run(&wire, 100, 50);
        check_copy(send(&wire, strays[i]), 1, 51, 0);
        check_copy(send(&wire, 120), 2, 21, 21);
        check_ack(&wire, 149, 50);
        send_run(&wire, 150, 5);
        assert_int_equal(wire.board.jumps, 0);
        end_wire(&wire);
    }
}

static void a_stray_packet_that_was_captured_twice_is_one_stray(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 100, 50);
    struct sr_sent_chunk stray = {.tsn = sr_tsn(1u << 30), .bytes = BYTES, .fingerprint = 9, .ip_id = 9};
    check_copy(put_on(&wire, stray), 1, 51, 0);
    check_duplicate(put_on(&wire, stray), 1, 51, 51);
    check_copy(send(&wire, 120), 2, 21, 21);
    assert_int_equal(wire.board.jumps, 0);
    end_wire(&wire);
}

static void strays_far_from_each_other_do_not_confirm_each_other(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 100, 50);
    send(&wire, 1u << 30);
    send(&wire, 1u << 31);
    send(&wire, 1u << 29);
    check_copy(send(&wire, 120), 2, 21, 21);
    assert_int_equal(wire.board.jumps, 0);
    end_wire(&wire);
}

static void two_tsns_near_each_other_are_a_new_numbering_that_has_both(void **state)
{
    (void)state;
    static const uint32_t near[] = {1, 5, 8000, (uint32_t)-1, (uint32_t)-5000};
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        struct wire wire = new_wire();
        const uint32_t first = 1u << 30, second = first + near[i];
        send_run(&wire, 100, 50);
        check_copy(send(&wire, first), 1, 51, 0);
        check_copy(send(&wire, second), 1, 52, 0);
        assert_int_equal(wire.board.jumps, 1);
        check_copy(send(&wire, first), 2, 51, 51);
        check_copy(send(&wire, second), 2, 52, 52);
        check_ack(&wire, sr_tsn_after(sr_tsn(first), sr_tsn(second)) ? first : second, 2);
        end_wire(&wire);
    }
}

static void a_tsn_out_of_reach_that_is_sent_again_is_a_new_numbering(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 100, 50);
    check_copy(send(&wire, 1u << 30), 1, 51, 0);
    check_copy(send(&wire, 1u << 30), 2, 51, 51);
    assert_int_equal(wire.board.jumps, 1);
    end_wire(&wire);
}

static void a_new_numbering_knows_nothing_of_the_one_before(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, 6000);
    check_ack(&wire, 2999, 3000);
    send_run(&wire, 1u << 30, 2);
    check_ack(&wire, 5999, 0); /* an acknowledgement of the old numbering */
    send_run(&wire, 0, 6000);  /* and back to the first one, as if for the first time */
    assert_int_equal(wire.board.jumps, 2);
    check_ack(&wire, 5999, 6000);
    end_wire(&wire);
}

/* Numberings are told apart by a small number, which wraps too. */
static void after_many_jumps_nothing_of_old_numberings_is_left(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send_run(&wire, 0, 2000);
    check_ack(&wire, 1000, 1001);
    for (uint32_t i = 1; i < 140000; i++) {
        uint32_t first = i % 2 == 0 ? (i % 1000) * 2 : 1u << 30;
        uint32_t frame = wire.frame;
        check_copy(send(&wire, first), 1, frame + 1, 0);
        check_copy(send(&wire, first + 1), 1, frame + 2, 0);
        if (i % 777 == 0)
            check_ack(&wire, first + 1, 2);
    }
    assert_int_equal(wire.board.jumps, 139999);
    end_wire(&wire);
}

static void a_capture_that_begins_with_a_stray_tsn_recovers(void **state)
{
    (void)state;
    struct wire wire = new_wire();
    send(&wire, 1u << 30);
    send_run(&wire, 100, 20);
    check_copy(send(&wire, 100), 2, 2, 2);
    check_ack(&wire, 119, 20);
    end_wire(&wire);
}

/* ---- memory ---- */

static void boards_without_a_budget_keep_a_few_tsns_each(void **state)
{
    (void)state;
    enum { BOARDS = 100, KEPT = 16 };
    struct sr_slot_budget budget = {0};
    struct wire wires[BOARDS];
    for (int i = 0; i < BOARDS; i++)
        wires[i] = (struct wire){.budget = budget};
    for (int i = 0; i < BOARDS; i++) {
        send_run(&wires[i], 0, 1000);
        check_copy(send(&wires[i], 1000 - KEPT), 2, 1001 - KEPT, 1001 - KEPT);
        check_copy(send(&wires[i], 0), 2, 0, 0);
        check_ack(&wires[i], 999, KEPT);
        assert_int_equal(wires[i].budget.left, 0);
        sr_scoreboard_free(&wires[i].board, &wires[i].budget);
        assert_int_equal(wires[i].budget.left, 0);
    }
}

static void a_board_that_gets_no_more_forgets_its_oldest(void **state)
{
    (void)state;
    struct wire large = new_wire(), small = new_wire();
    small.budget.left = 1000;
    send_run(&small, 0, 5000);
    assert_true(small.board.capacity <= 1024);
    check_copy(send(&small, 4999), 2, 5000, 5000);
    check_copy(send(&small, 0), 2, 0, 0);
    check_ack(&small, 4999, small.board.capacity);
    small.budget.left += PLENTY - 1000; /* as when another board is freed */
    send_run(&small, 5000, 5000);
    check_copy(send(&small, 5000), 2, 5003, 5003);
    end_wire(&small);
    end_wire(&large);
}

/* ---- the plain model ---- */

struct seen {
    uint32_t copies, first_frame, last_frame, bytes, fingerprint;
    uint16_t ip_id;
    int64_t time_ns;
    bool acked;
};

/* Every TSN from `start` on has its place, for ever; nothing is skipped over. */
struct model {
    uint32_t start, count, highest; /* the last two as offsets from `start` */
    struct seen *seen;
};

static struct sr_copy model_sent(struct model *model, const struct sr_sent_chunk *sent)
{
    uint32_t offset = sent->tsn.value - model->start;
    assert_true(offset < model->count);
    struct seen *seen = &model->seen[offset];
    bool soon = sent->time_ns - seen->time_ns < MS && seen->time_ns - sent->time_ns < MS;
    struct sr_copy copy = {.first_frame = seen->first_frame, .prev_frame = seen->last_frame};
    bool duplicate = seen->copies > 0 && sent->fingerprint != 0 && sent->fingerprint == seen->fingerprint &&
                     sent->ip_id == seen->ip_id && (sent->ip_id != 0 || soon);
    if (seen->copies == 0)
        copy.first_frame = seen->first_frame = sent->frame;
    copy.kind = duplicate ? SR_KIND_CAPTURE_DUPLICATE : SR_KIND_ORIGINAL;
    seen->copies += !duplicate;
    copy.copy = seen->copies;
    seen->last_frame = sent->frame;
    seen->bytes = sent->bytes;
    seen->fingerprint = sent->fingerprint;
    seen->ip_id = sent->ip_id;
    seen->time_ns = sent->time_ns;
    if (offset > model->highest)
        model->highest = offset;
    return copy;
}

static void model_ack(struct model *model, int64_t first, int64_t last, struct sr_newly *newly)
{
    for (int64_t offset = first > 0 ? first : 0; offset <= last && offset <= model->highest; offset++) {
        struct seen *seen = &model->seen[offset];
        if (!seen->acked && seen->copies > 0) {
            newly->chunks++;
            newly->bytes += seen->bytes;
        }
        seen->acked = true;
    }
}

static struct sr_newly model_acked(struct model *model, int64_t cum, const struct block *blocks, uint32_t count)
{
    struct sr_newly newly = {0, 0};
    model_ack(model, 0, cum, &newly);
    for (uint32_t i = 0; i < count; i++)
        model_ack(model, cum + blocks[i].first, cum + blocks[i].last, &newly);
    return newly;
}

static uint32_t pseudo_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

struct shape {
    uint32_t window; /* how far behind the highest a TSN may be sent, and be outstanding */
    uint32_t step;   /* most TSNs that a new one may be ahead */
    uint32_t events;
    uint32_t acks_in; /* of so many events one is an acknowledgement */
};

static uint32_t at_most(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void check_event_of_data(struct wire *wire, struct model *model, const struct shape *shape, uint64_t *random)
{
    static const int64_t steps[] = {0, 10, MS / 2, MS, 5 * MS, -MS / 3, -3 * MS};
    static int64_t now;
    now += steps[pseudo_random(random) % 7];
    bool again = wire->frame == 0 || pseudo_random(random) % 3 == 0; /* the first event is the first TSN */
    uint32_t offset = again ? model->highest - pseudo_random(random) % (at_most(shape->window, model->highest) + 1)
                            : model->highest + 1 + pseudo_random(random) % shape->step;
    struct sr_sent_chunk sent = {.tsn = sr_tsn(model->start + offset),
                                 .bytes = 1 + pseudo_random(random) % 1400,
                                 .time_ns = now,
                                 .frame = ++wire->frame,
                                 .fingerprint = pseudo_random(random) % 3,
                                 .ip_id = (uint16_t)(pseudo_random(random) % 3)};
    struct sr_copy expected = model_sent(model, &sent);
    struct sr_copy copy = sr_scoreboard_sent(&wire->board, &wire->budget, &sent);
    assert_int_equal(copy.copy, expected.copy);
    assert_int_equal(copy.first_frame, expected.first_frame);
    assert_int_equal(copy.prev_frame, expected.prev_frame);
    assert_int_equal(sr_is_duplicate(copy.kind), sr_is_duplicate(expected.kind));
}

/* `lowest` is the offset below which nothing may stay outstanding. */
static void check_event_of_ack(struct wire *wire, struct model *model, const struct shape *shape, int64_t lowest,
                               uint64_t *random)
{
    struct block blocks[MOST_BLOCKS];
    uint32_t count = pseudo_random(random) % MOST_BLOCKS;
    for (uint32_t i = 0; i < count; i++) {
        blocks[i].first = (uint16_t)(pseudo_random(random) % at_most(shape->window, 65535));
        blocks[i].last = (uint16_t)(blocks[i].first + pseudo_random(random) % 40);
        if (blocks[i].last < blocks[i].first)
            blocks[i].last = blocks[i].first;
    }
    int64_t cum = lowest + pseudo_random(random) % (shape->window / 8 + 1);
    struct sr_newly expected = model_acked(model, cum, blocks, count);
    struct sr_newly newly =
        ack_blocks(wire, model->start + (uint32_t)cum, blocks, count / 2, blocks + count / 2, count - count / 2);
    assert_int_equal(newly.chunks, expected.chunks);
    assert_int_equal(newly.bytes, expected.bytes);
}

static void check_against_model(const struct shape *shape, uint32_t start, uint64_t seed)
{
    struct wire wire = new_wire();
    struct model model = {.start = start, .count = shape->events * shape->step + 1};
    model.seen = calloc(model.count, sizeof *model.seen);
    assert_non_null(model.seen);
    uint64_t random = seed;
    for (uint32_t i = 0; i < shape->events; i++) {
        int64_t lowest = (int64_t)model.highest - shape->window + shape->step;
        if (i > 0 && pseudo_random(&random) % shape->acks_in == 0)
            check_event_of_ack(&wire, &model, shape, lowest, &random);
        else
            check_event_of_data(&wire, &model, shape, &random);
    }
    assert_int_equal(wire.board.forgotten, 0);
    assert_int_equal(wire.board.jumps, 0);
    free(model.seen);
    end_wire(&wire);
}

static void long_random_transfers_are_as_the_plain_model_has_them(void **state)
{
    (void)state;
    static const struct shape shapes[] = {
        {.window = 40, .step = 1, .events = 30000, .acks_in = 2},
        {.window = 600, .step = 3, .events = 30000, .acks_in = 4},
        {.window = 4000, .step = 30, .events = 30000, .acks_in = 20},
        {.window = 4000, .step = 2, .events = 20000, .acks_in = 1000},
        {.window = 100000, .step = 20, .events = 30000, .acks_in = 300},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t seed = 1; seed <= 2; seed++)
            check_against_model(&shapes[i], (uint32_t)(0 - seed * 5000), seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_copy_names_the_first_and_the_one_before),
        cmocka_unit_test(tsns_below_the_first_one_seen_are_first_copies_too),
        cmocka_unit_test(a_capture_may_begin_with_tsns_far_above_the_lowest_outstanding_one),
        cmocka_unit_test(copies_are_counted_across_the_wrap),
        cmocka_unit_test(the_same_packet_with_its_ip_id_is_a_duplicate_whenever_it_comes),
        cmocka_unit_test(another_ip_id_or_other_bytes_are_a_retransmission),
        cmocka_unit_test(without_an_ip_id_only_what_comes_within_a_millisecond_is_a_duplicate),
        cmocka_unit_test(a_packet_without_a_time_says_nothing_of_how_soon_it_came),
        cmocka_unit_test(a_packet_without_a_fingerprint_repeats_nothing),
        cmocka_unit_test(a_duplicate_has_the_number_of_the_copy_that_it_repeats),
        cmocka_unit_test(a_tsn_is_newly_acknowledged_once),
        cmocka_unit_test(gaps_and_nr_gaps_count_alike_and_together_once),
        cmocka_unit_test(blocks_that_contradict_themselves_count_for_what_they_can_mean),
        cmocka_unit_test(acknowledgements_before_any_data_acknowledge_nothing),
        cmocka_unit_test(tsns_that_were_never_seen_count_for_nothing),
        cmocka_unit_test(what_is_acknowledged_before_it_is_seen_counts_with_the_next_acknowledgement),
        cmocka_unit_test(blocks_acknowledge_across_the_wrap),
        cmocka_unit_test(an_acknowledgement_from_far_away_acknowledges_nothing),
        cmocka_unit_test(everything_outstanding_is_kept_as_far_as_two_sacks_can_reach),
        cmocka_unit_test(beyond_that_the_oldest_are_forgotten_and_said_to_be),
        cmocka_unit_test(of_what_is_acknowledged_the_last_4096_are_kept),
        cmocka_unit_test(a_hole_among_acknowledged_tsns_is_kept_too),
        cmocka_unit_test(what_was_forgotten_does_not_come_back_as_new),
        cmocka_unit_test(one_tsn_out_of_reach_changes_nothing),
        cmocka_unit_test(a_stray_packet_that_was_captured_twice_is_one_stray),
        cmocka_unit_test(strays_far_from_each_other_do_not_confirm_each_other),
        cmocka_unit_test(two_tsns_near_each_other_are_a_new_numbering_that_has_both),
        cmocka_unit_test(a_tsn_out_of_reach_that_is_sent_again_is_a_new_numbering),
        cmocka_unit_test(a_new_numbering_knows_nothing_of_the_one_before),
        cmocka_unit_test(after_many_jumps_nothing_of_old_numberings_is_left),
        cmocka_unit_test(a_capture_that_begins_with_a_stray_tsn_recovers),
        cmocka_unit_test(boards_without_a_budget_keep_a_few_tsns_each),
        cmocka_unit_test(a_board_that_gets_no_more_forgets_its_oldest),
        cmocka_unit_test(long_random_transfers_are_as_the_plain_model_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
