/* SPDX-License-Identifier: BSD-2-Clause */
/* What a sender waited for that sent data for the first time, by what came before, and what may hide in a silence away
 * from it. */
#include "new_data.h"

#include "../association/kind.h"
#include "../facts/path_loops.h"
#include "../wire/time.h"

/* So long after the last that started T3-rtx anew (RFC 9260 section 6.3.2) it may have expired. */
static bool is_silent(const struct sr_limits_walk *walk, const struct sr_wait *wait)
{
    return !wait->fed && sr_limits_since(walk->now_ns, walk->covered_ns) >= walk->half->measured.shortest_rto_ns;
}

/* Of such a silence a tap behind the loss sees nothing else. Packets that are missing before its end, by the sender's
 * count, where no TSN is, had the data that comes now; it is sent again on another path than usual (section 6.4.1).
 * With a TSN missing, or on the usual one of several paths, it may be either. */
static enum sr_limit hidden(const struct sr_limits_walk *walk, const struct sr_transmission_row *row)
{
    const struct sr_half *half = walk->half;
    bool follows = sr_tsn_distance(sr_tsn(row->tsn), walk->highest) == 1;
    bool missing = row->missing > 0 && sr_unseen_tells(&half->association->side[half->from].unseen);
    if (row->path != walk->first_path && follows)
        return SR_LIMIT_PATH_FAILURE;
    if (missing)
        return follows ? SR_LIMIT_TIMEOUT : SR_LIMIT_UNKNOWN;
    return sr_has_several_paths(half->association) ? SR_LIMIT_UNKNOWN : SR_LIMIT_APPLICATION;
}

/* Away from the sender what comes without feedback may have left with some, and been late on its way to the tap. */
static bool may_be_late(const struct sr_limits_walk *walk, const struct sr_wait *wait)
{
    return sr_limits_away(walk) && !wait->fed && !wait->runs_free && wait->lasted_ns < walk->loop_ns &&
           wait->outstanding_bytes > 0 && sr_wait_is_full(wait);
}

static void complete(const struct sr_limits_walk *walk, struct sr_wait *wait, int64_t lasted_ns, uint64_t packet_bytes)
{
    wait->lasted_ns = lasted_ns;
    wait->largest_bytes = walk->largest_bytes > packet_bytes ? walk->largest_bytes : packet_bytes;
    wait->packet_bytes = packet_bytes;
}

static bool may_not_send(const struct sr_wait *wait)
{
    bool unsure;
    return sr_wait_is_full(wait) || sr_wait_is_closed(wait, &unsure);
}

/* Feedback opened the peer's window: before, nothing could be sent, whatever there was. */
static void until_window_opened(struct sr_limits_walk *walk, uint64_t packet_bytes)
{
    struct sr_wait wait = walk->before;
    int64_t closed_ns = sr_limits_since(walk->fed_ns, sr_intervals_end_ns(&walk->intervals));
    bool unsure;
    complete(walk, &wait, closed_ns, packet_bytes);
    if (closed_ns >= sr_limits_since(walk->now_ns, walk->fed_ns) && sr_wait_is_closed(&wait, &unsure))
        sr_limits_add(walk, walk->fed_ns, walk->fed_frame, SR_LIMIT_PEER_WINDOW,
                      unsure ? SR_LIMITS_LEAST : walk->class);
}

/* Behind a closed window what feedback lets leave is let by the window as it opens, until a part of a loop later. */
static void follow_closed(struct sr_limits_walk *walk, const struct sr_wait *wait, struct sr_waited *waited)
{
    bool still = sr_limits_since(walk->now_ns, walk->closed_ns) <= walk->burst_most_ns &&
                 walk->window_bytes != SR_NO_TIME && 2 * wait->outstanding_bytes > (uint64_t)walk->window_bytes;
    if (waited->limit == SR_LIMIT_PEER_WINDOW)
        walk->closed_ns = walk->now_ns;
    else if (waited->limit == SR_LIMIT_CONGESTION_WINDOW && still)
        *waited = (struct sr_waited){.limit = SR_LIMIT_PEER_WINDOW, .unsure = true};
}

/* What was known before the packet, and whether feedback that came just before may have let it leave. */
static struct sr_wait wait_before(const struct sr_limits_walk *walk, const struct sr_transmission_row *row,
                                  uint64_t packet_bytes)
{
    int64_t lasted_ns = sr_limits_since(walk->now_ns, sr_intervals_end_ns(&walk->intervals));
    int64_t lag_ns = sr_limits_since(walk->now_ns, walk->fed_ns);
    bool fed = walk->fed_ns != SR_NO_TIME && lag_ns <= sr_limits_reaction(walk, lasted_ns);
    struct sr_wait wait = walk->before;
    complete(walk, &wait, lasted_ns, packet_bytes);
    fed = fed && (lag_ns <= walk->near_ns || may_not_send(&wait)); /* else it is the application's all the same */
    if (!fed) {
        wait = sr_limits_wait_now(walk);
        complete(walk, &wait, lasted_ns, packet_bytes);
    }
    wait.fed = fed;
    wait.heard = walk->heard_ns != SR_NO_TIME && sr_limits_since(walk->now_ns, walk->heard_ns) <= walk->near_ns;
    wait.continues = !(row->flags & 2); /* not the B bit: RFC 9260 section 3.3.1 */
    return wait;
}

/* What is in doubt so far: a single packet that came as feedback did the application may have had just then. */
static void decide(struct sr_limits_walk *walk, bool paused)
{
    bool of_application = walk->silence || (paused && walk->burst_packets == 1);
    sr_intervals_decide(&walk->intervals, of_application ? SR_LIMIT_APPLICATION : SR_LIMIT_CONGESTION_WINDOW);
    walk->burst_packets = 1;
}

/* A silence that the tap takes for a timeout before it begins with the last feedback, and a repair follows. */
static void tell_hidden(struct sr_limits_walk *walk, const struct sr_transmission_row *row, enum sr_limit limit)
{
    uint32_t more = row->missing > 0 ? row->missing - 1u : 0; /* each that is missing had a chunk at least */
    if (walk->acked_ns != SR_NO_TIME)
        sr_limits_add(walk, walk->acked_ns, walk->acked_frame, SR_LIMIT_APPLICATION, walk->class);
    sr_limits_add(walk, walk->now_ns, row->frame, limit, SR_LIMITS_LEAST);
    walk->repair = (struct sr_repair){limit, SR_LIMITS_LEAST, sr_tsn_add(sr_tsn(row->tsn), more)};
}

/* Feedback made room for what leaves, and what is outstanding counts. What waits for all of it by the rule of Nagle
 * does so whatever the buffer. */
static bool may_be_buffer(const struct sr_limits_walk *walk, const struct sr_wait *wait, enum sr_limit limit)
{
    bool may_be = limit == SR_LIMIT_APPLICATION || limit == SR_LIMIT_CONGESTION_WINDOW || limit == SR_LIMIT_UNKNOWN;
    bool alone = walk->outstanding_bytes == 0 && sr_wait_is_small(wait);
    return may_be && wait->fed && !wait->runs_free && wait->outstanding_bytes > 0 && !alone;
}

/* So much sooner it had ended with feedback at once. */
static int64_t held_back(const struct sr_wait *wait)
{
    bool held = wait->fed && !wait->runs_free && wait->outstanding_bytes > 0 && wait->held_ns > wait->most_held_ns;
    if (!held)
        return 0;
    return wait->held_ns < wait->lasted_ns ? wait->held_ns : wait->lasted_ns;
}

/* What was outstanding before the feedback that lets data leave. Of several that came at about that time it is the
 * last, where the host had longer for the one before than it took over this one. */
static uint64_t before_last(const struct sr_limits_walk *walk, const struct sr_wait *wait)
{
    bool several = walk->fed_ns != SR_NO_TIME && walk->fed_before_ns != SR_NO_TIME && !sr_limits_away(walk);
    bool had_time =
        several && sr_limits_since(walk->fed_ns, walk->fed_before_ns) > sr_limits_since(walk->now_ns, walk->fed_ns);
    return had_time ? walk->last_bytes : wait->outstanding_bytes;
}

/* Whether the host was seen to take its time over what passed its tap. */
static bool is_slow(const struct sr_limits_walk *walk)
{
    return !sr_limits_away(walk) &&
           (walk->half->measured.sender_loop_ns > SR_LIMITS_NEAR_NS || walk->clock.reaction_ns > SR_LIMITS_NEAR_NS);
}

/* What was acknowledged since the first feedback that may have let data leave. */
static uint64_t late_bytes(const struct sr_limits_walk *walk, const struct sr_wait *wait)
{
    if (!is_slow(walk) || wait->outstanding_bytes < walk->outstanding_bytes)
        return 0;
    return wait->outstanding_bytes - walk->outstanding_bytes;
}

static enum sr_send_buffer_says ask_buffer(struct sr_limits_walk *walk, const struct sr_wait *wait,
                                           uint32_t packets_before)
{
    struct sr_send_buffer_burst burst = {
        .sent_bytes = walk->sent_bytes,
        .time_ns = walk->now_ns,
        .round_trip_ns = walk->loop_ns,
        .largest_bytes = wait->largest_bytes,
        .before_bytes = before_last(walk, wait),
        .left_bytes = walk->outstanding_bytes,
        .late_bytes = late_bytes(walk, wait),
        .packets_before = packets_before,
        .heard = wait->heard,
        .had_it = wait->continues && wait->whole_messages,
    };
    return sr_send_buffer_burst(&walk->buffer, &burst);
}

/* Also of the waits since the level began. It is the peer's window where that has no room either, however shortly: a
 * busy link brings feedback more often than each millisecond. What a send buffer has already waits for a limit on
 * bursts, which lets leave as much as each feedback takes away. Where answers come with the feedback, again and again,
 * as many may be waited for. */
static void tell_buffer(struct sr_limits_walk *walk, const struct sr_transmission_row *row, const struct sr_wait *wait,
                        enum sr_limit limit, enum sr_send_buffer_says says)
{
    uint8_t class = sr_limits_class(walk, SR_LIMIT_SEND_BUFFER);
    enum sr_limit level = SR_LIMIT_SEND_BUFFER;
    bool unsure;
    if (sr_wait_is_closed(wait, &unsure))
        class = unsure ? SR_LIMITS_LEAST : walk->class, level = SR_LIMIT_PEER_WINDOW;
    else if (says == SR_SEND_BUFFER_HAD_IT)
        class = SR_LIMITS_LEAST, level = SR_LIMIT_BURST_LIMIT;
    else if (says == SR_SEND_BUFFER_ANSWERS)
        class = limit == SR_LIMIT_APPLICATION ? walk->class : SR_LIMITS_LEAST, level = SR_LIMIT_APPLICATION;
    walk->last = level;
    if (!sr_send_buffer_begins(&walk->buffer))
        sr_intervals_tell(&walk->intervals, walk->last, class);
    sr_limits_add(walk, walk->now_ns, row->frame, walk->last, class);
}

/* Data was there where its message goes on. */
static enum sr_burst_limit_says ask_burst(struct sr_limits_walk *walk, const struct sr_wait *wait, enum sr_limit limit,
                                          uint32_t packets)
{
    bool may_be = limit == SR_LIMIT_CONGESTION_WINDOW || limit == SR_LIMIT_APPLICATION || limit == SR_LIMIT_UNKNOWN;
    bool waited = wait->fed && wait->continues && wait->outstanding_bytes > 0;
    if (sr_limits_away(walk) || is_slow(walk))
        return sr_burst_limit_spread(&walk->bursts, wait->packet_bytes, may_be && waited);
    return sr_burst_limit_next(&walk->bursts, packets, wait->packet_bytes, may_be && waited);
}

static void tell_burst(struct sr_limits_walk *walk, const struct sr_transmission_row *row)
{
    sr_send_buffer_break(&walk->buffer);
    walk->last = SR_LIMIT_BURST_LIMIT;
    sr_limits_add(walk, walk->now_ns, row->frame, walk->last, sr_limits_class(walk, walk->last));
}

static void tell(struct sr_limits_walk *walk, const struct sr_transmission_row *row, const struct sr_wait *wait,
                 struct sr_waited waited, uint32_t packets_before)
{
    bool silent = sr_limits_away(walk) && is_silent(walk, wait);
    if (waited.limit == SR_LIMIT_APPLICATION && may_be_late(walk, wait))
        waited.limit = SR_LIMIT_UNKNOWN;
    else if (waited.limit == SR_LIMIT_APPLICATION && silent)
        waited.limit = hidden(walk, row);
    walk->silence = silent && waited.limit == SR_LIMIT_APPLICATION;
    uint8_t class = waited.unsure ? SR_LIMITS_LEAST : sr_limits_class(walk, waited.limit);
    bool goes_on = walk->last == SR_LIMIT_CONGESTION_WINDOW || walk->last == SR_LIMIT_BURST_LIMIT;
    bool doubtful = walk->silence || (waited.doubtful && !goes_on);
    enum sr_burst_limit_says burst = ask_burst(walk, wait, waited.limit, packets_before);
    bool perhaps = may_be_buffer(walk, wait, waited.limit);
    walk->intervals.held_ns = held_back(wait);
    if (burst == SR_BURST_LIMIT_CUT) {
        tell_burst(walk, row);
        return;
    }
    if (perhaps) {
        enum sr_send_buffer_says says = ask_buffer(walk, wait, packets_before);
        if (says != SR_SEND_BUFFER_PERHAPS) {
            tell_buffer(walk, row, wait, waited.limit, says);
            return;
        }
    } else if (waited.limit == SR_LIMIT_APPLICATION) {
        sr_send_buffer_pass(&walk->buffer);
    } else if (waited.limit != SR_LIMIT_DELAYED_SACK) {
        sr_send_buffer_break(&walk->buffer);
    }
    if (burst == SR_BURST_LIMIT_PERHAPS) {
        tell_burst(walk, row);
        return;
    }
    if (burst == SR_BURST_LIMIT_SUPPOSED)
        waited.limit = SR_LIMIT_BURST_LIMIT;
    if (waited.limit == SR_LIMIT_TIMEOUT || waited.limit == SR_LIMIT_PATH_FAILURE)
        tell_hidden(walk, row, waited.limit);
    else if (doubtful)
        sr_intervals_suppose(&walk->intervals, walk->now_ns, row->frame, waited.limit, class, perhaps);
    else if (perhaps)
        sr_intervals_perhaps(&walk->intervals, walk->now_ns, row->frame, waited.limit, class,
                             sr_send_buffer_begins(&walk->buffer));
    else
        sr_limits_add(walk, walk->now_ns, row->frame, waited.limit, class);
    walk->last = waited.limit;
}

void sr_new_data_sent(struct sr_limits_walk *walk, const struct sr_transmission_row *row, uint64_t packet_bytes)
{
    struct sr_wait wait = wait_before(walk, row, packet_bytes);
    int64_t apart_ns = sr_limits_since(walk->now_ns, walk->sent_ns);
    int64_t lag_ns = sr_limits_since(walk->now_ns, walk->fed_ns);
    bool at_once =
        !wait.fed && apart_ns <= walk->near_ns && sr_limits_since(walk->now_ns, walk->burst_ns) <= walk->burst_most_ns;
    sr_ack_clock_packet(&walk->clock, apart_ns, packet_bytes);
    if (at_once) { /* the rest of what left together; with the first of all it waits with that */
        walk->burst_packets++;
        if (walk->last != SR_LIMIT_COUNT)
            sr_intervals_extend(&walk->intervals, walk->now_ns, row->frame);
        return;
    }
    walk->burst_ns = walk->now_ns;
    wait.runs_free = sr_limits_away(walk) && sr_ack_clock_runs_free(&walk->clock, apart_ns, packet_bytes);
    sr_ack_clock_burst(&walk->clock);
    struct sr_waited waited = sr_waited_for(&wait);
    follow_closed(walk, &wait, &waited);
    uint32_t packets_before = walk->burst_packets;
    decide(walk, waited.limit == SR_LIMIT_APPLICATION && !wait.fed);
    if (!wait.fed && walk->fed_ns != SR_NO_TIME)
        until_window_opened(walk, packet_bytes);
    if (wait.fed && waited.limit != SR_LIMIT_APPLICATION && lag_ns <= wait.lasted_ns / SR_LIMITS_PART_OF_WAIT)
        sr_ack_clock_lag(&walk->clock, lag_ns);
    tell(walk, row, &wait, waited, packets_before);
}
