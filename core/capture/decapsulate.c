/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop over the headers. */
#include "decapsulate.h"

#include <stdlib.h>

#include "../dtls/dtls.h"
#include "fragments.h"
#include "udp_flows.h"

bool sr_decapsulator_init(struct sr_decapsulator *decapsulator)
{
    decapsulator->fragments = sr_fragments_new();
    decapsulator->udp_flows = sr_udp_flows_new();
    decapsulator->icmp_errors = calloc(1, sizeof *decapsulator->icmp_errors);
    decapsulator->dtls = sr_dtls_new();
    return decapsulator->fragments && decapsulator->udp_flows && decapsulator->icmp_errors && decapsulator->dtls;
}

void sr_decapsulator_free(struct sr_decapsulator *decapsulator)
{
    sr_fragments_free(decapsulator->fragments);
    sr_udp_flows_free(decapsulator->udp_flows);
    sr_dtls_free(decapsulator->dtls);
    free(decapsulator->icmp_errors);
}

static enum sr_layer step(enum sr_layer layer, struct sr_cursor *cursor, struct sr_below *below)
{
    switch (layer) {
    case SR_LAYER_ETHERNET: return sr_step_ethernet(cursor, below);
    case SR_LAYER_ETHERTYPE: return sr_step_ethertype(cursor, below);
    case SR_LAYER_SLL: return sr_step_sll(cursor, below);
    case SR_LAYER_SLL2: return sr_step_sll2(cursor, below);
    case SR_LAYER_NULL: return sr_step_null(cursor, below);
    case SR_LAYER_RAW_IP: return sr_step_raw_ip(cursor, below);
    case SR_LAYER_PPP: return sr_step_ppp(cursor, below);
    case SR_LAYER_PPPOE: return sr_step_pppoe(cursor, below);
    case SR_LAYER_MPLS: return sr_step_mpls(cursor, below);
    case SR_LAYER_FABRICPATH: return sr_step_fabricpath(cursor, below);
    case SR_LAYER_UPPER_PDU: return sr_step_upper_pdu(cursor, below);
    case SR_LAYER_IPV4: return sr_step_ipv4(cursor, below);
    case SR_LAYER_IPV6: return sr_step_ipv6(cursor, below);
    case SR_LAYER_IP_PAYLOAD: return sr_step_ip_payload(cursor, below);
    case SR_LAYER_GRE: return sr_step_gre(cursor, below);
    case SR_LAYER_UDP: return sr_step_udp(cursor, below);
    case SR_LAYER_GTPU: return sr_step_gtpu(cursor, below);
    case SR_LAYER_VXLAN: return sr_step_vxlan(cursor, below);
    case SR_LAYER_GENEVE: return sr_step_geneve(cursor, below);
    case SR_LAYER_SCTP:
    case SR_LAYER_NONE: break;
    }
    return layer;
}

bool sr_decapsulate(struct sr_decapsulator *decapsulator, uint32_t link_type, struct sr_cursor frame,
                    struct sr_packet *packet, enum sr_skip *skip)
{
    struct sr_below below = {.frame = packet->frame,
                             .time_ns = packet->time_ns,
                             .encapsulation = SR_ENCAPSULATION_LINK,
                             .skip = SR_SKIP_UNKNOWN_LINK,
                             .fragments = decapsulator->fragments,
                             .udp_flows = decapsulator->udp_flows,
                             .icmp_errors = decapsulator->icmp_errors,
                             .dtls = decapsulator->dtls};
    enum sr_layer layer = sr_link_layer(link_type);

    for (int headers = 0; layer != SR_LAYER_SCTP && layer != SR_LAYER_NONE; headers++)
        layer = headers < SR_DEEPEST_HEADERS ? step(layer, &frame, &below) : sr_no_sctp(&below, SR_SKIP_TOO_DEEP);
    if (layer == SR_LAYER_NONE) {
        *skip = (enum sr_skip)below.skip;
        return false;
    }
    for (int i = 0; i < 4; i++)
        decapsulator->carriers.bits[i] |= below.passed.bits[i];
    packet->src = below.src;
    packet->dst = below.dst;
    packet->encapsulation = below.encapsulation;
    packet->id = below.id;
    packet->hop_limit = below.hop_limit;
    packet->fragmentable = below.fragmentable;
    packet->bytes = frame.bytes;
    packet->captured = frame.captured;
    packet->wire = frame.wire;
    return true;
}

bool sr_decapsulate_next(struct sr_decapsulator *decapsulator, struct sr_packet *packet)
{
    struct sr_cursor bytes;
    if (packet->encapsulation != SR_ENCAPSULATION_DTLS || !sr_dtls_next(decapsulator->dtls, &bytes, &packet->id))
        return false;
    packet->checksum = 0;
    packet->bytes = bytes.bytes;
    packet->captured = bytes.captured;
    packet->wire = bytes.wire;
    return true;
}
