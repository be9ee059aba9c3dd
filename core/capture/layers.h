/* SPDX-License-Identifier: BSD-2-Clause */
/* The headers that can lie below SCTP, and what each step over one of them may lead to. A step reads one header at
 * the cursor, moves past it and says which header comes next; `struct sr_below` collects what a packet needs to know
 * of the headers passed. */
#ifndef SR_CAPTURE_LAYERS_H
#define SR_CAPTURE_LAYERS_H

#include "../names.h"
#include "../wire/packet.h"
#include "cursor.h"
#include "fragments.h"

struct sr_dtls;
struct sr_icmp_errors;
struct sr_udp_flows;

enum sr_layer {
    SR_LAYER_ETHERNET,
    SR_LAYER_ETHERTYPE, /* the cursor is behind an Ethertype, kept in sr_below.type */
    SR_LAYER_SLL,
    SR_LAYER_SLL2,
    SR_LAYER_NULL,   /* address family in the byte order of whoever captured */
    SR_LAYER_RAW_IP, /* IPv4 or IPv6 by its first four bits */
    SR_LAYER_PPP,
    SR_LAYER_PPPOE,
    SR_LAYER_MPLS,
    SR_LAYER_FABRICPATH,
    SR_LAYER_UPPER_PDU,
    SR_LAYER_IPV4,
    SR_LAYER_IPV6,
    SR_LAYER_IP_PAYLOAD, /* the cursor is at what the IP protocol in sr_below.type says */
    SR_LAYER_GRE,
    SR_LAYER_UDP,
    SR_LAYER_GTPU,
    SR_LAYER_VXLAN,
    SR_LAYER_GENEVE,
    SR_LAYER_SCTP, /* done */
    SR_LAYER_NONE, /* no SCTP here; sr_below.skip says why */
};

struct sr_below {
    uint64_t frame;
    int64_t time_ns;            /* of the frame */
    struct sr_address src, dst; /* of the innermost IP header so far */
    uint32_t type;              /* Ethertype or IP protocol for the next step */
    uint16_t id;                /* of sr_packet: of the innermost IPv4 header, 0 in IPv6; of a DTLS record in it */
    uint8_t hop_limit;          /* of the innermost IP header, TTL of IPv4 */
    bool fragmentable;          /* DF is clear in the innermost IPv4 header, or it came in fragments */
    uint8_t encapsulation;      /* enum sr_encapsulation */
    uint8_t skip;               /* enum sr_skip */
    struct sr_protocols passed; /* on the way */
    struct sr_fragments *fragments;
    struct sr_icmp_errors *icmp_errors;
    struct sr_udp_flows *udp_flows;
    struct sr_dtls *dtls;
};

/* The first layer of a LINKTYPE, SR_LAYER_NONE for one that is not read. */
enum sr_layer sr_link_layer(uint32_t link_type);

static inline enum sr_layer sr_no_sctp(struct sr_below *below, enum sr_skip why)
{
    below->skip = (uint8_t)why;
    return SR_LAYER_NONE;
}

/* link.c */
enum sr_layer sr_step_ethernet(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_ethertype(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_sll(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_sll2(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_null(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_raw_ip(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_ppp(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_pppoe(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_mpls(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_fabricpath(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_upper_pdu(struct sr_cursor *cursor, struct sr_below *below);
/* ip.c */
enum sr_layer sr_step_ipv4(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_ipv6(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_ip_payload(struct sr_cursor *cursor, struct sr_below *below);
/* icmp.c */
enum sr_layer sr_step_icmp(struct sr_cursor *cursor, struct sr_below *below);
/* tunnel.c */
enum sr_layer sr_step_gre(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_gtpu(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_vxlan(struct sr_cursor *cursor, struct sr_below *below);
enum sr_layer sr_step_geneve(struct sr_cursor *cursor, struct sr_below *below);
/* udp.c */
enum sr_layer sr_step_udp(struct sr_cursor *cursor, struct sr_below *below);

#endif
