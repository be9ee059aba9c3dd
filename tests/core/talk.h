/* SPDX-License-Identifier: BSD-2-Clause */
/* How a test lets two hosts talk past a tap, and reads what is said of it. Times are microseconds of the tap's clock
 * since the talk began. */
#ifndef SR_TESTS_TALK_H
#define SR_TESTS_TALK_H

#include <stdio.h>

#include "bytes_builder.h"

#include "engine/engine.h"
#include "journal/judgement.h"
#include "wire/time.h"

enum { A, B }; /* sides: A asks for the association, and sends data unless another is named */
enum { TALK_TAG = 0xa0, TALK_BEGAN_S = 1600000000, TALK_TEXT = 1 << 19, TALK_WINDOW = 100000 };

#define US INT64_C(1000)
#define TALK_NS (TALK_BEGAN_S * INT64_C(1000000000))

struct talk {
    struct sr_engine *engine;
    uint32_t frame;
    uint16_t id[2];     /* of the packet before, each side its own; 0 stays: it says nothing */
    uint8_t counts[2];  /* by so many from packet to packet; the host of B sends others in between */
    uint8_t address[2]; /* last byte of the host's */
    uint8_t hop_limit[2];
    uint16_t bytes; /* of user data in a chunk */
    uint32_t a_rwnd;
    uint8_t flags; /* of chunks with data */
    uint8_t sack_flags;
    uint32_t content; /* of user data: another one is another chunk under the same TSN */
    bool fragmentable, broken, cut;
    uint32_t snaplen[2]; /* of the packets of each side; 0: all of them */
    size_t length;
    char text[TALK_TEXT]; /* what is said of it */
};

/* That writes these tables. */
static inline struct talk *talk_of_tables(struct sr_told told, uint32_t tables)
{
    struct talk *talk = calloc(1, sizeof *talk);
    struct sr_engine_options options = {.tables = tables, .judges = true, .told = told};
    assert_non_null(talk);
    talk->engine = sr_engine_new(&options);
    assert_non_null(talk->engine);
    talk->id[A] = talk->id[B] = 100;
    talk->counts[A] = 1;
    talk->counts[B] = 2;
    talk->address[A] = 1;
    talk->address[B] = 2;
    talk->bytes = 1000;
    talk->a_rwnd = TALK_WINDOW;
    talk->flags = 3;
    return talk;
}

static inline struct talk *talk_told(struct sr_told told)
{
    return talk_of_tables(told, (1u << SR_TABLE_COUNT) - 1);
}

static inline struct talk *talk_new(void)
{
    return talk_told((struct sr_told){.loop = false});
}

static inline void talk_free(struct talk *talk)
{
    sr_engine_free(talk->engine);
    free(talk);
}

static inline uint32_t captured_of(const struct talk *talk, int from, uint32_t length)
{
    uint32_t captured = length - (talk->cut ? 4 : 0), most = talk->snaplen[from];
    return most != 0 && most < captured ? most : captured;
}

/* A packet of side `from`; without a tag where it is an INIT. */
static inline void say_with(struct talk *talk, int64_t at_us, int from, const struct bytes *chunks, bool init)
{
    struct bytes packet = {0};
    put_common_header(&packet, from == A ? 5000 : 6000, from == A ? 6000 : 5000, init ? 0 : TALK_TAG + 1u - from);
    put(&packet, chunks->at, chunks->length);
    seal(&packet, 0);
    if (talk->broken)
        packet.at[8] ^= 1;
    uint8_t *bytes = exact(packet.at, packet.length);
    if (talk->id[from] != 0)
        talk->id[from] = (uint16_t)(talk->id[from] + talk->counts[from]);
    struct sr_packet as_packet = {
        .frame = ++talk->frame,
        .time_ns = TALK_NS + at_us * US,
        .src = {{10, 0, 0, talk->address[from]}, 4},
        .dst = {{10, 0, 0, talk->address[1 - from]}, 4},
        .id = talk->id[from],
        .hop_limit = talk->hop_limit[from],
        .fragmentable = talk->fragmentable,
        .bytes = bytes,
        .captured = captured_of(talk, from, (uint32_t)packet.length),
        .wire = (uint32_t)packet.length,
    };
    assert_true(sr_engine_packet(talk->engine, &as_packet));
    free_exact(bytes, packet.length);
}

static inline void say(struct talk *talk, int64_t at_us, int from, const struct bytes *chunks)
{
    say_with(talk, at_us, from, chunks, false);
}

static inline void put_chunk(struct talk *talk, struct bytes *to, uint32_t tsn)
{
    size_t start = begin_chunk(to, SR_CHUNK_DATA, talk->flags);
    put32(to, tsn);
    put16s(to, 2, 1u, tsn & 0xffff);
    put32(to, 51);
    put32(to, tsn + talk->content);
    put_zeros(to, talk->bytes - 4u);
    end_chunk(to, start);
}

/* A packet with `count` chunks from `tsn` on. */
static inline void data_of(struct talk *talk, int64_t at_us, int from, uint32_t tsn, uint32_t count)
{
    struct bytes chunks = {0};
    for (uint32_t i = 0; i < count; i++)
        put_chunk(talk, &chunks, tsn + i);
    say(talk, at_us, from, &chunks);
}

static inline void data(struct talk *talk, int64_t at_us, uint32_t tsn)
{
    data_of(talk, at_us, A, tsn, 1);
}

/* `count` packets, so far apart. */
static inline void flight(struct talk *talk, int64_t at_us, uint32_t tsn, uint32_t count, int64_t apart_us)
{
    for (uint32_t i = 0; i < count; i++)
        data(talk, at_us + i * apart_us, tsn + i);
}

/* A SACK of side `from`, or an NR-SACK where a block begins with n. `also` has its blocks in TSNs, like "7-9 12", and
 * its duplicates, like "d5". */
static inline void sack_of(struct talk *talk, int64_t at_us, int from, uint32_t cum, const char *also)
{
    struct bytes chunk = {0};
    uint32_t block[2][64][2], counts[2] = {0, 0}, dups[64], dup_count = 0;
    bool nr = strchr(also, 'n') != NULL;
    for (const char *at = also; *at;) {
        char *end;
        bool dup = *at == 'd', kept = *at == 'n';
        uint32_t first = (uint32_t)strtoul(at + (dup || kept), &end, 10), last = first;
        if (*end == '-')
            last = (uint32_t)strtoul(end + 1, &end, 10);
        if (dup) {
            dups[dup_count++] = first;
        } else {
            block[kept][counts[kept]][0] = first - cum;
            block[kept][counts[kept]++][1] = last - cum;
        }
        at = *end == ' ' ? end + 1 : end;
    }
    size_t start = begin_chunk(&chunk, nr ? SR_CHUNK_NR_SACK : SR_CHUNK_SACK, talk->sack_flags);
    put32s(&chunk, 2, cum, talk->a_rwnd);
    if (nr)
        put16s(&chunk, 4, counts[0], counts[1], dup_count, 0u);
    else
        put16s(&chunk, 2, counts[0], dup_count);
    for (int kept = 0; kept < 2; kept++)
        for (uint32_t i = 0; i < counts[kept]; i++)
            put16s(&chunk, 2, block[kept][i][0], block[kept][i][1]);
    for (uint32_t i = 0; i < dup_count; i++)
        put32(&chunk, dups[i]);
    end_chunk(&chunk, start);
    say(talk, at_us, from, &chunk);
}

static inline void sack(struct talk *talk, int64_t at_us, uint32_t cum, const char *also)
{
    sack_of(talk, at_us, B, cum, also);
}

/* A chunk with these numbers of 32 bits. */
static inline void control(struct talk *talk, int64_t at_us, int from, uint8_t type, int count, ...)
{
    struct bytes chunk = {0};
    va_list values;
    size_t start = begin_chunk(&chunk, type, 0);
    va_start(values, count);
    for (int i = 0; i < count; i++)
        put32(&chunk, va_arg(values, uint32_t));
    va_end(values);
    end_chunk(&chunk, start);
    say(talk, at_us, from, &chunk);
}

static inline void heartbeat(struct talk *talk, int64_t at_us, int from, bool answer, uint32_t information)
{
    control(talk, at_us, from, answer ? SR_CHUNK_HEARTBEAT_ACK : SR_CHUNK_HEARTBEAT, 2, 0x00010008u, information);
}

static inline void forward_tsn(struct talk *talk, int64_t at_us, uint32_t tsn)
{
    control(talk, at_us, A, SR_CHUNK_FORWARD_TSN, 1, tsn);
}

/* A PACKET-DROP chunk of side B that has the packet with this TSN. */
static inline void packet_drop(struct talk *talk, int64_t at_us, uint32_t tsn)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_PACKET_DROP, 0);
    put32s(&chunk, 2, 100000u, 0u);
    put16s(&chunk, 2, 0u, 0u);
    put_common_header(&chunk, 5000, 6000, TALK_TAG + 1);
    put_chunk(talk, &chunk, tsn);
    end_chunk(&chunk, start);
    say(talk, at_us, B, &chunk);
}

/* INIT or INIT ACK, as pion writes it or as others do; TSNs begin at 1 for side A, at 1000 for side B. */
static inline void init(struct talk *talk, int64_t at_us, int from, bool pion)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, from == A ? SR_CHUNK_INIT : SR_CHUNK_INIT_ACK, 0);
    put32s(&chunk, 2, TALK_TAG + (uint32_t)from, talk->a_rwnd);
    put16s(&chunk, 2, pion ? 0xffffu : 10u, pion ? 0xffffu : 10u);
    put32(&chunk, from == A ? 1 : 1000);
    size_t element = begin_element(&chunk, pion ? 0x8008 : 0xc000);
    if (pion)
        put16s(&chunk, 1, 0xc082u); /* FORWARD-TSN, RE-CONFIG */
    end_element(&chunk, element);
    end_chunk(&chunk, start);
    say_with(talk, at_us, from, &chunk, from == A);
}

/* From 0 on; so long it takes from the tap to side A and back, and to side B and back. */
static inline void shake_hands(struct talk *talk, int64_t sender_us, int64_t receiver_us, bool pion)
{
    init(talk, 0, A, pion);
    init(talk, receiver_us, B, pion);
    control(talk, receiver_us + sender_us, A, SR_CHUNK_COOKIE_ECHO, 1, 7u);
    control(talk, 2 * receiver_us + sender_us, B, SR_CHUNK_COOKIE_ACK, 0);
}

/* From 1 s on, `count` packets alone from TSN 1 on, each acknowledged a loop later; a tenth of a second apart. */
static inline int64_t warm_up(struct talk *talk, uint32_t count, int64_t receiver_us)
{
    int64_t at_us = 1000000;
    for (uint32_t i = 1; i <= count; i++, at_us += 100000) {
        data(talk, at_us, i);
        sack(talk, at_us + receiver_us, i, "");
    }
    return at_us;
}

/* Behind a handshake and eight packets alone, side A so long from the tap and back, and side B. */
static inline struct talk *talk_after_eight(int64_t sender_us, int64_t receiver_us, bool pion)
{
    struct talk *talk = talk_new();
    shake_hands(talk, sender_us, receiver_us, pion);
    warm_up(talk, 8, receiver_us);
    return talk;
}

static inline void judge(struct talk *talk)
{
    assert_true(sr_engine_judge(talk->engine));
}

static inline const struct sr_transmission_row *row_of(const struct talk *talk, uint32_t tsn, uint32_t copy)
{
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        if (row->tsn == tsn && row->copy == copy && row->from == A && row->kind != SR_KIND_CAPTURE_DUPLICATE)
            return row;
    }
    fail_msg("TSN %u was not sent %u times", tsn, copy);
    return NULL;
}

static inline const struct sr_direction_figures *figures_of(const struct talk *talk, int from)
{
    const struct sr_direction_figures *figures = sr_engine_figures(talk->engine, 0, (unsigned)from);
    assert_non_null(figures);
    return figures;
}

#endif
