/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of a lost tail that was sent again: told by packets that are missing, and by time which timer it was. */
#include "bytes_builder.h"
#include "rows.h"

#include "judge/tail.h"
#include "wire/time.h"

#define MS INT64_C(1000000)

enum { ROUND_TRIP = 40, RTO = 1000, PTO = 280, MOST_STEPS = 4 }; /* ms */

static const struct sr_tail_timers timers = {
    .rto_ns = {RTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
    .pto_ns = {PTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
};
static const struct sr_tail_timers of_rack = {
    .rto_ns = {RTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
    .pto_ns = {PTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
    .probes = true,
};
static const struct sr_tail_timers backed_off = {
    .rto_ns = {2 * RTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
    .pto_ns = {PTO * MS, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME},
};

/* Alone after a silence, with so many packets missing; one of several that an acknowledgement lets out; likewise,
 * while something is outstanding; a TSN that was seen, and is sent again by a timeout. */
#define ALONE(at, gone, cause, class)                                                                                  \
    {                                                                                                                  \
        at, {.missing = (gone), .silent = true, .alone = true}, cause, class, false, false                             \
    }
#define NEXT(at, gone, cause)                                                                                          \
    {                                                                                                                  \
        at, {.missing = (gone)}, cause, 0, false, false                                                                \
    }
#define SEEN(at, gone)                                                                                                 \
    {                                                                                                                  \
        at, {.missing = (gone)}, SR_CAUSE_COUNT, 0, true, false                                                        \
    }

#define MORE(at)                                                                                                       \
    {                                                                                                                  \
        at, {.missing = 0}, SR_CAUSE_COUNT, 0, false, true                                                             \
    }

/* After a flight from 100 ms on, which is acknowledged at 140 ms. */
static struct row {
    const char *sentence;
    uint32_t open, outstanding;
    struct {
        int64_t at_ms; /* 0 behind the last */
        struct sr_tail_chunk chunk;
        enum sr_cause cause;
        uint8_t class;          /* 0: whichever */
        bool seen, outstanding; /* something else, while it is sent */
    } steps[MOST_STEPS + 1];
} rows[] = {
    {"a silence that fits T3-rtx from the acknowledgement proves nothing",
     0,
     0,
     {ALONE(140 + RTO, 0, SR_CAUSE_COUNT, 0)}},
    {"a silence that fits T3-rtx from the first packet proves nothing", 0, 0, {ALONE(100 + RTO, 0, SR_CAUSE_COUNT, 0)}},
    {"a silence that fits the probe timeout proves nothing", 0, 0, {ALONE(140 + PTO, 0, SR_CAUSE_COUNT, 0)}},
    {"what T3-rtx sends behind a missing packet was in it", 0, 0, {ALONE(140 + RTO, 1, SR_CAUSE_T3, 3)}},
    {"T3-rtx may run from the first packet", 0, 0, {ALONE(100 + RTO, 1, SR_CAUSE_T3, 3)}},
    {"T3-rtx may run from the first of a burst, while something before it is outstanding",
     0,
     0,
     {MORE(700), MORE(730), ALONE(700 + RTO, 1, SR_CAUSE_T3, 3)}},
    {"what a probe sends behind a missing packet was in it", 0, 0, {ALONE(140 + PTO, 1, SR_CAUSE_TLP, 3)}},
    {"it may be a timer that is not known", 0, 0, {ALONE(140 + PTO + 60, 1, SR_CAUSE_T3, 2)}},
    {"TSNs that were skipped account for as many packets",
     0,
     0,
     {{140 + RTO, {.missing = 2, .skipped = 2, .silent = true, .alone = true}, SR_CAUSE_COUNT, 0, false, false}}},
    {"TSNs that were skipped account for no more",
     0,
     0,
     {{140 + RTO, {.missing = 2, .skipped = 1, .silent = true, .alone = true}, SR_CAUSE_T3, 0, false, false}}},
    {"what is missing may be a TSN below, sent again", 1, 0, {ALONE(140 + RTO, 1, SR_CAUSE_COUNT, 0)}},
    {"a timer sends one packet", 0, 0, {{140 + RTO, {.missing = 1, .silent = true}, SR_CAUSE_COUNT, 0, false, false}}},
    {"while something seen is outstanding T3-rtx does not send the last",
     0,
     1,
     {ALONE(140 + RTO, 1, SR_CAUSE_COUNT, 0)}},
    {"while something seen is outstanding a probe sends the last", 0, 1, {ALONE(140 + PTO, 1, SR_CAUSE_TLP, 3)}},
    {"but it sends none later than it is due, if there may be no probe at all",
     0,
     1,
     {ALONE(140 + 2 * PTO, 1, SR_CAUSE_COUNT, 0)}},
    {"after a timeout as many follow as are missing",
     0,
     0,
     {ALONE(140 + RTO, 3, SR_CAUSE_T3, 0), NEXT(181 + RTO, 0, SR_CAUSE_T3_GBN), NEXT(182 + RTO, 0, SR_CAUSE_T3_GBN),
      NEXT(221 + RTO, 0, SR_CAUSE_COUNT)}},
    {"what is lost again is not owed any more",
     0,
     0,
     {ALONE(140 + RTO, 3, SR_CAUSE_T3, 0), NEXT(181 + RTO, 1, SR_CAUSE_T3_GBN), NEXT(182 + RTO, 0, SR_CAUSE_COUNT)}},
    {"after another silence nothing is owed",
     0,
     0,
     {ALONE(140 + RTO, 3, SR_CAUSE_T3, 0), ALONE(600 + RTO, 0, SR_CAUSE_COUNT, 0), NEXT(601 + RTO, 0, SR_CAUSE_COUNT)}},
    {"of a timer that expired twice some of what is missing was sent again",
     0,
     0,
     {ALONE(100 + 3 * RTO, 3, SR_CAUSE_T3, 0), NEXT(141 + 3 * RTO, 0, SR_CAUSE_COUNT)}},
    {"a timeout that sends what was seen owes what was not",
     0,
     0,
     {SEEN(100 + RTO, 1), NEXT(181 + RTO, 0, SR_CAUSE_T3_GBN), NEXT(182 + RTO, 0, SR_CAUSE_COUNT)}},
    {"what is missing before it may be another copy of it",
     0,
     0,
     {SEEN(100 + 3 * RTO, 1), NEXT(141 + 3 * RTO, 0, SR_CAUSE_COUNT)}},
    {"what is missing before it may be a TSN below", 1, 0, {SEEN(100 + RTO, 1), NEXT(181 + RTO, 0, SR_CAUSE_COUNT)}},
    {"T3-rtx may run from the first packet of the last flight",
     0,
     0,
     {NEXT(700, 0, SR_CAUSE_COUNT), NEXT(730, 0, SR_CAUSE_COUNT), MORE(760), ALONE(730 + RTO, 1, SR_CAUSE_T3, 3)}},
    {"or of the one before, which two chunks of a packet do not push out",
     0,
     0,
     {NEXT(700, 0, SR_CAUSE_COUNT), NEXT(750, 0, SR_CAUSE_COUNT), NEXT(750, 0, SR_CAUSE_COUNT),
      ALONE(700 + RTO, 1, SR_CAUSE_T3, 3)}},
    {"what is sent less than a round trip behind feedback begins no burst",
     0,
     0,
     {MORE(170), MORE(200), ALONE(170 + RTO, 1, SR_CAUSE_T3, 2)}},
    {"userland timers are 12 ms early", 0, 0, {ALONE(140 + RTO - 12, 1, SR_CAUSE_T3, 3)}},
    {"and no earlier", 0, 0, {ALONE(140 + RTO - 13, 1, SR_CAUSE_T3, 2)}},
    {"or as late", 0, 0, {ALONE(140 + RTO + 12, 1, SR_CAUSE_T3, 3)}},
    {"and no later", 0, 0, {ALONE(140 + RTO + 13, 1, SR_CAUSE_T3, 2)}},
    {"three quarters of an RTO pass without data", 0, 0, {MORE(390), ALONE(140 + RTO, 1, SR_CAUSE_T3, 3)}},
    {"or its timer is not that", 0, 0, {MORE(391), ALONE(140 + RTO, 1, SR_CAUSE_T3, 2)}},
    {"what nothing says was sent again owes nothing",
     0,
     1,
     {ALONE(140 + RTO, 3, SR_CAUSE_COUNT, 0), NEXT(181 + RTO, 0, SR_CAUSE_COUNT)}},
    {"half as long again as a timer runs it may have expired once",
     0,
     0,
     {ALONE(100 + RTO / 2 * 3, 3, SR_CAUSE_T3, 0), NEXT(141 + RTO / 2 * 3, 0, SR_CAUSE_T3_GBN)}},
    {"behind that it has expired twice",
     0,
     0,
     {ALONE(101 + RTO / 2 * 3, 3, SR_CAUSE_T3, 0), NEXT(141 + RTO / 2 * 3, 0, SR_CAUSE_COUNT)}},
    {"likewise of what was seen, when the timer is backed off",
     0,
     0,
     {SEEN(100 + RTO / 4 * 5, 1), NEXT(141 + RTO / 4 * 5, 0, SR_CAUSE_T3_GBN)}},
    {"and expired twice behind that", 0, 0, {SEEN(101 + RTO / 4 * 5, 1), NEXT(141 + RTO / 4 * 5, 0, SR_CAUSE_COUNT)}},
    {"chunks of a packet are sent again together",
     0,
     0,
     {ALONE(140 + RTO, 1, SR_CAUSE_T3, 0), ALONE(140 + RTO, 0, SR_CAUSE_T3, 0)}},
};

/* Its sender most likely has probes. */
static struct row rack_rows[] = {
    {"its timer may be longer than round trips at the tap show", 0, 1, {ALONE(140 + 2 * PTO, 1, SR_CAUSE_TLP, 2)}},
    {"so may it be with nothing outstanding", 0, 0, {ALONE(140 + 2 * PTO, 1, SR_CAUSE_TLP, 2)}},
    {"but no probe comes sooner than it is due", 0, 1, {ALONE(140 + PTO / 2, 1, SR_CAUSE_COUNT, 0)}},
    {"it may come until a timeout may", 0, 1, {ALONE(139 + RTO / 4 * 3, 1, SR_CAUSE_TLP, 2)}},
    {"and none as late as a timeout", 0, 1, {ALONE(140 + RTO / 4 * 3, 1, SR_CAUSE_COUNT, 0)}},
};

static void check_with(const struct row *row, const struct sr_tail_timers *of_sender)
{
    struct sr_tail tail;
    sr_tail_begin(&tail);
    sr_tail_sent(&tail, 100 * MS, ROUND_TRIP * MS);
    tail.feedback_ns = 140 * MS;
    tail.open = row->open;
    tail.outstanding = row->outstanding;
    for (int i = 0; row->steps[i].at_ms != 0; i++) {
        struct sr_tail_chunk chunk = row->steps[i].chunk;
        chunk.time_ns = row->steps[i].at_ms * MS;
        chunk.frame = (uint32_t)row->steps[i].at_ms;
        if (!row->steps[i].seen)
            sr_tail_look(&tail, of_sender, &chunk);
        tail.outstanding += row->steps[i].outstanding;
        sr_tail_sent(&tail, chunk.time_ns, ROUND_TRIP * MS);
        tail.outstanding = row->outstanding;
        if (row->steps[i].seen) {
            sr_tail_timeout(&tail, &backed_off, chunk.missing);
            continue;
        }
        assert_int_equal(tail.cause, row->steps[i].cause);
        if (row->steps[i].class != 0)
            assert_int_equal(tail.cause_class, row->steps[i].class);
    }
}

static void check(void **state)
{
    check_with(*state, &timers);
}

static void check_rack(void **state)
{
    check_with(*state, &of_rack);
}

int main(void)
{
    return CHECK_ROWS("tail", rows, check) + CHECK_ROWS("tail of a sender with probes", rack_rows, check_rack);
}
