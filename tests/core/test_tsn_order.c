/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the order of TSNs in a packet tells: which of its chunks were sent before it, though no copy of them
 * was seen. A row is a packet; the talks hold what becomes of its rows. */
#include "talk.h"

#include "association/tsn_order.h"
#include "facts/overtaken.h"
#include "journal/journal.h"

enum { MS = 1000, MOST_CHUNKS = 4, SEEN = 20, SEEN_AS_ANOTHER = 30 };

static void put_tsns(struct talk *talk, struct bytes *to, const uint32_t *tsns, int count)
{
    for (int i = 0; i < count; i++)
        put_chunk(talk, to, tsns[i]);
}

static void packet_of(struct talk *talk, int64_t at_us, uint32_t tsn, uint32_t other)
{
    struct bytes chunks = {0};
    put_tsns(talk, &chunks, (const uint32_t[]){tsn, other}, 2);
    say(talk, at_us, A, &chunks);
}

static void see(struct sr_scoreboard *board, struct sr_slot_budget *budget, uint32_t tsn, uint32_t content)
{
    struct sr_sent_chunk sent = {.tsn = sr_tsn(tsn), .bytes = 10, .content = content, .identity = {content, 0}};
    sr_scoreboard_sent(board, budget, &sent);
}

/* A scoreboard that has seen 20, and 30 as two chunks. */
static uint32_t new_from(const struct bytes *packet, uint32_t first)
{
    struct sr_scoreboard board = {0};
    struct sr_slot_budget budget = {1 << 16};
    struct sr_packet as_packet = {
        .bytes = packet->at, .captured = (uint32_t)packet->length, .wire = (uint32_t)packet->length};
    see(&board, &budget, SEEN, 2);
    see(&board, &budget, SEEN_AS_ANOTHER, 2);
    see(&board, &budget, SEEN_AS_ANOTHER, 4);
    struct sr_tsn from = sr_tsn_order(&board, &as_packet, sr_tsn(first));
    sr_scoreboard_free(&board, &budget);
    return from.value;
}

static void what_lies_below_the_last_run_of_tsns_was_sent_before(void **state)
{
    (void)state;
    const struct {
        uint32_t tsns[MOST_CHUNKS];
        int count;
        uint32_t from;
    } rows[] = {
        {{10}, 1, 10},
        {{10, 11, 12}, 3, 10},
        {{10, 12}, 2, 12},
        {{10, 11, 13, 14}, 4, 13},
        {{10, 12, 14}, 3, 14},
        {{UINT32_MAX, 0, 2}, 3, 2},
        {{18, 19, 20}, 3, 20}, /* a copy of 20 was seen */
        {{28, 29, 30}, 3, 28}, /* of 30 two chunks were */
        {{10, 12, 11}, 3, 10}, /* in no order */
        {{10, 12, 12}, 3, 10},
        {{10, 10 + SR_SCOREBOARD_REACH}, 2, 10 + SR_SCOREBOARD_REACH},
        {{10, 11 + SR_SCOREBOARD_REACH}, 2, 10}, /* of another numbering */
    };
    struct talk *talk = talk_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bytes packet = {0};
        put_common_header(&packet, 1, 2, 3);
        put_tsns(talk, &packet, rows[i].tsns, rows[i].count);
        assert_int_equal(new_from(&packet, rows[i].tsns[0]), rows[i].from);
    }
    talk_free(talk);
}

static void only_whole_chunks_with_data_count(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    struct bytes packet = {0};
    put_common_header(&packet, 1, 2, 3);
    size_t sack = begin_chunk(&packet, SR_CHUNK_SACK, 0);
    put32s(&packet, 3, 40u, 5000u, 0u);
    end_chunk(&packet, sack);
    put_chunk(talk, &packet, 10);
    size_t too_short = begin_chunk(&packet, SR_CHUNK_DATA, 3);
    put32(&packet, 50);
    end_chunk(&packet, too_short);
    assert_int_equal(new_from(&packet, 10), 10);
    size_t interleaved = begin_chunk(&packet, SR_CHUNK_I_DATA, 3);
    put32s(&packet, 4, 12u, 1u, 0u, 0u);
    end_chunk(&packet, interleaved);
    assert_int_equal(new_from(&packet, 10), 12);
    talk_free(talk);
}

/* `count` rows of kinds as they were seen. */
static void check_kinds(const struct talk *talk, uint64_t from, int count, const enum sr_kind *kinds)
{
    for (int i = 0; i < count; i++)
        assert_int_equal(sr_transmission_at(sr_engine_journal(talk->engine), from + (uint64_t)i)->seen_kind, kinds[i]);
}

static void the_lower_one_is_sent_again_also_above_all_that_was_seen(void **state)
{
    (void)state;
    for (int broken = 0; broken < 2; broken++) {
        struct talk *talk = talk_new();
        data(talk, 0, 1);
        talk->broken = broken; /* it may hold anything */
        packet_of(talk, MS, 3, 5);
        talk->broken = false;
        packet_of(talk, 2 * MS, 6, 7);
        check_kinds(talk, 1, 4,
                    (const enum sr_kind[]){broken ? SR_KIND_ORIGINAL : SR_KIND_RETRANSMISSION, SR_KIND_ORIGINAL,
                                           SR_KIND_ORIGINAL, SR_KIND_ORIGINAL});
        talk_free(talk);
    }
}

static void a_packet_that_left_before_may_hold_what_was_sent_again(void **state)
{
    (void)state;
    struct talk *talk = talk_new();
    for (uint32_t tsn = 1; tsn <= 9; tsn++)
        data(talk, 0, tsn); /* packets are counted */
    talk->id[A]++;
    data(talk, MS, 14);
    talk->id[A] -= 2;
    packet_of(talk, 2 * MS, 10, 12);
    check_kinds(talk, 9, 3, (const enum sr_kind[]){SR_KIND_ORIGINAL, SR_KIND_RETRANSMISSION, SR_KIND_REORDERED});
    talk_free(talk);
}

/* 2 comes so soon after the report that it is missing that no sender can have known of it. */
static void nor_does_a_loop_that_is_found_afterwards_call_it_late(void **state)
{
    (void)state;
    for (int with = 2; with <= 4; with++) {
        struct talk *talk = talk_new();
        talk->counts[A] = 0; /* packets are not counted */
        data(talk, 0, 1);
        data(talk, 0, 3);
        sack(talk, MS, 1, "3");
        if (with == 2)
            data(talk, 5 * MS, 2);
        else
            packet_of(talk, 5 * MS, 2, (uint32_t)with);
        struct sr_half half = {.journal = (struct sr_journal *)sr_engine_journal(talk->engine),
                               .association = sr_registry_at(sr_engine_associations(talk->engine), 0)};
        half.measured.resends = half.measured.inferred = true;
        half.measured.vantage = SR_VANTAGE_MIDDLE;
        half.measured.sender_loop_ns = INT64_C(20000000);
        const struct sr_transmission_row *row = sr_transmission_at(half.journal, 2);
        assert_int_equal(row->kind, SR_KIND_RETRANSMISSION);
        sr_find_overtaken(&half);
        assert_int_equal(row->kind, with == 2 ? SR_KIND_REORDERED : SR_KIND_RETRANSMISSION);
        talk_free(talk);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_below_the_last_run_of_tsns_was_sent_before),
        cmocka_unit_test(only_whole_chunks_with_data_count),
        cmocka_unit_test(the_lower_one_is_sent_again_also_above_all_that_was_seen),
        cmocka_unit_test(a_packet_that_left_before_may_hold_what_was_sent_again),
        cmocka_unit_test(nor_does_a_loop_that_is_found_afterwards_call_it_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
