/* SPDX-License-Identifier: BSD-2-Clause */
/* Link layers: from a frame's first byte to its IP header. */
#include <string.h>

#include "layers.h"
#include "udp_flows.h"

enum {
    ETHERTYPE_IPV4 = 0x0800,
    ETHERTYPE_TRANSPARENT_ETHERNET = 0x6558, /* in GRE and Geneve */
    ETHERTYPE_VLAN = 0x8100,
    ETHERTYPE_IPV6 = 0x86dd,
    ETHERTYPE_MPLS = 0x8847,
    ETHERTYPE_MPLS_UPSTREAM = 0x8848,
    ETHERTYPE_PPPOE_SESSION = 0x8864,
    ETHERTYPE_QINQ = 0x88a8,
    ETHERTYPE_FABRICPATH = 0x8903,
    ETHERTYPE_QINQ_OLD = 0x9100,
    ETHERTYPE_QINQ_OLDER = 0x9200,
    ETHERTYPE_LOWEST = 0x0600, /* below it the field is an 802.3 length */
};

enum sr_layer sr_link_layer(uint32_t link_type)
{
    switch (link_type) {
    case 0:
    case 108: return SR_LAYER_NULL; /* NULL, LOOP */
    case 1: return SR_LAYER_ETHERNET;
    case 9:
    case 50: return SR_LAYER_PPP;   /* PPP, PPP_HDLC */
    case 51: return SR_LAYER_PPPOE; /* PPP_ETHER */
    case 12:
    case 14:
    case 101:
    case 228:
    case 229: return SR_LAYER_RAW_IP; /* RAW by system, RAW, IPV4, IPV6 */
    case 113: return SR_LAYER_SLL;
    case 276: return SR_LAYER_SLL2;
    case 248: return SR_LAYER_SCTP;
    case 252: return SR_LAYER_UPPER_PDU;
    default: return SR_LAYER_NONE;
    }
}

enum { ETHERNET_HEADER = 14, ETHERNET_TYPE = 12 };

enum sr_layer sr_step_ethernet(struct sr_cursor *cursor, struct sr_below *below)
{
    if (cursor->captured < ETHERNET_HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->type = sr_be16(cursor->bytes + ETHERNET_TYPE);
    sr_cursor_skip(cursor, ETHERNET_HEADER);
    return SR_LAYER_ETHERTYPE;
}

/* RFC 1042: LLC, then an organisation whose protocol is an Ethertype: zero, or that of 802.1H's bridge tunnel. */
static enum sr_layer snap(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 8, ORGANISATION = 3, ETHERTYPE = 6 };
    static const uint8_t llc[] = {0xaa, 0xaa, 0x03}, plain[3] = {0}, bridged[] = {0x00, 0x00, 0xf8};

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, cursor->wire < HEADER ? SR_SKIP_OTHER_PROTOCOL : SR_SKIP_SNAPPED);
    const uint8_t *organisation = cursor->bytes + ORGANISATION;
    below->type = sr_be16(cursor->bytes + ETHERTYPE);
    if (memcmp(cursor->bytes, llc, sizeof llc) != 0 || below->type < ETHERTYPE_LOWEST ||
        (memcmp(organisation, plain, sizeof plain) != 0 && memcmp(organisation, bridged, sizeof bridged) != 0))
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    sr_cursor_skip(cursor, HEADER);
    return SR_LAYER_ETHERTYPE;
}

/* What an Ethertype announces: SR_LAYER_ETHERTYPE for a tag with another Ethertype behind it. */
static enum sr_layer layer_of_ethertype(uint32_t type)
{
    switch (type) {
    case ETHERTYPE_IPV4: return SR_LAYER_IPV4;
    case ETHERTYPE_IPV6: return SR_LAYER_IPV6;
    case ETHERTYPE_MPLS:
    case ETHERTYPE_MPLS_UPSTREAM: return SR_LAYER_MPLS;
    case ETHERTYPE_PPPOE_SESSION: return SR_LAYER_PPPOE;
    case ETHERTYPE_TRANSPARENT_ETHERNET: return SR_LAYER_ETHERNET;
    case ETHERTYPE_FABRICPATH: return SR_LAYER_FABRICPATH;
    case ETHERTYPE_VLAN:
    case ETHERTYPE_QINQ:
    case ETHERTYPE_QINQ_OLD:
    case ETHERTYPE_QINQ_OLDER: return SR_LAYER_ETHERTYPE;
    default: return SR_LAYER_NONE;
    }
}

enum sr_layer sr_step_ethertype(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { TAG = 4 };

    if (below->type < ETHERTYPE_LOWEST)
        return snap(cursor, below);
    enum sr_layer layer = layer_of_ethertype(below->type);
    if (layer == SR_LAYER_NONE)
        return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    if (layer != SR_LAYER_ETHERTYPE)
        return layer;
    if (cursor->captured < TAG)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->type = sr_be16(cursor->bytes + 2);
    sr_cursor_skip(cursor, TAG);
    return SR_LAYER_ETHERTYPE;
}

/* LINKTYPE_LINUX_SLL: packet type, ARPHRD type, address length, address, protocol. */
enum sr_layer sr_step_sll(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 16, PROTOCOL = 14 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->type = sr_be16(cursor->bytes + PROTOCOL);
    sr_cursor_skip(cursor, HEADER);
    return SR_LAYER_ETHERTYPE;
}

/* LINKTYPE_LINUX_SLL2: the protocol comes first. */
enum sr_layer sr_step_sll2(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 20 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    below->type = sr_be16(cursor->bytes);
    sr_cursor_skip(cursor, HEADER);
    return SR_LAYER_ETHERTYPE;
}

/* The family is a small number, so its byte order shows; AF_INET6 differs between systems. */
enum sr_layer sr_step_null(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 4, INET = 2, INET6_LINUX = 10, INET6_NETBSD = 24, INET6_FREEBSD = 28, INET6_DARWIN = 30 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    uint32_t big = sr_be32(cursor->bytes), little = sr_le32(cursor->bytes);
    sr_cursor_skip(cursor, HEADER);
    switch (big < little ? big : little) {
    case INET: return SR_LAYER_IPV4;
    case INET6_LINUX:
    case INET6_NETBSD:
    case INET6_FREEBSD:
    case INET6_DARWIN: return SR_LAYER_IPV6;
    default: return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    }
}

enum sr_layer sr_step_raw_ip(struct sr_cursor *cursor, struct sr_below *below)
{
    if (cursor->captured == 0)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    switch (cursor->bytes[0] >> 4) {
    case 4: return SR_LAYER_IPV4;
    case 6: return SR_LAYER_IPV6;
    default: return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    }
}

/* RFC 1661 section 2, RFC 1662 section 3.1: address and control may be left out, and so may the first byte of the
 * protocol, which is even then. */
enum sr_layer sr_step_ppp(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { ALL_STATIONS = 0xff, UNNUMBERED = 0x03, IPV4 = 0x0021, IPV6 = 0x0057, MPLS = 0x0281 };

    if (cursor->captured >= 2 && cursor->bytes[0] == ALL_STATIONS && cursor->bytes[1] == UNNUMBERED)
        sr_cursor_skip(cursor, 2);
    if (cursor->captured < 2)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    bool compressed = cursor->bytes[0] & 1;
    uint32_t protocol = compressed ? cursor->bytes[0] : sr_be16(cursor->bytes);
    sr_cursor_skip(cursor, compressed ? 1 : 2);
    switch (protocol) {
    case IPV4: return SR_LAYER_IPV4;
    case IPV6: return SR_LAYER_IPV6;
    case MPLS: return SR_LAYER_MPLS;
    default: return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL);
    }
}

/* RFC 2516 section 4. */
enum sr_layer sr_step_pppoe(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { HEADER = 6 };

    if (cursor->captured < HEADER)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    sr_cursor_skip(cursor, HEADER);
    return SR_LAYER_PPP;
}

/* Whether an Ethernet header at `offset` would lead on. */
static bool is_ethernet(const struct sr_cursor *cursor, uint32_t offset)
{
    return cursor->captured >= offset + ETHERNET_HEADER &&
           layer_of_ethertype(sr_be16(cursor->bytes + offset + ETHERNET_TYPE)) != SR_LAYER_NONE;
}

/* RFC 3032 section 2.1. Nothing says what the labels carry: an IP version, or a pseudowire, whose control word starts
 * with four zero bits so that it cannot be mistaken for IP (RFC 4385 section 2). Without a control word it starts with
 * an address, whose first bits are often zero too: then the Ethertype tells. */
enum sr_layer sr_step_mpls(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { LABEL = 4, BOTTOM_OF_STACK = 0x01, CONTROL_WORD = 4 };

    for (bool bottom = false; !bottom;) {
        if (cursor->captured < LABEL)
            return sr_no_sctp(below, SR_SKIP_SNAPPED);
        bottom = cursor->bytes[2] & BOTTOM_OF_STACK;
        sr_cursor_skip(cursor, LABEL);
    }
    if (cursor->captured < CONTROL_WORD)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    switch (cursor->bytes[0] >> 4) {
    case 4: return SR_LAYER_IPV4;
    case 6: return SR_LAYER_IPV6;
    case 0:
        if (is_ethernet(cursor, CONTROL_WORD) || !is_ethernet(cursor, 0))
            sr_cursor_skip(cursor, CONTROL_WORD);
        return SR_LAYER_ETHERNET;
    case 1: return sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL); /* RFC 4385 section 5: an associated channel */
    default: return SR_LAYER_ETHERNET;
    }
}

/* Cisco FabricPath: behind the outer addresses and its Ethertype a tag of two bytes, then the whole inner frame. */
enum sr_layer sr_step_fabricpath(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { TAG = 2 };

    if (cursor->captured < TAG)
        return sr_no_sctp(below, SR_SKIP_SNAPPED);
    sr_cursor_skip(cursor, TAG);
    return SR_LAYER_ETHERNET;
}

static void set_address(struct sr_address *address, const uint8_t *bytes, uint8_t family)
{
    *address = (struct sr_address){.family = family};
    memcpy(address->bytes, bytes, family == 4 ? 4 : 16);
}

/* The value of a tag that is text, padded with zero bytes. */
struct text {
    const uint8_t *bytes;
    uint32_t length;
};

static struct text text_of(const uint8_t *value, uint32_t length)
{
    while (length > 0 && value[length - 1] == 0)
        length--;
    return (struct text){value, length};
}

static bool is(struct text text, const char *name)
{
    return strlen(name) == text.length && memcmp(name, text.bytes, text.length) == 0;
}

static enum sr_layer layer_of_dissector(struct text name)
{
    static const struct {
        const char *name;
        enum sr_layer layer;
    } known[] = {
        {"sctp", SR_LAYER_SCTP},
        {"ip", SR_LAYER_RAW_IP},
        {"ipv6", SR_LAYER_RAW_IP},
        {"udp", SR_LAYER_UDP},
        {"eth_maybefcs", SR_LAYER_ETHERNET},
        {"eth_withoutfcs", SR_LAYER_ETHERNET},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is(name, known[i].name))
            return known[i].layer;
    return SR_LAYER_NONE;
}

/* The PDU is what `value` means in a table of dissectors; SCTP over UDP is exported so. */
static enum sr_layer layer_of_table(struct text table, uint32_t value, struct sr_below *below)
{
    below->type = value;
    if (is(table, "ip.proto"))
        return SR_LAYER_IP_PAYLOAD;
    if (is(table, "ethertype"))
        return SR_LAYER_ETHERTYPE;
    if (is(table, "udp.port") && sr_udp_flows_named(below->udp_flows, (uint16_t)value, (uint16_t)value))
        return SR_LAYER_SCTP;
    return SR_LAYER_NONE;
}

/* LINKTYPE_WIRESHARK_UPPER_PDU: tags of type, length and value padded to four, then what the named dissector reads. */
enum sr_layer sr_step_upper_pdu(struct sr_cursor *cursor, struct sr_below *below)
{
    enum { TAG = 4, END = 0, DISSECTOR = 12, TABLE = 14, IPV4_SRC = 20, IPV4_DST, IPV6_SRC, IPV6_DST, IN_TABLE = 32 };
    struct text dissector = {0}, table = {0};
    uint32_t in_table = 0;

    below->encapsulation = SR_ENCAPSULATION_PDU;
    for (;;) {
        if (cursor->captured < TAG)
            return sr_no_sctp(below, SR_SKIP_SNAPPED);
        uint32_t tag = sr_be16(cursor->bytes), length = sr_be16(cursor->bytes + 2);
        sr_cursor_skip(cursor, TAG);
        if (tag == END)
            break;
        if (cursor->captured < length)
            return sr_no_sctp(below, SR_SKIP_SNAPPED);
        const uint8_t *value = cursor->bytes;
        if (tag == DISSECTOR)
            dissector = text_of(value, length);
        else if (tag == TABLE)
            table = text_of(value, length);
        else if (tag == IN_TABLE && length == 4)
            in_table = sr_be32(value);
        else if ((tag == IPV4_SRC || tag == IPV4_DST) && length == 4)
            set_address(tag == IPV4_SRC ? &below->src : &below->dst, value, 4);
        else if ((tag == IPV6_SRC || tag == IPV6_DST) && length == 16)
            set_address(tag == IPV6_SRC ? &below->src : &below->dst, value, 6);
        sr_cursor_skip(cursor, length);
    }
    enum sr_layer next = dissector.bytes ? layer_of_dissector(dissector)
                         : table.bytes   ? layer_of_table(table, in_table, below)
                                         : SR_LAYER_NONE;
    return next == SR_LAYER_NONE ? sr_no_sctp(below, SR_SKIP_OTHER_PROTOCOL) : next;
}
