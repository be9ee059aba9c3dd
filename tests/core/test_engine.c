/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the engine: from packets to rows. */
#include <stdio.h>

#include "bytes_builder.h"

#include "engine/engine.h"

enum { ALL_TABLES = (1 << SR_TABLE_COUNT) - 1, VTAG = 0xabcdef01 };
enum { FRAME_NS = 2000000 }; /* between frames: so late no capture has the same bytes again */
enum { SID = 1 << SR_DATA_FIELD_SID, SSN = 1 << SR_DATA_FIELD_SSN, PPID = 1 << SR_DATA_FIELD_PPID };

static const struct sr_path path = {{10, 0, 0, 1, [16] = 4, 0x20, 1, [32] = 9, 6}};

static struct sr_engine *engine_of(uint32_t tables, bool verify)
{
    struct sr_engine_options options = {.tables = tables, .verify_checksum = verify};
    struct sr_engine *engine = sr_engine_new(&options);
    assert_non_null(engine);
    return engine;
}

static void pass_cut(struct sr_engine *engine, uint64_t frame, const struct bytes *packet, size_t captured)
{
    uint8_t *bytes = exact(packet->at, captured);
    struct sr_packet as_packet = {.frame = frame,
                                  .time_ns = (int64_t)frame * FRAME_NS,
                                  .src = {{10, 0, 0, 1}, 4},
                                  .dst = {{0x20, 1, [15] = 9}, 6},
                                  .encapsulation = SR_ENCAPSULATION_UDP,
                                  .bytes = bytes,
                                  .captured = (uint32_t)captured,
                                  .wire = (uint32_t)packet->length};
    assert_true(sr_engine_packet(engine, &as_packet));
    free_exact(bytes, captured);
    while (sr_engine_hand_out(engine, SIZE_MAX))
        continue;
}

static void pass(struct sr_engine *engine, uint64_t frame, const struct bytes *packet)
{
    pass_cut(engine, frame, packet, packet->length);
}

static struct bytes new_packet(void)
{
    struct bytes packet = {0};
    put_common_header(&packet, 1000, 2000, VTAG);
    return packet;
}

static void put_sack(struct bytes *to, uint32_t cum)
{
    size_t start = begin_chunk(to, SR_CHUNK_SACK, 2);
    put32s(to, 2, cum, 5000u);
    put16s(to, 6, 2u, 1u, 2u, 3u, 5u, 5u);
    put32(to, cum);
    end_chunk(to, start);
}

static size_t count_rows(const struct sr_engine *engine, enum sr_table table, size_t size)
{
    const struct sr_buffer *rows = &sr_engine_rows(engine)->tables[table];
    assert_int_equal(rows->length % size, 0);
    return rows->length / size;
}

static void check_path(const struct sr_engine *engine, uint32_t number)
{
    const struct sr_buffer *list = &sr_engine_rows(engine)->paths.list;
    assert_true((number + 1) * sizeof path <= list->length);
    assert_memory_equal(list->bytes + number * sizeof path, &path, sizeof path);
}

/* Row `i`; frame and time go together in these tests. */
static void check_transmission(const struct sr_engine *engine, size_t i, struct sr_transmission_row expected)
{
    const struct sr_transmission_row *row = (const void *)sr_engine_rows(engine)->tables[SR_TABLE_TRANSMISSIONS].bytes;
    assert_true(i < count_rows(engine, SR_TABLE_TRANSMISSIONS, sizeof *row));
    row += i;
    assert_int_equal(row->frame, expected.frame);
    assert_int_equal(row->time_ns, expected.frame * FRAME_NS);
    assert_int_equal(row->chunk, expected.chunk);
    assert_int_equal(row->tsn, expected.tsn);
    assert_int_equal(row->bytes, expected.bytes);
    assert_int_equal(row->mid, expected.mid);
    assert_int_equal(row->fsn, expected.fsn);
    assert_int_equal(row->ppid, expected.ppid);
    assert_int_equal(row->sid, expected.sid);
    assert_int_equal(row->ssn, expected.ssn);
    check_path(engine, row->path);
    assert_int_equal(row->flags, expected.flags);
    assert_int_equal(row->present, expected.present);
    assert_int_equal(row->crc, expected.crc);
}

static void check_sack(const struct sr_engine *engine, size_t i, struct sr_sack_row expected, const uint32_t *numbers)
{
    const struct sr_sack_row *row = (const void *)sr_engine_rows(engine)->tables[SR_TABLE_SACKS].bytes;
    assert_true(i < count_rows(engine, SR_TABLE_SACKS, sizeof *row));
    row += i;
    assert_int_equal(row->frame, expected.frame);
    assert_int_equal(row->time_ns, expected.frame * FRAME_NS);
    assert_int_equal(row->gaps, expected.gaps);
    assert_int_equal(row->nr_gaps, expected.nr_gaps);
    assert_int_equal(row->dups, expected.dups);
    assert_int_equal(row->chunk, expected.chunk);
    assert_int_equal(row->cum_tsn, expected.cum_tsn);
    assert_int_equal(row->a_rwnd, expected.a_rwnd);
    assert_int_equal(row->malformed, expected.malformed);
    check_path(engine, row->path);
    assert_int_equal(row->kind, expected.kind);
    assert_int_equal(row->flags, expected.flags);
    size_t count = 2 * (expected.gaps + expected.nr_gaps) + expected.dups;
    const struct sr_buffer *pool = &sr_engine_rows(engine)->numbers;
    assert_true((row->lists + count) * sizeof(uint32_t) <= pool->length);
    if (count > 0)
        assert_memory_equal(pool->bytes + row->lists * sizeof(uint32_t), numbers, count * sizeof(uint32_t));
}

static void check_chunk(const struct sr_engine *engine, size_t i, struct sr_chunk_row expected, const char *json)
{
    const struct sr_chunk_row *row = (const void *)sr_engine_rows(engine)->tables[SR_TABLE_CHUNKS].bytes;
    assert_true(i < count_rows(engine, SR_TABLE_CHUNKS, sizeof *row));
    row += i;
    assert_int_equal(row->frame, expected.frame);
    assert_int_equal(row->time_ns, expected.frame * FRAME_NS);
    assert_int_equal(row->chunk, expected.chunk);
    assert_int_equal(row->vtag, expected.vtag);
    assert_int_equal(row->malformed, expected.malformed);
    assert_int_equal(row->sport, expected.sport);
    assert_int_equal(row->dport, expected.dport);
    assert_int_equal(row->length, expected.length);
    check_path(engine, row->path);
    assert_int_equal(row->has_chunk, expected.has_chunk);
    assert_int_equal(row->type, expected.type);
    assert_int_equal(row->flags, expected.flags);
    assert_int_equal(row->encapsulation, SR_ENCAPSULATION_UDP);
    assert_int_equal(row->checksum, expected.checksum);
    assert_int_equal(row->text_length, strlen(json));
    const struct sr_buffer *pool = &sr_engine_rows(engine)->text;
    assert_true(row->text + row->text_length <= pool->length);
    if (row->text_length > 0)
        assert_memory_equal(pool->bytes + row->text, json, row->text_length);
}

#define CHUNK(frame_, chunk_, checksum_, ...)                                                                          \
    (struct sr_chunk_row)                                                                                              \
    {                                                                                                                  \
        .frame = frame_, .chunk = chunk_, .checksum = checksum_, .vtag = VTAG, .sport = 1000, .dport = 2000,           \
        __VA_ARGS__                                                                                                    \
    }
#define BAD(name) .malformed = 1u << SR_CHUNK_ANOMALY_##name

/* The side that sent the first packet. */
static const struct sr_side *sender(const struct sr_engine *engine)
{
    return &sr_registry_at(sr_engine_associations(engine), 0)->side[SR_SIDE_A];
}

static void every_chunk_becomes_a_row_of_its_table_and_of_chunks(void **state)
{
    (void)state;
    struct sr_engine *engine = engine_of(ALL_TABLES, false);
    struct bytes packet = new_packet();
    put_sack(&packet, 100);
    put_data(&packet, 3, 0xffffffff, 7, 8, 9, 10);
    size_t cookie = begin_chunk(&packet, SR_CHUNK_COOKIE_ECHO, 0);
    put_zeros(&packet, 5);
    end_chunk(&packet, cookie);
    end_chunk(&packet, begin_chunk(&packet, 200, 0x55));
    seal(&packet, 0);
    pass(engine, 4, &packet);

    assert_int_equal(count_rows(engine, SR_TABLE_SACKS, sizeof(struct sr_sack_row)), 1);
    check_sack(
        engine, 0,
        (struct sr_sack_row){
            .frame = 4, .gaps = 2, .dups = 1, .cum_tsn = 100, .a_rwnd = 5000, .kind = SR_SACK_KIND_SACK, .flags = 2},
        (const uint32_t[]){102, 103, 105, 105, 100});
    assert_int_equal(count_rows(engine, SR_TABLE_TRANSMISSIONS, sizeof(struct sr_transmission_row)), 1);
    check_transmission(engine, 0,
                       (struct sr_transmission_row){.frame = 4,
                                                    .chunk = 1,
                                                    .tsn = 0xffffffff,
                                                    .bytes = 10,
                                                    .ppid = 9,
                                                    .sid = 7,
                                                    .ssn = 8,
                                                    .flags = 3,
                                                    .present = SID | SSN | PPID,
                                                    .crc = SR_CRC_GOOD});
    assert_int_equal(count_rows(engine, SR_TABLE_CHUNKS, sizeof(struct sr_chunk_row)), 4);
    enum { RIGHT = SR_CHECKSUM_CRC32C };
    check_chunk(engine, 0, CHUNK(4, 0, RIGHT, .has_chunk = 1, .type = 3, .flags = 2, .length = 28), "");
    check_chunk(engine, 1, CHUNK(4, 1, RIGHT, .has_chunk = 1, .type = 0, .flags = 3, .length = 26), "");
    check_chunk(engine, 2, CHUNK(4, 2, RIGHT, .has_chunk = 1, .type = 10, .length = 9), "{\"cookie_bytes\":5}");
    check_chunk(engine, 3, CHUNK(4, 3, RIGHT, .has_chunk = 1, .type = 200, .flags = 0x55, .length = 4), "");

    struct sr_engine_totals totals = sr_engine_totals(engine);
    assert_int_equal(totals.packets, 1);
    assert_int_equal(totals.chunks, 4);
    assert_int_equal(totals.short_packets, 0);
    assert_int_equal(totals.uncounted, 0);
    assert_int_equal(sr_registry_count(sr_engine_associations(engine)), 1);
    sr_engine_free(engine);
}

static void positions_count_on_over_the_packets_of_one_frame(void **state)
{
    (void)state;
    struct sr_engine *engine = engine_of(ALL_TABLES, false);
    struct bytes two = new_packet(), broken = new_packet();
    put_data(&two, 3, 1, 0, 0, 0, 4);
    put_data(&two, 3, 2, 0, 0, 0, 4);
    put_data(&broken, 3, 3, 0, 0, 0, 4);
    put_zeros(&broken, 4); /* a DATA chunk of length zero */
    pass(engine, 1, &two);
    pass(engine, 1, &broken);
    pass(engine, 1, &two);
    pass(engine, 2, &two);
    static const struct {
        uint64_t frame;
        uint32_t chunk, tsn;
    } expected[] = {{1, 0, 1}, {1, 1, 2}, {1, 2, 3}, {1, 4, 1}, {1, 5, 2}, {2, 0, 1}, {2, 1, 2}};
    assert_int_equal(count_rows(engine, SR_TABLE_TRANSMISSIONS, sizeof(struct sr_transmission_row)), 7);
    for (size_t i = 0; i < 7; i++)
        check_transmission(engine, i,
                           (struct sr_transmission_row){.frame = expected[i].frame,
                                                        .chunk = expected[i].chunk,
                                                        .tsn = expected[i].tsn,
                                                        .bytes = 4,
                                                        .flags = 3,
                                                        .present = SID | SSN | PPID,
                                                        .crc = SR_CRC_ZERO});
    assert_int_equal(count_rows(engine, SR_TABLE_CHUNKS, sizeof(struct sr_chunk_row)), 8);
    check_chunk(engine, 3, CHUNK(1, 3, SR_CHECKSUM_ZERO, .has_chunk = 1, BAD(LENGTH_BELOW_HEADER)), "");
    assert_int_equal(sr_engine_totals(engine).chunks, 7);
    sr_engine_free(engine);
}

/* What the checksum of a packet must be for its row of transmissions to say so. */
static void check_crc(struct sr_engine *engine, const struct bytes *packet, size_t captured, enum sr_checksum checksum,
                      enum sr_crc crc)
{
    uint64_t frame = sr_engine_totals(engine).packets + 1;
    sr_engine_clear_rows(engine);
    pass_cut(engine, frame, packet, captured);
    check_transmission(
        engine, 0,
        (struct sr_transmission_row){
            .frame = frame, .tsn = 1, .bytes = 4, .flags = 3, .present = SID | SSN | PPID, .crc = (uint8_t)crc});
    check_chunk(engine, 0,
                CHUNK(frame, 0, (uint8_t)checksum, .has_chunk = 1, .flags = 3, .length = 20,
                      .malformed = captured < packet->length ? 1u << SR_CHUNK_ANOMALY_SNAPPED : 0),
                "");
}

static struct bytes packet_of_checksum(enum sr_checksum checksum)
{
    struct bytes packet = new_packet();
    put_data(&packet, 3, 1, 0, 0, 0, 4);
    if (checksum == SR_CHECKSUM_ADLER32) {
        uint32_t adler = sr_adler32(1, packet.at, packet.length);
        set16(&packet, 8, adler >> 16);
        set16(&packet, 10, adler);
    } else if (checksum != SR_CHECKSUM_ZERO) {
        seal(&packet, 0);
        packet.at[8] ^= checksum == SR_CHECKSUM_WRONG;
    }
    return packet;
}

static void a_wrong_checksum_is_bad_only_from_a_side_that_was_right(void **state)
{
    (void)state;
    struct bytes right = packet_of_checksum(SR_CHECKSUM_CRC32C), adler = packet_of_checksum(SR_CHECKSUM_ADLER32);
    struct bytes zero = packet_of_checksum(SR_CHECKSUM_ZERO), wrong = packet_of_checksum(SR_CHECKSUM_WRONG);
    const struct bytes *good[] = {&right, &adler};
    const enum sr_checksum kinds[] = {SR_CHECKSUM_CRC32C, SR_CHECKSUM_ADLER32};
    for (int i = 0; i < 2; i++) {
        struct sr_engine *engine = engine_of(ALL_TABLES, false);
        check_crc(engine, &wrong, wrong.length, SR_CHECKSUM_WRONG, SR_CRC_UNVERIFIED);
        check_crc(engine, &zero, zero.length, SR_CHECKSUM_ZERO, SR_CRC_ZERO);
        check_crc(engine, &right, right.length - 1, SR_CHECKSUM_CUT, SR_CRC_UNVERIFIED);
        check_crc(engine, &wrong, wrong.length, SR_CHECKSUM_WRONG, SR_CRC_UNVERIFIED);
        check_crc(engine, good[i], good[i]->length, kinds[i], SR_CRC_GOOD);
        check_crc(engine, &wrong, wrong.length, SR_CHECKSUM_WRONG, SR_CRC_BAD);
        check_crc(engine, &zero, zero.length, SR_CHECKSUM_ZERO, SR_CRC_ZERO);
        check_crc(engine, &wrong, wrong.length - 1, SR_CHECKSUM_CUT, SR_CRC_UNVERIFIED);
        const struct sr_side *side = sender(engine);
        assert_int_equal(side->checksums[kinds[i]], 1);
        assert_int_equal(side->checksums[SR_CHECKSUM_WRONG], 3);
        assert_int_equal(side->checksums[SR_CHECKSUM_ZERO], 2);
        assert_int_equal(side->checksums[SR_CHECKSUM_CUT], 2);
        sr_engine_free(engine);
    }
}

static void another_side_says_nothing_of_this_one(void **state)
{
    (void)state;
    struct sr_engine *engine = engine_of(ALL_TABLES, false);
    struct bytes other = packet_of_checksum(SR_CHECKSUM_CRC32C), wrong = packet_of_checksum(SR_CHECKSUM_WRONG);
    set16(&other, 0, 2000);
    set16(&other, 2, 1000);
    seal(&other, 0);
    pass(engine, 1, &other);
    check_crc(engine, &wrong, wrong.length, SR_CHECKSUM_WRONG, SR_CRC_UNVERIFIED);
    assert_int_equal(sr_registry_count(sr_engine_associations(engine)), 2);
    sr_engine_free(engine);
}

static void verification_calls_every_wrong_checksum_bad(void **state)
{
    (void)state;
    struct sr_engine *engine = engine_of(ALL_TABLES, true);
    struct bytes zero = packet_of_checksum(SR_CHECKSUM_ZERO), wrong = packet_of_checksum(SR_CHECKSUM_WRONG);
    check_crc(engine, &wrong, wrong.length, SR_CHECKSUM_WRONG, SR_CRC_BAD);
    check_crc(engine, &zero, zero.length, SR_CHECKSUM_ZERO, SR_CRC_ZERO);
    check_crc(engine, &wrong, wrong.length - 1, SR_CHECKSUM_CUT, SR_CRC_UNVERIFIED);
    sr_engine_free(engine);
}

static void where_decoding_stops_is_a_row_of_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *bytes; /* behind the common header */
        size_t count, cut;
        enum sr_chunk_anomaly anomaly;
        uint8_t has_chunk, type, flags;
        uint16_t length;
    } cases[] = {
        {"\x01", 1, 0, SR_CHUNK_ANOMALY_SHORT_CHUNK_HEADER, 0, 0, 0, 0},
        {"\x01\x02\x00", 3, 0, SR_CHUNK_ANOMALY_SHORT_CHUNK_HEADER, 0, 0, 0, 0},
        {"\x01\x02\x00\x03", 4, 0, SR_CHUNK_ANOMALY_LENGTH_BELOW_HEADER, 1, 1, 2, 3},
        {"\x03\x02\x00\x05", 4, 0, SR_CHUNK_ANOMALY_BEYOND_PACKET, 1, 3, 2, 5},
        {"\x01\x02\x00\x04", 4, 4, SR_CHUNK_ANOMALY_BLIND, 0, 0, 0, 0},
        {"\x01\x02\x00\x04", 4, 1, SR_CHUNK_ANOMALY_BLIND, 0, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sr_engine *engine = engine_of(ALL_TABLES, false);
        struct bytes packet = new_packet();
        end_chunk(&packet, begin_chunk(&packet, SR_CHUNK_COOKIE_ACK, 0));
        put(&packet, cases[i].bytes, cases[i].count);
        pass_cut(engine, 9, &packet, packet.length - cases[i].cut);
        assert_int_equal(count_rows(engine, SR_TABLE_CHUNKS, sizeof(struct sr_chunk_row)), 2);
        assert_int_equal(count_rows(engine, SR_TABLE_SACKS, sizeof(struct sr_sack_row)), 0);
        check_chunk(engine, 0, CHUNK(9, 0, SR_CHECKSUM_ZERO, .has_chunk = 1, .type = 11, .length = 4), "{}");
        check_chunk(engine, 1,
                    CHUNK(9, 1, SR_CHECKSUM_ZERO, .has_chunk = cases[i].has_chunk, .type = cases[i].type,
                          .flags = cases[i].flags, .length = cases[i].length, .malformed = 1u << cases[i].anomaly),
                    "");
        const struct sr_side *side = sender(engine);
        for (unsigned j = 0; j < SR_CHUNK_ANOMALY_COUNT; j++) {
            assert_int_equal(side->anomalies[j], j == cases[i].anomaly);
            assert_int_equal(side->anomalies_first[j], j == cases[i].anomaly ? 9 : 0);
        }
        for (int j = 0; j < SR_SIDE_CHUNK_TYPES; j++)
            assert_int_equal(sr_side_chunks(side, j), j == SR_CHUNK_COOKIE_ACK);
        assert_int_equal(side->blind_bytes, cases[i].cut);
        assert_int_equal(sr_engine_totals(engine).chunks, 1);
        sr_engine_free(engine);
    }
}

static void a_packet_without_a_whole_common_header_is_one_row_and_no_association(void **state)
{
    (void)state;
    struct bytes packet = new_packet();
    put_data(&packet, 3, 1, 0, 0, 0, 4);
    for (size_t captured = 0; captured < 12; captured++) {
        struct sr_engine *engine = engine_of(ALL_TABLES, false);
        pass_cut(engine, 1, &packet, captured);
        assert_int_equal(count_rows(engine, SR_TABLE_CHUNKS, sizeof(struct sr_chunk_row)), 1);
        check_chunk(engine, 0, (struct sr_chunk_row){.frame = 1, .checksum = SR_CHECKSUM_CUT, BAD(SHORT_PACKET)}, "");
        struct sr_engine_totals totals = sr_engine_totals(engine);
        assert_int_equal(totals.packets, 1);
        assert_int_equal(totals.chunks, 0);
        assert_int_equal(totals.short_packets, 1);
        assert_int_equal(totals.uncounted, 0);
        assert_int_equal(sr_registry_count(sr_engine_associations(engine)), 0);
        sr_engine_free(engine);
    }
}

static void a_chunk_that_is_too_short_has_no_row_elsewhere(void **state)
{
    (void)state;
    static const uint8_t types[] = {SR_CHUNK_DATA, SR_CHUNK_I_DATA, SR_CHUNK_SACK, SR_CHUNK_NR_SACK, SR_CHUNK_SHUTDOWN};
    for (size_t i = 0; i < sizeof types; i++) {
        struct sr_engine *engine = engine_of(ALL_TABLES, false);
        struct bytes packet = new_packet();
        end_chunk(&packet, begin_chunk(&packet, types[i], 1));
        pass(engine, 1, &packet);
        assert_int_equal(count_rows(engine, SR_TABLE_TRANSMISSIONS, sizeof(struct sr_transmission_row)), 0);
        assert_int_equal(count_rows(engine, SR_TABLE_SACKS, sizeof(struct sr_sack_row)), 0);
        assert_int_equal(count_rows(engine, SR_TABLE_CHUNKS, sizeof(struct sr_chunk_row)), 1);
        check_chunk(
            engine, 0,
            CHUNK(1, 0, SR_CHECKSUM_ZERO, .has_chunk = 1, .type = types[i], .flags = 1, .length = 4, BAD(SHORT_BODY)),
            "");
        const struct sr_side *side = sender(engine);
        assert_int_equal(side->anomalies[SR_CHUNK_ANOMALY_SHORT_BODY], 1);
        assert_int_equal(sr_side_chunks(side, sr_chunk_counter(types[i])), 1);
        assert_int_equal(side->data.chunks, 0);
        assert_int_equal(side->sacks.chunks, 0);
        sr_engine_free(engine);
    }
}

static void a_cut_control_chunk_shows_what_there_is_and_says_that_it_is_cut(void **state)
{
    (void)state;
    struct sr_engine *engine = engine_of(ALL_TABLES, false);
    struct bytes packet = new_packet();
    size_t start = begin_chunk(&packet, SR_CHUNK_FORWARD_TSN, 0);
    put32(&packet, 77);
    put16s(&packet, 4, 1u, 2u, 3u, 4u);
    end_chunk(&packet, start);
    pass_cut(engine, 1, &packet, 12 + 4 + 4 + 5);
    assert_int_equal(count_rows(engine, SR_TABLE_CHUNKS, sizeof(struct sr_chunk_row)), 1);
    check_chunk(engine, 0, CHUNK(1, 0, SR_CHECKSUM_ZERO, .has_chunk = 1, .type = 192, .length = 16, BAD(SNAPPED)),
                "{\"new_cum_tsn\":77,\"skipped\":[{\"sid\":1,\"ssn\":2}]}");
    sr_engine_free(engine);
}

static void check_same_side(const struct sr_side *a, const struct sr_side *b)
{
    assert_int_equal(a->packets, b->packets);
    assert_memory_equal(a->checksums, b->checksums, sizeof a->checksums);
    for (unsigned i = 0; i < SR_SIDE_CHUNK_TYPES; i++)
        assert_int_equal(sr_side_chunks(a, i), sr_side_chunks(b, i));
    assert_non_null(a->anomalies);
    assert_non_null(b->anomalies);
    assert_memory_equal(a->anomalies, b->anomalies, SR_CHUNK_ANOMALY_COUNT * sizeof *a->anomalies);
    assert_memory_equal(a->anomalies_first, b->anomalies_first, SR_CHUNK_ANOMALY_COUNT * sizeof *a->anomalies_first);
    assert_int_equal(a->blind_bytes, b->blind_bytes);
    assert_int_equal(a->data.chunks, b->data.chunks);
    assert_int_equal(a->data.tsns, b->data.tsns);
    assert_int_equal(a->sacks.chunks, b->sacks.chunks);
    assert_int_equal(a->sacks.gaps, b->sacks.gaps);
}

static void tables_that_nobody_asked_for_have_no_rows_and_change_no_count(void **state)
{
    (void)state;
    struct bytes packet = new_packet();
    put_sack(&packet, 100);
    put_data(&packet, 3, 1, 0, 0, 0, 4);
    end_chunk(&packet, begin_chunk(&packet, SR_CHUNK_INIT, 0)); /* too short */
    end_chunk(&packet, begin_chunk(&packet, SR_CHUNK_DATA, 0)); /* too short */
    put_zeros(&packet, 2);
    struct sr_engine *all = engine_of(ALL_TABLES, false);
    pass(all, 1, &packet);
    for (uint32_t tables = 0; tables < ALL_TABLES; tables++) {
        struct sr_engine *engine = engine_of(tables, false);
        pass(engine, 1, &packet);
        for (unsigned i = 0; i < SR_TABLE_COUNT; i++) {
            size_t wanted = tables >> i & 1 ? sr_engine_rows(all)->tables[i].length : 0;
            assert_int_equal(sr_engine_rows(engine)->tables[i].length, wanted);
        }
        assert_int_equal(sr_engine_rows(engine)->numbers.length > 0, tables >> SR_TABLE_SACKS & 1);
        assert_int_equal(sr_engine_rows(engine)->text.length > 0, tables >> SR_TABLE_CHUNKS & 1);
        assert_int_equal(sr_engine_totals(engine).chunks, 4);
        assert_int_equal(sr_registry_count(sr_engine_associations(engine)), 1);
        check_same_side(sender(engine), sender(all));
        sr_engine_free(engine);
    }
    sr_engine_free(all);
}

static void cleared_rows_are_gone_and_positions_go_on(void **state)
{
    (void)state;
    struct sr_engine *engine = engine_of(ALL_TABLES, false);
    struct bytes packet = new_packet();
    put_sack(&packet, 100);
    size_t pad = begin_chunk(&packet, SR_CHUNK_PAD, 0);
    end_chunk(&packet, pad);
    pass(engine, 1, &packet);
    sr_engine_clear_rows(engine);
    for (int i = 0; i < SR_TABLE_COUNT; i++)
        assert_int_equal(sr_engine_rows(engine)->tables[i].length, 0);
    assert_int_equal(sr_engine_rows(engine)->numbers.length, 0);
    assert_int_equal(sr_engine_rows(engine)->text.length, 0);
    pass(engine, 1, &packet);
    check_sack(
        engine, 0,
        (struct sr_sack_row){.frame = 1, .chunk = 2, .gaps = 2, .dups = 1, .cum_tsn = 100, .a_rwnd = 5000, .flags = 2},
        (const uint32_t[]){102, 103, 105, 105, 100});
    check_chunk(engine, 1, CHUNK(1, 3, SR_CHECKSUM_ZERO, .has_chunk = 1, .type = 132, .length = 4),
                "{\"padding_bytes\":0}");
    sr_engine_free(engine);
}

static void packets_of_associations_beyond_the_limit_have_rows_and_are_not_counted(void **state)
{
    (void)state;
    struct sr_engine *engine = engine_of(1 << SR_TABLE_TRANSMISSIONS, false);
    struct bytes packet = new_packet();
    put_data(&packet, 3, 1, 0, 0, 0, 4);
    for (uint32_t i = 1; i <= SR_ASSOCIATIONS_LIMIT + 3; i++) {
        set16(&packet, 4, i >> 16);
        set16(&packet, 6, i);
        pass(engine, i, &packet);
    }
    struct sr_engine_totals totals = sr_engine_totals(engine);
    assert_int_equal(totals.packets, SR_ASSOCIATIONS_LIMIT + 3);
    assert_int_equal(totals.chunks, SR_ASSOCIATIONS_LIMIT + 3);
    assert_int_equal(totals.short_packets, 0);
    assert_int_equal(totals.uncounted, 3);
    assert_int_equal(sr_registry_count(sr_engine_associations(engine)), SR_ASSOCIATIONS_LIMIT);
    assert_int_equal(count_rows(engine, SR_TABLE_TRANSMISSIONS, sizeof(struct sr_transmission_row)),
                     SR_ASSOCIATIONS_LIMIT + 3);
    sr_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chunk_becomes_a_row_of_its_table_and_of_chunks),
        cmocka_unit_test(positions_count_on_over_the_packets_of_one_frame),
        cmocka_unit_test(a_wrong_checksum_is_bad_only_from_a_side_that_was_right),
        cmocka_unit_test(another_side_says_nothing_of_this_one),
        cmocka_unit_test(verification_calls_every_wrong_checksum_bad),
        cmocka_unit_test(where_decoding_stops_is_a_row_of_its_own),
        cmocka_unit_test(a_packet_without_a_whole_common_header_is_one_row_and_no_association),
        cmocka_unit_test(a_chunk_that_is_too_short_has_no_row_elsewhere),
        cmocka_unit_test(a_cut_control_chunk_shows_what_there_is_and_says_that_it_is_cut),
        cmocka_unit_test(tables_that_nobody_asked_for_have_no_rows_and_change_no_count),
        cmocka_unit_test(cleared_rows_are_gone_and_positions_go_on),
        cmocka_unit_test(packets_of_associations_beyond_the_limit_have_rows_and_are_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
