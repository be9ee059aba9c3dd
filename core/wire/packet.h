/* SPDX-License-Identifier: BSD-2-Clause */
/* The one shape in which everything enters: one SCTP packet, where and when it was seen, the bytes that are there. */
#ifndef SR_WIRE_PACKET_H
#define SR_WIRE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../names.h"
#include "bytes.h"
#include "time.h"

enum { SR_COMMON_HEADER_LENGTH = 12 };

struct sr_address {
    uint8_t bytes[16]; /* network order; an IPv4 address takes the first four, the rest is zero */
    uint8_t family;    /* 4, 6, or 0 where no IP header lies below */
};

/* Asked of both ends of every packet. */
static inline bool sr_address_equal(const struct sr_address *a, const struct sr_address *b)
{
    uint64_t of_a[2], of_b[2];
    memcpy(of_a, a->bytes, sizeof of_a);
    memcpy(of_b, b->bytes, sizeof of_b);
    return ((of_a[0] ^ of_b[0]) | (of_a[1] ^ of_b[1])) == 0 && a->family == b->family;
}

struct sr_packet {
    uint64_t frame;     /* 1-based */
    int64_t time_ns;    /* since the Unix epoch; SR_NO_TIME where the capture has none for it */
    uint32_t interface; /* of the capture file */
    struct sr_address src, dst;
    uint8_t encapsulation; /* enum sr_encapsulation */
    uint16_t id; /* by its sender: lowest bits of a DTLS record's number, else identification of the IPv4 header; 0
                    where there is none, and where the sender sets none */
    uint8_t hop_limit;    /* of the IPv6 header, TTL of the IPv4 header; 0 where there is none */
    bool fragmentable;    /* DF is clear in the IPv4 header, or the datagram came in fragments */
    uint8_t checksum;     /* 1 + enum sr_checksum; 0: nobody has looked yet */
    const uint8_t *bytes; /* from the SCTP common header on */
    uint32_t captured;    /* bytes that are there */
    uint32_t wire;        /* bytes that were on the wire */
};

/* SCTP common header (RFC 9260 section 3.1). */
struct sr_common_header {
    uint16_t sport, dport;
    uint32_t vtag;
    uint32_t checksum; /* as loaded big-endian */
};

/* False where fewer than 12 bytes are there. */
static inline bool sr_common_header(const uint8_t *bytes, size_t captured, struct sr_common_header *header)
{
    if (captured < SR_COMMON_HEADER_LENGTH)
        return false;
    header->sport = sr_be16(bytes);
    header->dport = sr_be16(bytes + 2);
    header->vtag = sr_be32(bytes + 4);
    header->checksum = sr_be32(bytes + 8);
    return true;
}

#endif
