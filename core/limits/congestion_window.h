/* SPDX-License-Identifier: BSD-2-Clause */
/* The congestion window that a sender has by the rules of its stack, as far as a capture tells. */
#ifndef SR_LIMITS_CONGESTION_WINDOW_H
#define SR_LIMITS_CONGESTION_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/tsn.h"

enum sr_cwnd_rules { SR_CWND_RFC9260, SR_CWND_USRSCTP, SR_CWND_PION, SR_CWND_DCSCTP, SR_CWND_LINUX, SR_CWND_RULES };

struct sr_cwnd {
    uint8_t rules;                               /* enum sr_cwnd_rules */
    bool may_be_larger;                          /* the MTU, than packets that were seen, unless one was full */
    uint64_t mtu, bytes, ssthresh, partly_acked; /* an `mtu` of 0: nothing was sent yet */
    uint64_t below;                              /* headers of IP and, where it is there, UDP, which Linux counts */
    uint64_t marked_bytes;                       /* that T3-rtx took for lost, and that were not sent again yet */
    uint64_t queued_bytes;                       /* acknowledged, and counts if data was queued then */
    struct sr_tsn until;                         /* of a fast recovery */
    bool recovers, touched, was_full;
    bool idle;            /* it was, as long as lets the window shrink */
    uint64_t uncut_bytes; /* before a limit on bursts made it smaller, since feedback came last */
    bool refuted;         /* more was outstanding than the rules let be */
};

/* User data and chunks. */
struct sr_amount {
    uint64_t bytes, chunks;
};

struct sr_cwnd_packet {
    uint64_t bytes;      /* user data */
    int64_t peer_window; /* as told by then; negative: not told */
    bool full;           /* its message goes on in the next */
};

/* Whether data may have waited for what was acknowledged since data left last; `surely`: whatever the window was. */
void sr_cwnd_queued(struct sr_cwnd *cwnd, bool queued, bool surely);

/* It leaves for the first time, while `outstanding` is. */
void sr_cwnd_sent(struct sr_cwnd *cwnd, const struct sr_cwnd_packet *packet, struct sr_amount outstanding);

/* Feedback acknowledges `acked` of what was `outstanding`; `moved`: and cumulatively. */
void sr_cwnd_acked(struct sr_cwnd *cwnd, struct sr_amount acked, struct sr_amount outstanding, struct sr_tsn cum,
                   bool moved);

/* Nothing is outstanding, and was not for as long as T3-rtx takes. */
void sr_cwnd_idle(struct sr_cwnd *cwnd);

/* So much more it lets be outstanding at least, but for a limit on bursts; 0 of a stack that has none. */
uint64_t sr_cwnd_room(const struct sr_cwnd *cwnd, struct sr_amount outstanding);

/* A loss is found, by T3-rtx or by feedback, when that was the highest TSN and so much outstanding. */
void sr_cwnd_lost(struct sr_cwnd *cwnd, bool by_timer, struct sr_tsn highest, struct sr_amount outstanding);

/* The peer's window is closed, and probed. */
void sr_cwnd_probed(struct sr_cwnd *cwnd, struct sr_tsn highest, struct sr_amount outstanding);

/* Data leaves again. */
void sr_cwnd_resent(struct sr_cwnd *cwnd, uint64_t bytes);

/* It asks whether the path is there (RFC 9260 section 8.3). */
void sr_cwnd_heartbeat(struct sr_cwnd *cwnd);

/* What the stack takes for in flight. */
uint64_t sr_cwnd_flight(const struct sr_cwnd *cwnd, struct sr_amount outstanding);

#endif
