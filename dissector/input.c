/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fields say where headers are; everything is then read from their bytes. */
#include "input.h"

#include <string.h>

#include "found.h"

enum { FEW = 8 };

/* A header by one of its fields. */
struct wanted {
    const char *name;
    uint32_t offset; /* of the field in the header */
    int hf;
};

enum { VERIFICATION_TAG, IPV4_LENGTH, IPV6_LENGTH, UDP_LENGTH, DTLS_NUMBER, ICMP_TYPE, ICMPV6_TYPE, WANTED };

static struct wanted wanted[WANTED] = {
    [VERIFICATION_TAG] = {"sctp.verification_tag", 4, -1},
    [IPV4_LENGTH] = {"ip.len", 2, -1},
    [IPV6_LENGTH] = {"ipv6.plen", 4, -1},
    [UDP_LENGTH] = {"udp.length", 4, -1},
    [DTLS_NUMBER] = {"dtls.record.sequence_number", 5, -1}, /* DTLS 1.3 masks it */
    [ICMP_TYPE] = {"icmp.type", 0, -1},
    [ICMPV6_TYPE] = {"icmpv6.type", 0, -1},
};

GArray *sr_input_wanted(void)
{
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(int));
    for (int i = 0; i < WANTED; i++) {
        wanted[i].hf = proto_registrar_get_id_byname(wanted[i].name);
        if (wanted[i].hf >= 0)
            g_array_append_val(ids, wanted[i].hf);
    }
    return ids;
}

/* Room for the headers of one kind: more than a few are rare. */
struct room {
    struct sr_found few[FEW];
};

static bool find_one(const field_info *field, uint32_t offset, struct sr_found *found)
{
    tvbuff_t *source = field->ds_tvb;
    if (!source || field->start < (int)offset)
        return false;
    found->captured = tvb_captured_length(source);
    found->reported = tvb_reported_length(source);
    found->at = (uint32_t)field->start - offset;
    found->layer = field->total_layer_num;
    if (found->at >= found->captured)
        return false;
    found->source = tvb_get_ptr(source, 0, (int)found->captured);
    return true;
}

static struct sr_found_list find(packet_info *pinfo, proto_tree *tree, int which, struct room *room)
{
    struct sr_found *list = room->few;
    uint32_t count = 0;
    GPtrArray *fields = wanted[which].hf >= 0 ? proto_get_finfo_ptr_array(tree, wanted[which].hf) : NULL;
    if (fields && fields->len > FEW)
        list = wmem_alloc_array(pinfo->pool, struct sr_found, fields->len);
    for (guint i = 0; fields && i < fields->len; i++)
        count += find_one(g_ptr_array_index(fields, i), wanted[which].offset, &list[count]);
    return (struct sr_found_list){list, count};
}

static bool any(proto_tree *tree, int which)
{
    GPtrArray *fields = wanted[which].hf >= 0 ? proto_get_finfo_ptr_array(tree, wanted[which].hf) : NULL;
    return fields && fields->len > 0;
}

static void address_of(const address *from, struct sr_address *to)
{
    if (from->type == AT_IPv4 && from->len == 4)
        to->family = 4;
    else if (from->type == AT_IPv6 && from->len == 16)
        to->family = 6;
    if (to->family)
        memcpy(to->bytes, from->data, (size_t)from->len);
}

int64_t sr_input_time(const packet_info *pinfo)
{
    if (!(pinfo->rec->presence_flags & WTAP_HAS_TS))
        return SR_NO_TIME;
    int64_t ns;
    if (__builtin_mul_overflow((int64_t)pinfo->abs_ts.secs, INT64_C(1000000000), &ns) ||
        __builtin_add_overflow(ns, (int64_t)pinfo->abs_ts.nsecs, &ns))
        return pinfo->abs_ts.secs < 0 ? SR_NO_TIME + 1 : INT64_MAX;
    return ns;
}

bool sr_input(packet_info *pinfo, proto_tree *tree, sr_input_take *take, void *to)
{
    struct room sctp, ipv4, ipv6, udp, dtls;
    struct sr_found_headers headers = {.sctp = find(pinfo, tree, VERIFICATION_TAG, &sctp)};
    if (headers.sctp.count == 0)
        return true;
    headers.ipv4 = find(pinfo, tree, IPV4_LENGTH, &ipv4);
    headers.ipv6 = find(pinfo, tree, IPV6_LENGTH, &ipv6);
    headers.udp = find(pinfo, tree, UDP_LENGTH, &udp);
    headers.dtls = find(pinfo, tree, DTLS_NUMBER, &dtls);
    headers.icmp = any(tree, ICMP_TYPE) || any(tree, ICMPV6_TYPE);

    struct sr_found_walk walk = {.headers = &headers};
    struct sr_packet packet;
    while (sr_found_next(&walk, &packet)) {
        packet.frame = pinfo->num;
        packet.time_ns = sr_input_time(pinfo);
        if (packet.src.family == 0) { /* an exported PDU */
            address_of(&pinfo->net_src, &packet.src);
            address_of(&pinfo->net_dst, &packet.dst);
        }
        if (!take(to, &packet))
            return false;
    }
    return true;
}
