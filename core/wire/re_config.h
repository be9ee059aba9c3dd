/* SPDX-License-Identifier: BSD-2-Clause */
/* RE-CONFIG: where its responses number DATA anew (RFC 6525 section 4.4). */
#ifndef SR_WIRE_RE_CONFIG_H
#define SR_WIRE_RE_CONFIG_H

#include "chunk.h"
#include "tlv.h"
#include "tsn.h"

/* A response to an SSN/TSN reset request that was performed: the next TSNs of who sends the response and of who
 * receives it. */
struct sr_tsn_response {
    struct sr_tsn sender_next, receiver_next;
};

struct sr_tlv_walk sr_re_config_walk(const struct sr_chunk *chunk);

/* The next such response; false at the end. */
bool sr_re_config_next(struct sr_tlv_walk *walk, struct sr_tsn_response *response);

#endif
