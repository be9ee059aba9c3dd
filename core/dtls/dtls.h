/* SPDX-License-Identifier: BSD-2-Clause */
/* SCTP inside DTLS inside UDP (RFC 8261): which datagrams are DTLS, and with the keys of a key log the SCTP packets in
 * them. What could not be opened is counted by the reason. */
#ifndef SR_DTLS_DTLS_H
#define SR_DTLS_DTLS_H

#include <stdbool.h>
#include <stddef.h>

#include "../capture/cursor.h"
#include "totals.h"

struct sr_dtls;
struct sr_udp_flow;

struct sr_dtls *sr_dtls_new(void); /* NULL when memory runs out */
void sr_dtls_free(struct sr_dtls *dtls);

/* Whole lines of a key log. False when memory runs out. */
bool sr_dtls_add_keys(struct sr_dtls *dtls, const uint8_t *text, size_t length);

/* Looks at a datagram of the flow from a to b. False where it is no DTLS. */
bool sr_dtls_datagram(struct sr_dtls *dtls, const struct sr_udp_flow *flow, uint64_t frame, struct sr_cursor datagram);

/* The next SCTP packet in that datagram, with the lowest bits of its record's number; its bytes are valid until
 * sr_dtls_reuse. False where there is none. */
bool sr_dtls_next(struct sr_dtls *dtls, struct sr_cursor *packet, uint16_t *number);

/* Whether a record of that datagram with application data was not opened. */
bool sr_dtls_is_hidden(const struct sr_dtls *dtls);

/* Whether there is too little room for the packets of another datagram, and that nobody needs those so far. */
bool sr_dtls_is_full(const struct sr_dtls *dtls);
void sr_dtls_reuse(struct sr_dtls *dtls);

struct sr_dtls_totals sr_dtls_totals(const struct sr_dtls *dtls);

#endif
