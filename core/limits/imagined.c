/* SPDX-License-Identifier: BSD-2-Clause */
/* A sender that has data leaves off where its windows end (RFC 9260 section 6.1) and goes on with each SACK. Packets
 * arrive in order, so that the next SACK follows from when the oldest packets left: no queue of events is needed. */
#include "imagined.h"

#include <stdlib.h>

#include "congestion_window.h"
#include "waits.h"

enum { CHUNK_HEADER = 16, COMMON_HEADER = 12 };

/* RTO.Min (RFC 9260 section 16), which a round trip of less than that has for a timeout. */
#define LEAST_RTO_NS INT64_C(1000000000)

struct state {
    const struct sr_imagined *told;
    struct sr_cwnd cwnd;
    int64_t *left_ns; /* of each packet that is outstanding, by its number modulo `room` */
    uint64_t room, sent, acked;
    int64_t now_ns, timer_ns; /* of usrsctp, which expires then */
    bool is_empty;            /* the send buffer, of what was not sent: the windows had room for more */
};

static struct sr_amount amount(const struct state *state, uint64_t packets)
{
    return (struct sr_amount){packets * state->told->packet_bytes, packets * state->told->packet_chunks};
}

static bool peer_is_closed(const struct state *state, struct sr_amount outstanding)
{
    bool unsure;
    struct sr_wait wait = {
        .outstanding_bytes = outstanding.bytes,
        .outstanding_chunks = outstanding.chunks,
        .largest_bytes = state->told->packet_bytes,
        .packet_bytes = state->told->packet_bytes,
        .window_bytes = (int64_t)state->told->peer_window,
        .charges_chunks = state->told->rules == SR_CWND_USRSCTP,
    };
    return sr_wait_is_closed(&wait, &unsure);
}

static bool has_buffer(const struct state *state, struct sr_amount outstanding)
{
    uint64_t most = state->told->send_buffer;
    return most == 0 || outstanding.bytes == 0 || outstanding.bytes + state->told->packet_bytes <= most;
}

/* A packet may leave while less than the congestion window is outstanding (section 6.1 B). */
static bool may_send(struct state *state)
{
    struct sr_amount outstanding = amount(state, state->sent - state->acked);
    uint64_t header = state->cwnd.rules == SR_CWND_PION ? 0 : CHUNK_HEADER;
    bool closed = peer_is_closed(state, outstanding);
    sr_cwnd_queued(&state->cwnd, !state->is_empty, closed);
    bool has_windows = state->sent - state->acked < state->room && !closed &&
                       (state->cwnd.mtu == 0 || outstanding.bytes + header * outstanding.chunks < state->cwnd.bytes);
    state->is_empty = has_windows && !has_buffer(state, outstanding);
    return has_windows && !state->is_empty;
}

static void send(struct state *state)
{
    struct sr_cwnd_packet packet = {
        .bytes = state->told->packet_bytes, .peer_window = (int64_t)state->told->peer_window, .full = true};
    if (state->cwnd.mtu == 0 && state->told->mtu > 0) /* what a full packet would have told */
        packet.bytes = state->told->mtu - CHUNK_HEADER - COMMON_HEADER;
    sr_cwnd_sent(&state->cwnd, &packet, amount(state, state->sent - state->acked));
    state->left_ns[state->sent++ % state->room] = state->now_ns;
}

/* usrsctp's T3-rtx runs on where SACKs acknowledge in order (sctp_express_handle_sack does not start it anew), and what
 * has been outstanding for longer than a round trip when it expires is a loss to it (sctp_mark_all_for_resend), as what
 * a delayed SACK will acknowledge: the congestion window is one packet then. RTO doubles before it runs again, and
 * the next acknowledgement takes that back. */
static void expire(struct state *state, int64_t until_ns)
{
    const struct sr_imagined *told = state->told;
    for (; told->rules == SR_CWND_USRSCTP && state->timer_ns < until_ns; state->timer_ns += 2 * LEAST_RTO_NS) {
        int64_t oldest_ns = state->timer_ns - state->left_ns[state->acked % state->room];
        if (state->sent > state->acked && oldest_ns > told->round_trip_ns)
            sr_cwnd_lost(&state->cwnd, true, sr_tsn(0));
    }
}

/* The next SACK is of so many packets, or of those that came until its delay is over. */
static void hear(struct state *state)
{
    const struct sr_imagined *told = state->told;
    struct sr_amount outstanding = amount(state, state->sent - state->acked);
    int64_t due_ns = state->left_ns[state->acked % state->room] + told->sack_delay_ns, came_ns = due_ns;
    uint64_t until = state->acked;
    while (until < state->sent && until - state->acked < told->sack_every &&
           state->left_ns[until % state->room] <= due_ns)
        until++;
    if (until - state->acked == told->sack_every)
        came_ns = state->left_ns[(until - 1) % state->room];
    expire(state, came_ns + told->round_trip_ns);
    if (came_ns + told->round_trip_ns > state->now_ns)
        state->now_ns = came_ns + told->round_trip_ns;
    sr_cwnd_acked(&state->cwnd, amount(state, until - state->acked), outstanding, sr_tsn(0), true);
    state->acked = until;
}

int64_t sr_imagined_ns(const struct sr_imagined *transfer)
{
    struct state state = {.told = transfer, .cwnd = {.rules = transfer->rules}, .timer_ns = LEAST_RTO_NS};
    state.room = transfer->packet_bytes > 0 ? transfer->peer_window / transfer->packet_bytes : 0;
    if (state.room > transfer->packets)
        state.room = transfer->packets;
    if (state.room == 0 || transfer->sack_every == 0)
        return -1;
    state.left_ns = calloc(state.room, sizeof *state.left_ns);
    if (!state.left_ns)
        return -1;
    while (state.sent < transfer->packets) {
        if (may_send(&state))
            send(&state);
        else if (state.sent > state.acked)
            hear(&state);
        else
            break; /* a packet does not fit the windows even alone */
    }
    free(state.left_ns);
    return state.sent == transfer->packets ? state.now_ns : -1;
}
