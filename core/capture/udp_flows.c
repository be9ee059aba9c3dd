/* SPDX-License-Identifier: BSD-2-Clause */
/* Named ports as a bit for each port, learned flows as a table of small sets. */
#include "udp_flows.h"

#include <stdlib.h>

enum { RFC6951_PORT = 9899, SETS = 1024, WAYS = 4 };

struct set {
    uint32_t used;
    struct sr_udp_flow ways[WAYS]; /* newest first */
};

struct sr_udp_flows {
    uint8_t named[65536 / 8];
    struct set sets[SETS];
};

struct sr_udp_flows *sr_udp_flows_new(void)
{
    struct sr_udp_flows *flows = calloc(1, sizeof *flows);
    if (flows)
        sr_udp_flows_name_port(flows, RFC6951_PORT);
    return flows;
}

void sr_udp_flows_free(struct sr_udp_flows *flows)
{
    free(flows);
}

void sr_udp_flows_name_port(struct sr_udp_flows *flows, uint16_t port)
{
    flows->named[port / 8] |= (uint8_t)(1u << port % 8);
}

bool sr_udp_flows_named(const struct sr_udp_flows *flows, uint16_t sport, uint16_t dport)
{
    return (flows->named[sport / 8] >> sport % 8 & 1) || (flows->named[dport / 8] >> dport % 8 & 1);
}

uint64_t sr_udp_flow_hash(const struct sr_udp_flow *flow)
{
    uint64_t hash = (uint64_t)(flow->a_port + flow->b_port);
    for (int i = 0; i < 16; i++)
        hash = hash * UINT64_C(0x100000001b3) + (unsigned)(flow->a.bytes[i] + flow->b.bytes[i]);
    return hash ^ hash >> 20 ^ hash >> 40;
}

static unsigned set_of(const struct sr_udp_flow *flow)
{
    return (unsigned)(sr_udp_flow_hash(flow) % SETS);
}

bool sr_udp_flow_same(const struct sr_udp_flow *one, const struct sr_udp_flow *other)
{
    return (one->a_port == other->a_port && one->b_port == other->b_port && sr_address_equal(&one->a, &other->a) &&
            sr_address_equal(&one->b, &other->b)) ||
           (one->a_port == other->b_port && one->b_port == other->a_port && sr_address_equal(&one->a, &other->b) &&
            sr_address_equal(&one->b, &other->a));
}

bool sr_udp_flows_known(const struct sr_udp_flows *flows, const struct sr_udp_flow *flow)
{
    const struct set *set = &flows->sets[set_of(flow)];
    for (uint32_t i = 0; i < set->used; i++)
        if (sr_udp_flow_same(&set->ways[i], flow))
            return true;
    return false;
}

void sr_udp_flows_learn(struct sr_udp_flows *flows, const struct sr_udp_flow *flow)
{
    struct set *set = &flows->sets[set_of(flow)];
    memmove(set->ways + 1, set->ways, sizeof set->ways - sizeof set->ways[0]);
    set->ways[0] = *flow;
    if (set->used < WAYS)
        set->used++;
}
