/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of which feedback is said to report a copy as a duplicate. The receiver is 20 ms away; 9 to 12 were sent once,
 * and 9 and 10 again. */
#include "talk_rows.h"

enum { WAY_US = 20000, SENDER_US = 100, AT_US = 3000000, AGAIN_US = 4000000, TOLD_US = AGAIN_US + WAY_US };
enum { FIRST_TOLD = 27 }; /* frame of the first event */

struct dup_row {
    const char *sentence;
    struct event events[4];
    uint32_t frames[2]; /* that report the second copies of 9 and 10; 0: none */
};

static struct dup_row rows[] = {
    {"the one that names it", {SACK(TOLD_US, 12, "d9")}, {FIRST_TOLD, 0}},
    {"also where it names another first", {SACK(TOLD_US, 12, "d9 d10")}, {FIRST_TOLD, FIRST_TOLD}},
    {"behind what it has in blocks", {SACK(TOLD_US, 8, "10 12 d9")}, {FIRST_TOLD, 0}},
    {"of several the first", {SACK(TOLD_US, 12, "d10"), SACK(TOLD_US + 10, 12, "d10")}, {0, FIRST_TOLD}},
    {"none that says only that it came", {SACK(TOLD_US, 8, "9-12")}, {0, 0}},
    {"nor what another says", {SACK(TOLD_US, 8, "12 d9"), SACK(TOLD_US + 10, 8, "10 12")}, {FIRST_TOLD, 0}},
    {"one that feedback has overtaken reports as well",
     {SACK(TOLD_US, 12, ""), SACK(TOLD_US + 10, 11, "d9")},
     {FIRST_TOLD + 1, 0}},
    {"whoever names what was never sent", {SACK(TOLD_US, 12, "d99 d10")}, {0, FIRST_TOLD}},
};

static struct talk *sent_again(void)
{
    struct talk *talk = talk_after_eight(SENDER_US, WAY_US, false);
    flight(talk, AT_US, 9, 4, 10);
    flight(talk, AGAIN_US, 9, 2, 10);
    return talk;
}

static void check_dups(void **state)
{
    const struct dup_row *row = *state;
    struct talk *talk = judged_talk(sent_again, row->events);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(row_of(talk, 9 + i, 1)->dup_frame, 0);
        assert_int_equal(row_of(talk, 9 + i, 2)->dup_frame, row->frames[i]);
    }
    talk_free(talk);
}

int main(void)
{
    return CHECK_ROWS("dup frames", rows, check_dups);
}
