/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests that the rows of two halves of an association are those of one as soon as they are known to be one, whenever
 * that is, and also when they were judged before. */
#include "bytes_builder.h"

#include "engine/engine.h"

enum { TAG_A = 0xaaaa, TAG_B = 0xbbbb, FIRST = 0xffffff00, OTHER = 5000 };

struct talk {
    struct sr_engine *engine;
    uint64_t frame;
    uint16_t id; /* of packets from now on; 0: each has its own */
};

static struct talk new_talk(size_t memory)
{
    const struct sr_engine_options options = {.tables = (1u << SR_TABLE_COUNT) - 1, .memory = memory};
    struct talk talk = {sr_engine_new(&options), 0, 0};
    assert_non_null(talk.engine);
    return talk;
}

/* Between host 10.0.0.`a` and 10.0.0.`b`, whose packets `from_a` are. */
static void say(struct talk *talk, bool from_a, uint8_t a, uint8_t b, const struct bytes *chunks)
{
    struct bytes packet = {0};
    put_common_header(&packet, from_a ? 5000 : 6000, from_a ? 6000 : 5000, from_a ? TAG_B : TAG_A);
    put(&packet, chunks->at, chunks->length);
    uint8_t *bytes = exact(packet.at, packet.length);
    struct sr_packet as_packet = {
        .frame = ++talk->frame,
        .time_ns = (int64_t)talk->frame * 10000000,
        .src = {{10, 0, 0, from_a ? a : b}, 4},
        .dst = {{10, 0, 0, from_a ? b : a}, 4},
        .id = talk->id ? talk->id : (uint16_t)(talk->frame * 7),
        .bytes = bytes,
        .captured = (uint32_t)packet.length,
        .wire = (uint32_t)packet.length,
    };
    assert_true(sr_engine_packet(talk->engine, &as_packet));
    free_exact(bytes, packet.length);
}

static void data(struct talk *talk, bool from_a, uint8_t a, uint8_t b, uint32_t tsn)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_DATA, 3);
    put32s(&chunk, 4, tsn, 0u, 0u, tsn);
    end_chunk(&chunk, start);
    say(talk, from_a, a, b, &chunk);
}

/* Acknowledges up to `cum`, and from `cum` + 2 to `cum` + 3. */
static void feedback(struct talk *talk, bool from_a, uint8_t a, uint8_t b, uint32_t cum, uint8_t type)
{
    struct bytes chunk = {0};
    bool nr = type == SR_CHUNK_NR_SACK;
    size_t start = begin_chunk(&chunk, type, 0);
    put32s(&chunk, 2, cum, 65536u);
    put16s(&chunk, 2, 1u, nr ? 1u : 0u);
    if (nr)
        put16s(&chunk, 2, 0u, 0u);
    put16s(&chunk, 2, 2u, 3u);
    if (nr)
        put16s(&chunk, 2, 3u, 3u);
    end_chunk(&chunk, start);
    say(talk, from_a, a, b, &chunk);
}

static void renumber(struct talk *talk, uint8_t a, uint8_t b, uint32_t sender_next, uint32_t receiver_next)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_RE_CONFIG, 0);
    size_t element = begin_element(&chunk, 16);
    put32s(&chunk, 4, 1u, 1u, sender_next, receiver_next);
    end_element(&chunk, element);
    end_chunk(&chunk, start);
    say(talk, true, a, b, &chunk);
}

static void forward(struct talk *talk, uint8_t a, uint8_t b, uint32_t cum)
{
    struct bytes chunk = {0};
    size_t start = begin_chunk(&chunk, SR_CHUNK_FORWARD_TSN, 0);
    put32s(&chunk, 1, cum);
    end_chunk(&chunk, start);
    say(talk, true, a, b, &chunk);
}

static const struct sr_transmission_row *sent(const struct talk *talk, uint64_t row)
{
    return sr_transmission_at(sr_engine_journal(talk->engine), row);
}

/* All of one association, that of the number 0. */
static void check_whole(const struct talk *talk)
{
    const struct sr_journal *journal = sr_engine_journal(talk->engine);
    for (uint64_t i = 0; i < journal->transmissions.count; i++)
        assert_int_equal(sr_transmission_at(journal, i)->assoc, 0);
    for (uint64_t i = 0; i < journal->sacks.count; i++)
        assert_int_equal(sr_sack_at(journal, i)->assoc, 0);
    for (uint64_t i = 0; i < journal->controls.count; i++)
        assert_int_equal(sr_control_at(journal, i)->assoc, 0);
    struct sr_journal_chain chain = sr_registry_at(sr_engine_associations(talk->engine), 0)->entries;
    uint32_t next = chain.first, last = 0;
    struct sr_entry entry;
    uint64_t entries = 0;
    while (next != 0) {
        assert_true(next > last);
        last = next;
        assert_true(sr_journal_follow(journal, &next, &entry));
        entries++;
    }
    assert_int_equal(last, chain.last);
    assert_int_equal(entries, journal->order.count);
}

static void end_talk(struct talk *talk)
{
    assert_true(sr_engine_judge(talk->engine));
    sr_engine_clear_rows(talk->engine);
    while (sr_engine_hand_out(talk->engine, SIZE_MAX))
        continue;
    assert_int_equal(sr_engine_rows(talk->engine)->tables[SR_TABLE_ASSOCIATIONS].length,
                     sizeof(struct sr_association_row));
    sr_engine_free(talk->engine);
}

static void feedback_of_the_other_half_tells_resends_from_what_is_late(void **state)
{
    (void)state;
    for (int judged = 0; judged < 2; judged++) {
        struct talk talk = new_talk(0);
        for (uint32_t i = 0; i < 5; i++)
            if (i != 2)
                data(&talk, true, 1, 2, FIRST + i);
        feedback(&talk, false, 11, 12, FIRST + 1, SR_CHUNK_SACK); /* no address is common */
        data(&talk, true, 1, 2, FIRST + 2);
        data(&talk, false, 11, 12, OTHER);
        data(&talk, true, 1, 2, FIRST + 5);
        assert_int_equal(sent(&talk, 4)->seen_kind, SR_KIND_REORDERED);
        assert_int_equal(sr_sack_at(sr_engine_journal(talk.engine), 0)->newly_acked, 0);
        if (judged)
            assert_true(sr_engine_judge(talk.engine));
        feedback(&talk, false, 1, 12, FIRST + 2, SR_CHUNK_NR_SACK);
        check_whole(&talk);
        assert_int_equal(sent(&talk, 4)->seen_kind, SR_KIND_RETRANSMISSION);
        assert_int_equal(sent(&talk, 5)->from, SR_SIDE_B);
        assert_int_equal(sr_sack_at(sr_engine_journal(talk.engine), 0)->newly_acked, 4);
        assert_int_equal(sr_sack_at(sr_engine_journal(talk.engine), 1)->newly_acked, 2);
        end_talk(&talk);
    }
}

static void what_was_given_up_stays_so(void **state)
{
    (void)state;
    struct talk talk = new_talk(0);
    for (uint32_t i = 0; i < 5; i++)
        if (i != 2)
            data(&talk, true, 1, 2, FIRST + i);
    feedback(&talk, false, 11, 12, FIRST + 1, SR_CHUNK_SACK);
    forward(&talk, 1, 2, FIRST + 2);
    data(&talk, true, 1, 2, FIRST + 2);
    data(&talk, false, 11, 12, OTHER);
    data(&talk, true, 1, 2, FIRST + 5);
    feedback(&talk, false, 1, 12, FIRST + 2, SR_CHUNK_SACK);
    check_whole(&talk);
    assert_int_equal(sent(&talk, 4)->seen_kind, SR_KIND_REORDERED);
    end_talk(&talk);
}

/* It is no feedback of its own, and lies beside the others. */
static void feedback_that_the_network_repeats_is_of_the_whole_as_well(void **state)
{
    (void)state;
    struct talk talk = new_talk(0);
    for (uint32_t i = 0; i < 6; i++)
        data(&talk, true, 1, 2, FIRST + i);
    talk.id = 1;
    feedback(&talk, false, 11, 12, FIRST + 1, SR_CHUNK_SACK);
    feedback(&talk, false, 11, 12, FIRST + 1, SR_CHUNK_SACK);
    talk.id = 0;
    data(&talk, false, 11, 12, OTHER);
    const struct sr_sack_row *again = sr_sack_at(sr_engine_journal(talk.engine), 1);
    assert_int_equal(again->repeats, 7);
    assert_int_equal(again->assoc, 1);
    feedback(&talk, false, 1, 12, FIRST + 2, SR_CHUNK_SACK);
    assert_true(sr_engine_judge(talk.engine));
    assert_int_equal(again->assoc, 0);
    assert_int_equal(again->from, SR_SIDE_B);
    end_talk(&talk);
}

static void what_numbers_anew_does_so_again(void **state)
{
    (void)state;
    struct talk talk = new_talk(0);
    data(&talk, false, 11, 12, OTHER); /* the half that is seen first is the other's a */
    for (uint32_t i = 0; i < 3; i++)
        data(&talk, true, 1, 2, FIRST + i);
    renumber(&talk, 1, 2, 9000000, 7000000);
    data(&talk, true, 1, 2, 9000000);
    feedback(&talk, false, 1, 12, 9000000, SR_CHUNK_SACK); /* its block is above all */
    assert_int_equal(sr_registry_count(sr_engine_associations(talk.engine)), 2);
    data(&talk, true, 1, 2, 9000001);
    data(&talk, true, 1, 2, 9000002);
    data(&talk, true, 1, 2, 9000003);
    feedback(&talk, false, 1, 12, 9000000, SR_CHUNK_SACK);
    check_whole(&talk);
    const struct sr_side *side = sr_registry_at(sr_engine_associations(talk.engine), 0)->side;
    assert_int_equal(side[SR_SIDE_B].data.resets, 1);
    assert_int_equal(side[SR_SIDE_B].data.tsns, 7);
    assert_int_equal(side[SR_SIDE_B].data.board.jumps, 0);
    assert_int_equal(sr_sack_at(sr_engine_journal(talk.engine), 1)->newly_acked, 2);
    end_talk(&talk);
}

/* Rows that are in the file by then. */
static void many_rows_that_went_to_the_file_are_seen_again(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    struct talk talk = new_talk(1);
    for (uint32_t i = 0; i < MANY; i++) {
        data(&talk, true, 1, 2, FIRST + i);
        data(&talk, false, 11, 12, OTHER + i);
        if (i % 2 == 1)
            feedback(&talk, false, 11, 12, FIRST + i - 3, SR_CHUNK_SACK);
    }
    feedback(&talk, false, 1, 12, FIRST + MANY - 4, SR_CHUNK_SACK);
    check_whole(&talk);
    const struct sr_side *side = sr_registry_at(sr_engine_associations(talk.engine), 0)->side;
    assert_int_equal(side[SR_SIDE_A].data.acked, MANY);
    assert_int_equal(side[SR_SIDE_A].data.kinds[SR_KIND_ORIGINAL], MANY);
    assert_int_equal(side[SR_SIDE_B].data.kinds[SR_KIND_ORIGINAL], MANY);
    end_talk(&talk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feedback_of_the_other_half_tells_resends_from_what_is_late),
        cmocka_unit_test(what_was_given_up_stays_so),
        cmocka_unit_test(feedback_that_the_network_repeats_is_of_the_whole_as_well),
        cmocka_unit_test(what_numbers_anew_does_so_again),
        cmocka_unit_test(many_rows_that_went_to_the_file_are_seen_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
