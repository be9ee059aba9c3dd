/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations at the times that a broken clock or a forged file gives: judged, with sanitizers watching the sums. */
#include "bytes_builder.h"

#include "engine/engine.h"

enum { PACKETS = 60, ROUNDS = 400, CHOICES = 10, NOW = 1700000000 };

/* xorshift, so that each run is the same. */
static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static int64_t time_of(uint32_t *state, int64_t packet)
{
    static const int64_t ends[] = {SR_NO_TIME, SR_NO_TIME + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    uint32_t choice = next(state) % CHOICES;
    return choice < sizeof ends / sizeof *ends ? ends[choice] : NOW * INT64_C(1000000000) + packet * 40000000;
}

static void pass(struct sr_engine *engine, uint64_t frame, int64_t time_ns, uint32_t tsn, uint32_t kind)
{
    struct bytes packet = {0};
    bool back = kind % 3 == 0;
    put_common_header(&packet, back ? 2000 : 1000, back ? 1000 : 2000, back ? 2 : 1);
    if (back) {
        size_t start = begin_chunk(&packet, SR_CHUNK_SACK, 0);
        put32s(&packet, 2, tsn, 100000u);
        put16s(&packet, 4, 1u, 0u, 2u, 3u);
        end_chunk(&packet, start);
    } else {
        put_data(&packet, 3, tsn, 0, 0, 51, 8);
    }
    uint8_t *bytes = exact(packet.at, packet.length);
    struct sr_packet as_packet = {.frame = frame,
                                  .time_ns = time_ns,
                                  .src = {{10, 0, 0, back ? 2 : 1}, 4},
                                  .dst = {{10, 0, 0, back ? 1 : 2}, 4},
                                  .bytes = bytes,
                                  .captured = (uint32_t)packet.length,
                                  .wire = (uint32_t)packet.length};
    assert_true(sr_engine_packet(engine, &as_packet));
    free_exact(bytes, packet.length);
}

static void no_time_leaves_the_range_of_the_sums(void **state)
{
    (void)state;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        uint32_t random = round * 2654435761u;
        struct sr_engine_options options = {.tables = (1 << SR_TABLE_COUNT) - 1};
        struct sr_engine *engine = sr_engine_new(&options);
        assert_non_null(engine);
        for (uint32_t i = 1, tsn = 100; i <= PACKETS; i++) {
            uint32_t kind = next(&random);
            pass(engine, i, time_of(&random, i), kind % 5 == 0 ? tsn - 3 : tsn++, kind);
        }
        assert_true(sr_engine_judge(engine));
        while (sr_engine_hand_out(engine, SIZE_MAX))
            sr_engine_clear_rows(engine);
        sr_engine_free(engine);
    }
}

static void a_time_beyond_the_range_is_at_its_end(void **state)
{
    (void)state;
    struct sr_engine_options options = {.tables = 1 << SR_TABLE_CHUNKS};
    static const int64_t given[] = {SR_NO_TIME, SR_NO_TIME + 1, SR_EARLIEST_NS, 0, SR_LATEST_NS, INT64_MAX};
    static const int64_t kept[] = {SR_NO_TIME, SR_EARLIEST_NS, SR_EARLIEST_NS, 0, SR_LATEST_NS, SR_LATEST_NS};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        assert_int_equal(sr_time_within(given[i]), kept[i]);
    struct sr_engine *engine = sr_engine_new(&options);
    pass(engine, 1, INT64_MAX, 1, 1);
    const struct sr_chunk_row *row = (const void *)sr_engine_rows(engine)->tables[SR_TABLE_CHUNKS].bytes;
    assert_int_equal(row->time_ns, SR_LATEST_NS);
    sr_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_time_leaves_the_range_of_the_sums),
        cmocka_unit_test(a_time_beyond_the_range_is_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
