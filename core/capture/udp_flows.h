/* SPDX-License-Identifier: BSD-2-Clause */
/* Which UDP flows carry SCTP (RFC 6951): those on a named port, and on any other those that have shown a packet with
 * a right CRC32c. Memory is bounded: a flow that is pushed out is learned again by its next right packet. */
#ifndef SR_CAPTURE_UDP_FLOWS_H
#define SR_CAPTURE_UDP_FLOWS_H

#include <stdbool.h>

#include "../wire/packet.h"

struct sr_udp_flows;

struct sr_udp_flows *sr_udp_flows_new(void); /* NULL when memory runs out; port 9899 is named */
void sr_udp_flows_free(struct sr_udp_flows *flows);

void sr_udp_flows_name_port(struct sr_udp_flows *flows, uint16_t port);
bool sr_udp_flows_named(const struct sr_udp_flows *flows, uint16_t sport, uint16_t dport);

struct sr_udp_flow {
    struct sr_address a, b;
    uint16_t a_port, b_port;
};

/* Either direction of a flow is the same flow. */
uint64_t sr_udp_flow_hash(const struct sr_udp_flow *flow);
bool sr_udp_flow_same(const struct sr_udp_flow *one, const struct sr_udp_flow *other);
bool sr_udp_flows_known(const struct sr_udp_flows *flows, const struct sr_udp_flow *flow);
void sr_udp_flows_learn(struct sr_udp_flows *flows, const struct sr_udp_flow *flow);

#endif
