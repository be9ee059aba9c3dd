/* SPDX-License-Identifier: BSD-2-Clause */
/* INIT and INIT ACK. */
#include "init.h"

#include <string.h>

#include "tlv.h"

enum { FIXED = 20, TAG = 4, TAG_END = 8, OUT_STREAMS = 12, IN_STREAMS = 14 };

enum {
    PARAMETER_IPV4 = 5,
    PARAMETER_IPV6 = 6,
};

static uint32_t feature(enum sr_feature which)
{
    return UINT32_C(1) << which;
}

uint32_t sr_feature_of_chunk(uint8_t type)
{
    switch ((enum sr_chunk_type)type) {
    case SR_CHUNK_I_DATA: return feature(SR_FEATURE_I_DATA);
    case SR_CHUNK_NR_SACK: return feature(SR_FEATURE_NR_SACK);
    case SR_CHUNK_FORWARD_TSN:
    case SR_CHUNK_I_FORWARD_TSN: return feature(SR_FEATURE_FORWARD_TSN);
    case SR_CHUNK_RE_CONFIG: return feature(SR_FEATURE_RE_CONFIG);
    case SR_CHUNK_ASCONF:
    case SR_CHUNK_ASCONF_ACK: return feature(SR_FEATURE_ASCONF);
    case SR_CHUNK_AUTH: return feature(SR_FEATURE_AUTH);
    case SR_CHUNK_PACKET_DROP: return feature(SR_FEATURE_PACKET_DROP);
    case SR_CHUNK_ECNE:
    case SR_CHUNK_CWR: return feature(SR_FEATURE_ECN);
    default: return 0;
    }
}

static void add_address(struct sr_init *init, const struct sr_tlv *tlv, uint8_t family)
{
    uint32_t length = family == 4 ? 4 : 16;
    if (tlv->captured < length || init->addresses == SR_INIT_ADDRESSES)
        return;
    struct sr_address *address = &init->address[init->addresses++];
    *address = (struct sr_address){.family = family};
    memcpy(address->bytes, tlv->value, length);
}

static void note_parameter(struct sr_init *init, uint16_t type)
{
    bool address = type == PARAMETER_IPV4 || type == PARAMETER_IPV6;
    if (address)
        return;
    if (init->parameters < SR_INIT_PARAMETERS)
        init->parameter[init->parameters] = type;
    init->parameters++;
}

bool sr_init(const struct sr_chunk *chunk, struct sr_init *init)
{
    if (chunk->length < FIXED || chunk->captured < TAG_END)
        return false;
    *init = (struct sr_init){.tag = sr_be32(chunk->bytes + TAG)};
    if (chunk->captured < FIXED)
        return true;
    init->out_streams = sr_be16(chunk->bytes + OUT_STREAMS);
    init->in_streams = sr_be16(chunk->bytes + IN_STREAMS);
    struct sr_tlv_walk walk = sr_tlv_walk(chunk->bytes + FIXED, chunk->captured - FIXED, chunk->length - FIXED);
    struct sr_tlv tlv;
    while (sr_tlv_next(&walk, &tlv)) {
        note_parameter(init, tlv.type);
        switch (tlv.type) {
        case PARAMETER_IPV4: add_address(init, &tlv, 4); break;
        case PARAMETER_IPV6: add_address(init, &tlv, 6); break;
        case SR_INIT_ZERO_CHECKSUM: init->features |= feature(SR_FEATURE_ZERO_CHECKSUM); break;
        case SR_INIT_FORWARD_TSN: init->features |= feature(SR_FEATURE_FORWARD_TSN); break;
        case SR_INIT_EXTENSIONS:
            init->first_extension = tlv.captured > 0 ? tlv.value[0] : 0;
            for (uint32_t i = 0; i < tlv.captured; i++)
                init->features |= sr_feature_of_chunk(tlv.value[i]);
            break;
        default: break;
        }
    }
    return true;
}
