/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv4, IPv6 and what their protocol numbers lead to. */
#include <string.h>

#include "fragments.h"
#include "layers.h"

enum ip_protocol {
    IP_HOP_BY_HOP = 0,
    IP_ICMP = 1,
    IP_IPV4 = 4,
    IP_UDP = 17,
    IP_IPV6 = 41,
    IP_ROUTING = 43,
    IP_FRAGMENT = 44,
    IP_GRE = 47,
    IP_ESP = 50,
    IP_AH = 51,
    IP_ICMPV6 = 58,
    IP_DESTINATION = 60,
    IP_SCTP = 132,
    IP_MOBILITY = 135,
    IP_MPLS = 137,
    IP_HIP = 139,
    IP_SHIM6 = 140,
};

enum { LARGEST_PAYLOAD = 65535 };

/* A whole fragment goes to the reassembly. Of a cut one no datagram can be made: the first still shows its headers,
 * and how long its datagram was is not known. */
static enum sr_layer reassemble(struct sr_cursor *cursor, struct sr_below *below, uint32_t id, uint32_t offset,
                                bool more)
{
    if (cursor->captured < cursor->wire) {
        if (offset > 0) {
            sr_fragments_cut(below->fragments, (uint8_t)below->type);
            return sr_no_sctp(below, SR_SKIP_FRAGMENT_LEFT_OVER);
        }
        sr_cursor_limit(cursor, LARGEST_PAYLOAD);
        return SR_LAYER_IP_PAYLOAD;
    }
    struct sr_fragment fragment = {below->time_ns, below->src, below->dst, id, (uint8_t)below->type, offset, more};
    switch (sr_fragments_add(below->fragments, &fragment, cursor)) {
    case SR_FRAGMENT_COMPLETE: return SR_LAYER_IP_PAYLOAD;
    case SR_FRAGMENT_KEPT: return sr_no_sctp(below, SR_SKIP_FRAGMENT);
    case SR_FRAGMENT_OVERLAP: return sr_no_sctp(below, SR_SKIP_FRAGMENT_OVERLAP);
    case SR_FRAGMENT_MALFORMED: break;
    }
    return sr_no_sctp(below, SR_SKIP_MALFORMED);
}

enum sr_layer sr_step_ipv4(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { LEAST_HEADER = 20, DONT_FRAGMENT = 0x4000, MORE_FRAGMENTS = 0x2000, OFFSET_MASK = 0x1fff };
    const uint8_t *ip = cursor->bytes;

    if (cursor->captured < LEAST_HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    uint32_t header = (ip[0] & 15u) * 4, total = sr_be16(ip + 2), fragment = sr_be16(ip + 6);
    if (ip[0] >> 4 != 4 || header < LEAST_HEADER || (total != 0 && total < header))
        return sr_no_sctp(below, SR_SKIP_MALFORMED);
    if (total != 0) /* zero where segmentation was left to the network card */
        sr_cursor_limit(cursor, total);
    if (cursor->captured < header)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->src = below->dst = (struct sr_address){.family = 4};
    memcpy(below->src.bytes, ip + 12, 4);
    memcpy(below->dst.bytes, ip + 16, 4);
    below->type = ip[9];
    below->id = sr_be16(ip + 4);
    below->hop_limit = ip[8];
    below->fragmentable = !(fragment & DONT_FRAGMENT);
    sr_cursor_skip(cursor, header);
    if (fragment & (MORE_FRAGMENTS | OFFSET_MASK))
        return reassemble(cursor, below, below->id, (fragment & OFFSET_MASK) * 8, fragment & MORE_FRAGMENTS);
    return SR_LAYER_IP_PAYLOAD;
}

enum sr_layer sr_step_ipv6(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 40 };
    const uint8_t *ip = cursor->bytes;

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    if (ip[0] >> 4 != 6)
        return sr_no_sctp(below, SR_SKIP_MALFORMED);
    uint32_t payload = sr_be16(ip + 4);
    below->src = below->dst = (struct sr_address){.family = 6};
    below->id = 0;
    below->hop_limit = ip[7];
    below->fragmentable = false;
    memcpy(below->src.bytes, ip + 8, 16);
    memcpy(below->dst.bytes, ip + 24, 16);
    below->type = ip[6];
    sr_cursor_skip(cursor, HEADER);
    if (payload != 0) /* zero in a jumbogram, or where segmentation was left to the network card */
        sr_cursor_limit(cursor, payload);
    return SR_LAYER_IP_PAYLOAD;
}

/* RFC 8200 section 4.5. */
static enum sr_layer fragment_header(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 8, MORE_FRAGMENTS = 1, OFFSET_MASK = 0xfff8 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    uint32_t offset = sr_be16(cursor->bytes + 2), id = sr_be32(cursor->bytes + 4);
    below->type = cursor->bytes[0];
    sr_cursor_skip(cursor, HEADER);
    if ((offset & (OFFSET_MASK | MORE_FRAGMENTS)) == 0) /* an atomic fragment, RFC 6946 */
        return SR_LAYER_IP_PAYLOAD;
    below->fragmentable = true; /* only its source fragments it (section 5 there) */
    return reassemble(cursor, below, id, offset & OFFSET_MASK, offset & MORE_FRAGMENTS);
}

/* An extension header, or AH in either version: next header, then its length in `unit` bytes beyond `base`. */
static enum sr_layer extension_header(struct sr_cursor *cursor, struct sr_below *below, uint32_t unit, uint32_t base)
{
    if (cursor->captured < 2)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    uint32_t length = cursor->bytes[1] * unit + base;
    if (cursor->captured < length)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->type = cursor->bytes[0];
    sr_cursor_skip(cursor, length);
    return SR_LAYER_IP_PAYLOAD;
}

enum sr_layer sr_step_ip_payload(struct sr_cursor *cursor, struct sr_below *below)
{
    below->passed.bits[(below->type & 255) / 64] |= UINT64_C(1) << (below->type & 63);
    switch ((enum ip_protocol)below->type) {
    case IP_SCTP: below->encapsulation = SR_ENCAPSULATION_IP; return SR_LAYER_SCTP;
    case IP_UDP: return SR_LAYER_UDP;
    case IP_GRE: return SR_LAYER_GRE;
    case IP_IPV4: return SR_LAYER_IPV4;
    case IP_IPV6: return SR_LAYER_IPV6;
    case IP_MPLS: return SR_LAYER_MPLS;
    case IP_FRAGMENT: return fragment_header(cursor, below);
    case IP_HOP_BY_HOP:
    case IP_ROUTING:
    case IP_DESTINATION:
    case IP_MOBILITY:
    case IP_HIP:
    case IP_SHIM6: return extension_header(cursor, below, 8, 8);
    case IP_AH: return extension_header(cursor, below, 4, 8);
    case IP_ESP: return sr_no_sctp(below, SR_SKIP_ENCRYPTED);
    case IP_ICMP:
    case IP_ICMPV6: return sr_step_icmp(cursor, below);
    }
    return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
}
