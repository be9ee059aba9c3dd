/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of small sets. */
#include "connections.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 1024, WAYS = SR_CONNECTIONS_OF_A_FLOW };

struct set {
    uint32_t used;
    struct sr_flow_connection ways[WAYS]; /* newest first */
};

struct sr_connections {
    struct set *sets[SETS]; /* null: empty */
    struct sr_connection *recent[SR_RECENT_CONNECTIONS + 1];
};

struct sr_connections *sr_connections_new(void)
{
    return calloc(1, sizeof(struct sr_connections));
}

void sr_connections_free(struct sr_connections *connections)
{
    if (!connections)
        return;
    for (uint32_t i = 0; i < SETS; i++) {
        for (uint32_t j = 0; connections->sets[i] && j < connections->sets[i]->used; j++)
            sr_connection_release(connections->sets[i]->ways[j].connection);
        free(connections->sets[i]);
    }
    for (uint32_t i = 0; i < SR_RECENT_CONNECTIONS; i++)
        sr_connection_release(connections->recent[i]);
    free(connections);
}

static struct set **set_of(struct sr_connections *connections, const struct sr_udp_flow *flow)
{
    return &connections->sets[sr_udp_flow_hash(flow) % SETS];
}

uint32_t sr_connections_of(struct sr_connections *connections, const struct sr_udp_flow *flow,
                           struct sr_flow_connection *found[SR_CONNECTIONS_OF_A_FLOW])
{
    struct set *set = *set_of(connections, flow);
    uint32_t count = 0;
    for (uint32_t i = 0; set && i < set->used; i++)
        if (sr_udp_flow_same(&set->ways[i].flow, flow))
            found[count++] = &set->ways[i];
    return count;
}

struct sr_flow_connection *sr_connections_note(struct sr_connections *connections, const struct sr_udp_flow *flow,
                                               struct sr_connection *connection, bool a_is_client)
{
    struct set **place = set_of(connections, flow);
    if (!*place)
        *place = calloc(1, sizeof **place);
    struct set *set = *place;
    if (!set) {
        sr_connection_release(connection);
        return NULL;
    }
    if (set->used == WAYS)
        sr_connection_release(set->ways[WAYS - 1].connection);
    else
        set->used++;
    memmove(set->ways + 1, set->ways, (set->used - 1) * sizeof set->ways[0]);
    set->ways[0] = (struct sr_flow_connection){.flow = *flow, .connection = connection, .a_is_client = a_is_client};
    return &set->ways[0];
}

void sr_connections_opened(struct sr_connections *connections, struct sr_connection *connection)
{
    connection->references++;
    sr_connection_release(connections->recent[SR_RECENT_CONNECTIONS - 1]);
    memmove(connections->recent + 1, connections->recent, (SR_RECENT_CONNECTIONS - 1) * sizeof connections->recent[0]);
    connections->recent[0] = connection;
}

struct sr_connection *const *sr_connections_recent(const struct sr_connections *connections)
{
    return connections->recent;
}
