/* SPDX-License-Identifier: BSD-2-Clause */
/* To which association a packet belongs, and which side sent it. The verification tag decides; addresses and ports help
 * where it is not known yet. An association is numbered by its first packet and never renumbered: where two turn out to
 * be one (pairing.h), it has the lower number, and the higher is of none. */
#ifndef SR_ASSOCIATION_REGISTRY_H
#define SR_ASSOCIATION_REGISTRY_H

#include "../journal/spool.h"
#include "../wire/chunk.h"
#include "association.h"

enum { SR_ASSOCIATIONS_LIMIT = 131072 };

struct sr_registry;

/* Associations are kept in the store, which lives longer. NULL when memory runs out. */
struct sr_registry *sr_registry_new(struct sr_spool_store *store);
void sr_registry_free(struct sr_registry *registry);

struct sr_belongs {
    struct sr_association *association; /* NULL beyond SR_ASSOCIATIONS_LIMIT, or when memory or the disk runs out */
    unsigned from;                      /* the side that sent the packet */
    struct sr_association *joined;      /* half of it, which until now had a number of its own; NULL: none */
};

/* `first` is the packet's first chunk, NULL where none was captured. */
struct sr_belongs sr_registry_find(struct sr_registry *registry, const struct sr_packet *packet,
                                   const struct sr_common_header *header, const struct sr_chunk *first);

uint32_t sr_registry_count(const struct sr_registry *registry);
/* Also one that is joined, which is part of another. */
struct sr_association *sr_registry_at(const struct sr_registry *registry, uint32_t number);
/* Whose it is by now: that of its other half where it was joined, and its side there. */
struct sr_association *sr_registry_side(const struct sr_registry *registry, uint32_t number, uint8_t *from);

/* No packet follows: gives back what only packets need. */
void sr_registry_ended(struct sr_registry *registry);
struct sr_slot_budget *sr_registry_budget(struct sr_registry *registry);

#endif
