/* SPDX-License-Identifier: BSD-2-Clause */
/* How a test sends chunks to a scoreboard and acknowledges them, and what it expects back. */
#ifndef SR_TESTS_SCOREBOARD_WIRE_H
#define SR_TESTS_SCOREBOARD_WIRE_H

#include "bytes_builder.h"

#include "association/kind.h"
#include "association/scoreboard.h"

enum { MS = 1000000, BYTES = 100, PLENTY = 1 << 19 };

/* A scoreboard with what happens to it: frames count up, a millisecond apart, each packet with its own IP-ID. */
struct wire {
    struct sr_scoreboard board;
    struct sr_slot_budget budget;
    uint32_t frame;
};

static inline struct wire new_wire(void)
{
    return (struct wire){.budget = {PLENTY}};
}

static inline void end_wire(struct wire *wire)
{
    sr_scoreboard_free(&wire->board, &wire->budget);
    assert_int_equal(wire->budget.left, PLENTY);
}

static inline struct sr_copy put_on(struct wire *wire, struct sr_sent_chunk sent)
{
    sent.frame = ++wire->frame;
    return sr_scoreboard_sent(&wire->board, &wire->budget, &sent);
}

/* Sent, in a packet that is like no other. */
static inline struct sr_copy send(struct wire *wire, uint32_t tsn)
{
    uint32_t number = wire->frame + 1;
    return put_on(wire, (struct sr_sent_chunk){.tsn = sr_tsn(tsn),
                                               .bytes = BYTES,
                                               .time_ns = (int64_t)number * MS,
                                               .identity = {0x10000 + number, (uint16_t)(number % 0xffff + 1)}});
}

static inline void send_run(struct wire *wire, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(send(wire, first + i).copy, 1);
}

static inline void check_copy(struct sr_copy copy, uint32_t number, uint32_t first_frame, uint32_t prev_frame)
{
    assert_int_equal(copy.copy, number);
    assert_int_equal(copy.first_frame, first_frame);
    assert_int_equal(copy.prev_frame, prev_frame);
    assert_false(sr_is_duplicate(copy.kind));
}

static inline void check_duplicate(struct sr_copy copy, uint32_t number, uint32_t first_frame, uint32_t prev_frame)
{
    assert_true(sr_is_duplicate(copy.kind));
    copy.kind = SR_KIND_ORIGINAL;
    check_copy(copy, number, first_frame, prev_frame);
}

struct block {
    uint16_t first, last;
};

static inline struct sr_sack_list list_of(uint8_t *bytes, const struct block *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint16_t ends[2] = {blocks[i].first, blocks[i].last};
        for (uint32_t end = 0; end < 2; end++) {
            bytes[i * 4 + end * 2] = (uint8_t)(ends[end] >> 8);
            bytes[i * 4 + end * 2 + 1] = (uint8_t)ends[end];
        }
    }
    return (struct sr_sack_list){bytes, count};
}

enum { MOST_BLOCKS = 16 };

static inline struct sr_newly ack_blocks(struct wire *wire, uint32_t cum, const struct block *gaps, uint32_t gap_count,
                                         const struct block *nr_gaps, uint32_t nr_gap_count)
{
    uint8_t bytes[2][MOST_BLOCKS * 4];
    struct sr_sack sack = {.cum_tsn = sr_tsn(cum),
                           .gaps = list_of(bytes[0], gaps, gap_count),
                           .nr_gaps = list_of(bytes[1], nr_gaps, nr_gap_count)};
    return sr_scoreboard_acked(&wire->board, &wire->budget, &sack, (int64_t)wire->frame * MS);
}

static inline void check_newly(struct sr_newly newly, uint32_t chunks)
{
    assert_int_equal(newly.chunks, chunks);
    assert_int_equal(newly.bytes, chunks * BYTES);
}

static inline void check_ack(struct wire *wire, uint32_t cum, uint32_t chunks)
{
    check_newly(ack_blocks(wire, cum, NULL, 0, NULL, 0), chunks);
}

static inline void check_ack_gap(struct wire *wire, uint32_t cum, struct block gap, uint32_t chunks)
{
    check_newly(ack_blocks(wire, cum, &gap, 1, NULL, 0), chunks);
}

#endif
