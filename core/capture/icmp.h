/* SPDX-License-Identifier: BSD-2-Clause */
/* What ICMP errors say of SCTP packets: such a packet was dropped, and somebody says why. Errors that say the same of
 * the same ends are one. Memory is bounded: of more kinds than are kept there is a count. */
#ifndef SR_CAPTURE_ICMP_H
#define SR_CAPTURE_ICMP_H

#include "../wire/packet.h"

enum { SR_ICMP_ERRORS = 64, SR_ICMP_FRAMES = 8 };

struct sr_icmp_error {
    struct sr_address reporter; /* who sent the errors */
    struct sr_address src, dst; /* of the packet that they quote */
    uint64_t count;
    uint64_t frames[SR_ICMP_FRAMES]; /* the first of them; 0: no more */
    uint32_t mtu;                    /* of the next link where the packet was too big; 0: not told */
    uint16_t sport, dport;           /* 0 where the quote does not go so far */
    uint8_t version;                 /* 4 or 6: whose types and codes these are */
    uint8_t type, code;
};

struct sr_icmp_errors {
    struct sr_icmp_error kept[SR_ICMP_ERRORS];
    uint32_t kinds; /* that are kept */
    uint64_t more;  /* errors of others */
};

#endif
