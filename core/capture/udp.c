/* SPDX-License-Identifier: BSD-2-Clause */
/* What a UDP datagram carries: SCTP (RFC 6951), a tunnel by its port, DTLS, or something else. */
#include "../dtls/dtls.h"
#include "../wire/checksum.h"
#include "layers.h"
#include "udp_flows.h"

enum { PORT_GTPU = 2152, PORT_VXLAN = 4789, PORT_VXLAN_LINUX = 8472, PORT_GENEVE = 6081 };

static enum sr_layer tunnel_of(uint16_t port)
{
    switch (port) {
    case PORT_GTPU: return SR_LAYER_GTPU;
    case PORT_VXLAN:
    case PORT_VXLAN_LINUX: return SR_LAYER_VXLAN;
    case PORT_GENEVE: return SR_LAYER_GENEVE;
    default: return SR_LAYER_NONE;
    }
}

/* On a port that nobody named a flow is SCTP from its first packet with a right CRC32c; packets before it are lost
 * to the analysis. Chance makes one such packet of four thousand million. */
static bool learn(const struct sr_cursor *cursor, struct sr_below *below, const struct sr_udp_flow *flow)
{
    if (cursor->captured < cursor->wire || cursor->wire < SR_COMMON_HEADER_LENGTH + 4)
        return false;
    if (!sr_crc32c_is_right(cursor->bytes, cursor->wire))
        return false;
    sr_udp_flows_learn(below->udp_flows, flow);
    return true;
}

enum sr_layer sr_step_udp(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 8 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    uint16_t sport = sr_be16(cursor->bytes), dport = sr_be16(cursor->bytes + 2), length = sr_be16(cursor->bytes + 4);
    if (length != 0 && length < HEADER)
        return sr_no_sctp(below, SR_SKIP_MALFORMED);
    if (length != 0) /* zero in a jumbogram (RFC 2675) or where segmentation was left to the network card */
        sr_cursor_limit(cursor, length);
    sr_cursor_skip(cursor, HEADER);

    struct sr_udp_flow flow = {below->src, below->dst, sport, dport};
    bool sctp = sr_udp_flows_named(below->udp_flows, sport, dport);
    if (!sctp) {
        enum sr_layer tunnel = tunnel_of(dport);
        if (tunnel == SR_LAYER_NONE)
            tunnel = tunnel_of(sport);
        if (tunnel != SR_LAYER_NONE)
            return tunnel;
        sctp = sr_udp_flows_known(below->udp_flows, &flow) || learn(cursor, below, &flow);
    }
    if (sctp) {
        below->encapsulation = SR_ENCAPSULATION_UDP;
        return SR_LAYER_SCTP;
    }
    if (!sr_dtls_datagram(below->dtls, &flow, below->frame, *cursor))
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    if (!sr_dtls_next(below->dtls, cursor, &below->id))
        return sr_no_sctp(below, sr_dtls_is_hidden(below->dtls) ? SR_SKIP_DTLS : SR_SKIP_OTHER_PROTOCOL);
    below->encapsulation = SR_ENCAPSULATION_DTLS;
    return SR_LAYER_SCTP;
}
