/* SPDX-License-Identifier: BSD-2-Clause */
/* The registry: associations by number, and the lists in which they are found. */
#include "registry.h"

#include <stdlib.h>

#include "lookup.h"

enum {
    SLOTS_IN_ALL = 1 << 19,
    LOOKED_AT =
        128,        /* entries of a list: only a hostile capture has longer ones, and they must not cost their length */
    MOST_TAGS = 16, /* of a side: an INIT is sent nine times (RFC 9260 section 16), and each may have its INIT ACK */
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

void sr_registry_free(struct sr_registry *registry)
{
    if (!registry)
        return;
    for (uint32_t i = 0; i < registry->count; i++)
        sr_association_clear(sr_lookup_at(registry, i), &registry->budget);
    sr_spool_free(&registry->associations);
    sr_pairing_free(&registry->pairing);
    free(registry->entries);
    free(registry);
}

void sr_registry_ended(struct sr_registry *registry)
{
    for (uint32_t i = 0; i < registry->count; i++) {
        struct sr_association *association = sr_lookup_at(registry, i);
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
    return sr_lookup_at(registry, number);
}

struct sr_association *sr_registry_side(const struct sr_registry *registry, uint32_t number, uint8_t *from)
{
    struct sr_association *association = sr_lookup_at(registry, number);
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

uint32_t sr_lookup_tag_bucket(uint32_t tag, uint16_t to_port, uint16_t from_port)
{
    return mix((uint64_t)tag << 32 | (uint32_t)to_port << 16 | from_port) % SR_LOOKUP_BUCKETS;
}

static uint64_t hash_end(const struct sr_address *address, uint16_t port)
{
    uint64_t hash = port;
    for (int i = 0; i < 16; i++)
        hash = (hash ^ address->bytes[i]) * UINT64_C(0x100000001b3);
    hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

uint32_t sr_lookup_ends_hash(const struct sr_ends *ends)
{
    return mix(hash_end(ends->src, ends->sport) + hash_end(ends->dst, ends->dport));
}

/* Entries move. */
static bool add(struct sr_registry *registry, uint32_t *bucket, struct sr_lookup_entry entry)
{
    enum { FIRST_ROOM = 64 };
    if (registry->entry_count == registry->entry_room) {
        uint32_t room = registry->entry_room ? 2 * registry->entry_room : FIRST_ROOM;
        struct sr_lookup_entry *more = realloc(registry->entries, room * sizeof *more);
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
static struct sr_lookup_entry *settled(const struct sr_registry *registry, struct sr_lookup_entry *entry)
{
    const struct sr_association *half = sr_lookup_at(registry, entry->number);
    if (half->joined) {
        entry->to ^= half->turned;
        entry->number = half->joined->number & INT32_MAX;
    }
    return entry;
}

struct sr_lookup_entry *sr_lookup_next(const struct sr_registry *registry, struct sr_lookup_search *search)
{
    while (search->next > 0 && search->looked_at++ < LOOKED_AT) {
        struct sr_lookup_entry *entry = &registry->entries[search->next - 1];
        search->next = entry->next;
        if (entry->tag == search->tag)
            return settled(registry, entry);
    }
    return NULL;
}

bool sr_lookup_goes_to(const struct sr_association *association, unsigned to, const struct sr_ends *ends)
{
    const struct sr_side *receiver = &association->side[to], *sender = &association->side[1 - to];
    return receiver->port == ends->dport && sender->port == ends->sport && sr_side_has_address(receiver, ends->dst) &&
           sr_side_has_address(sender, ends->src);
}

bool sr_lookup_has_ports(const struct sr_registry *registry, const struct sr_lookup_entry *entry,
                         const struct sr_ends *ends)
{
    const struct sr_side *side = sr_lookup_at(registry, entry->number)->side;
    return side[entry->to].port == ends->dport && side[1 - entry->to].port == ends->sport;
}

int sr_lookup_addresses_to(const struct sr_association *association, unsigned to, const struct sr_ends *ends)
{
    return sr_side_has_address(&association->side[to], ends->dst) +
           sr_side_has_address(&association->side[1 - to], ends->src);
}

struct sr_lookup_entry *sr_lookup_by_tag(const struct sr_registry *registry, uint32_t tag, const struct sr_ends *ends)
{
    struct sr_lookup_entry *right_tag = NULL;
    struct sr_lookup_search search = {registry->by_tag[sr_lookup_tag_bucket(tag, ends->dport, ends->sport)], tag, 0};
    for (struct sr_lookup_entry *e; (e = sr_lookup_next(registry, &search));) {
        const struct sr_association *association = sr_lookup_at(registry, e->number);
        if (!sr_lookup_has_ports(registry, e, ends))
            continue;
        int there = sr_lookup_addresses_to(association, e->to, ends);
        if (there == 2)
            return e;
        if (!right_tag && tag != 0 &&
            (ends->sport != ends->dport || there >= sr_lookup_addresses_to(association, 1 - e->to, ends)))
            right_tag = e;
    }
    return right_tag;
}

void sr_lookup_learn_tag(struct sr_registry *registry, struct sr_association *association, unsigned side, uint32_t tag)
{
    struct sr_side *owner = &association->side[side];
    owner->tag = tag;
    owner->tag_known = true;
    uint32_t *bucket = &registry->by_tag[sr_lookup_tag_bucket(tag, owner->port, association->side[1 - side].port)];
    struct sr_lookup_search search = {*bucket, tag, 0};
    for (const struct sr_lookup_entry *e; (e = sr_lookup_next(registry, &search));)
        if (e->number == association->number && e->to == side)
            return;
    struct sr_lookup_entry entry = {.number = association->number & INT32_MAX, .to = side & 1, .tag = tag};
    if (owner->tags < MOST_TAGS && add(registry, bucket, entry))
        owner->tags++;
}

struct sr_association *sr_lookup_begin(struct sr_registry *registry, const struct sr_ends *ends, unsigned from,
                                       enum sr_started started)
{
    if (registry->count == SR_ASSOCIATIONS_LIMIT || !sr_pairing_make_room(&registry->pairing, registry->count))
        return NULL;
    uint32_t hash = sr_lookup_ends_hash(ends);
    struct sr_lookup_entry entry = {.number = registry->count & INT32_MAX, .tag = hash};
    struct sr_association *association = sr_spool_append(&registry->associations);
    if (!association)
        return NULL;
    *association = (struct sr_association){.number = registry->count};
    if (!add(registry, &registry->by_ends[hash % SR_LOOKUP_BUCKETS], entry)) {
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

struct sr_association *sr_lookup_by_ends(const struct sr_registry *registry, const struct sr_ends *ends,
                                         bool (*fits)(const struct sr_association *, unsigned to), unsigned *to)
{
    uint32_t hash = sr_lookup_ends_hash(ends);
    struct sr_lookup_search search = {registry->by_ends[hash % SR_LOOKUP_BUCKETS], hash, 0};
    for (const struct sr_lookup_entry *e; (e = sr_lookup_next(registry, &search));) {
        struct sr_association *association = sr_lookup_at(registry, e->number);
        for (unsigned side = 0; side < 2; side++) {
            *to = SR_SIDE_B - side; /* where both ends are the same the first packet went there too */
            if (sr_lookup_goes_to(association, *to, ends) && fits(association, *to))
                return association;
        }
    }
    return NULL;
}
