/* SPDX-License-Identifier: BSD-2-Clause */
/* What may have been sent again, or repeated by the network. */
#ifndef SR_FACTS_REPEATED_H
#define SR_FACTS_REPEATED_H

#include "half.h"

/* Its packet has the bytes of that of a copy before, which came less than so long ago, and neither has an
 * identification, which a sender changes with every packet (RFC 6864 section 4). On the way to a tap at the sender
 * nothing is repeated, if it is surely there. */
bool sr_comes_as_repeated(const struct sr_half *half, const struct sr_transmission_row *row, int64_t within_ns);

/* The copy before left less than a round trip before this time: no answer to it has moved the sender by then. */
bool sr_is_within_round_trip(const struct sr_half *half, const struct sr_transmission_row *row, int64_t time_ns);

#endif
