/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which IP header an SCTP packet belongs to, and where it ends by the lengths below it. */
#include "found.h"

#include <string.h>

enum { IPV4_HEADER = 20, IPV6_HEADER = 40, UDP_HEADER = 8, DTLS_HEADER = 13 };

/* The header next below `sctp`: the last before it in the same source; else the last of a lower layer, since what was
 * reassembled or decrypted is a source of its own. */
static const struct sr_found *below(struct sr_found_list list, const struct sr_found *sctp, uint32_t header)
{
    const struct sr_found *best = NULL;
    for (uint32_t i = 0; i < list.count; i++) {
        const struct sr_found *found = &list.list[i];
        if (found->captured < header || found->at > found->captured - header)
            continue;
        bool same = found->source == sctp->source;
        if (same ? found->at >= sctp->at : found->layer >= sctp->layer)
            continue;
        if (best && best->source == sctp->source && !same)
            continue;
        best = found;
    }
    return best;
}

static struct sr_address address(const uint8_t *bytes, uint8_t family)
{
    struct sr_address address = {.family = family};
    memcpy(address.bytes, bytes, family == 4 ? 4 : 16);
    return address;
}

/* `end` becomes lower where a length that a header gives ends there; a length of 0 was left to the network card. */
static void limit(uint32_t *end, const struct sr_found *header, const struct sr_found *sctp, uint32_t length)
{
    if (header->source == sctp->source && length > 0 && *end - header->at > length && header->at + length > sctp->at)
        *end = header->at + length;
}

static bool is_above(const struct sr_found *one, const struct sr_found *other, const struct sr_found *sctp)
{
    if (!one || !other)
        return one != NULL;
    bool one_same = one->source == sctp->source, other_same = other->source == sctp->source;
    if (one_same != other_same)
        return one_same;
    return one->source == other->source ? one->at > other->at : one->layer > other->layer;
}

static void fill(const struct sr_found_headers *headers, const struct sr_found *sctp, struct sr_packet *packet)
{
    const struct sr_found *ipv4 = below(headers->ipv4, sctp, IPV4_HEADER);
    const struct sr_found *ipv6 = below(headers->ipv6, sctp, IPV6_HEADER);
    const struct sr_found *udp = below(headers->udp, sctp, UDP_HEADER);
    uint32_t end = sctp->reported;

    *packet = (struct sr_packet){.encapsulation = SR_ENCAPSULATION_LINK, .bytes = sctp->source + sctp->at};
    if (is_above(ipv4, ipv6, sctp)) {
        const uint8_t *header = ipv4->source + ipv4->at;
        packet->src = address(header + 12, 4);
        packet->dst = address(header + 16, 4);
        packet->id = sr_be16(header + 4);
        packet->hop_limit = header[8];
        packet->fragmentable = !(header[6] & 0x40); /* DF */
        packet->encapsulation = SR_ENCAPSULATION_IP;
        limit(&end, ipv4, sctp, sr_be16(header + 2));
    } else if (ipv6) {
        const uint8_t *header = ipv6->source + ipv6->at;
        uint32_t payload = sr_be16(header + 4);
        packet->src = address(header + 8, 6);
        packet->dst = address(header + 24, 6);
        packet->hop_limit = header[7];
        packet->encapsulation = SR_ENCAPSULATION_IP;
        limit(&end, ipv6, sctp, payload ? IPV6_HEADER + payload : 0);
    }
    if (udp && udp->source == sctp->source && udp->at + UDP_HEADER == sctp->at) {
        packet->encapsulation = SR_ENCAPSULATION_UDP;
        limit(&end, udp, sctp, sr_be16(udp->source + udp->at + 4));
    } else if (udp && udp->source != sctp->source) {
        const struct sr_found *record = below(headers->dtls, sctp, DTLS_HEADER);
        packet->encapsulation = SR_ENCAPSULATION_DTLS;
        if (record)
            packet->id = sr_be16(record->source + record->at + 9); /* lowest bits of its number */
    }
    packet->wire = end - sctp->at;
    packet->captured = sctp->captured < end ? sctp->captured - sctp->at : packet->wire;
}

bool sr_found_next(struct sr_found_walk *walk, struct sr_packet *packet)
{
    const struct sr_found_headers *headers = walk->headers;
    while (!headers->icmp && walk->next < headers->sctp.count) {
        const struct sr_found *sctp = &headers->sctp.list[walk->next++];
        if (sctp->at >= sctp->captured || sctp->captured > sctp->reported)
            continue;
        if (sctp->source == walk->source && sctp->at < walk->end)
            continue;
        fill(headers, sctp, packet);
        walk->source = sctp->source;
        walk->end = sctp->at + packet->wire;
        return true;
    }
    return false;
}
