/* SPDX-License-Identifier: BSD-2-Clause */
/* Which chunks of a packet were sent before it, by nothing but the order of TSNs: a sender numbers chunks as it sends
 * them first, and bundles them in that order (RFC 9260 section 6.10). What lies between two TSNs of a packet, and is
 * not in it, was sent before the higher one, and so was the lower one. */
#ifndef SR_ASSOCIATION_TSN_ORDER_H
#define SR_ASSOCIATION_TSN_ORDER_H

#include "../wire/packet.h"
#include "scoreboard.h"

/* The lowest TSN of the packet that may be sent for the first time; `first` is that of its first DATA chunk. */
struct sr_tsn sr_tsn_order(const struct sr_scoreboard *board, const struct sr_packet *packet, struct sr_tsn first);

#endif
