/* SPDX-License-Identifier: BSD-2-Clause */
/* Tunnels: GRE, GTP-U, VXLAN, Geneve. IP in IP needs no step of its own. */
#include "layers.h"

/* RFC 2784, RFC 2890; the routing field of RFC 1701 is not followed. */
enum sr_layer sr_step_gre(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 4, CHECKSUM = 0x8000, ROUTING = 0x4000, KEY = 0x2000, SEQUENCE = 0x1000, VERSION = 0x0007 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    uint32_t flags = sr_be16(cursor->bytes), length = HEADER;
    if (flags & (ROUTING | VERSION))
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    length += (flags & CHECKSUM ? 4u : 0) + (flags & KEY ? 4u : 0) + (flags & SEQUENCE ? 4u : 0);
    if (cursor->captured < length)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->type = sr_be16(cursor->bytes + 2);
    sr_cursor_skip(cursor, length);
    return SR_LAYER_ETHERTYPE;
}

/* 3GPP TS 29.281 section 5: a T-PDU holds the user's IP packet. */
enum sr_layer sr_step_gtpu(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 8, OPTIONAL = 4, T_PDU = 255, VERSION_1 = 0x30, VERSION_MASK = 0xf0 };
    enum { EXTENSION = 0x04, ANY_OPTIONAL = 0x07 };

    if (cursor->captured < HEADER + OPTIONAL)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    uint8_t flags = cursor->bytes[0];
    if ((flags & VERSION_MASK) != VERSION_1 || cursor->bytes[1] != T_PDU)
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    sr_cursor_skip(cursor, HEADER);
    if (flags & ANY_OPTIONAL) { /* all three fields are there if one of them is */
        uint8_t next = flags & EXTENSION ? cursor->bytes[OPTIONAL - 1] : 0;
        sr_cursor_skip(cursor, OPTIONAL);
        while (next != 0) {
            uint32_t length = cursor->captured > 0 ? cursor->bytes[0] * 4u : 0;
            if (length == 0)
                return sr_no_sctp(below, cursor->captured > 0 ? SR_SKIP_MALFORMED : SR_SKIP_SNAPPED);
            if (cursor->captured < length)
                return sr_no_sctp(below, SR_SKIP_SNAPPED);
            next = cursor->bytes[length - 1];
            sr_cursor_skip(cursor, length);
        }
    }
    return SR_LAYER_RAW_IP;
}

/* RFC 7348 section 5. */
enum sr_layer sr_step_vxlan(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 8, VALID_VNI = 0x08 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    if (!(cursor->bytes[0] & VALID_VNI))
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    sr_cursor_skip(cursor, HEADER);
    return SR_LAYER_ETHERNET;
}

/* RFC 8926 section 3.4. */
enum sr_layer sr_step_geneve(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 8, OPTIONS_MASK = 0x3f, VERSION_SHIFT = 6 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    if (cursor->bytes[0] >> VERSION_SHIFT != 0)
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    uint32_t length = HEADER + (cursor->bytes[0] & OPTIONS_MASK) * 4u;
    if (cursor->captured < length)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->type = sr_be16(cursor->bytes + 2);
    sr_cursor_skip(cursor, length);
    return SR_LAYER_ETHERTYPE;
}
