/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of a capture that would make more rows of rack_marks than a direction may have: what is left out is counted.
 * The tap is at the sender, and most of what it sends is not seen: 250 TSNs before each chunk. */
#include "taps_of_talk.h"

enum { AT_US = 3000000, HOLES_US = 10000000, SKIPPED = 250, TIMEOUTS = 4, MORE = 15, MOST = 30 };

struct marks {
    uint64_t rows, left_out;
};

/* So many chunks with a hole before each, and timeouts behind them: all of it is marked, again and again. Before them
 * come three timeouts, so soon after what they send again. */
static struct marks marks_with(uint32_t holes, int64_t rto_us)
{
    struct talk *talk = at_sender(false);
    uint32_t tsn = MANY;
    for (int64_t at_us = AT_US; at_us < AT_US + 3 * 2000000; at_us += 2000000, tsn += 2) {
        data(talk, at_us, tsn + 1);
        data(talk, at_us + rto_us, tsn + 1);
        sack(talk, at_us + rto_us + WAY_US, tsn + 1, "");
        data(talk, at_us + 1500000, tsn + 2);
        sack(talk, at_us + 1500000 + WAY_US, tsn + 2, "");
    }
    for (uint32_t i = 0; i < holes; i++)
        data(talk, HOLES_US + i * 100, tsn += 1 + SKIPPED);
    for (int64_t i = 1; i <= TIMEOUTS; i++)
        data(talk, HOLES_US + ((1 << i) - 1) * 1000000, tsn);
    judge(talk);
    struct marks marks = {sr_engine_judgement(talk->engine)->rack_marks.count, figures_of(talk, A)->marks_left_out};
    talk_free(talk);
    return marks;
}

/* Each hole costs as much; also where all is looked at again, with the timers that the timeouts show. */
static void what_a_direction_has_no_rows_for_is_counted_once(void **state)
{
    (void)state;
    for (int64_t rto_us = 200000; rto_us <= 1000000; rto_us += 800000) {
        struct marks more = marks_with(MORE, rto_us), next = marks_with(MORE + 1, rto_us),
                     most = marks_with(MOST, rto_us);
        assert_int_equal(more.left_out + next.left_out, 0);
        assert_true(most.left_out > 0);
        assert_int_equal(most.rows + most.left_out, next.rows + (next.rows - more.rows) * (MOST - MORE - 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_direction_has_no_rows_for_is_counted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
