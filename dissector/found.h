/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the SCTP packets of a frame are, by what Wireshark found in it. A frame may hold several, and some that are
 * none of ours: quoted in an ICMP error, or inside a PKTDROP chunk. Knows nothing of Wireshark. */
#ifndef SR_DISSECTOR_FOUND_H
#define SR_DISSECTOR_FOUND_H

#include "wire/packet.h"

/* A header, in its data source: the frame, or what was reassembled or decrypted. */
struct sr_found {
    const uint8_t *source;
    uint32_t captured, reported; /* bytes of the source */
    uint32_t at;                 /* where in it the header begins */
    int layer;                   /* headers below it have a lower number */
};

struct sr_found_list {
    const struct sr_found *list;
    uint32_t count;
};

struct sr_found_headers {
    struct sr_found_list sctp; /* in the order in which they were found, as all of them */
    struct sr_found_list ipv4, ipv6, udp;
    struct sr_found_list dtls; /* records */
    bool icmp;                 /* SCTP behind it is a quote */
};

struct sr_found_walk {
    const struct sr_found_headers *headers;
    uint32_t next;
    const uint8_t *source; /* of the packet before */
    uint32_t end;          /* of the packet before: what begins below is inside it */
};

/* Fills all of `packet` but frame and time. False at the end. */
bool sr_found_next(struct sr_found_walk *walk, struct sr_packet *packet);

#endif
