/* SPDX-License-Identifier: BSD-2-Clause */
/* ICMP and ICMPv6 errors (RFC 792, RFC 4443). */
#include "icmp.h"

#include <string.h>

#include "layers.h"

enum { HEADER = 8, ICMP = 1, ICMPV6 = 58, SCTP = 132, V6_INFORMATIONAL = 128 };

static bool is_error(uint8_t protocol, uint8_t type)
{
    return protocol == ICMP ? type == 3 || type == 4 || type == 5 || type == 11 || type == 12 : type < V6_INFORMATIONAL;
}

static bool is_same(const struct sr_icmp_error *a, const struct sr_icmp_error *b)
{
    return a->version == b->version && a->type == b->type && a->code == b->code && a->mtu == b->mtu &&
           a->sport == b->sport && a->dport == b->dport && sr_address_equal(&a->src, &b->src) &&
           sr_address_equal(&a->dst, &b->dst) && sr_address_equal(&a->reporter, &b->reporter);
}

/* One more of its kind; `count` means nothing. */
static void note(struct sr_icmp_errors *errors, const struct sr_icmp_error *error)
{
    for (uint32_t i = 0; i < errors->kinds; i++) {
        if (is_same(&errors->kept[i], error)) {
            struct sr_icmp_error *kept = &errors->kept[i];
            if (kept->count < SR_ICMP_FRAMES)
                kept->frames[kept->count] = error->frames[0];
            kept->count++;
            return;
        }
    }
    if (errors->kinds == SR_ICMP_ERRORS) {
        errors->more++;
        return;
    }
    errors->kept[errors->kinds] = *error;
    errors->kept[errors->kinds++].count = 1;
}

/* Link MTU of a packet that was too big: RFC 1191 section 4, RFC 4443 section 3.2. */
static uint32_t mtu_of(const struct sr_icmp_error *error, const uint8_t *icmp)
{
    if (error->version == 4 && error->type == 3 && error->code == 4)
        return sr_be16(icmp + 6);
    return error->version == 6 && error->type == 2 ? sr_be32(icmp + 4) : 0;
}

/* The quoted IP header, of which the fields up to the protocol are there; false unless it is that of SCTP. */
static bool quoted_sctp(struct sr_cursor *quote, struct sr_icmp_error *error)
{
    enum { V4_HEADER = 20, V6_HEADER = 40, V4_PROTOCOL = 9, V6_NEXT_HEADER = 6, OFFSET_MASK = 0x1fff, PORTS = 4 };
    const uint8_t *ip = quote->bytes;
    bool v4 = error->version == 4;
    uint32_t header = v4 ? (ip[0] & 15u) * 4 : V6_HEADER;

    if (ip[v4 ? V4_PROTOCOL : V6_NEXT_HEADER] != SCTP)
        return false;
    if (quote->captured < (v4 ? V4_HEADER : V6_HEADER) || header < V4_HEADER)
        return true;
    error->src = error->dst = (struct sr_address){.family = error->version};
    memcpy(error->src.bytes, ip + (v4 ? 12 : 8), v4 ? 4 : 16);
    memcpy(error->dst.bytes, ip + (v4 ? 16 : 24), v4 ? 4 : 16);
    if (v4 && (sr_be16(ip + 6) & OFFSET_MASK) != 0)
        return true; /* a later fragment has no ports */
    if (quote->captured < header + PORTS)
        return true;
    error->sport = sr_be16(ip + header);
    error->dport = sr_be16(ip + header + 2);
    return true;
}

/* An error message quotes the packet that it is about (RFC 792, RFC 4443 section 2.4): nobody sent that here. */
enum sr_layer sr_step_icmp(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { V4_PROTOCOL = 9 };
    if (cursor->captured <= HEADER + V4_PROTOCOL || !is_error((uint8_t)below->type, cursor->bytes[0]))
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    const uint8_t *icmp = cursor->bytes;
    struct sr_icmp_error error = {
        .reporter = below->src,
        .frames = {below->frame},
        .version = below->type == ICMP ? 4 : 6,
        .type = icmp[0],
        .code = icmp[1],
    };
    error.mtu = mtu_of(&error, icmp);
    sr_cursor_skip(cursor, HEADER);
    if (!quoted_sctp(cursor, &error))
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    note(below->icmp_errors, &error);
    return sr_no_sctp(below, SR_SKIP_ICMP_QUOTE);
}
