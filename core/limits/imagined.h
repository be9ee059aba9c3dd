/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a transfer would take that waits for its windows alone: for advice on them. */
#ifndef SR_LIMITS_IMAGINED_H
#define SR_LIMITS_IMAGINED_H

#include <stdbool.h>
#include <stdint.h>

/* All data is there at the beginning, or as the send buffer has room, nothing is lost, and each round trip takes as
 * long. Packets are alike: each has its share of the user data and of its chunks. */
struct sr_imagined {
    uint64_t packets, bytes, chunks; /* in all; bytes of user data */
    uint64_t mtu;                    /* SCTP's part of the path's MTU; 0: as large as the packets */
    uint64_t peer_window;            /* a_rwnd with nothing to be read */
    uint64_t unread;                 /* so much less it tells with packets that just came */
    uint64_t send_buffer;            /* user data that may be outstanding; 0: any */
    uint64_t sack_every;             /* packets, RFC 9260 section 6.2 */
    int64_t sack_delay_ns;           /* of what is less */
    int64_t round_trip_ns;           /* of a packet that finds the path empty */
    int64_t apart_ns;                /* the path takes a packet in so long */
    int64_t phase_ns;                /* of usrsctp's clock for timers: a tick was so long before the first packet */
    uint8_t rules;                   /* enum sr_cwnd_rules */
    bool first_alone;                /* the first packet is answered at once */
};

/* From the first packet to the last, which is not acknowledged yet; negative where memory ends, or nothing fits. */
int64_t sr_imagined_ns(const struct sr_imagined *transfer);

#endif
