/* SPDX-License-Identifier: BSD-2-Clause */
/* Which DTLS connections a UDP flow has: one after the other on the same ports, and one on several flows where ICE or a
 * NAT moved it. Memory is bounded: the one noted first of its set is forgotten. */
#ifndef SR_DTLS_CONNECTIONS_H
#define SR_DTLS_CONNECTIONS_H

#include "../capture/udp_flows.h"
#include "connection.h"

enum { SR_CONNECTIONS_OF_A_FLOW = 8, SR_RECENT_CONNECTIONS = 16 };

struct sr_flow_connection {
    struct sr_udp_flow flow;
    struct sr_connection *connection; /* null: its handshake was not seen on this flow */
    bool a_is_client;
    uint8_t told;  /* a bit for each enum sr_unopened that was counted */
    uint8_t tried; /* records of the flow that no recent connection opened either */
};

struct sr_connections;

struct sr_connections *sr_connections_new(void); /* NULL when memory runs out */
void sr_connections_free(struct sr_connections *connections);

/* Those of a flow, the one noted last first; valid until one is noted. */
uint32_t sr_connections_of(struct sr_connections *connections, const struct sr_udp_flow *flow,
                           struct sr_flow_connection *found[SR_CONNECTIONS_OF_A_FLOW]);

/* Takes over a reference to the connection. */
struct sr_flow_connection *sr_connections_note(struct sr_connections *connections, const struct sr_udp_flow *flow,
                                               struct sr_connection *connection, bool a_is_client);

/* Those that opened their first record last, with null behind them. */
void sr_connections_opened(struct sr_connections *connections, struct sr_connection *connection);
struct sr_connection *const *sr_connections_recent(const struct sr_connections *connections);

static inline bool sr_is_same_direction(const struct sr_udp_flow *one, const struct sr_udp_flow *other)
{
    return one->a_port == other->a_port && sr_address_equal(&one->a, &other->a) && one->b_port == other->b_port &&
           sr_address_equal(&one->b, &other->b);
}

#endif
