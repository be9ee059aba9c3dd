/* SPDX-License-Identifier: BSD-2-Clause */
/* Where associations are found by the tag of the side that a packet goes to, or by the two ends. */
#ifndef SR_ASSOCIATION_LOOKUP_H
#define SR_ASSOCIATION_LOOKUP_H

#include "pairing.h"
#include "registry.h"

enum { SR_LOOKUP_BUCKETS = 1 << 15 /* of lists, which are short: four bytes each */ };

/* One way to find an association; lists are newest first. What is not meant is passed over without a look at its
 * association, which may be in a file. */
struct sr_lookup_entry {
    uint32_t next;        /* 1 + its place; 0: none */
    uint32_t number : 31; /* of the association */
    uint32_t to : 1;      /* by tag: the side that packets found by this entry go to, */
    uint32_t tag;         /* whose tag this is; by ends: their hash */
};

struct sr_registry {
    uint32_t count;
    struct sr_slot_budget budget;
    struct sr_spool associations; /* struct sr_association, which is pointed at */
    struct sr_lookup_entry *entries;
    uint32_t entry_count, entry_room;
    uint32_t by_tag[SR_LOOKUP_BUCKETS];  /* 1 + place of an entry; tag and both ports */
    uint32_t by_ends[SR_LOOKUP_BUCKETS]; /* likewise; both addresses and ports, either way round */
    struct sr_pairing pairing;
};

struct sr_ends {
    const struct sr_address *src, *dst;
    uint16_t sport, dport;
};

/* A way along a list. */
struct sr_lookup_search {
    uint32_t next;
    uint32_t tag; /* of the entries that are meant */
    int looked_at;
};

/* For a look, or to write to it. */
static inline struct sr_association *sr_lookup_at(const struct sr_registry *registry, uint32_t number)
{
    return sr_spool_look(&registry->associations, number);
}

/* The next entry that is meant; NULL at the end. */
struct sr_lookup_entry *sr_lookup_next(const struct sr_registry *registry, struct sr_lookup_search *search);
uint32_t sr_lookup_tag_bucket(uint32_t tag, uint16_t to_port, uint16_t from_port);

/* The packet goes to side `to` by its ports and known addresses. */
bool sr_lookup_goes_to(const struct sr_association *association, unsigned to, const struct sr_ends *ends);
bool sr_lookup_has_ports(const struct sr_registry *registry, const struct sr_lookup_entry *entry,
                         const struct sr_ends *ends);

/* An association whose side `to` has this tag. Addresses may be new to it (RFC 5061, or a capture that starts late),
 * except where the tag says nothing; one whose addresses fit is preferred. Both sides may have chosen the same tag: a
 * packet whose addresses say that it goes the other way is not one to this side. */
struct sr_lookup_entry *sr_lookup_by_tag(const struct sr_registry *registry, uint32_t tag, const struct sr_ends *ends);
void sr_lookup_learn_tag(struct sr_registry *registry, struct sr_association *association, unsigned side, uint32_t tag);
/* A new association, which the ends lead to; NULL beyond the limit, or when memory runs out. */
struct sr_association *sr_lookup_begin(struct sr_registry *registry, const struct sr_ends *ends, unsigned from,
                                       enum sr_started started);

/* The newest association between these ends for which `fits` holds, with the side that the packet goes to. */
struct sr_association *sr_lookup_by_ends(const struct sr_registry *registry, const struct sr_ends *ends,
                                         bool (*fits)(const struct sr_association *, unsigned to), unsigned *to);

/* The same either way round; each end is hashed by itself, so that ports with the same sum do not meet. */
uint32_t sr_lookup_ends_hash(const struct sr_ends *ends);

/* How many of the packet's two addresses are known as those of a packet to side `to`. */
int sr_lookup_addresses_to(const struct sr_association *association, unsigned to, const struct sr_ends *ends);

#endif
