/* SPDX-License-Identifier: BSD-2-Clause */
/* How a test shows packets to a registry, and checks to which association and side they belong. */
#ifndef SR_TESTS_REGISTRY_WORLD_H
#define SR_TESTS_REGISTRY_WORLD_H

#include "bytes_builder.h"

#include "association/registry.h"

enum { TAG_A = 0xaaaa, TAG_B = 0xbbbb, REFLECTED = 1, NOBODY = -1 };

/* Host 10.0.0.N and port at either end; host 0 is no address at all. */
struct way {
    uint8_t src, dst;
    uint16_t sport, dport;
};

static const struct way A_TO_B = {1, 2, 5000, 6000}, B_TO_A = {2, 1, 6000, 5000};

static inline struct sr_address host(uint8_t number)
{
    return number ? (struct sr_address){{10, 0, 0, number}, 4} : (struct sr_address){{0}, 0};
}

struct world {
    struct sr_registry *registry;
    uint64_t frame;
    struct sr_spool_store *store;
};

static inline struct world new_world(void)
{
    struct sr_spool_store *store = malloc(sizeof *store);
    assert_non_null(store);
    sr_spool_store_init(store, 0);
    struct world world = {sr_registry_new(store), 0, store};
    assert_non_null(world.registry);
    return world;
}

/* As the engine does it for a packet with one chunk. */
static inline struct sr_belongs see_bytes(struct world *world, struct way way, uint32_t vtag, const struct bytes *bytes)
{
    struct sr_packet packet = {.frame = ++world->frame, .src = host(way.src), .dst = host(way.dst)};
    struct sr_common_header header = {way.sport, way.dport, vtag, 0};
    uint8_t *exactly = exact(bytes->at, bytes->length);
    struct sr_chunk chunk = {bytes->at[0], bytes->at[1], sr_be16(bytes->at + 2), exactly, (uint32_t)bytes->length};
    struct sr_belongs belongs = sr_registry_find(world->registry, &packet, &header, bytes->length > 0 ? &chunk : NULL);
    if (belongs.association) {
        sr_association_packet(belongs.association, belongs.from, &packet, SR_CHECKSUM_CRC32C, 0);
        if (bytes->length > 0)
            sr_association_chunk(belongs.association, belongs.from, chunk.type, 0);
    }
    free_exact(exactly, bytes->length);
    return belongs;
}

static inline void check(struct sr_belongs belongs, int number, unsigned from)
{
    if (number == NOBODY) {
        assert_null(belongs.association);
        return;
    }
    assert_non_null(belongs.association);
    assert_int_equal(belongs.association->number, number);
    assert_int_equal(belongs.from, from);
}

static inline struct sr_belongs see_flags(struct world *world, struct way way, uint32_t vtag, uint8_t type,
                                          uint8_t flags)
{
    struct bytes chunk = {0};
    end_chunk(&chunk, begin_chunk(&chunk, type, flags));
    return see_bytes(world, way, vtag, &chunk);
}

static inline struct sr_belongs see(struct world *world, struct way way, uint32_t vtag, uint8_t type)
{
    return see_flags(world, way, vtag, type, 0);
}

/* INIT or INIT ACK with `tag`, and the hosts of `also` up to a zero. */
static inline struct sr_belongs see_init(struct world *world, struct way way, uint32_t vtag, uint8_t type, uint32_t tag,
                                         const uint8_t *also)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, type, 0);
    put32s(&chunk, 2, tag, 65536u);
    put16s(&chunk, 2, 10u, 10u);
    put32(&chunk, 1000);
    for (; also && *also; also++) {
        size_t element = begin_element(&chunk, 5);
        put(&chunk, host(*also).bytes, 4);
        end_element(&chunk, element);
    }
    end_chunk(&chunk, start);
    return see_bytes(world, way, vtag, &chunk);
}

static inline struct sr_belongs init(struct world *world, struct way way, uint32_t tag)
{
    return see_init(world, way, 0, SR_CHUNK_INIT, tag, NULL);
}

static inline struct sr_belongs init_ack(struct world *world, struct way way, uint32_t vtag, uint32_t tag)
{
    return see_init(world, way, vtag, SR_CHUNK_INIT_ACK, tag, NULL);
}

static inline struct sr_belongs data(struct world *world, struct way way, uint32_t vtag)
{
    return see(world, way, vtag, SR_CHUNK_DATA);
}

/* All four packets of a handshake that A begins. */
static inline void handshake(struct world *world, struct way a_to_b, uint32_t tag_a, uint32_t tag_b, int number)
{
    struct way b_to_a = {a_to_b.dst, a_to_b.src, a_to_b.dport, a_to_b.sport};
    check(init(world, a_to_b, tag_a), number, SR_SIDE_A);
    check(init_ack(world, b_to_a, tag_a, tag_b), number, SR_SIDE_B);
    check(see(world, a_to_b, tag_b, SR_CHUNK_COOKIE_ECHO), number, SR_SIDE_A);
    check(see(world, b_to_a, tag_a, SR_CHUNK_COOKIE_ACK), number, SR_SIDE_B);
}

static inline void check_life(const struct world *world, uint32_t number, enum sr_started started, enum sr_ended ended)
{
    assert_true(number < sr_registry_count(world->registry));
    const struct sr_association *association = sr_registry_at(world->registry, number);
    assert_int_equal(association->number, number);
    assert_int_equal(association->started, started);
    assert_int_equal(association->ended, ended);
}

static inline void check_tags(const struct world *world, uint32_t number, uint32_t tag_a, uint32_t tag_b)
{
    const struct sr_association *association = sr_registry_at(world->registry, number);
    assert_true(association->side[SR_SIDE_A].tag_known);
    assert_true(association->side[SR_SIDE_B].tag_known);
    assert_int_equal(association->side[SR_SIDE_A].tag, tag_a);
    assert_int_equal(association->side[SR_SIDE_B].tag, tag_b);
}

static inline void end_world(struct world *world, uint32_t count)
{
    assert_int_equal(sr_registry_count(world->registry), count);
    sr_registry_free(world->registry);
    sr_spool_store_free(world->store);
    free(world->store);
}

#endif
