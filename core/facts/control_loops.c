/* SPDX-License-Identifier: BSD-2-Clause */
#include "control_loops.h"

#include "../association/loop.h"
#include "../wire/chunk.h"
#include "../wire/time.h"
#include "path_loops.h"

/* RTO.Initial (RFC 9260 section 16): an answer that comes later may be the second one, sent when a timer expired. */
#define T1_NS INT64_C(1000000000)

struct sr_control_loops sr_control_loops(void)
{
    const struct sr_asked none = {SR_NO_TIME, SR_NO_TIME, SR_NO_TIME, SR_NO_TIME, 0, 0, SR_NO_TIME, 0, {0, 0}, {0, 0}};
    return (struct sr_control_loops){
        {none, none}, {SR_NO_TIME, SR_NO_TIME}, {SR_NO_TIME, SR_NO_TIME}, {false, false}, SR_NO_TIME};
}

static void keep_less(int64_t *value, int64_t loop_ns)
{
    if (*value == SR_NO_TIME || loop_ns < *value)
        *value = loop_ns;
}

static void least(int64_t *value, int64_t time_ns, int64_t asked_ns)
{
    int64_t elapsed_ns;
    if (sr_round_trip_between(time_ns, asked_ns, &elapsed_ns))
        keep_less(value, elapsed_ns);
}

/* From INIT ACK to COOKIE ECHO. */
static void cookie_comes(struct sr_control_loops *loops, unsigned from, int64_t time_ns)
{
    int64_t elapsed_ns;
    if (!sr_round_trip_between(time_ns, loops->asked[from].init_ack_ns, &elapsed_ns))
        return;
    int64_t loop_ns = sr_loop_without_t1(elapsed_ns);
    loops->may_hold_t1[from] = loop_ns < elapsed_ns;
    keep_less(&loops->loop[from], loop_ns);
}

static void begins(struct sr_asked *side, int64_t time_ns)
{
    side->began_ns = time_ns;
    side->begun++;
}

/* Sent twice, it does not say which of them was answered. */
static void ends(struct sr_control_loops *loops, const struct sr_asked *side, int64_t time_ns)
{
    if (side->begun == 1)
        least(&loops->whole_ns, time_ns, side->began_ns);
}

static void ask_once(struct sr_asked_once *asked, int64_t time_ns)
{
    asked->time_ns = time_ns;
    asked->count++;
}

/* Asked twice, as when T2-shutdown expires, it does not say which was answered. */
static void answer_once(struct sr_control_loops *loops, unsigned from, struct sr_asked_once *asked, int64_t time_ns)
{
    if (asked->count == 1)
        least(&loops->closing[from], time_ns, asked->time_ns);
    asked->count = 0;
}

/* A path that is used for data later is probed first (RFC 9260 section 8.3). */
static void note_path(struct sr_half *half, const struct sr_asked *asked, int64_t time_ns)
{
    struct sr_path_loop *path = sr_path_loop_at(half, asked->heartbeat_path);
    if (path)
        least(&path->known_ns, time_ns, asked->heartbeat_ns);
}

void sr_control_loops_add(struct sr_control_loops *loops, struct sr_half halves[2], const struct sr_control_row *row)
{
    unsigned from = row->from, to = 1 - from;
    struct sr_asked *asked = loops->asked;
    int64_t *loop = loops->loop;
    switch ((enum sr_chunk_type)row->type) {
    case SR_CHUNK_INIT:
        asked[to].init_ns = row->time_ns;
        begins(&asked[from], row->time_ns);
        break;
    case SR_CHUNK_INIT_ACK:
        begins(&asked[from], row->time_ns);
        least(&loop[from], row->time_ns, asked[from].init_ns);
        asked[from].init_ns = SR_NO_TIME;
        asked[to].init_ack_ns = row->time_ns;
        break;
    case SR_CHUNK_COOKIE_ECHO:
        ends(loops, &asked[from], row->time_ns);
        cookie_comes(loops, from, row->time_ns);
        asked[from].init_ack_ns = SR_NO_TIME;
        asked[to].cookie_ns = row->time_ns;
        break;
    case SR_CHUNK_COOKIE_ACK:
        ends(loops, &asked[from], row->time_ns);
        least(&loop[from], row->time_ns, asked[from].cookie_ns);
        asked[from].cookie_ns = SR_NO_TIME;
        break;
    case SR_CHUNK_HEARTBEAT:
        asked[to].heartbeat_ns = row->time_ns;
        asked[to].heartbeat = row->value;
        asked[to].heartbeat_path = row->path;
        break;
    case SR_CHUNK_HEARTBEAT_ACK:
        if (asked[from].heartbeat == row->value) {
            least(&loop[from], row->time_ns, asked[from].heartbeat_ns);
            note_path(&halves[to], &asked[from], row->time_ns);
        }
        asked[from].heartbeat_ns = SR_NO_TIME;
        break;
    case SR_CHUNK_SHUTDOWN_ACK:
        answer_once(loops, from, &asked[from].shutdown, row->time_ns);
        ask_once(&asked[to].shutdown_ack, row->time_ns);
        break;
    case SR_CHUNK_SHUTDOWN_COMPLETE: answer_once(loops, from, &asked[from].shutdown_ack, row->time_ns); break;
    default: break;
    }
}

/* It had not sent all when it was asked to close, or not all had arrived: its answer waits for that. */
void sr_control_loops_data(struct sr_control_loops *loops, unsigned from)
{
    loops->asked[from].shutdown.count += loops->asked[from].shutdown.count > 0;
}

void sr_control_loops_shutdown(struct sr_control_loops *loops, unsigned from, int64_t time_ns)
{
    ask_once(&loops->asked[1 - from].shutdown, time_ns);
}

/* A packet of the handshake was not captured: the loop to the sender is what the other leaves of both. */
static int64_t the_rest(const struct sr_control_loops *loops, const struct sr_half *half)
{
    int64_t receiver_ns = loops->loop[1 - half->from];
    if (receiver_ns == SR_NO_TIME && half->measured.loop.count > 0)
        receiver_ns = half->measured.loop.least;
    if (loops->whole_ns == SR_NO_TIME || receiver_ns == SR_NO_TIME)
        return SR_NO_TIME;
    return loops->whole_ns > receiver_ns ? loops->whole_ns - receiver_ns : 0;
}

/* What may hold a timeout is compared with how soon data to it is acknowledged. */
int64_t sr_control_loop_of(const struct sr_control_loops *loops, const struct sr_half halves[2], int side)
{
    int64_t loop_ns = loops->loop[side] != SR_NO_TIME ? loops->loop[side] : the_rest(loops, &halves[side]);
    const struct sr_quantiles *acked = &halves[1 - side].measured.loop;
    bool late = loop_ns != SR_NO_TIME && (loop_ns >= T1_NS || loops->may_hold_t1[side]);
    bool shorter = late && acked->count > 0 && acked->least < loop_ns;
    return shorter ? acked->least : loop_ns;
}
