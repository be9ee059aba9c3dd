/* SPDX-License-Identifier: BSD-2-Clause */
/* The peer's window is told, and asked first; of waits that last also where only what may be charged for chunks leaves
 * it no room. Where it had room, feedback with which data leaves was waited for if something else than the application
 * forbade to send before: the congestion window, or the rule of Nagle. */
#include "waits.h"

#include "../wire/time.h"

enum {
    PEER_CHUNK_OVERHEAD = 256, /* usrsctp, SCTPCTL_PEER_CHKOH_DEFAULT: of the peer's window, for each chunk */
    SILLY_WINDOW = 1420,       /* usrsctp, SCTPCTL_SWS_SENDER_DEFAULT: what is less of it counts as none */
    LEAST_PACKET = 528,        /* user data in one of 576 bytes, which every path takes (RFC 1122 section 3.3.3) */
    INITIAL_CWND = 4380,
    COMMON_HEADER = 12,
    CHUNK_HEADER = 16, /* that stacks count as in flight with its data (RFC 9260 section 3.3.1) */
};

/* What usrsctp takes for left of it. */
static uint64_t charged_room(const struct sr_wait *wait)
{
    uint64_t taken =
        wait->outstanding_bytes + wait->blur_bytes + (PEER_CHUNK_OVERHEAD + CHUNK_HEADER) * wait->outstanding_chunks;
    uint64_t window = (uint64_t)wait->window_bytes;
    return window > taken ? window - taken : 0;
}

/* A sender waits for a window that has room for a full packet, or half of it is free (RFC 1122 section 4.2.3.4, that
 * RFC 9260 section 6.1 asks for). */
static bool has_no_room(const struct sr_wait *wait, uint64_t taken_bytes)
{
    uint64_t window = (uint64_t)wait->window_bytes;
    uint64_t room = window > taken_bytes ? window - taken_bytes : 0;
    return room < wait->packet_bytes || (room < wait->largest_bytes && 2 * room < window);
}

bool sr_wait_is_closed(const struct sr_wait *wait, bool *unsure)
{
    *unsure = false;
    if (wait->window_bytes == SR_NO_TIME)
        return false;
    if (has_no_room(wait, wait->outstanding_bytes))
        return true;
    *unsure = (wait->charges_chunks && charged_room(wait) < SILLY_WINDOW) ||
              (wait->blur_bytes > 0 && has_no_room(wait, wait->outstanding_bytes + wait->blur_bytes));
    return *unsure;
}

/* User data that fits a packet. */
static uint64_t at_least(uint64_t largest_bytes)
{
    return largest_bytes > LEAST_PACKET ? largest_bytes : LEAST_PACKET;
}

/* Small data waits while anything is outstanding (RFC 1122 section 4.2.3.4, the rule of Nagle). */
bool sr_wait_is_small(const struct sr_wait *wait)
{
    return wait->packet_bytes < at_least(wait->largest_bytes);
}

/* The congestion window may be: it is four packets at first, or 4,380 bytes if that is less (RFC 9260 section 7.2.1),
 * and never less than one (section 7.2.3). A path may take larger packets than were sent. */
bool sr_wait_is_full(const struct sr_wait *wait)
{
    uint64_t flight = wait->outstanding_bytes + CHUNK_HEADER * wait->outstanding_chunks;
    uint64_t packet = at_least(wait->largest_bytes) + CHUNK_HEADER + COMMON_HEADER;
    uint64_t least = 4 * packet < INITIAL_CWND ? 4 * packet : INITIAL_CWND;
    return wait->reduced || flight + wait->largest_bytes > least;
}

struct sr_waited sr_waited_for(const struct sr_wait *wait)
{
    struct sr_waited waited = {.limit = SR_LIMIT_APPLICATION};
    bool full = sr_wait_is_full(wait);
    bool at_once = wait->lasted_ns <= SR_LIMITS_NEAR_NS;
    bool closed = sr_wait_is_closed(wait, &waited.unsure);
    if (closed && (!at_once || (wait->fed && !waited.unsure))) {
        waited.limit = SR_LIMIT_PEER_WINDOW;
        return waited;
    }
    waited.unsure = false;
    if (!wait->fed || wait->runs_free || wait->outstanding_bytes == 0 || (!full && wait->heard))
        return waited;
    if (wait->held_ns > wait->most_held_ns && (full || sr_wait_is_small(wait))) {
        waited.limit = SR_LIMIT_DELAYED_SACK;
        return waited;
    }
    if (full) {
        waited.limit = SR_LIMIT_CONGESTION_WINDOW;
        waited.doubtful = !wait->continues;
        return waited;
    }
    if (wait->continues || sr_wait_is_small(wait))
        waited.limit = SR_LIMIT_UNKNOWN;
    return waited;
}
