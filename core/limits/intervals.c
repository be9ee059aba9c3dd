/* SPDX-License-Identifier: BSD-2-Clause */
/* One interval is open, and one wait behind it may be in doubt. The open one may be, too; then the one before waits. */
#include "intervals.h"

#include "../journal/rows.h"
#include "../wire/time.h"

static bool is_there(const struct sr_limit_row *row)
{
    return row->limit != SR_NO_WORD;
}

void sr_intervals_begin(struct sr_intervals *intervals, struct sr_spool *rows, const struct sr_limit_row *first)
{
    *intervals =
        (struct sr_intervals){.rows = rows, .open = *first, .pending = {.limit = SR_NO_WORD}, .a_rwnd = SR_NO_TIME};
    intervals->told.limit = SR_NO_WORD;
    intervals->open.limit = SR_NO_WORD;
    intervals->open.end_ns = first->begin_ns;
    intervals->open.end_frame = first->begin_frame;
}

static const struct sr_limit_row *last_of(const struct sr_intervals *intervals)
{
    return is_there(&intervals->pending) ? &intervals->pending : &intervals->open;
}

int64_t sr_intervals_end_ns(const struct sr_intervals *intervals)
{
    return last_of(intervals)->end_ns;
}

/* What was told otherwise waited for something else than feedback. */
static bool may_be_held(enum sr_limit limit)
{
    return limit == SR_LIMIT_DELAYED_SACK || limit == SR_LIMIT_SEND_BUFFER;
}

static int64_t held_ns(const struct sr_limit_row *interval)
{
    return may_be_held((enum sr_limit)interval->limit) ? interval->held_ns : 0;
}

static void write(struct sr_intervals *intervals, const struct sr_limit_row *interval, int64_t last_ns)
{
    if (!is_there(interval))
        return;
    struct sr_limit_row *row = sr_spool_append(intervals->rows);
    if (!row) {
        intervals->failed = true;
        return;
    }
    *row = *interval;
    row->held_ns = held_ns(interval) + last_ns;
}

static void join(struct sr_limit_row *open, const struct sr_limit_row *wait)
{
    open->end_ns = wait->end_ns;
    open->end_frame = wait->end_frame;
    open->bytes += wait->bytes;
    open->held_ns += wait->held_ns;
    open->limit_class = wait->limit_class < open->limit_class ? wait->limit_class : open->limit_class;
    if (wait->outstanding_bytes > open->outstanding_bytes)
        open->outstanding_bytes = wait->outstanding_bytes;
    open->a_rwnd = wait->a_rwnd;
}

/* What may have been told otherwise is what it is said to be. */
static void settle_open(struct sr_intervals *intervals)
{
    struct sr_limit_row *told = &intervals->told;
    struct sr_limit_row *first = intervals->run_count > 0 ? intervals->run : &intervals->open;
    if (!intervals->perhaps)
        return;
    if (told->limit == first->limit) {
        join(told, first);
        *first = *told;
    } else {
        write(intervals, told, 0);
    }
    for (uint32_t i = 0; i < intervals->run_count; i++)
        write(intervals, &intervals->run[i], 0);
    intervals->run_count = 0;
    told->limit = SR_NO_WORD;
    intervals->perhaps = false;
}

/* All of them are one. */
static void join_run(struct sr_intervals *intervals)
{
    struct sr_limit_row all = intervals->run[0];
    for (uint32_t i = 1; i < intervals->run_count; i++)
        join(&all, &intervals->run[i]);
    if (intervals->run_count > 0) {
        join(&all, &intervals->open);
        intervals->open = all;
    }
    intervals->run_count = 0;
}

static void append(struct sr_intervals *intervals, const struct sr_limit_row *wait)
{
    settle_open(intervals);
    if (intervals->open.limit == wait->limit) {
        join(&intervals->open, wait);
        return;
    }
    write(intervals, &intervals->open, 0);
    intervals->open = *wait;
}

/* Data that waits for feedback, whichever let it leave no sooner, may have had no room in a send buffer. */
static bool may_be_one(uint8_t one, uint8_t other)
{
    bool burst = one == SR_LIMIT_BURST_LIMIT || other == SR_LIMIT_BURST_LIMIT;
    return burst && (one == SR_LIMIT_CONGESTION_WINDOW || other == SR_LIMIT_CONGESTION_WINDOW);
}

static void append_perhaps(struct sr_intervals *intervals, const struct sr_limit_row *wait, bool anew)
{
    if (intervals->perhaps && !anew && intervals->open.limit == wait->limit) {
        join(&intervals->open, wait);
        return;
    }
    bool goes_on = intervals->perhaps && !anew && may_be_one(intervals->open.limit, wait->limit);
    if (goes_on && intervals->run_count < SR_INTERVALS_RUN) {
        intervals->run[intervals->run_count++] = intervals->open;
        intervals->open = *wait;
        return;
    }
    settle_open(intervals);
    intervals->told = intervals->open;
    intervals->open = *wait;
    intervals->perhaps = true;
}

static void settle(struct sr_intervals *intervals)
{
    if (is_there(&intervals->pending) && intervals->pending_perhaps)
        append_perhaps(intervals, &intervals->pending, true);
    else if (is_there(&intervals->pending))
        append(intervals, &intervals->pending);
    intervals->pending.limit = SR_NO_WORD;
    intervals->pending_perhaps = false;
}

static void await(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame, enum sr_limit limit,
                  uint8_t class)
{
    int64_t back_ns = intervals->held_ns;
    intervals->held_ns = 0;
    settle(intervals);
    if (end_ns <= intervals->open.end_ns)
        return; /* what was sent belongs to what comes next */
    intervals->pending = (struct sr_limit_row){
        .begin_ns = intervals->open.end_ns,
        .end_ns = end_ns,
        .bytes = intervals->bytes,
        .outstanding_bytes = intervals->outstanding_bytes,
        .a_rwnd = intervals->a_rwnd,
        .held_ns = back_ns,
        .assoc = intervals->open.assoc,
        .begin_frame = intervals->open.end_frame,
        .end_frame = end_frame,
        .from = intervals->open.from,
        .limit = (uint8_t)limit,
        .limit_class = class,
    };
    intervals->bytes = intervals->outstanding_bytes = 0;
}

void sr_intervals_suppose(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame, enum sr_limit limit,
                          uint8_t class, bool perhaps)
{
    await(intervals, end_ns, end_frame, limit, class);
    intervals->pending_perhaps = perhaps;
}

void sr_intervals_decide(struct sr_intervals *intervals, enum sr_limit limit)
{
    if (is_there(&intervals->pending)) {
        intervals->pending_perhaps = intervals->pending_perhaps && intervals->pending.limit == limit;
        intervals->pending.limit = (uint8_t)limit;
    }
    settle(intervals);
}

void sr_intervals_add(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame, enum sr_limit limit,
                      uint8_t class)
{
    await(intervals, end_ns, end_frame, limit, class);
    settle(intervals);
}

void sr_intervals_perhaps(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame, enum sr_limit limit,
                          uint8_t class, bool anew)
{
    await(intervals, end_ns, end_frame, limit, class);
    if (is_there(&intervals->pending))
        append_perhaps(intervals, &intervals->pending, anew);
    intervals->pending.limit = SR_NO_WORD;
}

void sr_intervals_tell(struct sr_intervals *intervals, enum sr_limit limit, uint8_t class)
{
    if (!intervals->perhaps)
        return;
    join_run(intervals);
    uint8_t was = intervals->open.limit;
    intervals->open.limit = (uint8_t)limit;
    if (was == SR_LIMIT_UNKNOWN || class < intervals->open.limit_class)
        intervals->open.limit_class = class;
    settle_open(intervals);
}

void sr_intervals_extend(struct sr_intervals *intervals, int64_t end_ns, uint32_t end_frame)
{
    struct sr_limit_row *last = is_there(&intervals->pending) ? &intervals->pending : &intervals->open;
    if (!is_there(last) || end_ns <= last->end_ns)
        return;
    last->end_ns = end_ns;
    last->end_frame = end_frame;
    last->bytes += intervals->bytes;
    if (intervals->outstanding_bytes > last->outstanding_bytes)
        last->outstanding_bytes = intervals->outstanding_bytes;
    intervals->bytes = intervals->outstanding_bytes = 0;
}

void sr_intervals_finish(struct sr_intervals *intervals)
{
    settle(intervals);
    settle_open(intervals);
    intervals->open.bytes += intervals->bytes;
    write(intervals, &intervals->open, intervals->held_ns);
}
