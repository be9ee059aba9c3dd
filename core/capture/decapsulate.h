/* SPDX-License-Identifier: BSD-2-Clause */
/* Which SCTP packet a frame holds, if any: one header after the other, from the link to SCTP. */
#ifndef SR_CAPTURE_DECAPSULATE_H
#define SR_CAPTURE_DECAPSULATE_H

#include "../wire/packet.h"
#include "icmp.h"
#include "layers.h"

enum { SR_DEEPEST_HEADERS = 32 };

struct sr_decapsulator {
    struct sr_fragments *fragments;
    struct sr_udp_flows *udp_flows;
    struct sr_icmp_errors *icmp_errors;
    struct sr_dtls *dtls;
    struct sr_protocols carriers; /* IP protocols below SCTP so far, SCTP itself among them */
};

/* False when memory runs out; free it in either case. */
bool sr_decapsulator_init(struct sr_decapsulator *decapsulator);
void sr_decapsulator_free(struct sr_decapsulator *decapsulator);

/* True with the packet's addresses, bytes and lengths filled in; its bytes are valid until the next call,
 * those that were encrypted until sr_dtls_reuse. False with
 * the reason (enum sr_skip). */
bool sr_decapsulate(struct sr_decapsulator *decapsulator, uint32_t link_type, struct sr_cursor frame,
                    struct sr_packet *packet, enum sr_skip *skip);

/* The next packet of the same frame, as a datagram of DTLS has several. */
bool sr_decapsulate_next(struct sr_decapsulator *decapsulator, struct sr_packet *packet);

#endif
