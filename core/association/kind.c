/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules that tell the kinds apart, and the two times that they rest on. */
#include "kind.h"

#include "../wire/data.h"
#include "../wire/time.h"

bool sr_within_captured_twice(int64_t one_ns, int64_t other_ns)
{
    int64_t apart_ns;
    return sr_elapsed(one_ns, other_ns, &apart_ns) && apart_ns < SR_CAPTURED_TWICE_NS &&
           apart_ns > -SR_CAPTURED_TWICE_NS;
}

static bool captured_twice(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent)
{
    return sr_within_captured_twice(sent->time_ns, slot->last_time_ns);
}

/* Its bytes are the same, and so is its identification, which a sender changes with every packet that it sends
 * (RFC 6864 section 4, RFC 9147 section 4). Where that says nothing only the capture repeats so soon what was sent
 * once; of what was sent again more must be known (sr_repeats_find). */
static bool same_packet(struct sr_packet_identity one, struct sr_packet_identity other)
{
    return one.fingerprint != 0 && one.fingerprint == other.fingerprint && one.id == other.id;
}

/* Within one packet a sender itself may repeat a TSN. */
bool sr_repeats(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent)
{
    return slot->copies > 0 && slot->last_frame != sent->frame && same_packet(slot->latest, sent->identity) &&
           (sent->identity.id != 0 || (slot->copies == 1 && slot->original && captured_twice(slot, sent)));
}

static bool repeats_first(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent)
{
    return slot->copies > 0 && slot->first_frame != sent->frame && same_packet(slot->first, sent->identity) &&
           sent->identity.id != 0;
}

/* What is sent again is the same chunk: a message that was fragmented once is not fragmented anew (RFC 9260
 * section 6.9). Where one of both was captured in part, only their lengths are compared. */
static bool is_another_chunk(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent)
{
    if (slot->copies == 0 || slot->content == 0 || sent->content == 0)
        return false;
    bool comparable = ((slot->content ^ sent->content) & SR_CONTENT_IN_PART) == 0;
    return slot->bytes != sent->bytes || (comparable && slot->content != sent->content);
}

/* The first copy seen of a TSN below the highest: late, or sent again after a copy that was lost before the tap. The
 * sender sends again because of feedback that acknowledges a higher TSN, which takes its loop from the tap and back,
 * or because of a timer. What was acknowledged before was sent before. What a FORWARD-TSN has passed over is
 * acknowledged whether it came or not, and is not sent again (RFC 3758 sections 3.5 and 3.6): it was overtaken. On the
 * way to a tap at the sender nothing is late. */
static enum sr_kind kind_below_highest(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent,
                                       struct sr_standing standing)
{
    /* A host may answer data faster than its handshake: grant it a sixteenth. */
    int64_t least_ns = sent->loop.known ? sent->loop.shortest_ns - sent->loop.shortest_ns / 16 : SR_CAPTURED_TWICE_NS;
    int64_t elapsed_ns;
    bool again = slot->skip > 0;
    if (standing.given_up)
        return SR_KIND_REORDERED;
    if (slot->passed && sr_elapsed(sent->time_ns, slot->passed_ns, &elapsed_ns))
        again = elapsed_ns >= (again ? 0 : least_ns); /* merged files may have it before the feedback by time */
    else if (sr_elapsed(sent->time_ns, standing.overtaken_ns, &elapsed_ns))
        again |= elapsed_ns >= (sent->at_tap ? SR_CAPTURED_TWICE_NS : SR_LEAST_RTO_NS);
    return again ? SR_KIND_RETRANSMISSION : SR_KIND_REORDERED;
}

/* In which order a sender that counts its packets sent this one and another. */
enum order { ORDER_UNKNOWN, SENT_BEFORE, SENT_AFTER };

static enum order order_of(uint16_t id, uint16_t other)
{
    if (id == 0 || other == 0 || id == other) /* equal ones are of one packet, or the counter has gone round */
        return ORDER_UNKNOWN;
    if ((uint16_t)(other - id) < SR_PACKETS_APART)
        return SENT_BEFORE;
    if ((uint16_t)(id - other) < SR_PACKETS_APART)
        return SENT_AFTER;
    return ORDER_UNKNOWN; /* over another address it may have another counter */
}

bool sr_is_sent_after(uint16_t id, uint16_t other)
{
    return order_of(id, other) == SENT_AFTER;
}

/* A tail can be sent again before the next TSN is sent at all: then only its other copy tells. */
static enum order order_to_others(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent,
                                  struct sr_standing standing)
{
    if (standing.overtaker == 0)
        return ORDER_UNKNOWN;
    return order_of(sent->identity.id, slot->copies > 0 ? slot->first.id : standing.overtaker);
}

bool sr_is_overtaken(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent, struct sr_standing standing)
{
    return order_to_others(slot, sent, standing) == SENT_BEFORE;
}

enum sr_kind sr_kind_of(const struct sr_tsn_slot *slot, const struct sr_sent_chunk *sent, struct sr_standing standing)
{
    if (sr_repeats(slot, sent))
        return captured_twice(slot, sent) ? SR_KIND_CAPTURE_DUPLICATE : SR_KIND_NETWORK_DUPLICATE;
    if (repeats_first(slot, sent))
        return SR_KIND_NETWORK_DUPLICATE;
    if (slot->conflicting || is_another_chunk(slot, sent))
        return SR_KIND_CONFLICTING;
    if (slot->copies == 0 && sent->sent_before)
        return SR_KIND_RETRANSMISSION;
    enum order order = order_to_others(slot, sent, standing);
    if (order == SENT_BEFORE)
        return SR_KIND_REORDERED; /* also after what was sent again */
    if (slot->copies > 0 || order == SENT_AFTER)
        return SR_KIND_RETRANSMISSION;
    return standing.below_highest || slot->passed ? kind_below_highest(slot, sent, standing) : SR_KIND_ORIGINAL;
}
