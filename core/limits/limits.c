/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk along one direction in the order in which its sender saw things: what it sent when it passed the tap, what
 * came from the other side a loop later. One way through the journal is at what was sent, the other at what had come.
 */
#include "limits.h"

#include "../association/kind.h"
#include "../books/belief.h"
#include "../facts/path_loops.h"
#include "../timeline/numbering.h"
#include "../wire/chunk.h"
#include "../wire/forward_tsn.h"
#include "../wire/time.h"
#include "new_data.h"
#include "repair.h"
#include "walk.h"

/* The same part that core/facts/loops.c grants a host that answers data faster than its handshake, on both ways. */
#define PART_OF_LOOP 8

/* A COOKIE ECHO of Linux, by which the loop is measured, has 260 bytes more than data of 200: 0.21 ms at 10 Mbit/s. */
#define LARGER_NS INT64_C(250000)

/* How much longer than a loop it took to answer. */
static int64_t held_ns(const struct sr_limits_walk *walk, const struct sr_sack_row *row)
{
    int64_t loop_ns = walk->half->measured.at_once.loop_ns;
    if (row->rtt_ns == SR_NO_TIME || row->rtt_tag != SR_RTT_TAG_DELAYED || loop_ns == SR_NO_TIME)
        return 0;
    return row->rtt_ns - loop_ns;
}

/* Whether what comes at that time belongs to the feedback before. */
static bool is_of_one(const struct sr_limits_walk *walk, int64_t time_ns)
{
    int64_t lasted_ns = sr_limits_since(time_ns, sr_intervals_end_ns(&walk->intervals));
    return walk->fed_ns != SR_NO_TIME && sr_limits_since(time_ns, walk->fed_ns) <= sr_limits_reaction(walk, lasted_ns);
}

static void feedback(struct sr_limits_walk *walk, const struct sr_sack_row *row, int64_t time_ns)
{
    bool has_window = row->kind != SR_SACK_KIND_SHUTDOWN;
    bool opens = has_window && walk->window_bytes != SR_NO_TIME && row->a_rwnd > walk->window_bytes;
    if (!sr_is_believed(row) || row->stale)
        return;
    bool of_one = is_of_one(walk, time_ns);
    if (!of_one)
        walk->before = sr_limits_wait_now(walk);
    if (row->newly_acked > 0 || opens) {
        int64_t held = held_ns(walk, row);
        if (!of_one || held > walk->before.held_ns)
            walk->before.held_ns = held;
        walk->before.most_held_ns = sr_at_once_most_ns(&walk->half->measured.at_once);
        walk->fed_before_ns = walk->fed_ns;
        walk->last_bytes = walk->outstanding_bytes;
        walk->fed_ns = time_ns;
        walk->fed_frame = row->frame;
        sr_ack_clock_feedback(&walk->clock);
    }
    if (walk->begun)
        sr_windows_acked(&walk->windows, row, time_ns, sr_limits_outstanding(walk));
    walk->outstanding_bytes = row->rtxq_necessary_bytes + (walk->sent_bytes - walk->arrivals.sent_bytes);
    if (has_window)
        walk->window_bytes = walk->intervals.a_rwnd = row->a_rwnd;
    if (row->newly_acked > 0) {
        walk->acked_ns = walk->covered_ns = time_ns;
        walk->acked_frame = walk->covered_frame = row->frame;
    }
    if (!walk->begun)
        return;
    if (!walk->known && walk->tells) { /* what was outstanding before the capture is not */
        sr_limits_add(walk, time_ns, row->frame, SR_LIMIT_UNKNOWN, 1);
        walk->known = walk->reduced = true;
        walk->fed_ns = SR_NO_TIME;
    }
    if (walk->repair.limit != SR_LIMIT_COUNT && sr_tsn_distance(sr_tsn(row->cum_tsn), walk->repair.until) >= 0)
        sr_repair_end(walk, time_ns, row->frame);
}

/* What a sender gave up was no longer outstanding to it from then on, which was before (RFC 3758 section 3.5 A1): what
 * is seems more here than it had. */
static void give_up(struct sr_limits_walk *walk)
{
    sr_send_buffer_break(&walk->buffer);
    walk->windows.estimates = false;
}

static void control(struct sr_limits_walk *walk, const struct sr_control_row *row)
{
    struct sr_tsn next;
    if ((row->type == SR_CHUNK_INIT || row->type == SR_CHUNK_INIT_ACK) && row->whole && row->from != walk->half->from) {
        walk->window_bytes = walk->intervals.a_rwnd = row->value;
        sr_windows_told(&walk->windows, row->value);
    }
    if (row->type == SR_CHUNK_HEARTBEAT && row->from == walk->half->from)
        sr_windows_heartbeat(&walk->windows);
    if (sr_is_forward_tsn(row->type) && row->from == walk->half->from)
        give_up(walk);
    if (!sr_numbered_anew(walk->journal, row, walk->half->from, &next))
        return;
    /* What was outstanding is given up (RFC 6525 section 5.2.4). */
    walk->outstanding_bytes = 0;
    walk->highest = sr_tsn_add(next, UINT32_MAX);
    if (walk->repair.limit != SR_LIMIT_COUNT)
        sr_repair_end(walk, walk->now_ns, row->frame);
}

static bool is_new(const struct sr_transmission_row *row)
{
    return row->kind != SR_KIND_RETRANSMISSION || row->prev_row == 0;
}

/* One step of the way at what had come; false where it has not yet. */
static bool arrive(struct sr_limits_walk *walk, int64_t time_ns)
{
    struct sr_arrivals *arrivals = &walk->arrivals;
    struct sr_journal_pass ahead = arrivals->pass;
    struct sr_entry entry;
    if (!sr_journal_follow(walk->journal, &ahead.next, &entry))
        return false;
    if (entry.table == SR_ENTRY_TRANSMISSION) {
        const struct sr_transmission_row *row = sr_transmission_at(walk->journal, entry.row);
        int64_t there_ns = sr_time_after(row->time_ns, walk->feedback_ns);
        if (row->from != walk->half->from && there_ns > time_ns)
            return false;
        bool counts = !sr_tells_nothing((enum sr_kind)row->kind);
        if (counts && row->from != walk->half->from)
            walk->heard_ns = there_ns;
        else if (counts && is_new(row))
            arrivals->sent_bytes += row->bytes;
    } else if (entry.table == SR_ENTRY_SACK) {
        const struct sr_sack_row *row = sr_sack_at(walk->journal, entry.row);
        int64_t there_ns = sr_time_after(row->time_ns, walk->feedback_ns);
        if (row->from != walk->half->from && there_ns > time_ns)
            return false;
        if (row->from != walk->half->from) {
            walk->now_ns = there_ns > walk->now_ns ? there_ns : walk->now_ns;
            feedback(walk, row, walk->now_ns);
        }
    } else {
        control(walk, sr_control_at(walk->journal, entry.row));
    }
    return sr_journal_pass(walk->journal, &arrivals->pass, &entry);
}

static void arrive_until(struct sr_limits_walk *walk, int64_t time_ns, uint32_t here)
{
    while (walk->arrivals.pass.next != here && arrive(walk, time_ns))
        ;
}

static void begin(struct sr_limits_walk *walk, const struct sr_transmission_row *row)
{
    const struct sr_association *association = walk->half->association;
    struct sr_limit_row first = {
        .begin_ns = walk->now_ns, .assoc = row->assoc, .begin_frame = row->frame, .from = row->from};
    int64_t window_bytes = walk->intervals.a_rwnd;
    sr_intervals_begin(&walk->intervals, walk->intervals.rows, &first);
    walk->intervals.a_rwnd = window_bytes;
    walk->known = walk->tells && association->started != SR_STARTED_MIDDLE;
    walk->burst_ns = walk->now_ns;
    walk->burst_packets = 1;
    walk->highest = sr_tsn(row->tsn);
    walk->first_path = row->path;
    walk->begun = true;
}

/* User data of the packet, all of its chunks. */
static uint64_t bytes_of(const struct sr_limits_walk *walk, uint32_t number)
{
    const struct sr_transmission_row *first = sr_transmission_at(walk->journal, number);
    uint64_t bytes = 0;
    for (uint64_t i = number; i < walk->journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(walk->journal, i);
        if (row->frame != first->frame)
            break;
        if (row->assoc == first->assoc && row->from == first->from)
            bytes += row->bytes;
    }
    return bytes;
}

static void tell_windows(struct sr_limits_walk *walk, const struct sr_transmission_row *row, bool fed, bool repaired)
{
    enum sr_limit waited_for = repaired ? SR_LIMIT_RECOVERY : fed ? walk->last : SR_LIMIT_APPLICATION;
    if (row->kind == SR_KIND_RETRANSMISSION)
        sr_windows_resent(&walk->windows, row, walk->now_ns, walk->highest, walk->packet_bytes,
                          sr_limits_outstanding(walk));
    else
        sr_windows_sent(&walk->windows, row, walk->now_ns, walk->packet_bytes, sr_limits_outstanding(walk), waited_for);
}

static void sent(struct sr_limits_walk *walk, uint32_t number)
{
    const struct sr_transmission_row *row = sr_transmission_at(walk->journal, number);
    bool again = row->kind == SR_KIND_RETRANSMISSION, first_of_packet = row->frame != walk->frame;
    if (row->time_ns > walk->now_ns)
        walk->now_ns = row->time_ns;
    if (walk->now_ns == SR_NO_TIME)
        return;
    if (first_of_packet)
        walk->packet_bytes = bytes_of(walk, number);
    bool fed = walk->begun && is_of_one(walk, walk->now_ns);
    bool repaired = walk->begun && walk->last == SR_LIMIT_COUNT;
    if (!walk->begun)
        begin(walk, row);
    else if (!walk->known)
        sr_limits_add(walk, walk->now_ns, row->frame, SR_LIMIT_UNKNOWN, 1);
    else if (again && (first_of_packet || walk->repair.limit == SR_LIMIT_COUNT))
        sr_repair_sent(walk, row, sr_limits_wait_now(walk));
    else if (walk->repair.limit != SR_LIMIT_COUNT)
        sr_limits_add(walk, walk->now_ns, row->frame, walk->repair.limit, walk->repair.class);
    else if (first_of_packet)
        sr_new_data_sent(walk, row, walk->packet_bytes);
    if (walk->sent_chunks > 0 && walk->outstanding_bytes == 0 &&
        sr_limits_since(walk->now_ns, walk->covered_ns) >= walk->half->measured.shortest_rto_ns)
        sr_windows_idle(&walk->windows);
    if (first_of_packet)
        tell_windows(walk, row, fed, repaired);
    if (walk->packet_bytes > walk->largest_bytes)
        walk->largest_bytes = walk->packet_bytes;
    if (is_new(row)) {
        walk->sent_bytes += row->bytes;
        walk->sent_chunks++;
        sr_windows_chunk(&walk->windows);
        walk->outstanding_bytes += row->bytes;
        sr_send_buffer_sent(&walk->buffer, row->flags, row->bytes, walk->outstanding_bytes);
        sr_burst_limit_sent(&walk->bursts, walk->packet_bytes, walk->outstanding_bytes,
                            sr_windows_room(&walk->windows, sr_limits_outstanding(walk)));
    }
    if (sr_tsn_after(sr_tsn(row->tsn), walk->highest))
        walk->highest = sr_tsn(row->tsn);
    walk->intervals.bytes += row->bytes;
    if (walk->outstanding_bytes > walk->intervals.outstanding_bytes)
        walk->intervals.outstanding_bytes = walk->outstanding_bytes;
    walk->fed_ns = walk->acked_ns = SR_NO_TIME;
    walk->frame = walk->covered_frame = row->frame;
    walk->covered_ns = walk->sent_ns = walk->now_ns;
}

/* What the last acknowledgement was held back for. */
static int64_t tail_held_ns(const struct sr_limits_walk *walk, int64_t begin_ns)
{
    int64_t lasted_ns = sr_limits_since(walk->covered_ns, begin_ns);
    if (walk->acked_ns == SR_NO_TIME || walk->before.held_ns <= walk->before.most_held_ns)
        return 0;
    return walk->before.held_ns < lasted_ns ? walk->before.held_ns : lasted_ns;
}

/* Behind the last data nothing was left to send. */
static void finish(struct sr_limits_walk *walk)
{
    if (!walk->begun)
        return;
    int64_t begin_ns = sr_intervals_end_ns(&walk->intervals);
    if (walk->covered_ns > begin_ns) {
        enum sr_limit limit = walk->repair.limit != SR_LIMIT_COUNT ? walk->repair.limit
                              : walk->known                        ? SR_LIMIT_APPLICATION
                                                                   : SR_LIMIT_UNKNOWN;
        sr_limits_add(walk, walk->covered_ns, walk->covered_frame, limit,
                      walk->repair.limit != SR_LIMIT_COUNT ? walk->repair.class : walk->class);
    }
    walk->intervals.held_ns = tail_held_ns(walk, begin_ns);
    sr_intervals_finish(&walk->intervals);
    sr_windows_finish(&walk->windows);
}

/* Feedback that was held back may be there a little sooner than a COOKIE ECHO shows: small data waits for it. */
static int64_t arrives_by(const struct sr_limits_walk *walk, int64_t time_ns)
{
    int64_t apart_ns = sr_limits_since(time_ns, walk->sent_ns);
    bool held = walk->begun && walk->outstanding_bytes > 0 && sr_limits_away(walk) &&
                apart_ns > walk->loop_ns + SR_LIMITS_MOST_JITTER_NS;
    return held ? sr_time_after(time_ns, LARGER_NS) : time_ns;
}

static void walk_along(struct sr_limits_walk *walk)
{
    struct sr_journal_pass pass = {.next = walk->half->association->entries.first};
    struct sr_entry entry;
    uint32_t here = pass.next;
    for (; sr_journal_pass(walk->journal, &pass, &entry); here = pass.next) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        const struct sr_transmission_row *row = sr_transmission_at(walk->journal, entry.row);
        if (row->from != walk->half->from || sr_tells_nothing((enum sr_kind)row->kind))
            continue;
        arrive_until(walk, arrives_by(walk, row->time_ns > walk->now_ns ? row->time_ns : walk->now_ns), here);
        sent(walk, entry.row);
    }
    arrive_until(walk, INT64_MAX, 0);
    finish(walk);
}

/* On the way between the tap and the sender: as far as it shows on the other way. */
static int64_t jitter_of(const struct sr_measured *measured)
{
    int64_t jitter_ns = measured->receiver.jitter_ns < SR_LIMITS_MOST_JITTER_NS ? measured->receiver.jitter_ns
                                                                                : SR_LIMITS_MOST_JITTER_NS;
    return measured->vantage == SR_VANTAGE_SENDER ? 0 : jitter_ns;
}

/* What the sender's loop was measured by may itself have been late. */
static int64_t soonest_of(const struct sr_measured *measured)
{
    int64_t jitter_ns = jitter_of(measured), part_ns = measured->sender_loop_ns / PART_OF_LOOP;
    int64_t soonest_ns = measured->feedback_ns - (jitter_ns < part_ns ? jitter_ns : part_ns);
    return soonest_ns > 0 ? soonest_ns : 0;
}

/* The answer of the next loop is not taken for that of this one. */
static int64_t near_of(const struct sr_measured *measured, int64_t loop_ns)
{
    int64_t later_ns = measured->sender_loop_ns - soonest_of(measured); /* feedback may be there */
    int64_t near_ns = SR_LIMITS_NEAR_NS + later_ns + jitter_of(measured);
    return near_ns < loop_ns / 4 ? near_ns : loop_ns / 4;
}

bool sr_limits(struct sr_judgement *judgement, const struct sr_half *half)
{
    const struct sr_measured *measured = &half->measured;
    bool has_loop = measured->receiver.typical_ns != SR_NO_TIME;
    int64_t loop_ns = has_loop ? measured->receiver.typical_ns + measured->sender_loop_ns : 0;
    bool tells = has_loop && !measured->adrift && !judgement->filtered;
    struct sr_limits_walk walk = {
        .half = half,
        .journal = half->journal,
        .intervals = {.rows = &judgement->limits, .a_rwnd = SR_NO_TIME},
        .arrivals = {.pass = {.next = half->association->entries.first}},
        .repair = {.limit = SR_LIMIT_COUNT},
        .window_bytes = SR_NO_TIME,
        .now_ns = half->association->first_time_ns,
        .fed_ns = SR_NO_TIME,
        .fed_before_ns = SR_NO_TIME,
        .heard_ns = SR_NO_TIME,
        .closed_ns = SR_NO_TIME,
        .acked_ns = SR_NO_TIME,
        .loop_ns = loop_ns,
        .near_ns = near_of(measured, loop_ns),
        .burst_most_ns = loop_ns / 4,
        .feedback_ns = soonest_of(measured),
        .class = measured->vantage == SR_VANTAGE_SENDER ? 4
                 : measured->inferred                   ? 2
                                                        : 3,
        .last = SR_LIMIT_COUNT,
    };
    if (half->association->side[half->from].data.chunks == 0 || !(judgement->wants_limits || judgement->wants_windows))
        return true;
    walk.tells = tells;
    bool whole = tells && half->association->started != SR_STARTED_MIDDLE;
    sr_windows_begin(&walk.windows, judgement->wants_windows ? &judgement->windows : NULL, half, whole);
    walk_along(&walk);
    return !walk.intervals.failed && !walk.windows.failed;
}
