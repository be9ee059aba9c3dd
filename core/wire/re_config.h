/* SPDX-License-Identifier: BSD-2-Clause */
/* RE-CONFIG: who asks for DATA to be numbered anew (RFC 6525 section 4.3), and where a response does so (section 4.4).
 */
#ifndef SR_WIRE_RE_CONFIG_H
#define SR_WIRE_RE_CONFIG_H

#include "chunk.h"
#include "tlv.h"
#include "tsn.h"

/* A response to an SSN/TSN reset request that was performed: the next TSNs of who sends the response and of who
 * receives it. */
struct sr_tsn_response {
    uint32_t request; /* number of the request that it answers */
    struct sr_tsn sender_next, receiver_next;
};

struct sr_tlv_walk sr_re_config_walk(const struct sr_chunk *chunk);

/* The number of the SSN/TSN reset request in a chunk, which stands in it alone (RFC 6525 section 3.1); false without.
 */
bool sr_re_config_asks(const struct sr_chunk *chunk, uint32_t *request);

/* The next such response; false at the end. */
bool sr_re_config_next(struct sr_tlv_walk *walk, struct sr_tsn_response *response);

#endif
