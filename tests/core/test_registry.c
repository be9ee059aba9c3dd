/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the registry: to which association a packet belongs, which side sent it, how it started and ended. */
#include "bytes_builder.h"

#include "association/registry.h"

enum { TAG_A = 0xaaaa, TAG_B = 0xbbbb, REFLECTED = 1, NOBODY = -1 };

/* Host 10.0.0.N and port at either end; host 0 is no address at all. */
struct way {
    uint8_t src, dst;
    uint16_t sport, dport;
};

static const struct way A_TO_B = {1, 2, 5000, 6000}, B_TO_A = {2, 1, 6000, 5000};

static struct sr_address host(uint8_t number)
{
    return number ? (struct sr_address){{10, 0, 0, number}, 4} : (struct sr_address){{0}, 0};
}

struct world {
    struct sr_registry *registry;
    uint64_t frame;
};

static struct world new_world(void)
{
    struct world world = {sr_registry_new(), 0};
    assert_non_null(world.registry);
    return world;
}

/* As the engine does it for a packet with one chunk. */
static struct sr_belongs see_bytes(struct world *world, struct way way, uint32_t vtag, const struct bytes *bytes)
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

static void check(struct sr_belongs belongs, int number, unsigned from)
{
    if (number == NOBODY) {
        assert_null(belongs.association);
        return;
    }
    assert_non_null(belongs.association);
    assert_int_equal(belongs.association->number, number);
    assert_int_equal(belongs.from, from);
}

static struct sr_belongs see_flags(struct world *world, struct way way, uint32_t vtag, uint8_t type, uint8_t flags)
{
    struct bytes chunk = {0};
    end_chunk(&chunk, begin_chunk(&chunk, type, flags));
    return see_bytes(world, way, vtag, &chunk);
}

static struct sr_belongs see(struct world *world, struct way way, uint32_t vtag, uint8_t type)
{
    return see_flags(world, way, vtag, type, 0);
}

/* INIT or INIT ACK with `tag`, and the hosts of `also` up to a zero. */
static struct sr_belongs see_init(struct world *world, struct way way, uint32_t vtag, uint8_t type, uint32_t tag,
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

static struct sr_belongs init(struct world *world, struct way way, uint32_t tag)
{
    return see_init(world, way, 0, SR_CHUNK_INIT, tag, NULL);
}

static struct sr_belongs init_ack(struct world *world, struct way way, uint32_t vtag, uint32_t tag)
{
    return see_init(world, way, vtag, SR_CHUNK_INIT_ACK, tag, NULL);
}

static struct sr_belongs data(struct world *world, struct way way, uint32_t vtag)
{
    return see(world, way, vtag, SR_CHUNK_DATA);
}

/* All four packets of a handshake that A begins. */
static void handshake(struct world *world, struct way a_to_b, uint32_t tag_a, uint32_t tag_b, int number)
{
    struct way b_to_a = {a_to_b.dst, a_to_b.src, a_to_b.dport, a_to_b.sport};
    check(init(world, a_to_b, tag_a), number, SR_SIDE_A);
    check(init_ack(world, b_to_a, tag_a, tag_b), number, SR_SIDE_B);
    check(see(world, a_to_b, tag_b, SR_CHUNK_COOKIE_ECHO), number, SR_SIDE_A);
    check(see(world, b_to_a, tag_a, SR_CHUNK_COOKIE_ACK), number, SR_SIDE_B);
}

static void check_life(const struct world *world, uint32_t number, enum sr_started started, enum sr_ended ended)
{
    assert_true(number < sr_registry_count(world->registry));
    const struct sr_association *association = sr_registry_at(world->registry, number);
    assert_int_equal(association->number, number);
    assert_int_equal(association->started, started);
    assert_int_equal(association->ended, ended);
}

static void check_tags(const struct world *world, uint32_t number, uint32_t tag_a, uint32_t tag_b)
{
    const struct sr_association *association = sr_registry_at(world->registry, number);
    assert_true(association->side[SR_SIDE_A].tag_known);
    assert_true(association->side[SR_SIDE_B].tag_known);
    assert_int_equal(association->side[SR_SIDE_A].tag, tag_a);
    assert_int_equal(association->side[SR_SIDE_B].tag, tag_b);
}

static void end_world(struct world *world, uint32_t count)
{
    assert_int_equal(sr_registry_count(world->registry), count);
    sr_registry_free(world->registry);
}

/* ---- handshakes ---- */

static void a_handshake_and_what_follows_are_one_association_from_the_sender_of_the_init(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

static void an_init_that_nobody_answers_stays_so_until_an_answer_comes(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_UNANSWERED);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_UNANSWERED);
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 1);
}

static void an_init_that_is_repeated_late_changes_nothing(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 1);
}

static void an_init_that_is_repeated_with_a_new_tag_is_a_new_attempt(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    handshake(&world, A_TO_B, TAG_A + 1, TAG_B, 1);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_UNANSWERED);
    check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 2);
}

/* RFC 9260 section 5.1.3: whoever answers keeps no state, so each INIT ACK has a tag of its own; section 16 has an INIT
 * sent nine times. */
static void of_several_init_acks_each_tag_may_be_the_one_that_is_used(void **state)
{
    (void)state;
    enum { ANSWERS = 9 };
    for (uint32_t used = 0; used < ANSWERS; used++) {
        struct world world = new_world();
        for (uint32_t i = 0; i < ANSWERS; i++) {
            check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
            check(init_ack(&world, B_TO_A, TAG_A, TAG_B + i), 0, SR_SIDE_B);
        }
        check(see(&world, A_TO_B, TAG_B + used, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
        check(data(&world, A_TO_B, TAG_B + used), 0, SR_SIDE_A);
        check_tags(&world, 0, TAG_A, TAG_B + used);
        end_world(&world, 1);
    }
}

static void inits_that_cross_are_one_association(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init(&world, B_TO_A, TAG_B), 0, SR_SIDE_B);
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(init_ack(&world, A_TO_B, TAG_B, TAG_A), 0, SR_SIDE_A);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_B);
    check(init(&world, B_TO_A, TAG_B), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_COLLISION, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

/* RFC 9260 section 5.2.1: the INIT ACK has the tag of the own INIT, which may be seen only after it. */
static void the_second_init_of_a_collision_may_come_after_its_tag_is_known(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(init(&world, B_TO_A, TAG_B), 0, SR_SIDE_B);
    check(init_ack(&world, A_TO_B, TAG_B, TAG_A), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_COLLISION, SR_ENDED_OPEN);
    end_world(&world, 1);
}

static void an_attempt_that_was_aborted_collides_with_nothing(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(see_flags(&world, A_TO_B, TAG_A, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    handshake(&world, B_TO_A, TAG_B, TAG_A + 1, 1);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    end_world(&world, 2);
}

static void a_restart_is_a_new_association_that_ends_the_old_one_when_it_gets_on(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(init(&world, B_TO_A, TAG_B + 1), 1, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    check_life(&world, 1, SR_STARTED_RESTART, SR_ENDED_UNANSWERED);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(init_ack(&world, A_TO_B, TAG_B + 1, TAG_A + 1), 1, SR_SIDE_B);
    check(see(&world, B_TO_A, TAG_A + 1, SR_CHUNK_COOKIE_ECHO), 1, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_RESTARTED);
    check_life(&world, 1, SR_STARTED_RESTART, SR_ENDED_OPEN);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B); /* a late packet of the old one */
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_RESTARTED);
    end_world(&world, 2);
}

static void a_capture_that_begins_inside_a_handshake_knows_who_began_it(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A); /* sent again: its answer was lost behind the tap */
    check(init_ack(&world, B_TO_A, TAG_A, TAG_B + 1), 0, SR_SIDE_B);
    check(see(&world, A_TO_B, TAG_B + 1, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE_CUT, SR_ENDED_OPEN);
    end_world(&world, 1);

    world = new_world();
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_COOKIE_ACK), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE_CUT, SR_ENDED_OPEN);
    end_world(&world, 1);
}

static void the_answer_to_an_init_may_be_missing_from_the_capture(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

/* ---- in the middle ---- */

static void both_directions_of_a_running_association_find_each_other(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_SACK), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_MIDDLE, SR_ENDED_OPEN);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

static void a_tag_that_fits_nothing_known_is_another_association(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B + 1), 1, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A + 1), 1, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    end_world(&world, 2);
}

static void other_ports_are_another_association_even_with_the_same_tags(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, (struct way){1, 2, 5001, 6000}, TAG_B), 1, SR_SIDE_A);
    check(data(&world, (struct way){1, 2, 5000, 6001}, TAG_B), 2, SR_SIDE_A);
    check(data(&world, (struct way){2, 1, 5000, 6000}, TAG_A), 3, SR_SIDE_A);
    end_world(&world, 4);
}

static void with_one_address_and_one_port_only_the_tags_tell_the_sides(void **state)
{
    (void)state;
    static const struct way self[] = {{1, 1, 36412, 36412}, {0, 0, 36412, 36412}};
    for (int i = 0; i < 2; i++) {
        struct world world = new_world();
        handshake(&world, self[i], TAG_A, TAG_B, 0);
        check(data(&world, self[i], TAG_B), 0, SR_SIDE_A);
        check(data(&world, self[i], TAG_A), 0, SR_SIDE_B);
        check(init(&world, self[i], TAG_A), 0, SR_SIDE_A);
        check_tags(&world, 0, TAG_A, TAG_B);
        end_world(&world, 1);

        world = new_world();
        check(data(&world, self[i], TAG_B), 0, SR_SIDE_A);
        check(data(&world, self[i], TAG_A), 0, SR_SIDE_B);
        check(data(&world, self[i], TAG_B), 0, SR_SIDE_A);
        end_world(&world, 1);
    }
}

static void without_addresses_the_ports_tell_the_sides(void **state)
{
    (void)state;
    static const struct way there = {0, 0, 5000, 6000}, back = {0, 0, 6000, 5000};
    struct world world = new_world();
    handshake(&world, there, TAG_A, TAG_B, 0);
    check(data(&world, there, 0), 0, SR_SIDE_A);
    check(data(&world, back, 0), 0, SR_SIDE_B);
    end_world(&world, 1);
}

static void hosts_that_use_the_same_tags_are_kept_apart_by_their_addresses(void **state)
{
    (void)state;
    static const struct way c_to_d = {3, 4, 5000, 6000}, d_to_c = {4, 3, 6000, 5000};
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    handshake(&world, c_to_d, TAG_A, TAG_B, 1);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check(data(&world, d_to_c, TAG_A), 1, SR_SIDE_B);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, c_to_d, TAG_B), 1, SR_SIDE_A);
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init(&world, c_to_d, TAG_A), 1, SR_SIDE_A);
    end_world(&world, 2);
}

/* ---- several addresses ---- */

static void check_addresses(const struct world *world, unsigned side, const char *hosts)
{
    const struct sr_side *found = &sr_registry_at(world->registry, 0)->side[side];
    assert_int_equal(found->addresses, strlen(hosts));
    for (uint32_t i = 0; i < found->addresses; i++)
        assert_int_equal(found->address[i].bytes[3], hosts[i]);
}

static void the_right_tag_brings_new_addresses_with_it(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(data(&world, (struct way){11, 12, 5000, 6000}, TAG_B), 0, SR_SIDE_A);
    check(data(&world, (struct way){12, 21, 6000, 5000}, TAG_A), 0, SR_SIDE_B);
    check(data(&world, (struct way){2, 11, 6000, 5000}, TAG_A), 0, SR_SIDE_B);
    check_addresses(&world, SR_SIDE_A, "\x01\x0b\x15");
    check_addresses(&world, SR_SIDE_B, "\x02\x0c");
    assert_true(sr_registry_at(world.registry, 0)->features & 1u << SR_FEATURE_MULTIHOMING);
    end_world(&world, 1);
}

static void addresses_that_an_init_lists_are_known_at_once(void **state)
{
    (void)state;
    static const uint8_t of_a[] = {1, 11, 0}, of_b[] = {12, 2, 13, 0};
    struct world world = new_world();
    check(see_init(&world, A_TO_B, 0, SR_CHUNK_INIT, TAG_A, of_a), 0, SR_SIDE_A);
    check(see_init(&world, B_TO_A, TAG_A, SR_CHUNK_INIT_ACK, TAG_B, of_b), 0, SR_SIDE_B);
    check_addresses(&world, SR_SIDE_A, "\x01\x0b");
    check_addresses(&world, SR_SIDE_B, "\x02\x0c\x0d");
    end_world(&world, 1);
}

/* As where the caller named several addresses of the peer, which are tried in turn. */
static void an_init_may_be_repeated_to_another_address_and_answered_from_there(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(init(&world, (struct way){1, 12, 5000, 6000}, TAG_A), 0, SR_SIDE_A);
    check(init_ack(&world, (struct way){12, 1, 6000, 5000}, TAG_A, TAG_B), 0, SR_SIDE_B);
    check(see(&world, (struct way){1, 12, 5000, 6000}, TAG_B, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check_addresses(&world, SR_SIDE_B, "\x02\x0c");
    end_world(&world, 1);
}

static void no_more_addresses_are_kept_than_there_is_room_for(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    for (uint8_t number = 10; number < 200; number++)
        check(data(&world, (struct way){number, 2, 5000, 6000}, TAG_B), 0, SR_SIDE_A);
    assert_int_equal(sr_registry_at(world.registry, 0)->side[SR_SIDE_A].addresses, SR_SIDE_ADDRESSES);
    end_world(&world, 1);
}

/* ---- ends ---- */

static void a_reflected_tag_is_that_of_its_own_sender(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_ABORT, SR_CHUNK_SHUTDOWN_COMPLETE};
    static const enum sr_ended ended[] = {SR_ENDED_ABORT, SR_ENDED_SHUTDOWN};
    for (int i = 0; i < 2; i++) {
        struct world world = new_world();
        handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
        check(see_flags(&world, B_TO_A, TAG_B, types[i], REFLECTED), 0, SR_SIDE_B);
        check_life(&world, 0, SR_STARTED_HANDSHAKE, ended[i]);
        check_tags(&world, 0, TAG_A, TAG_B);
        end_world(&world, 1);
    }
}

static void a_reflected_tag_that_was_not_known_is_learned_for_its_sender(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_A); /* B is side a here: it is seen first */
    check(see_flags(&world, B_TO_A, TAG_B, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_B);
    check_tags(&world, 0, TAG_B, TAG_A);
    end_world(&world, 1);
}

static void a_reflected_tag_without_an_association_begins_one_that_its_cause_belongs_to(void **state)
{
    (void)state;
    struct world world = new_world();
    check(see_flags(&world, B_TO_A, TAG_B, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_B);
    check(see_flags(&world, B_TO_A, TAG_B, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_MIDDLE, SR_ENDED_ABORT);
    end_world(&world, 1);
}

static void a_reflected_bit_on_a_tag_that_is_not_reflected_is_overlooked(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see_flags(&world, B_TO_A, TAG_A, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    check_tags(&world, 0, TAG_A, TAG_B);
    end_world(&world, 1);
}

static void an_init_may_be_answered_by_an_abort(void **state)
{
    (void)state;
    struct world world = new_world();
    check(init(&world, A_TO_B, TAG_A), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_ABORT), 0, SR_SIDE_B);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    check(init(&world, A_TO_B, TAG_A), 1, SR_SIDE_A);
    check(see_flags(&world, B_TO_A, 0, SR_CHUNK_ABORT, REFLECTED), 1, SR_SIDE_B); /* the tag of the INIT's packet */
    check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    end_world(&world, 2);
}

static void the_end_that_came_first_stays(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_SHUTDOWN), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_SHUTTING_DOWN);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_SHUTDOWN_ACK), 0, SR_SIDE_B);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_SHUTDOWN_COMPLETE), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_SHUTDOWN);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B); /* late, so that nobody knows it any more */
    check(see_flags(&world, A_TO_B, TAG_A, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_A);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_SHUTDOWN), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_SHUTDOWN);
    end_world(&world, 1);
}

static void after_the_end_an_init_begins_a_new_association_even_with_the_same_tag(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_ABORT, SR_CHUNK_SHUTDOWN_COMPLETE};
    for (int i = 0; i < 2; i++) {
        struct world world = new_world();
        handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
        check(see(&world, A_TO_B, TAG_B, types[i]), 0, SR_SIDE_A);
        handshake(&world, A_TO_B, TAG_A, TAG_B, 1);
        check(data(&world, A_TO_B, TAG_B), 1, SR_SIDE_A);
        check(data(&world, B_TO_A, TAG_A), 1, SR_SIDE_B);
        check_life(&world, 1, SR_STARTED_HANDSHAKE, SR_ENDED_OPEN);
        end_world(&world, 2);
    }
}

static void late_packets_belong_to_the_association_that_has_ended(void **state)
{
    (void)state;
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see(&world, A_TO_B, TAG_B, SR_CHUNK_ABORT), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    handshake(&world, A_TO_B, TAG_A + 1, TAG_B + 1, 1);
    check(data(&world, B_TO_A, TAG_A), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    check_life(&world, 0, SR_STARTED_HANDSHAKE, SR_ENDED_ABORT);
    end_world(&world, 2);
}

/* ---- what is degenerate ---- */

static void where_every_tag_is_zero_the_ends_decide(void **state)
{
    (void)state;
    struct world world = new_world();
    check(data(&world, A_TO_B, 0), 0, SR_SIDE_A);
    check(data(&world, B_TO_A, 0), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, 0), 0, SR_SIDE_A);
    check(data(&world, (struct way){1, 3, 5000, 6000}, 0), 1, SR_SIDE_A);
    check(data(&world, (struct way){3, 1, 6000, 5000}, 0), 1, SR_SIDE_B);
    check(see_flags(&world, B_TO_A, 0, SR_CHUNK_ABORT, REFLECTED), 0, SR_SIDE_B);
    end_world(&world, 2);

    world = new_world();
    check(init(&world, A_TO_B, 0), 0, SR_SIDE_A);
    check(init_ack(&world, B_TO_A, 0, 0), 0, SR_SIDE_B);
    check(see(&world, A_TO_B, 0, SR_CHUNK_COOKIE_ECHO), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, 0, SR_CHUNK_COOKIE_ACK), 0, SR_SIDE_B);
    end_world(&world, 1);
}

static void where_nothing_tells_the_sides_apart_everything_is_from_the_first(void **state)
{
    (void)state;
    static const struct way self = {1, 1, 2905, 2905};
    struct world world = new_world();
    for (int i = 0; i < 3; i++)
        check(data(&world, self, 0), 0, SR_SIDE_A);
    end_world(&world, 1);
}

static void packets_without_a_chunk_belong_by_their_tag(void **state)
{
    (void)state;
    static const struct bytes none = {0};
    struct world world = new_world();
    handshake(&world, A_TO_B, TAG_A, TAG_B, 0);
    check(see_bytes(&world, B_TO_A, TAG_A, &none), 0, SR_SIDE_B);
    check(see_bytes(&world, A_TO_B, TAG_B, &none), 0, SR_SIDE_A);
    check(see_bytes(&world, A_TO_B, TAG_B + 1, &none), 1, SR_SIDE_A);
    end_world(&world, 2);
}

static void an_init_that_is_cut_before_its_tag_belongs_by_its_ends(void **state)
{
    (void)state;
    struct world world = new_world();
    check(see(&world, A_TO_B, 0, SR_CHUNK_INIT), 0, SR_SIDE_A);
    check(see(&world, B_TO_A, TAG_A, SR_CHUNK_INIT_ACK), 0, SR_SIDE_B);
    check(data(&world, A_TO_B, TAG_B), 0, SR_SIDE_A);
    end_world(&world, 1);
}

/* ---- many ---- */

static void beyond_the_limit_there_is_no_association_and_the_others_go_on(void **state)
{
    (void)state;
    struct world world = new_world();
    for (uint32_t i = 0; i < SR_ASSOCIATIONS_LIMIT; i++)
        check(data(&world, A_TO_B, i + 1), (int)i, SR_SIDE_A);
    check(data(&world, A_TO_B, SR_ASSOCIATIONS_LIMIT + 1), NOBODY, 0);
    check(init(&world, A_TO_B, TAG_A), NOBODY, 0);
    check(init_ack(&world, (struct way){7, 8, 1, 2}, TAG_A, TAG_B), NOBODY, 0);
    check(see_flags(&world, (struct way){7, 8, 1, 2}, TAG_A, SR_CHUNK_ABORT, REFLECTED), NOBODY, 0);
    check(data(&world, A_TO_B, SR_ASSOCIATIONS_LIMIT), SR_ASSOCIATIONS_LIMIT - 1, SR_SIDE_A);
    end_world(&world, SR_ASSOCIATIONS_LIMIT);
}

/* Ports whose sum is the same, and many tags between the same ends: neither may make every packet slow. */
static void a_flood_of_inits_is_bounded(void **state)
{
    (void)state;
    struct world world = new_world();
    for (uint32_t i = 0; i < 100000; i++) {
        struct way way = {1, 2, (uint16_t)(i * 7), (uint16_t)(0 - i * 7)};
        check(init(&world, i % 2 ? way : A_TO_B, i + 1), i < SR_ASSOCIATIONS_LIMIT ? (int)i : NOBODY, SR_SIDE_A);
    }
    end_world(&world, SR_ASSOCIATIONS_LIMIT);
}

static void many_attempts_between_the_same_ends_do_not_hide_the_newest(void **state)
{
    (void)state;
    enum { ATTEMPTS = 10000 };
    struct world world = new_world();
    for (uint32_t i = 0; i < ATTEMPTS; i++)
        handshake(&world, A_TO_B, 10 + 2 * i, 11 + 2 * i, (int)i);
    check(data(&world, A_TO_B, 11), 0, SR_SIDE_A);
    check(data(&world, A_TO_B, 11 + 2 * (ATTEMPTS - 1)), ATTEMPTS - 1, SR_SIDE_A);
    check_life(&world, ATTEMPTS - 2, SR_STARTED_RESTART, SR_ENDED_RESTARTED);
    check_life(&world, ATTEMPTS - 1, SR_STARTED_RESTART, SR_ENDED_OPEN);
    end_world(&world, ATTEMPTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handshake_and_what_follows_are_one_association_from_the_sender_of_the_init),
        cmocka_unit_test(an_init_that_nobody_answers_stays_so_until_an_answer_comes),
        cmocka_unit_test(an_init_that_is_repeated_late_changes_nothing),
        cmocka_unit_test(an_init_that_is_repeated_with_a_new_tag_is_a_new_attempt),
        cmocka_unit_test(of_several_init_acks_each_tag_may_be_the_one_that_is_used),
        cmocka_unit_test(inits_that_cross_are_one_association),
        cmocka_unit_test(the_second_init_of_a_collision_may_come_after_its_tag_is_known),
        cmocka_unit_test(an_attempt_that_was_aborted_collides_with_nothing),
        cmocka_unit_test(a_restart_is_a_new_association_that_ends_the_old_one_when_it_gets_on),
        cmocka_unit_test(a_capture_that_begins_inside_a_handshake_knows_who_began_it),
        cmocka_unit_test(the_answer_to_an_init_may_be_missing_from_the_capture),
        cmocka_unit_test(both_directions_of_a_running_association_find_each_other),
        cmocka_unit_test(a_tag_that_fits_nothing_known_is_another_association),
        cmocka_unit_test(other_ports_are_another_association_even_with_the_same_tags),
        cmocka_unit_test(with_one_address_and_one_port_only_the_tags_tell_the_sides),
        cmocka_unit_test(without_addresses_the_ports_tell_the_sides),
        cmocka_unit_test(hosts_that_use_the_same_tags_are_kept_apart_by_their_addresses),
        cmocka_unit_test(the_right_tag_brings_new_addresses_with_it),
        cmocka_unit_test(addresses_that_an_init_lists_are_known_at_once),
        cmocka_unit_test(an_init_may_be_repeated_to_another_address_and_answered_from_there),
        cmocka_unit_test(no_more_addresses_are_kept_than_there_is_room_for),
        cmocka_unit_test(a_reflected_tag_is_that_of_its_own_sender),
        cmocka_unit_test(a_reflected_tag_that_was_not_known_is_learned_for_its_sender),
        cmocka_unit_test(a_reflected_tag_without_an_association_begins_one_that_its_cause_belongs_to),
        cmocka_unit_test(a_reflected_bit_on_a_tag_that_is_not_reflected_is_overlooked),
        cmocka_unit_test(an_init_may_be_answered_by_an_abort),
        cmocka_unit_test(the_end_that_came_first_stays),
        cmocka_unit_test(after_the_end_an_init_begins_a_new_association_even_with_the_same_tag),
        cmocka_unit_test(late_packets_belong_to_the_association_that_has_ended),
        cmocka_unit_test(where_every_tag_is_zero_the_ends_decide),
        cmocka_unit_test(where_nothing_tells_the_sides_apart_everything_is_from_the_first),
        cmocka_unit_test(packets_without_a_chunk_belong_by_their_tag),
        cmocka_unit_test(an_init_that_is_cut_before_its_tag_belongs_by_its_ends),
        cmocka_unit_test(beyond_the_limit_there_is_no_association_and_the_others_go_on),
        cmocka_unit_test(a_flood_of_inits_is_bounded),
        cmocka_unit_test(many_attempts_between_the_same_ends_do_not_hide_the_newest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
