/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of the sender at a place of the walk, and how sure a statement is. */
#include "walk.h"

#include "../wire/time.h"

enum { LIKELY = 3 }; /* class of what rests on what comes next */

/* Of a window: with more nothing would be told from it. */
#define MOST_BLUR 0.25

/* usrsctp does (sctp_med_chunk_output: peers_rwnd less send_size and sctp_peer_chunk_oh), and so may what is not known.
 * pion, dcSCTP (update_receiver_window) and Linux (sctp_packet_append_data) take data alone. */
static bool may_charge(const struct sr_half *half)
{
    enum sr_stack_family family = sr_sender_family(half);
    return family == SR_FAMILY_USRSCTP || family == SR_FAMILY_OTHER || family == SR_FAMILY_UNKNOWN;
}

/* dcSCTP (RRSendQueue::Add) and Linux (sctp_sendmsg_to_asoc) take a message as a whole, and limit bursts. usrsctp takes
 * as much of one as there is room for (sctp_copy_it_in), and pion has no other limit. */
static bool takes_whole_messages(const struct sr_half *half)
{
    enum sr_stack_family family = sr_sender_family(half);
    return family == SR_FAMILY_DCSCTP || family == SR_FAMILY_LINUX;
}

static uint64_t outstanding_chunks(const struct sr_limits_walk *walk)
{
    return walk->sent_bytes > 0
               ? (uint64_t)((double)walk->outstanding_bytes * (double)walk->sent_chunks / (double)walk->sent_bytes)
               : 0;
}

bool sr_limits_away(const struct sr_limits_walk *walk)
{
    return walk->half->measured.vantage != SR_VANTAGE_SENDER;
}

struct sr_amount sr_limits_outstanding(const struct sr_limits_walk *walk)
{
    return (struct sr_amount){walk->outstanding_bytes, outstanding_chunks(walk)};
}

/* What a window lets be sent in the time by which feedback may have been there sooner or later. */
static uint64_t blur_of(const struct sr_limits_walk *walk)
{
    int64_t blur_ns = sr_limits_away(walk) ? walk->near_ns : walk->clock.reaction_ns;
    if (walk->window_bytes == SR_NO_TIME || walk->loop_ns <= 0)
        return 0;
    double share = (double)blur_ns / (double)walk->loop_ns;
    return (uint64_t)((double)walk->window_bytes * (share < MOST_BLUR ? share : MOST_BLUR));
}

struct sr_wait sr_limits_wait_now(const struct sr_limits_walk *walk)
{
    return (struct sr_wait){
        .outstanding_bytes = walk->outstanding_bytes,
        .outstanding_chunks = outstanding_chunks(walk),
        .largest_bytes = walk->largest_bytes,
        .blur_bytes = blur_of(walk),
        .reduced = walk->reduced,
        .window_bytes = walk->window_bytes,
        .most_held_ns = INT64_MAX,
        .charges_chunks = may_charge(walk->half),
        .whole_messages = takes_whole_messages(walk->half),
    };
}

int64_t sr_limits_since(int64_t now_ns, int64_t then_ns)
{
    int64_t apart_ns;
    return sr_elapsed(now_ns, then_ns, &apart_ns) ? apart_ns : INT64_MAX;
}

/* So soon after feedback a host may still be at it: as long as it was seen to take, or a small part of the wait, so
 * that data of an application that goes on meanwhile is rarely there by chance. */
int64_t sr_limits_reaction(const struct sr_limits_walk *walk, int64_t lasted_ns)
{
    int64_t part_ns = lasted_ns / SR_LIMITS_PART_OF_WAIT, seen_ns = walk->clock.reaction_ns;
    int64_t most_ns = part_ns > seen_ns ? part_ns : seen_ns;
    most_ns = most_ns < SR_LIMITS_MOST_JITTER_NS ? most_ns : SR_LIMITS_MOST_JITTER_NS;
    return walk->near_ns > most_ns ? walk->near_ns : most_ns;
}

void sr_limits_add(struct sr_limits_walk *walk, int64_t end_ns, uint32_t end_frame, enum sr_limit limit, uint8_t class)
{
    uint8_t least = class > SR_LIMITS_LEAST ? class : SR_LIMITS_LEAST;
    sr_intervals_add(&walk->intervals, end_ns, end_frame, limit, limit == SR_LIMIT_UNKNOWN ? 1 : least);
}

/* What is limited by the congestion window rests on what comes next; what a send buffer or a limit on bursts limits, on
 * what came before. */
uint8_t sr_limits_class(const struct sr_limits_walk *walk, enum sr_limit limit)
{
    bool rests = limit == SR_LIMIT_CONGESTION_WINDOW || limit == SR_LIMIT_BURST_LIMIT || limit == SR_LIMIT_SEND_BUFFER;
    if (limit == SR_LIMIT_UNKNOWN)
        return 1;
    return rests && walk->class > LIKELY ? LIKELY : walk->class;
}
