/* SPDX-License-Identifier: BSD-2-Clause */
/* How long a transfer would take that waits for its windows alone: for advice on them. */
#ifndef SR_LIMITS_IMAGINED_H
#define SR_LIMITS_IMAGINED_H

#include <stdbool.h>
#include <stdint.h>

/* All data is there at the beginning, or as the send buffer has room, nothing is lost, and each round trip takes as
 * long. */
struct sr_imagined {
    uint64_t packets, packet_bytes, packet_chunks; /* user data, and its chunks, of each */
    uint64_t mtu;                                  /* SCTP's part of the path's MTU; 0: as large as the packets */
    uint64_t peer_window;                          /* a_rwnd, in each SACK: the application reads at once */
    uint64_t send_buffer;                          /* user data that may be outstanding; 0: any */
    uint64_t sack_every;                           /* packets, RFC 9260 section 6.2 */
    int64_t sack_delay_ns;                         /* of what is less */
    int64_t round_trip_ns;
    uint8_t rules; /* enum sr_cwnd_rules */
};

/* From the first packet to the last, which is not acknowledged yet; negative where memory ends, or nothing fits. */
int64_t sr_imagined_ns(const struct sr_imagined *transfer);

#endif
