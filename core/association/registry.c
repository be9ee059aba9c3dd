/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry: associations found by the tag of the side that a packet goes to, or by the two ends. */
#include "registry.h"

#include <stdlib.h>
#include <string.h>

#include "../wire/init.h"
#include "pairing.h"

enum {
    BUCKETS = 1 << 15, /* of lists, which are short: four bytes each */
    SLOTS_IN_ALL = 1 << 19,
    LOOKED_AT =
        128,        /* entries of a list: only a hostile capture has longer ones, and they must not cost their length */
    MOST_TAGS = 16, /* of a side: an INIT is sent nine times (RFC 9260 section 16), and each may have its INIT ACK */
    REFLECTED_TAG = 0x01,
};

/* One way to find an association; lists are newest first. What is not meant is passed over without a look at its
 * association, which may be in a file. */
struct entry {
    uint32_t next;        /* 1 + its place; 0: none */
    uint32_t number : 31; /* of the association */
    uint32_t to : 1;      /* by tag: the side that packets found by this entry go to, */
    uint32_t tag;         /* whose tag this is; by ends: their hash */
};

struct sr_registry {
    uint32_t count;
    struct sr_slot_budget budget;
    struct sr_spool associations; /* struct sr_association, which is pointed at */
    struct entry *entries;
    uint32_t entry_count, entry_room;
    uint32_t by_tag[BUCKETS];  /* 1 + place of an entry; tag and both ports */
    uint32_t by_ends[BUCKETS]; /* likewise; both addresses and ports, either way round */
    struct sr_pairing pairing;
};

struct ends {
    const struct sr_address *src, *dst;
    uint16_t sport, dport;
};

struct sr_registry *sr_registry_new(struct sr_spool_store *store)
{
    struct sr_registry *registry = calloc(1, sizeof *registry);
    if (!registry)
        return NULL;
    registry->budget.left = SLOTS_IN_ALL;
    sr_spool_init_staying(&registry->associations, store, sizeof(struct sr_association));
    registry->pairing.associations = &registry->associations;
    return registry;
}

/* For a look, or to write to it. */
static struct sr_association *association_at(const struct sr_registry *registry, uint32_t number)
{
    return sr_spool_look(&registry->associations, number);
}

void sr_registry_free(struct sr_registry *registry)
{
    if (!registry)
        return;
    for (uint32_t i = 0; i < registry->count; i++)
        sr_association_clear(association_at(registry, i), &registry->budget);
    sr_spool_free(&registry->associations);
    sr_pairing_free(&registry->pairing);
    free(registry->entries);
    free(registry);
}

void sr_registry_ended(struct sr_registry *registry)
{
    for (uint32_t i = 0; i < registry->count; i++) {
        struct sr_association *association = association_at(registry, i);
        for (int side = 0; side < 2; side++)
            sr_scoreboard_ended(&association->side[side].data.board, &registry->budget);
    }
}

uint32_t sr_registry_count(const struct sr_registry *registry)
{
    return registry->count;
}

struct sr_association *sr_registry_at(const struct sr_registry *registry, uint32_t number)
{
    return association_at(registry, number);
}

struct sr_association *sr_registry_side(const struct sr_registry *registry, uint32_t number, uint8_t *from)
{
    struct sr_association *association = association_at(registry, number);
    if (!association->joined)
        return association;
    *from = association->turned ? 1 - *from : *from;
    return association->joined;
}

struct sr_slot_budget *sr_registry_budget(struct sr_registry *registry)
{
    return &registry->budget;
}

static uint32_t mix(uint64_t hash)
{
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

static uint32_t tag_bucket(uint32_t tag, uint16_t to_port, uint16_t from_port)
{
    return mix((uint64_t)tag << 32 | (uint32_t)to_port << 16 | from_port) % BUCKETS;
}

static uint64_t hash_end(const struct sr_address *address, uint16_t port)
{
    uint64_t hash = port;
    for (int i = 0; i < 16; i++)
        hash = (hash ^ address->bytes[i]) * UINT64_C(0x100000001b3);
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* The same either way round; each end is hashed by itself, so that ports with the same sum do not meet. */
static uint32_t ends_hash(const struct ends *ends)
{
    return mix(hash_end(ends->src, ends->sport) + hash_end(ends->dst, ends->dport));
}

/* Entries move. */
static bool add(struct sr_registry *registry, uint32_t *bucket, struct entry entry)
{
    enum { FIRST_ROOM = 64 };
    if (registry->entry_count == registry->entry_room) {
        uint32_t room = registry->entry_room ? 2 * registry->entry_room : FIRST_ROOM;
        struct entry *more = realloc(registry->entries, room * sizeof *more);
        if (!more)
            return false;
        registry->entries = more;
        registry->entry_room = room;
    }
    entry.next = *bucket;
    registry->entries[registry->entry_count++] = entry;
    *bucket = registry->entry_count;
    return true;
}

/* The entry, which leads to the whole association where it was of half of one. */
static struct entry *settled(const struct sr_registry *registry, struct entry *entry)
{
    const struct sr_association *half = association_at(registry, entry->number);
    if (half->joined) {
        entry->to ^= half->turned;
        entry->number = half->joined->number & INT32_MAX;
    }
    return entry;
}

/* A way along a list. */
struct search {
    uint32_t next;
    uint32_t tag; /* of the entries that are meant */
    int looked_at;
};

static struct entry *next_of(const struct sr_registry *registry, struct search *search)
{
    while (search->next > 0 && search->looked_at++ < LOOKED_AT) {
        struct entry *entry = &registry->entries[search->next - 1];
        search->next = entry->next;
        if (entry->tag == search->tag)
            return settled(registry, entry);
    }
    return NULL;
}

/* The packet goes to side `to` by its ports and known addresses. */
static bool goes_to(const struct sr_association *association, unsigned to, const struct ends *ends)
{
    const struct sr_side *receiver = &association->side[to], *sender = &association->side[1 - to];
    return receiver->port == ends->dport && sender->port == ends->sport && sr_side_has_address(receiver, ends->dst) &&
           sr_side_has_address(sender, ends->src);
}

static bool has_ports(const struct sr_registry *registry, const struct entry *entry, const struct ends *ends)
{
    const struct sr_side *side = association_at(registry, entry->number)->side;
    return side[entry->to].port == ends->dport && side[1 - entry->to].port == ends->sport;
}

/* How many of the packet's two addresses are known as those of a packet to side `to`. */
static int addresses_to(const struct sr_association *association, unsigned to, const struct ends *ends)
{
    return sr_side_has_address(&association->side[to], ends->dst) +
           sr_side_has_address(&association->side[1 - to], ends->src);
}

/* An association whose side `to` has this tag. Addresses may be new to it (RFC 5061, or a capture that starts late),
 * except where the tag says nothing; one whose addresses fit is preferred. Both sides may have chosen the same tag: a
 * packet whose addresses say that it goes the other way is not one to this side. */
static struct entry *find_by_tag(const struct sr_registry *registry, uint32_t tag, const struct ends *ends)
{
    struct entry *right_tag = NULL;
    struct search search = {registry->by_tag[tag_bucket(tag, ends->dport, ends->sport)], tag, 0};
    for (struct entry *e; (e = next_of(registry, &search));) {
        const struct sr_association *association = association_at(registry, e->number);
        if (!has_ports(registry, e, ends))
            continue;
        int there = addresses_to(association, e->to, ends), back = addresses_to(association, 1 - e->to, ends);
        if (there == 2)
            return e;
        if (!right_tag && tag != 0 && (there >= back || ends->sport != ends->dport))
            right_tag = e;
    }
    return right_tag;
}

static void learn_tag(struct sr_registry *registry, struct sr_association *association, unsigned side, uint32_t tag)
{
    struct sr_side *owner = &association->side[side];
    owner->tag = tag;
    owner->tag_known = true;
    uint32_t *bucket = &registry->by_tag[tag_bucket(tag, owner->port, association->side[1 - side].port)];
    struct search search = {*bucket, tag, 0};
    for (const struct entry *e; (e = next_of(registry, &search));)
        if (e->number == association->number && e->to == side)
            return;
    struct entry entry = {.number = association->number & INT32_MAX, .to = side & 1, .tag = tag};
    if (owner->tags < MOST_TAGS && add(registry, bucket, entry))
        owner->tags++;
}

static struct sr_association *begin(struct sr_registry *registry, const struct ends *ends, unsigned from,
                                    enum sr_started started)
{
    if (registry->count == SR_ASSOCIATIONS_LIMIT || !sr_pairing_make_room(&registry->pairing, registry->count))
        return NULL;
    uint32_t hash = ends_hash(ends);
    struct entry entry = {.number = registry->count & INT32_MAX, .tag = hash};
    struct sr_association *association = sr_spool_append(&registry->associations);
    if (!association)
        return NULL;
    *association = (struct sr_association){.number = registry->count};
    if (!add(registry, &registry->by_ends[hash % BUCKETS], entry)) {
        sr_spool_take_back(&registry->associations, 1);
        return NULL;
    }
    registry->count++;
    association->started = (uint8_t)started;
    association->side[from].port = ends->sport;
    association->side[1 - from].port = ends->dport;
    sr_side_learn_address(&association->side[from], ends->src);
    sr_side_learn_address(&association->side[1 - from], ends->dst);
    sr_pairing_add(&registry->pairing, association);
    return association;
}

/* The newest association between these ends for which `fits` holds, with the side that the packet goes to. */
static struct sr_association *find_by_ends(const struct sr_registry *registry, const struct ends *ends,
                                           bool (*fits)(const struct sr_association *, unsigned to), unsigned *to)
{
    uint32_t hash = ends_hash(ends);
    struct search search = {registry->by_ends[hash % BUCKETS], hash, 0};
    for (const struct entry *e; (e = next_of(registry, &search));) {
        struct sr_association *association = association_at(registry, e->number);
        for (unsigned side = 0; side < 2; side++) {
            *to = SR_SIDE_B - side; /* where both ends are the same the first packet went there too */
            if (goes_to(association, *to, ends) && fits(association, *to))
                return association;
        }
    }
    return NULL;
}

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
static const struct entry *find_sender(const struct sr_registry *registry, uint32_t tag, const struct ends *ends)
{
    struct ends reversed = {ends->dst, ends->src, ends->dport, ends->sport};
    const struct entry *other_address = NULL;
    struct search search = {registry->by_tag[tag_bucket(tag, ends->sport, ends->dport)], tag, 0};
    for (const struct entry *e; (e = next_of(registry, &search));) {
        const struct sr_association *association = association_at(registry, e->number);
        if (!has_ports(registry, e, &reversed) || !sr_association_is_open(association))
            continue;
        if (goes_to(association, e->to, &reversed))
            return e;
        if (!other_address && !association->established && sr_side_has_address(&association->side[e->to], ends->src))
            other_address = e;
    }
    return other_address;
}

/* pion offers all streams, and says that it knows FORWARD-TSN in its list of chunk types alone (RFC 5061
 * section 4.2.7), without the parameter of RFC 3758 section 3.1 that others send. */
static enum sr_stack_family family_of(const struct sr_init *init)
{
    bool lists_forward_tsn = init->features >> SR_FEATURE_FORWARD_TSN & 1;
    return lists_forward_tsn && !init->forward_tsn_parameter && init->out_streams == UINT16_MAX &&
                   init->in_streams == UINT16_MAX
               ? SR_FAMILY_PION
               : SR_FAMILY_OTHER;
}

static void claim(struct sr_side *side, const struct sr_init *init)
{
    side->init_features = init->features;
    side->family = (uint8_t)family_of(init);
    for (uint32_t i = 0; i < init->addresses; i++)
        sr_side_learn_address(side, &init->address[i]);
}

/* Whether one is new. */
static bool learn_addresses(struct sr_association *association, unsigned from, const struct ends *ends)
{
    uint32_t before = association->side[0].addresses + association->side[1].addresses;
    sr_side_learn_address(&association->side[1 - from], ends->dst);
    sr_side_learn_address(&association->side[from], ends->src);
    return association->side[0].addresses + association->side[1].addresses > before;
}

static struct sr_belongs on_init(struct sr_registry *registry, const struct ends *ends, const struct sr_init *init)
{
    unsigned to, from = SR_SIDE_A;
    struct sr_association *association;
    const struct entry *again = find_sender(registry, init->tag, ends);
    if (again) {
        association = association_at(registry, again->number);
        from = again->to;
        if (!association->side[from].sent_init && association->side[1 - from].sent_init)
            association->started = SR_STARTED_COLLISION;
        learn_addresses(association, from, ends);
    } else if ((association = find_by_ends(registry, ends, other_init_waits, &to))) {
        from = 1 - to;
        association->started = SR_STARTED_COLLISION;
        association->ended = SR_ENDED_OPEN;
    } else {
        bool restart = find_by_ends(registry, ends, is_established, &to) != NULL;
        association = begin(registry, ends, from, restart ? SR_STARTED_RESTART : SR_STARTED_HANDSHAKE);
        if (!association)
            return (struct sr_belongs){NULL, 0, NULL};
        association->ended = SR_ENDED_UNANSWERED;
    }
    association->side[from].sent_init = true;
    learn_tag(registry, association, from, init->tag);
    claim(&association->side[from], init);
    return (struct sr_belongs){association, from, NULL};
}

/* Its tag is that of the side whose INIT it answers, and it brings its sender's. */
static struct sr_belongs on_init_ack(struct sr_registry *registry, const struct ends *ends, uint32_t tag,
                                     const struct sr_init *init)
{
    struct sr_association *association;
    unsigned to = SR_SIDE_A;
    struct entry *entry = find_by_tag(registry, tag, ends);
    if (entry) {
        association = association_at(registry, entry->number);
        to = entry->to;
    } else if (tag != 0 || !(association = find_by_ends(registry, ends, anything, &to))) {
        to = SR_SIDE_A;
        association = begin(registry, ends, SR_SIDE_B, SR_STARTED_HANDSHAKE_CUT);
        if (!association)
            return (struct sr_belongs){NULL, 0, NULL};
        learn_tag(registry, association, to, tag);
    }
    if (association->ended == SR_ENDED_UNANSWERED)
        association->ended = SR_ENDED_OPEN;
    learn_tag(registry, association, 1 - to, init->tag);
    claim(&association->side[1 - to], init);
    learn_addresses(association, 1 - to, ends);
    return (struct sr_belongs){association, 1 - to, NULL};
}

/* What else was between these ends gives way once the new association's handshake gets on. */
static void establish(struct sr_registry *registry, struct sr_association *association, const struct ends *ends)
{
    association->established = true;
    if (association->ended == SR_ENDED_UNANSWERED)
        association->ended = SR_ENDED_OPEN;
    if (association->started != SR_STARTED_RESTART)
        return;
    uint32_t hash = ends_hash(ends);
    struct search search = {registry->by_ends[hash % BUCKETS], hash, 0};
    for (const struct entry *e; (e = next_of(registry, &search));) {
        struct sr_association *other = association_at(registry, e->number);
        if (other->number < association->number && sr_association_is_open(other) &&
            (goes_to(other, SR_SIDE_A, ends) || goes_to(other, SR_SIDE_B, ends)))
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
static bool is_mirrored(const struct sr_association *association, const struct ends *ends, uint32_t tag)
{
    const struct sr_side *side = association->side;
    bool same_tags = (!side[0].tag_known || side[0].tag == tag) && (!side[1].tag_known || side[1].tag == tag);
    return ends->sport == ends->dport && same_tags &&
           addresses_to(association, SR_SIDE_A, ends) == addresses_to(association, SR_SIDE_B, ends);
}

/* An association that a packet with a tag that nobody has is the first one of the other way of. */
static struct sr_association *find_other_way(struct sr_registry *registry, const struct ends *ends,
                                             const struct sr_clue *clue, unsigned *to)
{
    struct sr_association *association = find_by_ends(registry, ends, tag_unknown, to);
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

static struct sr_belongs on_other(struct sr_registry *registry, const struct ends *ends, uint32_t tag,
                                  const struct sr_chunk *first, bool handshake)
{
    unsigned to = SR_SIDE_B;
    struct sr_clue clue = {.kind = SR_CLUE_NONE};
    struct entry *entry = find_by_tag(registry, tag, ends);
    struct sr_association *association = entry ? association_at(registry, entry->number) : NULL;
    if (entry) {
        to = entry->to;
        if (sr_is_half(association) || is_mirrored(association, ends, tag))
            clue = sr_clue_of(first);
    } else {
        clue = sr_clue_of(first);
        association =
            tag == 0 ? find_by_ends(registry, ends, anything, &to) : find_other_way(registry, ends, &clue, &to);
        if (!association) {
            to = SR_SIDE_B;
            association = begin(registry, ends, SR_SIDE_A, handshake ? SR_STARTED_HANDSHAKE_CUT : SR_STARTED_MIDDLE);
        }
    }
    if (!association)
        return (struct sr_belongs){NULL, 0, NULL};
    if (is_mirrored(association, ends, tag))
        to = to_by_content(association, SR_SIDE_B, &clue);
    if (entry && entry->to == to)
        association->side[to].tag = tag; /* of several in its handshake the one that is used */
    else if (tag != 0)
        learn_tag(registry, association, to, tag);
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
static struct sr_belongs on_reflected(struct sr_registry *registry, const struct ends *ends, uint32_t tag)
{
    struct ends reversed = {ends->dst, ends->src, ends->dport, ends->sport};
    struct entry *entry = find_by_tag(registry, tag, &reversed);
    if (entry)
        return (struct sr_belongs){association_at(registry, entry->number), entry->to, NULL};
    if (tag == 0 || find_by_tag(registry, tag, ends))
        return on_other(registry, ends, tag, NULL, false);
    unsigned from;
    struct sr_association *association = find_by_ends(registry, &reversed, tag_unknown, &from);
    if (!association) {
        from = SR_SIDE_A;
        association = begin(registry, ends, from, SR_STARTED_MIDDLE);
        if (!association)
            return (struct sr_belongs){NULL, 0, NULL};
    }
    learn_tag(registry, association, from, tag);
    return (struct sr_belongs){association, from, NULL};
}

struct sr_belongs sr_registry_find(struct sr_registry *registry, const struct sr_packet *packet,
                                   const struct sr_common_header *header, const struct sr_chunk *first)
{
    struct ends ends = {&packet->src, &packet->dst, header->sport, header->dport};
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
