/* SPDX-License-Identifier: BSD-2-Clause */
/* A table of the latest packets by their fingerprints. */
#include "repeats.h"

#include "../wire/time.h"
#include "kind.h"

struct sr_seen_packet sr_seen_packet(const struct sr_packet *packet, uint32_t fingerprint, uint32_t path,
                                     const struct sr_chunk *first)
{
    bool sack = first && (first->type == SR_CHUNK_SACK || first->type == SR_CHUNK_NR_SACK);
    return (struct sr_seen_packet){
        .time_ns = packet->time_ns,
        .fingerprint = fingerprint,
        .frame = (uint32_t)packet->frame,
        .path = path,
        .wire = packet->wire,
        .id = packet->id,
        .hop_limit = packet->hop_limit,
        .only_acknowledges =
            sack && SR_COMMON_HEADER_LENGTH + (uint32_t)first->length + SR_CHUNK_HEADER_LENGTH > packet->wire,
        .asks = first && sr_waits_for_timer(first->type),
    };
}

static bool is_soon(const struct sr_seen_packet *before, const struct sr_seen_packet *packet)
{
    return sr_within_captured_twice(packet->time_ns, before->time_ns);
}

/* Packets of the side come again, with this one, so often that it is the capture that has them twice. */
static bool often(const struct sr_side *side)
{
    return UINT64_C(4) * (side->repeated + side->alike_soon + 1) >= side->packets;
}

struct sr_mirrored sr_mirrored(const struct sr_seen_packet *before, const struct sr_seen_packet *packet)
{
    int64_t later_ns;
    if (!sr_elapsed(packet->time_ns, before->time_ns, &later_ns))
        later_ns = -1;
    return (struct sr_mirrored){later_ns, before->number, before->from, packet->asks};
}

/* Who sends such packets may have sent this one so soon after the same one. */
static bool may_be_sent_so_soon(const struct sr_side *side, const struct sr_seen_packet *before,
                                const struct sr_seen_packet *packet)
{
    if (packet->only_acknowledges)
        return !often(side);
    bool twice = side->repeated > side->repeated_late + side->repeated_in_gaps;
    return !twice && (before->sent_again || (before->fills_gap && (before->came_again || side->filled_again.is_sent)));
}

enum likeness { DIFFERENT, ALIKE, REPEATED };

static enum likeness likeness_of(const struct sr_registry *associations, const struct sr_seen_packet *before,
                                 const struct sr_seen_packet *packet)
{
    if (before->frame == 0 || before->wire != packet->wire || before->id != packet->id)
        return DIFFERENT;
    uint8_t from = before->from;
    const struct sr_association *association = sr_registry_side(associations, before->assoc, &from);
    const struct sr_side *side = &association->side[from];
    bool tells = sr_id_tells(side, packet->id, packet->fingerprint);
    if (before->path != packet->path)
        return tells && packet->hop_limit < before->hop_limit ? REPEATED : DIFFERENT;
    bool repeated = tells || (is_soon(before, packet) && !may_be_sent_so_soon(side, before, packet)) ||
                    sr_mirror_has(&association->mirror, sr_mirrored(before, packet));
    return repeated ? REPEATED : ALIKE;
}

struct sr_seen_packet *sr_repeats_find(struct sr_repeats *repeats, const struct sr_registry *associations,
                                       const struct sr_seen_packet *packet, const struct sr_seen_packet **alike)
{
    uint32_t set = packet->fingerprint % SR_REPEATS_SETS, latest = repeats->latest[set];
    *alike = NULL;
    for (uint32_t i = 0; i < SR_REPEATS_WAYS; i++) {
        uint32_t at = set * SR_REPEATS_WAYS + (latest - i) % SR_REPEATS_WAYS;
        if (repeats->fingerprint[at] != packet->fingerprint)
            continue;
        struct sr_seen_packet *seen = &repeats->seen[at];
        enum likeness likeness = likeness_of(associations, seen, packet);
        if (likeness == REPEATED)
            return seen;
        if (likeness == ALIKE && !*alike)
            *alike = seen;
    }
    return NULL;
}

struct sr_seen_packet *sr_repeats_keep(struct sr_repeats *repeats, const struct sr_seen_packet *packet)
{
    uint32_t set = packet->fingerprint % SR_REPEATS_SETS;
    repeats->latest[set] = (uint8_t)((repeats->latest[set] + 1u) % SR_REPEATS_WAYS);
    uint32_t at = set * SR_REPEATS_WAYS + repeats->latest[set];
    repeats->fingerprint[at] = packet->fingerprint;
    repeats->seen[at] = *packet;
    return &repeats->seen[at];
}

bool sr_is_captured_twice(const struct sr_mirror *mirror, const struct sr_seen_packet *before,
                          const struct sr_seen_packet *packet)
{
    return is_soon(before, packet) || before->hop_limit != packet->hop_limit || before->path != packet->path ||
           (packet->id == 0 && sr_mirror_has(mirror, sr_mirrored(before, packet)));
}
