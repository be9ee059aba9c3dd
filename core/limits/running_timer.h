/* SPDX-License-Identifier: BSD-2-Clause */
/* T3-rtx as usrsctp runs it, in an imagined transfer without a loss: it expires all the same. */
#ifndef SR_LIMITS_RUNNING_TIMER_H
#define SR_LIMITS_RUNNING_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct sr_running_timer {
    int64_t phase_ns;               /* of its clock: a tick was so long before the first packet */
    int64_t expires_ns;             /* SR_NO_TIME: it does not run */
    int64_t rto_ms;                 /* doubled by each timeout until data is acknowledged */
    int64_t srtt_8_ms, rttvar_4_ms; /* as many times SRTT and RTTVAR */
    uint64_t timed;                 /* the packet whose round trip is measured, */
    bool times;                     /* if one is */
    bool measured;
};

/* The last tick of such a clock, from which its timers count. */
int64_t sr_running_timer_tick_ns(int64_t now_ns, int64_t phase_ns);

/* Before the first packet leaves: the handshake measured the round trip twice. */
void sr_running_timer_begin(struct sr_running_timer *timer, int64_t round_trip_ns, int64_t phase_ns);

/* A packet leaves. */
void sr_running_timer_sent(struct sr_running_timer *timer, uint64_t packet, int64_t now_ns);

/* Packets before `until` are acknowledged, of which the timed one left then; `in_flight`: others still are. */
void sr_running_timer_acked(struct sr_running_timer *timer, uint64_t until, int64_t timed_left_ns, int64_t now_ns,
                            bool in_flight);

/* How long a packet has to be outstanding for a timeout to take it for lost. */
int64_t sr_running_timer_lost_ns(const struct sr_running_timer *timer);

/* It expires, and runs on; packets before `lost_until` are lost to it. */
void sr_running_timer_expire(struct sr_running_timer *timer, uint64_t lost_until);

#endif
