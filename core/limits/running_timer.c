/* SPDX-License-Identifier: BSD-2-Clause */
/* usrsctp 0.9.5. RFC 9260 section 6.3.2 R3 starts T3-rtx anew with each SACK that acknowledges the earliest outstanding
 * TSN; sctp_express_handle_sack, which takes every SACK until one has gap blocks, does not: sctp_timer_start leaves a
 * timer alone that runs, and it is stopped only where nothing is in flight. So it expires RTO after it was started,
 * with whatever is outstanding just then. */
#include "running_timer.h"

#include "../wire/time.h"

static const int64_t ms_ns = 1000000, tick_ns = 10000000; /* TIMEOUT_INTERVAL: its clock for timers */

/* RTO.Min (RFC 9260 section 16). */
static const int64_t least_rto_ms = 1000;

static int64_t unbounded_ms(const struct sr_running_timer *timer)
{
    return timer->srtt_8_ms / 8 + timer->rttvar_4_ms;
}

static void measure(struct sr_running_timer *timer, int64_t rtt_ns)
{
    int64_t rtt_ms = rtt_ns / ms_ns; /* sctp_calculate_rto: in whole milliseconds */
    if (timer->measured) {
        int64_t off_ms = rtt_ms - timer->srtt_8_ms / 8;
        timer->srtt_8_ms += off_ms;
        timer->rttvar_4_ms += (off_ms < 0 ? -off_ms : off_ms) - timer->rttvar_4_ms / 4;
    } else {
        timer->srtt_8_ms = 8 * rtt_ms;
        timer->rttvar_4_ms = rtt_ms / 2 * 4;
        timer->measured = true;
    }
    if (timer->rttvar_4_ms == 0)
        timer->rttvar_4_ms = 1; /* SCTP_CLOCK_GRANULARITY */
}

static void set_rto(struct sr_running_timer *timer)
{
    int64_t rto_ms = unbounded_ms(timer);
    timer->rto_ms = rto_ms > least_rto_ms ? rto_ms : least_rto_ms;
}

int64_t sr_running_timer_tick_ns(int64_t now_ns, int64_t phase_ns)
{
    return now_ns - (now_ns + phase_ns) % tick_ns;
}

static void start(struct sr_running_timer *timer, int64_t now_ns)
{
    if (timer->expires_ns == SR_NO_TIME)
        timer->expires_ns = sr_running_timer_tick_ns(now_ns, timer->phase_ns) + timer->rto_ms * ms_ns;
}

void sr_running_timer_begin(struct sr_running_timer *timer, int64_t round_trip_ns, int64_t phase_ns)
{
    *timer = (struct sr_running_timer){.phase_ns = phase_ns, .expires_ns = SR_NO_TIME};
    measure(timer, round_trip_ns); /* sctp_process_init_ack */
    measure(timer, round_trip_ns); /* sctp_handle_cookie_ack */
    set_rto(timer);
}

void sr_running_timer_sent(struct sr_running_timer *timer, uint64_t packet, int64_t now_ns)
{
    start(timer, now_ns);
    if (timer->times)
        return;
    timer->times = true;
    timer->timed = packet;
}

void sr_running_timer_acked(struct sr_running_timer *timer, uint64_t until, int64_t timed_left_ns, int64_t now_ns,
                            bool in_flight)
{
    if (timer->times && timer->timed < until) {
        measure(timer, now_ns - timed_left_ns);
        timer->times = false;
    }
    set_rto(timer);
    if (!in_flight) /* else it runs since the first of that was sent */
        timer->expires_ns = SR_NO_TIME;
}

int64_t sr_running_timer_lost_ns(const struct sr_running_timer *timer)
{
    return unbounded_ms(timer) * ms_ns; /* sctp_mark_all_for_resend: without RTO.Min */
}

void sr_running_timer_expire(struct sr_running_timer *timer, uint64_t lost_until)
{
    int64_t now_ns = timer->expires_ns;
    if (timer->times && timer->timed < lost_until) /* Karn's rule: RFC 9260 section 6.3.1 C5 */
        timer->times = false;
    timer->rto_ms *= 2;
    timer->expires_ns = SR_NO_TIME;
    start(timer, now_ns);
}
