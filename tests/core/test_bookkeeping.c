/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what is left of directions when their association has no more rows, and others have. */
#include "bytes_builder.h"

#include "engine/engine.h"
#include "journal/judgement.h"

enum { MS = 1000000, FIRST_PORT = 1000, PEER_PORT = 2000 };

static struct sr_engine *new_engine(uint32_t tables)
{
    struct sr_engine *engine = sr_engine_new(&(struct sr_engine_options){.tables = tables, .judges = true});
    assert_non_null(engine);
    return engine;
}

/* A packet of association `assoc`, which its ports tell. */
static struct bytes packet_of(uint8_t assoc, bool back)
{
    uint16_t port = (uint16_t)(FIRST_PORT + assoc);
    struct bytes packet = {0};
    put_common_header(&packet, back ? PEER_PORT : port, back ? port : PEER_PORT, back ? 2 : 1);
    return packet;
}

/* Data is told from other packets by its IP identification. */
static void pass(struct sr_engine *engine, uint64_t frame, int64_t ms, bool back, struct bytes *packet, uint32_t id)
{
    seal(packet, 0);
    uint8_t *bytes = exact(packet->at, packet->length);
    struct sr_packet as_packet = {.frame = frame,
                                  .time_ns = ms * MS,
                                  .src = {{10, 0, 0, back ? 2 : 1}, 4},
                                  .dst = {{10, 0, 0, back ? 1 : 2}, 4},
                                  .id = (uint16_t)id,
                                  .bytes = bytes,
                                  .captured = (uint32_t)packet->length,
                                  .wire = (uint32_t)packet->length};
    assert_true(sr_engine_packet(engine, &as_packet));
    free_exact(bytes, packet->length);
}

static void pass_data(struct sr_engine *engine, uint64_t frame, int64_t ms, uint8_t assoc, uint32_t tsn)
{
    struct bytes packet = packet_of(assoc, false);
    put_data(&packet, 3, tsn, 0, 0, 51, 8);
    pass(engine, frame, ms, false, &packet, tsn);
}

static void pass_sack(struct sr_engine *engine, uint64_t frame, int64_t ms, uint8_t assoc, uint32_t cum)
{
    struct bytes packet = packet_of(assoc, true);
    size_t start = begin_chunk(&packet, SR_CHUNK_SACK, 0);
    put32s(&packet, 2, cum, 5000u);
    put16s(&packet, 2, 0u, 0u);
    end_chunk(&packet, start);
    pass(engine, frame, ms, true, &packet, 0);
}

static void pass_with_information(struct sr_engine *engine, uint64_t frame, int64_t ms, bool back, uint8_t type,
                                  uint32_t value)
{
    struct bytes packet = packet_of(0, back);
    size_t start = begin_chunk(&packet, type, 0), information = begin_element(&packet, 1);
    put32(&packet, value);
    end_element(&packet, information);
    end_chunk(&packet, start);
    pass(engine, frame, ms, back, &packet, 0);
}

static void pass_heartbeat(struct sr_engine *engine, uint64_t frame, int64_t ms, uint32_t value)
{
    pass_with_information(engine, frame, ms, false, SR_CHUNK_HEARTBEAT, value);
}

/* Setup: two HEARTBEATs without an answer, and data of another association `last_ms` behind them. An answer to the
 * last may come within RTO.Initial. */
static uint32_t silent_paths_until(int64_t last_ms)
{
    struct sr_engine *engine = new_engine(0);
    pass_heartbeat(engine, 1, 0, 1);
    pass_heartbeat(engine, 2, 0, 2);
    pass_data(engine, 3, last_ms, 1, 1);
    assert_true(sr_engine_judge(engine));
    uint32_t paths = sr_engine_figures(engine, 0, SR_SIDE_A)->silent_paths;
    sr_engine_free(engine);
    return paths;
}

static void an_open_association_lasts_as_long_as_the_rows_of_others(void **state)
{
    (void)state;
    assert_int_equal(silent_paths_until(999), 0);
    assert_int_equal(silent_paths_until(1000), 1);
}

static void pass_data_back(struct sr_engine *engine, uint64_t frame, int64_t ms, uint8_t assoc, uint32_t tsn)
{
    struct bytes packet = packet_of(assoc, true);
    put_data(&packet, 3, tsn, 0, 0, 51, 8);
    pass(engine, frame, ms, true, &packet, tsn);
}

/* Setup: two associations; in one of them a side's first chunk has no answer for two seconds, and the other side sends
 * data or was not captured. */
static void packets_without_data_were_filtered_out_of_any_association_of_which_both_sides_were_captured(void **state)
{
    (void)state;
    for (uint8_t assoc = 0; assoc < 2; assoc++)
        for (int other = 0; other < 2; other++) {
            struct sr_engine *engine = new_engine(0);
            if (assoc == 1)
                pass_data(engine, 1, 1900, 0, 1);
            pass_data(engine, 2, 0, assoc, 1);
            if (other)
                pass_data_back(engine, 3, 1900, assoc, 1);
            pass_data(engine, 4, 2000, assoc, 2);
            assert_true(sr_engine_judge(engine));
            assert_int_equal(sr_engine_figures(engine, assoc, SR_SIDE_A)->overdue_tsns, 1);
            assert_int_equal(sr_engine_filtered(engine), other);
            sr_engine_free(engine);
        }
}

/* Setup: B acknowledges each chunk of A in a packet with data of its own, which nobody acknowledges; and a SACK alone
 * shows that such packets are in the capture. */
static void where_packets_without_data_were_filtered_out_no_round_trip_is_known(void **state)
{
    enum { CHUNKS = 4 };
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        struct sr_engine *engine = new_engine(0);
        for (uint32_t i = 0; i < CHUNKS; i++) {
            struct bytes packet = packet_of(0, true);
            pass_data(engine, 1 + 2 * i, 100 * i, 0, 1 + i);
            size_t start = begin_chunk(&packet, SR_CHUNK_SACK, 0);
            put32s(&packet, 2, 1 + i, 5000u);
            put16s(&packet, 2, 0u, 0u);
            end_chunk(&packet, start);
            put_data(&packet, 3, 1 + i, 0, 0, 51, 8);
            pass(engine, 2 + 2 * i, 100 * i + 20, true, &packet, 1 + i);
        }
        pass_data(engine, 9, 2000, 0, CHUNKS + 1);
        if (alone)
            pass_sack(engine, 10, 2000, 0, CHUNKS);
        assert_true(sr_engine_judge(engine));
        assert_int_equal(sr_engine_filtered(engine), !alone);
        assert_int_equal(sr_engine_judgement(engine)->rtt_samples.count, alone ? CHUNKS : 0);
        sr_engine_free(engine);
    }
}

/* As where it is judged while the capture goes on. */
static void a_packet_without_data_that_comes_later_says_that_none_was_filtered_out(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine(0);
    struct bytes packet = packet_of(0, true);
    pass_data(engine, 1, 0, 0, 1);
    put_data(&packet, 3, 1, 0, 0, 51, 8);
    pass(engine, 2, 20, true, &packet, 1);
    pass_data(engine, 3, 2000, 0, 2);
    assert_true(sr_engine_judge(engine));
    assert_true(sr_engine_filtered(engine));
    pass_sack(engine, 4, 2020, 0, 2);
    assert_true(sr_engine_judge(engine));
    assert_false(sr_engine_filtered(engine));
    assert_int_equal(sr_engine_judgement(engine)->rtt_samples.count, 1);
    sr_engine_free(engine);
}

/* Setup: two associations, each with a SACK that acknowledges what is sent later; the TSNs of the first are higher. */
static void what_is_claimed_of_an_association_is_held_against_what_it_sends(void **state)
{
    enum { CLAIM = 1 };
    static const uint32_t firsts[] = {100, 1};
    (void)state;
    struct sr_engine *engine = new_engine(0);
    uint64_t frame = 0;
    for (uint8_t assoc = 0; assoc < 2; assoc++) {
        int64_t ms = 1000 * assoc;
        pass_data(engine, ++frame, ms, assoc, firsts[assoc]);
        pass_sack(engine, ++frame, ms + 10, assoc, firsts[assoc]);
        pass_sack(engine, ++frame, ms + 20, assoc, firsts[assoc] + 2);
        pass_data(engine, ++frame, ms + 50, assoc, firsts[assoc] + 1);
    }
    assert_true(sr_engine_judge(engine));
    for (uint8_t assoc = 0; assoc < 2; assoc++)
        assert_true(sr_sack_at(sr_engine_journal(engine), 2u * assoc + CLAIM)->refuted);
    sr_engine_free(engine);
}

/* Setup: another association, which is acknowledged at its end, and one whose packets the file has from two taps, 20 ms
 * from each other. */
static void what_two_taps_leave_open_is_that_of_their_association(void **state)
{
    enum { PACKETS = 16, OTHER = 1, DOUBTED = 2, SURE = 4 };
    (void)state;
    struct sr_engine *engine = new_engine(0);
    uint64_t frame = 0;
    for (uint32_t i = 0; i < 3 * PACKETS; i++) {
        int64_t ms = 100 * i;
        uint8_t assoc = i < 2 * PACKETS;
        pass_data(engine, ++frame, ms, assoc, 1 + i);
        if (assoc != OTHER)
            pass_data(engine, ++frame, ms + 20, assoc, 1 + i);
        if (assoc != OTHER || i == 2 * PACKETS - 1)
            pass_sack(engine, ++frame, ms + 50, assoc, 1 + i);
        if (assoc != OTHER)
            pass_sack(engine, ++frame, ms + 70, assoc, 1 + i);
    }
    assert_true(sr_engine_judge(engine));
    const struct sr_journal *journal = sr_engine_journal(engine);
    for (uint64_t i = 0; i < journal->transmissions.count; i++) {
        const struct sr_transmission_row *row = sr_transmission_at(journal, i);
        bool doubted = i >= 2 * PACKETS; /* the other one was there first */
        assert_true(doubted ? row->outcome_class == DOUBTED : row->outcome_class >= SURE);
    }
    sr_engine_free(engine);
}

static void an_input_lasts_as_long_as_its_last_frame_or_its_last_row(void **state)
{
    static const struct {
        int64_t until_ms; /* a frame without SCTP */
        uint32_t silent;
    } cases[] = {{999, 0}, {1000, 1}, {1, 0}};
    (void)state;
    for (int i = 0; i < 3; i++)
        for (uint32_t later = 0; later < 2; later++) { /* a row comes behind that */
            struct sr_engine *engine = new_engine(0);
            pass_heartbeat(engine, 1, 0, 1);
            pass_heartbeat(engine, 2, 0, 2);
            if (later)
                pass_data(engine, 3, 1000, 1, 1);
            sr_engine_lasts_until(engine, cases[i].until_ms * MS);
            assert_true(sr_engine_judge(engine));
            assert_int_equal(sr_engine_figures(engine, 0, SR_SIDE_A)->silent_paths, later ? 1 : cases[i].silent);
            sr_engine_free(engine);
        }
}

/* What was asked twice with the same is no round trip, but its answer shows that the path works; a HEARTBEAT of the
 * other side does not answer it. */
static void an_answer_to_any_of_its_heartbeats_shows_that_a_path_works(void **state)
{
    (void)state;
    for (int answered = 0; answered < 2; answered++) {
        struct sr_engine *engine = new_engine(0);
        pass_heartbeat(engine, 1, 0, 7);
        pass_heartbeat(engine, 2, 10, 7);
        pass_with_information(engine, 3, 20, true, answered ? SR_CHUNK_HEARTBEAT_ACK : SR_CHUNK_HEARTBEAT, 7);
        pass_data(engine, 4, 2000, 1, 1);
        assert_true(sr_engine_judge(engine));
        assert_int_equal(sr_engine_judgement(engine)->rtt_samples.count, 0);
        assert_int_equal(sr_engine_figures(engine, 0, SR_SIDE_A)->silent_paths, !answered);
        sr_engine_free(engine);
    }
}

/* Setup: data of another association, of which the capture has each packet once more, two seconds later. */
static void what_the_capture_has_twice_is_no_sign_of_a_later_end(void **state)
{
    enum { ENOUGH = 10 };
    (void)state;
    struct sr_engine *engine = new_engine(0);
    pass_heartbeat(engine, 1, 0, 1);
    pass_heartbeat(engine, 2, 0, 2);
    for (uint32_t i = 0; i < 2 * ENOUGH; i++)
        pass_data(engine, 3 + i, i < ENOUGH ? 1 : 2000, 1, 1 + i % ENOUGH);
    assert_true(sr_engine_judge(engine));
    assert_int_equal(sr_engine_figures(engine, 1, SR_SIDE_A)->capture_duplicates, ENOUGH);
    for (uint64_t i = ENOUGH; i < 2 * ENOUGH; i++) { /* nothing more is said of them */
        const struct sr_transmission_row *row = sr_transmission_at(sr_engine_journal(engine), i);
        assert_int_equal(row->kind, SR_KIND_CAPTURE_DUPLICATE);
        assert_int_equal(row->outcome, SR_OUTCOME_UNRESOLVED);
        assert_int_equal(row->prev_row, 1 + i - ENOUGH);
    }
    assert_int_equal(sr_engine_figures(engine, 0, SR_SIDE_A)->silent_paths, 0);
    sr_engine_free(engine);
}

/* Setup: the second association's only acknowledgement comes before that of the first. */
static void rows_of_paths_come_in_the_order_of_associations_whichever_ends_first(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine(1u << SR_TABLE_PATHS | 1u << SR_TABLE_COUNTS | 1u << SR_TABLE_ASSOCIATIONS);
    pass_data(engine, 1, 0, 0, 1);
    pass_data(engine, 2, 1, 1, 1);
    pass_sack(engine, 3, 2, 1, 1);
    pass_sack(engine, 4, 3, 0, 1);
    assert_true(sr_engine_judge(engine));
    assert_true(sr_engine_hand_out(engine, SIZE_MAX));
    const struct sr_rows *rows = sr_engine_rows(engine);
    const struct sr_path_row *paths = (const void *)rows->tables[SR_TABLE_PATHS].bytes;
    const struct sr_association_row *associations = (const void *)rows->tables[SR_TABLE_ASSOCIATIONS].bytes;
    const struct sr_count_row *counts = (const void *)rows->tables[SR_TABLE_COUNTS].bytes;
    assert_int_equal(rows->tables[SR_TABLE_PATHS].length, 2 * sizeof *paths);
    assert_int_equal(rows->tables[SR_TABLE_COUNTS].length, 4 * sizeof *counts);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(paths[i].assoc, i);
        assert_int_equal(paths[i].srtt_ns, (i == 0 ? 3 : 1) * MS);
        assert_int_equal(associations[i].acked_bytes_a2b, 8);
        assert_int_equal(associations[i].acked_bytes_b2a, 0);
        assert_int_equal(counts[2 * i].assoc, i);
        assert_int_equal(counts[2 * i + 1].assoc, i);
    }
    sr_engine_free(engine);
}

static void a_direction_without_data_has_figures_that_say_nothing(void **state)
{
    (void)state;
    struct sr_engine *engine = new_engine(0);
    assert_null(sr_engine_figures(engine, 0, SR_SIDE_A));
    pass_data(engine, 1, 0, 0, 1);
    assert_true(sr_engine_judge(engine));
    const struct sr_direction_figures *sent = sr_engine_figures(engine, 0, SR_SIDE_A);
    const struct sr_direction_figures *nothing = sr_engine_figures(engine, 0, SR_SIDE_B);
    assert_int_equal(sent->queued_bytes, 8);
    assert_int_equal(nothing->queued_bytes, 0);
    assert_true(nothing->first_data_ns == SR_NO_TIME && nothing->rto_ns == 1000 * MS);
    assert_null(sr_engine_figures(engine, 1, SR_SIDE_A));
    sr_engine_free(engine);
}

/* Setup: three associations, each with data of both sides; two engines follow all of them. */
static void each_of_two_has_the_paths_of_its_own_associations(void **state)
{
    enum { ASSOCIATIONS = 3, SHARES = 2 };
    (void)state;
    for (uint32_t share = 0; share < SHARES; share++) {
        struct sr_engine_options options = {.judges = true, .share = {share, SHARES}};
        struct sr_engine *engine = sr_engine_new(&options);
        assert_non_null(engine);
        for (uint8_t assoc = 0; assoc < ASSOCIATIONS; assoc++) {
            pass_data(engine, 2 * assoc + 1, 2 * assoc, assoc, 1);
            pass_data_back(engine, 2 * assoc + 2, 2 * assoc + 1, assoc, 1);
        }
        assert_true(sr_engine_judge(engine));
        const struct sr_spool *paths = &sr_engine_judgement(engine)->paths;
        assert_int_equal(paths->count, share == 0 ? 4 : 2);
        for (uint64_t i = 0; i < paths->count; i++)
            assert_int_equal(((const struct sr_path_row *)sr_spool_visit(paths, i))->assoc % SHARES, share);
        sr_engine_free(engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_association_lasts_as_long_as_the_rows_of_others),
        cmocka_unit_test(packets_without_data_were_filtered_out_of_any_association_of_which_both_sides_were_captured),
        cmocka_unit_test(where_packets_without_data_were_filtered_out_no_round_trip_is_known),
        cmocka_unit_test(a_packet_without_data_that_comes_later_says_that_none_was_filtered_out),
        cmocka_unit_test(what_is_claimed_of_an_association_is_held_against_what_it_sends),
        cmocka_unit_test(what_two_taps_leave_open_is_that_of_their_association),
        cmocka_unit_test(an_input_lasts_as_long_as_its_last_frame_or_its_last_row),
        cmocka_unit_test(an_answer_to_any_of_its_heartbeats_shows_that_a_path_works),
        cmocka_unit_test(what_the_capture_has_twice_is_no_sign_of_a_later_end),
        cmocka_unit_test(rows_of_paths_come_in_the_order_of_associations_whichever_ends_first),
        cmocka_unit_test(each_of_two_has_the_paths_of_its_own_associations),
        cmocka_unit_test(a_direction_without_data_has_figures_that_say_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
