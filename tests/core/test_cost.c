/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that inputs of 1 MiB that were made to cost much are read to their end: each takes well under a second, and the
 * test program's time limit ends what would take the square of that. */
#include "bytes_builder.h"

#include "model/model.h"
#include "session.h"

enum { MOST = 1 << 20, LINKTYPE_RAW = 101, LINKTYPE_SCTP = 248 };

/* A pcap file; this one needs more room than `struct bytes` has. */
struct file {
    size_t length;
    uint8_t at[MOST];
};

static void add(struct file *file, const void *from, size_t count)
{
    assert_true(file->length + count <= MOST);
    memcpy(file->at + file->length, from, count);
    file->length += count;
}

static struct file *new_file(uint8_t link_type)
{
    static const uint8_t header[20] = {0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, [16] = 0, 4, 0, 0};
    struct file *file = malloc(sizeof *file);
    assert_non_null(file);
    file->length = 0;
    add(file, header, sizeof header);
    add(file, (const uint8_t[]){0, 0, 0, link_type}, 4);
    return file;
}

/* False when there is no room for one more. */
static bool add_record(struct file *file, const struct bytes *frame)
{
    struct bytes header = {0};
    put32s(&header, 4, 0u, 0u, (uint32_t)frame->length, (uint32_t)frame->length);
    if (file->length + header.length + frame->length > MOST)
        return false;
    add(file, header.at, header.length);
    add(file, frame->at, frame->length);
    return true;
}

/* Reads the file with all tables; `rows` are those of `chunks`. Frees it. */
static void check_cost(struct file *file, uint64_t rows)
{
    const struct sr_engine_options options = {.tables = (1u << SR_TABLE_COUNT) - 1};
    struct sr_session *session = sr_session_new(&options);
    uint64_t rows_seen = 0;
    size_t at = 0;
    enum sr_reader_step step = SR_READER_MORE;
    while (step == SR_READER_MORE || step == SR_READER_RECORD) {
        if (step == SR_READER_MORE) {
            size_t room;
            uint8_t *space = sr_session_space(session, &room);
            size_t count = file->length - at < room ? file->length - at : room;
            memcpy(space, file->at + at, count);
            at += count;
            sr_session_filled(session, count);
        }
        step = sr_session_read(session, 10000);
        rows_seen += sr_session_rows(session)->tables[SR_TABLE_CHUNKS].length / sizeof(struct sr_chunk_row);
        sr_session_clear_rows(session);
    }
    assert_int_equal(step, SR_READER_END);
    assert_int_equal(rows_seen, rows);
    assert_true(sr_session_judge(session));
    sr_session_free(session);
    free(file);
}

/* The window of TSNs that were seen moves by as much as it can without being emptied at once. */
static void tsns_that_jump_by_almost_the_window_cost_no_more_than_others(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_SCTP);
    struct bytes *packet = calloc(1, sizeof *packet);
    uint32_t tsn = 0;
    uint64_t chunks = 0;
    do {
        packet->length = 0;
        put_common_header(packet, 1, 2, 3);
        for (int i = 0; i < 4000; i++)
            put_data(packet, 3, tsn += SR_SCOREBOARD_REACH, 0, 0, 0, 0);
        chunks += 4000;
    } while (add_record(file, packet));
    free(packet);
    check_cost(file, chunks - 4000);
}

/* The file is this packet again and again. */
static void check_cost_of_one(struct file *file, struct bytes *packet)
{
    uint64_t chunks = 0;
    while (add_record(file, packet))
        chunks++;
    free(packet);
    check_cost(file, chunks);
}

/* Each packet begins an association, and their tags share their low bits. */
static void associations_without_end_cost_no_more_than_others(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_SCTP);
    struct bytes packet = {0};
    uint64_t packets = 0;
    do {
        packet.length = 0;
        put_common_header(&packet, 1, 2, (uint32_t)packets++ << 10);
        end_chunk(&packet, begin_chunk(&packet, SR_CHUNK_COOKIE_ACK, 0));
    } while (add_record(file, &packet));
    check_cost(file, packets - 1);
}

static void many_small_causes_cost_no_more_than_others(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_SCTP);
    struct bytes *packet = calloc(1, sizeof *packet);
    put_common_header(packet, 1, 2, 3);
    size_t start = begin_chunk(packet, SR_CHUNK_ERROR, 0);
    for (int i = 0; i < 16000; i++)
        put16s(packet, 2, 11u, 4u);
    end_chunk(packet, start);
    check_cost_of_one(file, packet);
}

/* Each duplicate is looked for among all blocks. */
static void duplicates_in_the_last_of_many_blocks_cost_no_more_than_others(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_SCTP);
    struct bytes *packet = calloc(1, sizeof *packet);
    put_common_header(packet, 1, 2, 3);
    size_t start = begin_chunk(packet, SR_CHUNK_SACK, 0);
    put32s(packet, 2, 0u, 0u);
    put16s(packet, 2, 8000u, 8000u);
    for (int i = 0; i < 7999; i++)
        put16s(packet, 2, 2u, 2u);
    put16s(packet, 2, 9u, 9u);
    for (int i = 0; i < 8000; i++)
        put32(packet, 9);
    end_chunk(packet, start);
    check_cost_of_one(file, packet);
}

/* What is taken back is outstanding again for each sender that is replayed. */
static void data_taken_back_without_end_costs_no_more_than_other_data(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_SCTP);
    struct bytes *packet = calloc(1, sizeof *packet);
    uint64_t chunks = 0;
    put_common_header(packet, 1, 2, 3);
    for (uint32_t tsn = 1; tsn <= 200; tsn++)
        put_data(packet, 3, tsn, 0, 0, 0, 0);
    assert_true(add_record(file, packet));
    do {
        packet->length = 0;
        put_common_header(packet, 2, 1, 4);
        size_t start = begin_chunk(packet, SR_CHUNK_SACK, 0);
        put32s(packet, 2, 0u, 100000u);
        put16s(packet, 4, 1u, 0u, 2u, chunks % 4 == 0 ? 200u : 2u);
        end_chunk(packet, start);
        chunks++;
    } while (add_record(file, packet));
    free(packet);
    check_cost(file, 200 + chunks - 1);
}

/* The cumulative TSN of one acknowledgement is as far away as it can be. */
static void acknowledgements_of_what_was_never_sent_cost_no_more_than_others(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_SCTP);
    struct bytes *packet = calloc(1, sizeof *packet);
    uint64_t chunks = 0;
    put_common_header(packet, 1, 2, 3);
    put_data(packet, 3, 1, 0, 0, 0, 0);
    assert_true(add_record(file, packet));
    do {
        packet->length = 0;
        put_common_header(packet, 2, 1, 4);
        size_t start = begin_chunk(packet, SR_CHUNK_SACK, 0);
        put32s(packet, 2, chunks % 2 == 0 ? 0x80000000u : 1u, 100000u);
        put16s(packet, 4, 1u, 0u, 2u, 65535u);
        end_chunk(packet, start);
        chunks++;
    } while (add_record(file, packet));
    free(packet);
    check_cost(file, 1 + chunks - 1);
}

/* Each TSN is as far above the one before as it can be, and all between them are acknowledged: a step for each of
 * those, so that a quarter of the bytes is enough. */
static void acknowledgements_of_what_was_left_out_cost_no_more_than_others(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_SCTP);
    struct bytes *packet = calloc(1, sizeof *packet);
    uint32_t tsn = 1;
    uint64_t chunks = 0;
    bool room = true;
    while (room && file->length < MOST / 4) {
        packet->length = 0;
        put_common_header(packet, 1, 2, 3);
        put_data(packet, 3, tsn, 0, 0, 0, 0);
        room = add_record(file, packet);
        chunks += room;
        packet->length = 0;
        put_common_header(packet, 2, 1, 4);
        size_t start = begin_chunk(packet, SR_CHUNK_SACK, 0);
        put32s(packet, 2, tsn, 100000u);
        put16s(packet, 2, 0u, 0u);
        end_chunk(packet, start);
        room = room && add_record(file, packet);
        chunks += room;
        tsn += SR_SCOREBOARD_REACH;
    }
    free(packet);
    check_cost(file, chunks);
}

/* Every fragment begins another datagram and pushes one out. */
static void fragments_of_as_many_datagrams_cost_no_more_than_others(void **state)
{
    (void)state;
    struct file *file = new_file(LINKTYPE_RAW);
    struct bytes frame = {0};
    uint32_t id = 0;
    do {
        frame.length = 0;
        put16s(&frame, 4, 0x4500u, 28u, id++ & 0xffff, 0x1fffu);
        put32s(&frame, 5, 0x40840000u, 1u, 2u, 3u, 4u);
    } while (add_record(file, &frame));
    check_cost(file, 0);
}

/* ---- the model's steps, which no clock counts ---- */

/* A direction that does whatever costs most. */
struct hostile {
    struct sr_model *model;
    uint64_t bytes; /* that all of it takes on the wire, at least */
    uint64_t seed;
    int64_t now_ns;
    uint32_t frame, first, sent, cum; /* TSNs of the window; `sent` and `cum` are counted from `first` */
};

enum { DATA_BYTES = 16, SACK_BYTES = 16, BLOCK_BYTES = 4, MOST_SENT = 40000, SHAPES = 12 };

static uint32_t dice(struct hostile *hostile, uint32_t sides)
{
    hostile->seed = hostile->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(hostile->seed >> 33) % sides;
}

static void send(struct hostile *hostile, uint32_t tsn, uint32_t path)
{
    const struct sr_model_data data = {sr_tsn(hostile->first + tsn), 1, false};
    const struct sr_model_sent sent = {hostile->now_ns, ++hostile->frame, path, &data, 1};
    size_t count;
    assert_true(sr_model_sent(hostile->model, &sent));
    sr_model_take_marks(hostile->model, &count);
    sr_model_take_expectations(hostile->model, &count);
    sr_model_take_probes(hostile->model, &count);
    sr_model_take_withdrawals(hostile->model, &count);
    hostile->bytes += DATA_BYTES;
}

/* All TSNs above the cumulative one again: rising, falling or in any order. */
static void send_again(struct hostile *hostile, uint32_t order, uint32_t paths)
{
    static uint32_t tsns[MOST_SENT];
    uint32_t count = 0;
    for (uint32_t tsn = hostile->cum + 1; tsn < hostile->sent; tsn++)
        tsns[count++] = tsn;
    for (uint32_t i = 0; order == 2 && i + 1 < count; i++) {
        uint32_t other = i + dice(hostile, count - i), was = tsns[i];
        tsns[i] = tsns[other];
        tsns[other] = was;
    }
    for (uint32_t i = 0; i < count; i++)
        send(hostile, tsns[order == 1 ? count - 1 - i : i], dice(hostile, paths));
}

/* A SACK with `blocks` blocks that leave out one TSN each, up to `top`; promised for good, some of them. */
static void take(struct hostile *hostile, uint32_t top, uint32_t blocks, bool promised)
{
    static struct sr_tsn_range gaps[MOST_SENT];
    uint32_t from = hostile->cum + 2, count = 0, length = blocks > 0 && top > from ? (top - from) / blocks : 0;
    for (; count < blocks && length > 1; count++, from += length)
        gaps[count] = (struct sr_tsn_range){sr_tsn(hostile->first + from), sr_tsn(hostile->first + from + length - 2)};
    const struct sr_model_feedback feedback = {
        .time_ns = hostile->now_ns,
        .frame = ++hostile->frame,
        .cum_tsn = sr_tsn(hostile->first + hostile->cum),
        .gaps = gaps,
        .gap_count = promised ? count / 2 : count,
        .nr_gaps = gaps + count / 2,
        .nr_gap_count = promised ? count - count / 2 : 0,
        .kind = promised ? SR_SACK_KIND_NR_SACK : SR_SACK_KIND_SACK,
    };
    assert_true(sr_model_feedback(hostile->model, &feedback));
    hostile->bytes += SACK_BYTES + BLOCK_BYTES * count;
}

/* Steps for each byte of a program whose moves `seed` chooses, with a window of `window` TSNs. */
static double steps_for_each_byte(uint64_t seed, uint32_t window)
{
    struct sr_parameters senders[SR_PROFILE_COUNT];
    for (int i = 0; i < SR_PROFILE_COUNT; i++)
        senders[i] = sr_parameters_of((enum sr_profile)i);
    struct hostile hostile = {.seed = seed * UINT64_C(0x9e3779b97f4a7c15)};
    hostile.model = sr_model_new(senders, SR_PROFILE_COUNT, (struct sr_receiver){0, SR_ANSWER_YES});
    assert_non_null(hostile.model);
    uint32_t paths = 1 + dice(&hostile, 2), order = dice(&hostile, 3), rounds = 1 + dice(&hostile, 2);
    uint32_t few = 1 + dice(&hostile, 3), wait = dice(&hostile, 3), moves = dice(&hostile, 256);
    int64_t tick_ns = wait == 0 ? 1000 : wait == 1 ? 1000000 : INT64_C(4000000000);
    hostile.first = UINT32_MAX - dice(&hostile, 2 * window); /* the numbers wrap, somewhere */
    for (; hostile.sent < window; hostile.sent++)
        send(&hostile, hostile.sent, dice(&hostile, paths));
    for (uint32_t i = 0; i < rounds; i++)
        send_again(&hostile, order, paths);
    for (uint32_t i = 0; i < window; i++) { /* as many as there is room for in its square */
        uint32_t top = i % 2 == 0 ? hostile.sent : hostile.cum + 2 + dice(&hostile, few);
        hostile.now_ns += tick_ns;
        if (moves & 64 && i % 4 == 1 && hostile.sent < MOST_SENT) { /* the other path alone has news, perhaps late */
            send(&hostile, hostile.sent++, 1);
            hostile.now_ns += moves & 128 ? tick_ns : 0;
            const struct sr_tsn_range last = {sr_tsn(hostile.first + hostile.sent - 1),
                                              sr_tsn(hostile.first + hostile.sent - 1)};
            const struct sr_model_feedback feedback = {.time_ns = hostile.now_ns,
                                                       .frame = ++hostile.frame,
                                                       .cum_tsn = sr_tsn(hostile.first + hostile.cum),
                                                       .gaps = &last,
                                                       .gap_count = 1};
            assert_true(sr_model_feedback(hostile.model, &feedback));
            hostile.bytes += SACK_BYTES + BLOCK_BYTES;
            continue;
        }
        if (moves & 128)
            continue; /* time passes */
        take(&hostile, top, i % 2 == 0 || moves & 1 ? 1 + dice(&hostile, few) : 0, moves & 2 && i % 7 == 3);
        if (moves & 4 && hostile.sent < MOST_SENT)
            send(&hostile, hostile.sent++, 0);
        if (moves & 8) {
            uint32_t lowest = hostile.first + hostile.cum + dice(&hostile, moves & 16 ? window : 2);
            assert_true(sr_model_forward_tsn(hostile.model, hostile.now_ns, sr_tsn(lowest)));
            hostile.bytes += 8;
        }
        if (moves & 32 && i % 3 == 0 && hostile.cum + 2 < hostile.sent)
            hostile.cum++;
    }
    double steps = (double)sr_model_steps(hostile.model) / (double)hostile.bytes;
    assert_false(sr_model_short_of_memory(hostile.model));
    sr_model_free(hostile.model);
    return steps;
}

static void a_byte_costs_the_model_as_many_steps_in_a_large_window_as_in_a_small_one(void **state)
{
    (void)state;
    enum { SMALL = 250, MOST_STEPS = 20 };
    for (uint64_t seed = 1; seed <= SHAPES; seed++) {
        double small = steps_for_each_byte(seed, SMALL), large = steps_for_each_byte(seed, 16 * SMALL);
        if (small > MOST_STEPS || large > MOST_STEPS)
            fail_msg("shape %d: %g steps for each byte, %g in a large window", (int)seed, small, large);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tsns_that_jump_by_almost_the_window_cost_no_more_than_others),
        cmocka_unit_test(associations_without_end_cost_no_more_than_others),
        cmocka_unit_test(many_small_causes_cost_no_more_than_others),
        cmocka_unit_test(duplicates_in_the_last_of_many_blocks_cost_no_more_than_others),
        cmocka_unit_test(data_taken_back_without_end_costs_no_more_than_other_data),
        cmocka_unit_test(acknowledgements_of_what_was_never_sent_cost_no_more_than_others),
        cmocka_unit_test(acknowledgements_of_what_was_left_out_cost_no_more_than_others),
        cmocka_unit_test(fragments_of_as_many_datagrams_cost_no_more_than_others),
        cmocka_unit_test(a_byte_costs_the_model_as_many_steps_in_a_large_window_as_in_a_small_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
