/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the scoreboard: what each acknowledgement newly acknowledges. */
#include "scoreboard_wire.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tsn_is_newly_acknowledged_once),
        cmocka_unit_test(gaps_and_nr_gaps_count_alike_and_together_once),
        cmocka_unit_test(blocks_that_contradict_themselves_count_for_what_they_can_mean),
        cmocka_unit_test(acknowledgements_before_any_data_acknowledge_nothing),
        cmocka_unit_test(tsns_that_were_never_seen_count_for_nothing),
        cmocka_unit_test(what_is_acknowledged_before_it_is_seen_counts_with_the_next_acknowledgement),
        cmocka_unit_test(blocks_acknowledge_across_the_wrap),
        cmocka_unit_test(an_acknowledgement_from_far_away_acknowledges_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
