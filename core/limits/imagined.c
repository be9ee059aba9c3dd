/* SPDX-License-Identifier: BSD-2-Clause */
/* A sender that has data leaves off where its windows end (RFC 9260 section 6.1) and goes on with each SACK. Packets
 * arrive in order, so that the next SACK follows from when the oldest packets left: no queue of events is needed. */
#include "imagined.h"

#include <stdlib.h>

#include "../wire/time.h"
#include "congestion_window.h"
#include "running_timer.h"
#include "waits.h"

enum { CHUNK_HEADER = 16, COMMON_HEADER = 12 };

struct packet {
    int64_t left_ns, taken_ns; /* by the path: it reaches the receiver as much later as any */
};

struct state {
    const struct sr_imagined *told;
    struct sr_cwnd cwnd;
    struct sr_running_timer timer; /* of usrsctp */
    struct packet *packets;        /* those that are outstanding, by their numbers modulo `room` */
    double packet_bytes, packet_chunks;
    uint64_t room, sent, acked;
    uint64_t peer_window;
    int64_t now_ns, taken_ns;
    bool is_empty; /* the send buffer, of what was not sent: the windows had room for more */
};

static struct sr_amount amount(const struct state *state, uint64_t packets)
{
    return (struct sr_amount){(uint64_t)((double)packets * state->packet_bytes),
                              (uint64_t)((double)packets * state->packet_chunks)};
}

static struct sr_amount in_flight(const struct state *state)
{
    return amount(state, state->sent - state->acked);
}

static bool peer_is_closed(const struct state *state)
{
    bool unsure;
    struct sr_amount packet = amount(state, 1), flight = in_flight(state);
    struct sr_wait wait = {
        .outstanding_bytes = flight.bytes,
        .outstanding_chunks = flight.chunks,
        .largest_bytes = packet.bytes,
        .packet_bytes = packet.bytes,
        .window_bytes = (int64_t)state->peer_window,
        .charges_chunks = state->told->rules == SR_CWND_USRSCTP,
    };
    return sr_wait_is_closed(&wait, &unsure);
}

/* It takes whole messages: one chunk each, as far as a capture tells. */
static bool has_buffer(const struct state *state)
{
    const struct sr_imagined *told = state->told;
    uint64_t outstanding = amount(state, state->sent - state->acked).bytes;
    return told->send_buffer == 0 || outstanding == 0 || outstanding + told->bytes / told->chunks <= told->send_buffer;
}

/* A packet may leave while less than the congestion window is in flight (section 6.1 B). */
static bool has_congestion_window(const struct state *state)
{
    struct sr_amount flight = in_flight(state);
    return state->cwnd.mtu == 0 || sr_cwnd_flight(&state->cwnd, flight) < state->cwnd.bytes;
}

static bool may_send(struct state *state)
{
    bool closed = peer_is_closed(state);
    sr_cwnd_queued(&state->cwnd, !state->is_empty, closed);
    bool has_windows = state->sent - state->acked < state->room && !closed && has_congestion_window(state);
    state->is_empty = has_windows && !has_buffer(state);
    return has_windows && !state->is_empty;
}

static void send(struct state *state)
{
    const struct sr_imagined *told = state->told;
    struct sr_cwnd_packet packet = {
        .bytes = amount(state, 1).bytes, .peer_window = (int64_t)told->peer_window, .full = true};
    if (state->cwnd.mtu == 0 && told->mtu > 0) /* what a full packet would have told */
        packet.bytes = told->mtu - CHUNK_HEADER - COMMON_HEADER;
    sr_cwnd_sent(&state->cwnd, &packet, in_flight(state));
    sr_running_timer_sent(&state->timer, state->sent, state->now_ns);
    if (state->taken_ns < state->now_ns)
        state->taken_ns = state->now_ns;
    state->packets[state->sent++ % state->room] = (struct packet){state->now_ns, state->taken_ns};
    state->taken_ns += told->apart_ns;
}

/* What has been outstanding for longer than usrsctp takes for a round trip is lost to its T3-rtx, as what waits for a
 * delayed SACK: the congestion window is one packet then, which what is still in flight fills. So nothing is sent again
 * before that SACK comes, and nothing else changes. */
static void expire(struct state *state)
{
    int64_t long_ago_ns = state->timer.expires_ns - sr_running_timer_lost_ns(&state->timer);
    uint64_t until = state->acked;
    while (until < state->sent && state->packets[until % state->room].left_ns < long_ago_ns)
        until++;
    sr_running_timer_expire(&state->timer, until);
    if (until > state->acked)
        sr_cwnd_lost(&state->cwnd, true, sr_tsn(0), in_flight(state));
}

/* The next SACK is of so many packets, or of those that came until its delay is over. When it comes, */
static int64_t next_sack_ns(const struct state *state, uint64_t *until, bool *was_held)
{
    const struct sr_imagined *told = state->told;
    uint64_t every = told->first_alone && state->acked == 0 ? 1 : told->sack_every;
    int64_t first_ns = state->packets[state->acked % state->room].taken_ns;
    if (told->rules == SR_CWND_USRSCTP) /* so is the receiver, it is supposed */
        first_ns = sr_running_timer_tick_ns(first_ns, told->phase_ns);
    int64_t due_ns = first_ns + told->sack_delay_ns, came_ns = due_ns;
    for (*until = state->acked; *until < state->sent && *until - state->acked < every; ++*until)
        if (state->packets[*until % state->room].taken_ns > due_ns)
            break;
    *was_held = *until - state->acked < every;
    if (!*was_held)
        came_ns = state->packets[(*until - 1) % state->room].taken_ns;
    return came_ns + told->round_trip_ns;
}

static void hear(struct state *state)
{
    uint64_t until;
    bool was_held, runs_on = state->told->rules == SR_CWND_USRSCTP;
    int64_t heard_ns = next_sack_ns(state, &until, &was_held);
    while (runs_on && state->timer.expires_ns != SR_NO_TIME && state->timer.expires_ns < heard_ns)
        expire(state);
    if (heard_ns > state->now_ns)
        state->now_ns = heard_ns;
    struct sr_amount before = in_flight(state);
    int64_t timed_left_ns = state->packets[state->timer.timed % state->room].left_ns;
    sr_cwnd_acked(&state->cwnd, amount(state, until - state->acked), before, sr_tsn(0), true);
    state->acked = until;
    sr_running_timer_acked(&state->timer, until, timed_left_ns, state->now_ns, state->sent > until);
    uint64_t unread = was_held ? 0 : state->told->unread;
    state->peer_window = state->told->peer_window > unread ? state->told->peer_window - unread : 0;
}

static bool begin(struct state *state)
{
    const struct sr_imagined *told = state->told;
    uint64_t each = told->packets > 0 ? told->bytes / told->packets : 0;
    if (each == 0 || told->chunks == 0 || told->sack_every == 0)
        return false;
    state->packet_bytes = (double)told->bytes / (double)told->packets;
    state->packet_chunks = (double)told->chunks / (double)told->packets;
    state->peer_window = told->peer_window;
    state->room = told->peer_window / each;
    if (state->room > told->packets)
        state->room = told->packets;
    state->packets = state->room > 0 ? calloc(state->room, sizeof *state->packets) : NULL;
    sr_running_timer_begin(&state->timer, told->round_trip_ns, told->phase_ns);
    return state->packets != NULL;
}

int64_t sr_imagined_ns(const struct sr_imagined *transfer)
{
    struct state state = {.told = transfer, .cwnd = {.rules = transfer->rules}};
    if (!begin(&state))
        return -1;
    while (state.sent < transfer->packets) {
        if (may_send(&state))
            send(&state);
        else if (state.sent > state.acked)
            hear(&state);
        else
            break; /* a packet does not fit the windows even alone */
    }
    free(state.packets);
    return state.sent == transfer->packets ? state.now_ns : -1;
}
