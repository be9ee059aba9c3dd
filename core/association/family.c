/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks write the parameters of INIT and INIT ACK in the order of their source, whatever is switched on: RFC 9260
 * section 3.3.2.1 leaves it to them. Addresses may stand anywhere, and are not looked at. */
#include "family.h"

/* `SR_INIT_PARAMETERS` without it. */
static uint32_t place_of(const struct sr_init *init, enum sr_init_parameter type)
{
    uint32_t place = 0;
    while (place < init->parameters && init->parameter[place] != type)
        place++;
    return place < init->parameters ? place : SR_INIT_PARAMETERS;
}

static bool has(const struct sr_init *init, enum sr_init_parameter type)
{
    return place_of(init, type) < SR_INIT_PARAMETERS;
}

static bool offers_all_streams(const struct sr_init *init)
{
    return init->out_streams == UINT16_MAX && init->in_streams == UINT16_MAX;
}

/* Its INIT offers all streams. Its INIT ACK offers as many as the INIT that it answers (handleInit), which are fewer of
 * usrsctp: there its list of chunk types has to begin as it always does. */
static bool offers_streams_of_pion(const struct sr_init *init)
{
    return offers_all_streams(init) || (has(init, SR_INIT_COOKIE) && init->first_extension == SR_CHUNK_RE_CONFIG);
}

/* It says that it knows FORWARD-TSN in its list of chunk types alone (RFC 5061 section 4.2.7), without the parameter of
 * RFC 3758 section 3.1 that others send. */
static bool is_of_pion(const struct sr_init *init)
{
    bool lists_forward_tsn = init->features >> SR_FEATURE_FORWARD_TSN & 1;
    return lists_forward_tsn && !has(init, SR_INIT_FORWARD_TSN) && offers_streams_of_pion(init);
}

/* sctp_make_init and sctp_make_init_ack: first the types of addresses, or the cookie; then ECN, unless it is switched
 * off or the peer has it not; the list of chunk types and Forward-TSN-Supported, which others may have too: without ECN
 * it takes both, and not all streams, which mediasoup announces with the same parameters
 * (AddCapabilitiesParametersToInitOrInitAckChunk). */
static bool is_of_linux(const struct sr_init *init)
{
    bool begins = place_of(init, SR_INIT_ADDRESS_TYPES) == 0 || place_of(init, SR_INIT_COOKIE) == 0;
    bool has_both = has(init, SR_INIT_EXTENSIONS) && has(init, SR_INIT_FORWARD_TSN);
    bool in_order = place_of(init, SR_INIT_EXTENSIONS) < place_of(init, SR_INIT_FORWARD_TSN);
    bool has_ecn = place_of(init, SR_INIT_ECN) == 1;
    bool without_ecn = place_of(init, SR_INIT_EXTENSIONS) == 1 && has_both && !offers_all_streams(init);
    return begins && (has_ecn || without_ecn) && (in_order || !has_both);
}

/* Forward-TSN-Supported stands before the list of chunk types, and begins with FORWARD-TSN (sctp_send_initiate), or
 * with RE-CONFIG (AddCapabilityParameters of dcSCTP). */
static bool lists_first(const struct sr_init *init, enum sr_chunk_type type)
{
    uint32_t list = place_of(init, SR_INIT_EXTENSIONS);
    return list < SR_INIT_PARAMETERS && place_of(init, SR_INIT_FORWARD_TSN) < list && init->first_extension == type;
}

/* aiortc, and werift, which follows it: these two and the cookie, and as many streams from the peer as there can be
 * (RTCSctpTransport._set_extensions). usrsctp adds what a program has not switched off (sctp_send_initiate). */
static bool is_of_aiortc(const struct sr_init *init)
{
    return init->parameters == 2u + has(init, SR_INIT_COOKIE) && init->in_streams == UINT16_MAX;
}

enum sr_stack_family sr_family_of_init(const struct sr_init *init)
{
    if (init->parameters > SR_INIT_PARAMETERS)
        return SR_FAMILY_OTHER; /* none of these stacks writes as many */
    if (is_of_pion(init))
        return SR_FAMILY_PION;
    if (is_of_linux(init))
        return SR_FAMILY_LINUX;
    if (lists_first(init, SR_CHUNK_FORWARD_TSN))
        return is_of_aiortc(init) ? SR_FAMILY_OTHER : SR_FAMILY_USRSCTP;
    if (lists_first(init, SR_CHUNK_RE_CONFIG) && offers_all_streams(init))
        return SR_FAMILY_DCSCTP;
    return SR_FAMILY_OTHER;
}

unsigned sr_profile_of_family(enum sr_stack_family family)
{
    static const uint8_t profiles[SR_FAMILY_COUNT] = {
        [SR_FAMILY_UNKNOWN] = SR_PROFILE_COUNT,   [SR_FAMILY_PION] = SR_PROFILE_PION,
        [SR_FAMILY_USRSCTP] = SR_PROFILE_USRSCTP, [SR_FAMILY_DCSCTP] = SR_PROFILE_DCSCTP,
        [SR_FAMILY_LINUX] = SR_PROFILE_LINUX,     [SR_FAMILY_OTHER] = SR_PROFILE_COUNT,
    };
    return profiles[family];
}

enum sr_stack_family sr_family_of_profile(unsigned profile)
{
    enum sr_stack_family family = SR_FAMILY_UNKNOWN;
    while (family < SR_FAMILY_COUNT && sr_profile_of_family(family) != profile)
        family++;
    return family < SR_FAMILY_COUNT ? family : SR_FAMILY_UNKNOWN;
}
