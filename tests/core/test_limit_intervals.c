/* SPDX-License-Identifier: BSD-2-Clause */
/* How waits that touch become intervals: what is limited alike is one, with the lowest class, all bytes and the most
 * that was outstanding. */
#include <stdio.h>
#include <string.h>

#include "rows.h"

#include "limits/intervals.h"
#include "wire/time.h"

enum { BEGIN_NS = 100, BEGIN_FRAME = 10, MOST_STEPS = 6, TEXT = 512 };

enum what { END, ADD, SUPPOSE, SUPPOSE_PERHAPS, DECIDE, EXTEND, PERHAPS, ANEW, TELL, HELD };

#define APP SR_LIMIT_APPLICATION
#define CWND SR_LIMIT_CONGESTION_WINDOW
#define BURST SR_LIMIT_BURST_LIMIT
#define BUFFER SR_LIMIT_SEND_BUFFER

static struct row {
    const char *sentence;
    const char *said; /* limit/class begin-end(frames) bytes outstanding a_rwnd, and what was held back */
    struct {
        enum what what;
        int64_t end_ns;
        enum sr_limit limit;
        uint8_t class;
        uint64_t bytes, outstanding; /* before it */
        int64_t a_rwnd;
    } steps[MOST_STEPS + 1];
    uint64_t bytes_at_the_end;
} rows[] = {
    {"a wait goes from the end of the one before to its own",
     "application/4 100-150(10-11) 5 7 9, congestion_window/3 150-160(11-12) 6 8 1",
     {{ADD, 150, APP, 4, 5, 7, 9}, {ADD, 160, CWND, 3, 6, 8, 1}},
     0},
    {"what is limited alike is one interval, with the last window",
     "application/4 100-160(10-12) 11 7 1",
     {{ADD, 150, APP, 4, 5, 7, 9}, {ADD, 160, APP, 4, 6, 2, 1}},
     0},
    {"it has the lower class of the later",
     "application/2 100-160(10-12) 0 0 0",
     {{ADD, 150, APP, 4, 0, 0, 0}, {ADD, 160, APP, 2, 0, 0, 0}},
     0},
    {"it has the lower class of the earlier",
     "application/2 100-160(10-12) 0 0 0",
     {{ADD, 150, APP, 2, 0, 0, 0}, {ADD, 160, APP, 4, 0, 0, 0}},
     0},
    {"it has the most that was outstanding, also of the later",
     "application/4 100-160(10-12) 0 8 0",
     {{ADD, 150, APP, 4, 0, 7, 0}, {ADD, 160, APP, 4, 0, 8, 0}},
     0},
    {"a wait of no time is none, and its bytes are of the next",
     "application/4 100-150(10-12) 11 8 1",
     {{ADD, 100, CWND, 4, 5, 8, 9}, {ADD, 150, APP, 4, 6, 0, 1}},
     0},
    {"a wait that was supposed may be decided otherwise",
     "congestion_window/3 100-150(10-11) 5 7 9",
     {{SUPPOSE, 150, APP, 3, 5, 7, 9}, {DECIDE, 0, CWND, 0, 0, 0, 0}},
     0},
    {"a wait that nobody decides is what it was supposed to be, at the end too",
     "application/3 100-150(10-11) 5 7 9",
     {{SUPPOSE, 150, APP, 3, 5, 7, 9}},
     0},
    {"it is that before the next that is supposed, too",
     "application/3 100-150(10-11) 5 7 9, congestion_window/2 150-170(11-12) 6 8 1",
     {{SUPPOSE, 150, APP, 3, 5, 7, 9}, {SUPPOSE, 170, CWND, 2, 6, 8, 1}},
     0},
    {"what was added is decided",
     "application/4 100-150(10-11) 5 7 9",
     {{ADD, 150, APP, 4, 5, 7, 9}, {DECIDE, 0, CWND, 0, 0, 0, 0}},
     0},
    {"where nothing is supposed nothing is decided",
     "application/4 100-150(10-12) 5 7 9",
     {{DECIDE, 0, CWND, 0, 0, 0, 0}, {ADD, 150, APP, 4, 5, 7, 9}},
     0},
    {"the last wait may go on",
     "application/4 100-170(10-12) 11 8 9",
     {{ADD, 150, APP, 4, 5, 7, 9}, {EXTEND, 170, APP, 0, 6, 8, 1}},
     0},
    {"with less outstanding it has the most from before",
     "application/4 100-170(10-12) 11 7 9",
     {{ADD, 150, APP, 4, 5, 7, 9}, {EXTEND, 170, APP, 0, 6, 6, 1}},
     0},
    {"one that was supposed may go on, and still be decided otherwise",
     "congestion_window/4 100-170(10-12) 11 8 9",
     {{SUPPOSE, 150, APP, 4, 5, 7, 9}, {EXTEND, 170, APP, 0, 6, 8, 1}, {DECIDE, 0, CWND, 0, 0, 0, 0}},
     0},
    {"before the first wait nothing goes on",
     "application/4 100-150(10-12) 11 8 1",
     {{EXTEND, 170, APP, 0, 5, 8, 9}, {ADD, 150, APP, 4, 6, 0, 1}},
     0},
    {"at its own end a wait goes on with nothing, and not in a later frame",
     "application/4 100-150(10-11) 5 7 9",
     {{ADD, 150, APP, 4, 5, 7, 9}, {EXTEND, 150, APP, 0, 0, 0, 1}},
     0},
    {"what is sent behind the last wait is of it",
     "application/4 100-150(10-11) 12 7 9",
     {{ADD, 150, APP, 4, 5, 7, 9}},
     7},
    {"what may be told otherwise is what it was said to be, with what it touches",
     "congestion_window/3 100-190(10-13) 0 9 0, application/4 190-200(13-14) 0 0 0",
     {{ADD, 150, CWND, 3, 0, 8, 0},
      {PERHAPS, 170, CWND, 3, 0, 9, 0},
      {PERHAPS, 190, CWND, 3, 0, 7, 0},
      {ADD, 200, APP, 4, 0, 0, 0}},
     0},
    {"it is that at the end too",
     "congestion_window/3 100-170(10-12) 0 9 0",
     {{ADD, 150, CWND, 3, 0, 8, 0}, {PERHAPS, 170, CWND, 3, 0, 9, 0}},
     0},
    {"told otherwise it is one interval, with the lower class, and joins what follows",
     "congestion_window/3 100-150(10-11) 1 8 0, send_buffer/3 150-200(11-15) 14 9 0",
     {{ADD, 150, CWND, 3, 1, 8, 0},
      {PERHAPS, 170, CWND, 3, 2, 9, 0},
      {PERHAPS, 190, CWND, 3, 4, 7, 0},
      {TELL, 0, BUFFER, 3, 0, 0, 0},
      {ADD, 200, BUFFER, 3, 8, 7, 0}},
     0},
    {"of less sure waits it is as sure as they",
     "send_buffer/2 100-150(10-11) 0 0 0",
     {{PERHAPS, 150, CWND, 2, 0, 0, 0}, {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"of surer ones, as what is told",
     "send_buffer/3 100-150(10-11) 0 0 0",
     {{PERHAPS, 150, APP, 4, 0, 0, 0}, {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"of what was not known, as what is told",
     "send_buffer/3 100-150(10-11) 0 0 0",
     {{PERHAPS, 150, SR_LIMIT_UNKNOWN, 1, 0, 0, 0}, {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"told as the one before it joins that",
     "application/2 100-170(10-12) 0 0 0",
     {{ADD, 150, APP, 4, 0, 0, 0}, {PERHAPS, 170, CWND, 3, 0, 0, 0}, {TELL, 0, APP, 2, 0, 0, 0}},
     0},
    {"what is added anew is not told with what was before",
     "congestion_window/3 100-150(10-11) 0 0 0, send_buffer/3 150-170(11-12) 0 0 0",
     {{PERHAPS, 150, CWND, 3, 0, 0, 0}, {ANEW, 170, CWND, 3, 0, 0, 0}, {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"nor is what is limited otherwise",
     "application/4 100-150(10-11) 0 0 0, send_buffer/3 150-170(11-12) 0 0 0",
     {{PERHAPS, 150, APP, 4, 0, 0, 0}, {PERHAPS, 170, CWND, 3, 0, 0, 0}, {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"but a limit on bursts and a congestion window are, as long as they take turns",
     "application/4 100-120(10-11) 0 0 0, send_buffer/3 120-190(11-15) 15 9 0",
     {{ADD, 120, APP, 4, 0, 0, 0},
      {PERHAPS, 140, CWND, 3, 1, 2, 0},
      {PERHAPS, 150, BURST, 3, 2, 9, 0},
      {PERHAPS, 170, CWND, 3, 4, 1, 0},
      {PERHAPS, 190, BURST, 3, 8, 1, 0},
      {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"told no otherwise each is what it was said to be, the first with what it touches",
     "congestion_window/3 100-140(10-12) 1 2 0, burst_limit/3 140-150(12-13) 2 9 0, congestion_window/3 150-170(13-14) "
     "4 1 0, "
     "application/4 170-180(14-15) 0 0 0",
     {{ADD, 120, CWND, 3, 0, 0, 0},
      {PERHAPS, 140, CWND, 3, 1, 2, 0},
      {PERHAPS, 150, BURST, 3, 2, 9, 0},
      {PERHAPS, 170, CWND, 3, 4, 1, 0},
      {ADD, 180, APP, 4, 0, 0, 0}},
     0},
    {"so is the first of two",
     "congestion_window/3 100-140(10-12) 1 2 0, burst_limit/3 140-150(12-13) 2 9 0, application/4 150-180(13-14) 0 0 "
     "0",
     {{ADD, 120, CWND, 3, 0, 0, 0},
      {PERHAPS, 140, CWND, 3, 1, 2, 0},
      {PERHAPS, 150, BURST, 3, 2, 9, 0},
      {ADD, 180, APP, 4, 0, 0, 0}},
     0},
    {"what was decided is not told otherwise",
     "congestion_window/3 100-150(10-11) 0 0 0",
     {{ADD, 150, CWND, 3, 0, 0, 0}, {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"what was supposed and is so may be told otherwise",
     "send_buffer/3 100-170(10-13) 0 0 0",
     {{SUPPOSE_PERHAPS, 150, CWND, 3, 0, 0, 0},
      {DECIDE, 0, CWND, 0, 0, 0, 0},
      {PERHAPS, 170, CWND, 3, 0, 0, 0},
      {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"what was supposed and is not may not",
     "application/3 100-150(10-11) 0 0 0, send_buffer/3 150-170(11-13) 0 0 0",
     {{SUPPOSE_PERHAPS, 150, CWND, 3, 0, 0, 0},
      {DECIDE, 0, APP, 0, 0, 0, 0},
      {PERHAPS, 170, CWND, 3, 0, 0, 0},
      {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"what was held back of waits for a delayed SACK adds up",
     "delayed_sack/4 100-170(10-14) 0 0 0 held 60",
     {{HELD, 45, APP, 0, 0, 0, 0},
      {ADD, 150, SR_LIMIT_DELAYED_SACK, 4, 0, 0, 0},
      {HELD, 15, APP, 0, 0, 0, 0},
      {ADD, 170, SR_LIMIT_DELAYED_SACK, 4, 0, 0, 0}},
     0},
    {"of waits that are told to be for a send buffer it does, too",
     "send_buffer/3 100-170(10-14) 0 0 0 held 60",
     {{HELD, 45, APP, 0, 0, 0, 0},
      {PERHAPS, 150, APP, 4, 0, 0, 0},
      {HELD, 15, APP, 0, 0, 0, 0},
      {PERHAPS, 170, APP, 4, 0, 0, 0},
      {TELL, 0, BUFFER, 3, 0, 0, 0}},
     0},
    {"of what waited for something else nothing was, and what was sent at once takes nothing of the next",
     "application/4 100-150(10-12) 0 0 0, delayed_sack/4 150-170(12-15) 0 0 0",
     {{HELD, 45, APP, 0, 0, 0, 0},
      {ADD, 150, APP, 4, 0, 0, 0},
      {HELD, 45, APP, 0, 0, 0, 0},
      {ADD, 150, APP, 4, 0, 0, 0},
      {ADD, 170, SR_LIMIT_DELAYED_SACK, 4, 0, 0, 0}},
     0},
    {"but the last acknowledgement of all, whatever was waited for",
     "application/4 100-150(10-12) 0 0 0 held 40",
     {{HELD, 45, APP, 0, 0, 0, 0}, {ADD, 150, APP, 4, 0, 0, 0}, {HELD, 40, APP, 0, 0, 0, 0}},
     0},
    {"without a wait there is no interval", "", {{DECIDE, 0, CWND, 0, 0, 0, 0}}, 3},
};

static void check(void **state)
{
    const struct row *row = *state;
    const struct sr_limit_row first = {.begin_ns = BEGIN_NS, .begin_frame = BEGIN_FRAME, .assoc = 3, .from = 1};
    struct sr_intervals intervals;
    struct sr_spool_store store;
    struct sr_spool spool;
    char text[TEXT] = "";
    sr_spool_store_init(&store, SR_SPOOL_SEGMENT);
    sr_spool_init(&spool, &store, sizeof(struct sr_limit_row));
    sr_intervals_begin(&intervals, &spool, &first);
    for (uint32_t i = 0; row->steps[i].what != END; i++) {
        enum sr_limit limit = row->steps[i].limit;
        int64_t end_ns = row->steps[i].end_ns;
        uint32_t frame = BEGIN_FRAME + 1 + i;
        intervals.bytes += row->steps[i].bytes;
        if (row->steps[i].outstanding > intervals.outstanding_bytes)
            intervals.outstanding_bytes = row->steps[i].outstanding;
        intervals.a_rwnd = row->steps[i].a_rwnd;
        switch (row->steps[i].what) {
        case ADD: sr_intervals_add(&intervals, end_ns, frame, limit, row->steps[i].class); break;
        case SUPPOSE: sr_intervals_suppose(&intervals, end_ns, frame, limit, row->steps[i].class, false); break;
        case SUPPOSE_PERHAPS: sr_intervals_suppose(&intervals, end_ns, frame, limit, row->steps[i].class, true); break;
        case PERHAPS: sr_intervals_perhaps(&intervals, end_ns, frame, limit, row->steps[i].class, false); break;
        case ANEW: sr_intervals_perhaps(&intervals, end_ns, frame, limit, row->steps[i].class, true); break;
        case TELL: sr_intervals_tell(&intervals, limit, row->steps[i].class); break;
        case DECIDE: sr_intervals_decide(&intervals, limit); break;
        case EXTEND: sr_intervals_extend(&intervals, end_ns, frame); break;
        case HELD: intervals.held_ns = end_ns; break;
        case END: break;
        }
    }
    intervals.bytes += row->bytes_at_the_end;
    sr_intervals_finish(&intervals);
    for (uint64_t i = 0; i < spool.count; i++) {
        const struct sr_limit_row *one = sr_spool_visit(&spool, i);
        size_t length = strlen(text);
        assert_int_equal(one->assoc, 3);
        assert_int_equal(one->from, 1);
        snprintf(text + length, sizeof text - length, "%s%s/%u %d-%d(%u-%u) %d %d %d", i ? ", " : "",
                 sr_limit_names[one->limit], one->limit_class, (int)one->begin_ns, (int)one->end_ns, one->begin_frame,
                 one->end_frame, (int)one->bytes, (int)one->outstanding_bytes, (int)one->a_rwnd);
        length = strlen(text);
        if (one->held_ns > 0)
            snprintf(text + length, sizeof text - length, " held %d", (int)one->held_ns);
    }
    assert_string_equal(text, row->said);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

/* As many waits as a run has room for, and as many again: none is lost, and the last ones are told together. */
static void a_long_run_is_told_in_parts(void **state)
{
    (void)state;
    const int64_t waits = 2 * SR_INTERVALS_RUN;
    const struct sr_limit_row first = {.begin_ns = BEGIN_NS};
    struct sr_intervals intervals;
    struct sr_spool_store store;
    struct sr_spool spool;
    sr_spool_store_init(&store, SR_SPOOL_SEGMENT);
    sr_spool_init(&spool, &store, sizeof(struct sr_limit_row));
    sr_intervals_begin(&intervals, &spool, &first);
    for (int64_t i = 0; i < waits; i++) {
        intervals.bytes++;
        sr_intervals_perhaps(&intervals, BEGIN_NS + i + 1, 0, i % 2 ? BURST : CWND, 3, false);
    }
    sr_intervals_tell(&intervals, BUFFER, 3);
    sr_intervals_finish(&intervals);
    int64_t end_ns = BEGIN_NS, bytes = 0;
    for (uint64_t i = 0; i < spool.count; i++) {
        const struct sr_limit_row *one = sr_spool_visit(&spool, i);
        bool is_last = i + 1 == spool.count;
        assert_int_equal(one->begin_ns, end_ns);
        assert_int_equal(one->limit, is_last ? BUFFER : i % 2 ? BURST : CWND);
        end_ns = one->end_ns;
        bytes += (int64_t)one->bytes;
    }
    assert_int_equal(end_ns, BEGIN_NS + waits);
    assert_int_equal(bytes, waits);
    assert_true(spool.count < (uint64_t)waits);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

int main(void)
{
    const struct CMUnitTest long_runs[] = {cmocka_unit_test(a_long_run_is_told_in_parts)};
    int failed = CHECK_ROWS("limit_intervals", rows, check);
    return failed + cmocka_run_group_tests_name("long_runs", long_runs, NULL, NULL);
}
