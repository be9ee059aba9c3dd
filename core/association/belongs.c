/* SPDX-License-Identifier: BSD-2-Clause */
/* The rules by which a packet belongs to an association. */
#include "../wire/init.h"
#include "family.h"
#include "lookup.h"

enum { REFLECTED_TAG = 0x01 };

static bool anything(const struct sr_association *association, unsigned to)
{
    (void)association;
    (void)to;
    return true;
}

static bool tag_unknown(const struct sr_association *association, unsigned to)
{
    return !association->side[to].tag_known && sr_association_is_open(association);
}

/* It has sent nothing but answers to INITs, which it gives without keeping state: its own INIT may be under way. */
static bool only_answers(const struct sr_side *side)
{
    return side->packets == sr_side_chunks(side, SR_CHUNK_INIT_ACK);
}

/* The other side has sent its INIT, and this one nothing that shows that it has the association. */
static bool other_init_waits(const struct sr_association *association, unsigned to)
{
    return association->side[to].sent_init && !association->side[1 - to].sent_init &&
           only_answers(&association->side[1 - to]) && sr_association_is_open(association);
}

static bool is_established(const struct sr_association *association, unsigned to)
{
    (void)to;
    return association->established && sr_association_is_open(association);
}

/* The open association in which the sender of an INIT has its tag already: it is sent again, or is the second one of a
 * collision, whose tag an INIT ACK may have told before (RFC 9260 section 5.2.1). Before the handshake gets on it may
 * go to another address of the same peer. */
static const struct sr_lookup_entry *find_sender(const struct sr_registry *registry, uint32_t tag,
                                                 const struct sr_ends *ends)
{
    struct sr_ends reversed = {ends->dst, ends->src, ends->dport, ends->sport};
    const struct sr_lookup_entry *other_address = NULL;
    struct sr_lookup_search search = {registry->by_tag[sr_lookup_tag_bucket(tag, ends->sport, ends->dport)], tag, 0};
    for (const struct sr_lookup_entry *e; (e = sr_lookup_next(registry, &search));) {
        const struct sr_association *association = sr_lookup_at(registry, e->number);
        if (!sr_lookup_has_ports(registry, e, &reversed) || !sr_association_is_open(association))
            continue;
        if (sr_lookup_goes_to(association, e->to, &reversed))
            return e;
        if (!other_address && !association->established && sr_side_has_address(&association->side[e->to], ends->src))
            other_address = e;
    }
    return other_address;
}

static void claim(struct sr_side *side, const struct sr_init *init)
{
    side->init_features = init->features;
    side->family = (uint8_t)sr_family_of_init(init);
    for (uint32_t i = 0; i < init->addresses; i++)
        sr_side_learn_address(side, &init->address[i]);
}

/* Whether one is new. */
static bool learn_addresses(struct sr_association *association, unsigned from, const struct sr_ends *ends)
{
    uint32_t before = association->side[0].addresses + association->side[1].addresses;
    sr_side_learn_address(&association->side[1 - from], ends->dst);
    sr_side_learn_address(&association->side[from], ends->src);
    return association->side[0].addresses + association->side[1].addresses > before;
}

static struct sr_belongs on_init(struct sr_registry *registry, const struct sr_ends *ends, const struct sr_init *init)
{
    unsigned to, from = SR_SIDE_A;
    struct sr_association *association;
    const struct sr_lookup_entry *again = find_sender(registry, init->tag, ends);
    if (again) {
        association = sr_lookup_at(registry, again->number);
        from = again->to;
        if (!association->side[from].sent_init && association->side[1 - from].sent_init)
            association->started = SR_STARTED_COLLISION;
        learn_addresses(association, from, ends);
    } else if ((association = sr_lookup_by_ends(registry, ends, other_init_waits, &to))) {
        from = 1 - to;
        association->started = SR_STARTED_COLLISION;
        association->ended = SR_ENDED_OPEN;
    } else {
        bool restart = sr_lookup_by_ends(registry, ends, is_established, &to) != NULL;
        association = sr_lookup_begin(registry, ends, from, restart ? SR_STARTED_RESTART : SR_STARTED_HANDSHAKE);
        if (!association)
            return (struct sr_belongs){NULL, 0, NULL};
        association->ended = SR_ENDED_UNANSWERED;
    }
    association->side[from].sent_init = true;
    sr_lookup_learn_tag(registry, association, from, init->tag);
    claim(&association->side[from], init);
    return (struct sr_belongs){association, from, NULL};
}

/* Its tag is that of the side whose INIT it answers, and it brings its sender's. */
static struct sr_belongs on_init_ack(struct sr_registry *registry, const struct sr_ends *ends, uint32_t tag,
                                     const struct sr_init *init)
{
    struct sr_association *association;
    unsigned to = SR_SIDE_A;
    struct sr_lookup_entry *entry = sr_lookup_by_tag(registry, tag, ends);
    if (entry) {
        association = sr_lookup_at(registry, entry->number);
        to = entry->to;
    } else if (tag != 0 || !(association = sr_lookup_by_ends(registry, ends, anything, &to))) {
        to = SR_SIDE_A;
        association = sr_lookup_begin(registry, ends, SR_SIDE_B, SR_STARTED_HANDSHAKE_CUT);
        if (!association)
            return (struct sr_belongs){NULL, 0, NULL};
        sr_lookup_learn_tag(registry, association, to, tag);
    }
    if (association->ended == SR_ENDED_UNANSWERED)
        association->ended = SR_ENDED_OPEN;
    sr_lookup_learn_tag(registry, association, 1 - to, init->tag);
    claim(&association->side[1 - to], init);
    learn_addresses(association, 1 - to, ends);
    return (struct sr_belongs){association, 1 - to, NULL};
}

/* What else was between these ends gives way once the new association's handshake gets on. */
static void establish(struct sr_registry *registry, struct sr_association *association, const struct sr_ends *ends)
{
    association->established = true;
    if (association->ended == SR_ENDED_UNANSWERED)
        association->ended = SR_ENDED_OPEN;
    if (association->started != SR_STARTED_RESTART)
        return;
    uint32_t hash = sr_lookup_ends_hash(ends);
    struct sr_lookup_search search = {registry->by_ends[hash % SR_LOOKUP_BUCKETS], hash, 0};
    for (const struct sr_lookup_entry *e; (e = sr_lookup_next(registry, &search));) {
        struct sr_association *other = sr_lookup_at(registry, e->number);
        if (other->number < association->number && sr_association_is_open(other) &&
            (sr_lookup_goes_to(other, SR_SIDE_A, ends) || sr_lookup_goes_to(other, SR_SIDE_B, ends)))
            other->ended = SR_ENDED_RESTARTED;
    }
}

/* Within reach of what it was seen to send. */
static bool is_near(const struct sr_side *sender, struct sr_tsn tsn)
{
    int64_t ahead = sr_tsn_distance(tsn, sr_tsn(sender->data.highest_tsn));
    return sender->data.chunks > 0 && ahead <= SR_SCOREBOARD_REACH && ahead >= -SR_SCOREBOARD_REACH;
}

/* The side that the packet goes to, where tag, addresses and ports are the same both ways: its sender goes on with its
 * own TSNs, acknowledges those of the other side, and answers what that asked. */
static unsigned to_by_content(const struct sr_association *association, unsigned to, const struct sr_clue *clue)
{
    const struct sr_side *receiver = &association->side[to], *sender = &association->side[1 - to];
    switch (clue->kind) {
    case SR_CLUE_DATA:
        if (!is_near(sender, clue->tsn) &&
            (is_near(receiver, clue->tsn) || (sender->data.chunks > 0 && receiver->data.chunks == 0)))
            return 1 - to;
        break;
    case SR_CLUE_FEEDBACK:
        if (!is_near(receiver, clue->tsn) && is_near(sender, clue->tsn))
            return 1 - to;
        break;
    case SR_CLUE_QUESTION:
    case SR_CLUE_ANSWER:
    case SR_CLUE_NONE: break;
    }
    return to;
}

/* Nothing but what it holds tells where a packet with this tag goes. */
static bool is_mirrored(const struct sr_association *association, const struct sr_ends *ends, uint32_t tag)
{
    const struct sr_side *side = association->side;
    bool same_tags = (!side[0].tag_known || side[0].tag == tag) && (!side[1].tag_known || side[1].tag == tag);
    return ends->sport == ends->dport && same_tags &&
           sr_lookup_addresses_to(association, SR_SIDE_A, ends) == sr_lookup_addresses_to(association, SR_SIDE_B, ends);
}

/* An association that a packet with a tag that nobody has is the first one of the other way of. */
static struct sr_association *find_other_way(struct sr_registry *registry, const struct sr_ends *ends,
                                             const struct sr_clue *clue, unsigned *to)
{
    struct sr_association *association = sr_lookup_by_ends(registry, ends, tag_unknown, to);
    if (association && !(clue->kind == SR_CLUE_FEEDBACK && sr_contradicts(&association->side[*to], clue->tsn)))
        return association;
    struct sr_one_way way = {NULL, ends->src, ends->dst, 1, 1, ends->sport, ends->dport};
    association = sr_pairing_find(&registry->pairing, &way, clue);
    if (association)
        *to = 1 - sr_half_goes_to(association);
    return association;
}

/* Whether the packet's association is half of another one that is known. */
static struct sr_belongs joined(struct sr_registry *registry, struct sr_association *association, unsigned from,
                                const struct sr_clue *clue)
{
    struct sr_one_way way = sr_one_way_of(association);
    struct sr_association *other = sr_pairing_find(&registry->pairing, &way, clue);
    if (!other)
        return (struct sr_belongs){association, from, NULL};
    bool first = association->number < other->number;
    struct sr_association *into = first ? association : other, *half = first ? other : association;
    bool turned = sr_half_goes_to(into) == sr_half_goes_to(half);
    sr_association_join(into, half, turned, &registry->budget);
    return (struct sr_belongs){into, !first && turned ? 1 - from : from, half};
}

static struct sr_belongs on_other(struct sr_registry *registry, const struct sr_ends *ends, uint32_t tag,
                                  const struct sr_chunk *first, bool handshake)
{
    unsigned to = SR_SIDE_B;
    struct sr_clue clue = {.kind = SR_CLUE_NONE};
    struct sr_lookup_entry *entry = sr_lookup_by_tag(registry, tag, ends);
    struct sr_association *association = entry ? sr_lookup_at(registry, entry->number) : NULL;
    if (entry) {
        to = entry->to;
        if (sr_is_half(association) || is_mirrored(association, ends, tag))
            clue = sr_clue_of(first);
    } else {
        clue = sr_clue_of(first);
        association =
            tag == 0 ? sr_lookup_by_ends(registry, ends, anything, &to) : find_other_way(registry, ends, &clue, &to);
        if (!association) {
            to = SR_SIDE_B;
            association =
                sr_lookup_begin(registry, ends, SR_SIDE_A, handshake ? SR_STARTED_HANDSHAKE_CUT : SR_STARTED_MIDDLE);
        }
    }
    if (!association)
        return (struct sr_belongs){NULL, 0, NULL};
    if (is_mirrored(association, ends, tag))
        to = to_by_content(association, SR_SIDE_B, &clue);
    if (entry && entry->to == to)
        association->side[to].tag = tag; /* of several in its handshake the one that is used */
    else if (tag != 0)
        sr_lookup_learn_tag(registry, association, to, tag);
    bool new_address = learn_addresses(association, 1 - to, ends);
    if (!association->established)
        establish(registry, association, ends);
    if (!sr_is_half(association))
        return (struct sr_belongs){association, 1 - to, NULL};
    if (clue.kind == SR_CLUE_QUESTION)
        sr_association_asks(association, clue.information);
    if (!new_address && clue.kind != SR_CLUE_ANSWER && clue.kind != SR_CLUE_FEEDBACK)
        return (struct sr_belongs){association, 1 - to, NULL};
    return joined(registry, association, 1 - to, &clue);
}

/* RFC 9260 section 8.5.1: with the T bit an ABORT or SHUTDOWN COMPLETE carries the tag of its own sender's side. The
 * zero that some reflect from the packet of an INIT says nothing. */
static struct sr_belongs on_reflected(struct sr_registry *registry, const struct sr_ends *ends, uint32_t tag)
{
    struct sr_ends reversed = {ends->dst, ends->src, ends->dport, ends->sport};
    struct sr_lookup_entry *entry = sr_lookup_by_tag(registry, tag, &reversed);
    if (entry)
        return (struct sr_belongs){sr_lookup_at(registry, entry->number), entry->to, NULL};
    if (tag == 0 || sr_lookup_by_tag(registry, tag, ends))
        return on_other(registry, ends, tag, NULL, false);
    unsigned from;
    struct sr_association *association = sr_lookup_by_ends(registry, &reversed, tag_unknown, &from);
    if (!association) {
        from = SR_SIDE_A;
        association = sr_lookup_begin(registry, ends, from, SR_STARTED_MIDDLE);
        if (!association)
            return (struct sr_belongs){NULL, 0, NULL};
    }
    sr_lookup_learn_tag(registry, association, from, tag);
    return (struct sr_belongs){association, from, NULL};
}

struct sr_belongs sr_registry_find(struct sr_registry *registry, const struct sr_packet *packet,
                                   const struct sr_common_header *header, const struct sr_chunk *first)
{
    struct sr_ends ends = {&packet->src, &packet->dst, header->sport, header->dport};
    struct sr_init init;

    sr_pairing_packet(&registry->pairing);
    switch (first ? first->type : SR_CHUNK_PAD) {
    case SR_CHUNK_INIT:
        if (sr_init(first, &init))
            return on_init(registry, &ends, &init);
        break;
    case SR_CHUNK_INIT_ACK:
        if (sr_init(first, &init))
            return on_init_ack(registry, &ends, header->vtag, &init);
        break;
    case SR_CHUNK_ABORT:
    case SR_CHUNK_SHUTDOWN_COMPLETE:
        if (first->flags & REFLECTED_TAG)
            return on_reflected(registry, &ends, header->vtag);
        break;
    case SR_CHUNK_COOKIE_ECHO:
    case SR_CHUNK_COOKIE_ACK: return on_other(registry, &ends, header->vtag, first, true);
    default: break;
    }
    return on_other(registry, &ends, header->vtag, first, false);
}
