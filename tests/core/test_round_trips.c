/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the round trips that a sender measures by what it asks. */
#include "control_row.h"

#include "facts/round_trips.h"
#include "wire/time.h"

static int64_t trip_of(struct sr_round_trips *trips, uint8_t type, unsigned from, int64_t ms, uint32_t value,
                       enum sr_rtt_tag tag)
{
    const struct sr_half half = {.from = 0, .measured = {.sender_loop_ns = 5 * MS}};
    struct sr_control_row row = row_of(type, from, ms, (uint32_t)ms, value);
    struct sr_round_trip trip = {.rtt_ns = -MS};
    bool any = sr_round_trip_of(trips, &half, &row, &trip);
    assert_int_equal(any, trip.rtt_ns != -MS);
    if (any)
        assert_int_equal(trip.tag, tag);
    return any ? trip.rtt_ns / MS : -1;
}

static void the_sender_measures_what_it_asks_and_its_own_loop(void **state)
{
    (void)state;
    const struct {
        uint8_t question, answer;
        enum sr_rtt_tag tag;
    } pairs[] = {
        {SR_CHUNK_INIT, SR_CHUNK_INIT_ACK, SR_RTT_TAG_HANDSHAKE},
        {SR_CHUNK_INIT_ACK, SR_CHUNK_COOKIE_ECHO, SR_RTT_TAG_HANDSHAKE},
        {SR_CHUNK_COOKIE_ECHO, SR_CHUNK_COOKIE_ACK, SR_RTT_TAG_HANDSHAKE},
        {SR_CHUNK_HEARTBEAT, SR_CHUNK_HEARTBEAT_ACK, SR_RTT_TAG_HEARTBEAT},
    };
    for (int i = 0; i < 4; i++) {
        struct sr_round_trips trips;
        sr_round_trips_begin(&trips);
        assert_int_equal(trip_of(&trips, pairs[i].answer, 1, 50, 3, pairs[i].tag), -1); /* to nothing */
        assert_int_equal(trip_of(&trips, pairs[i].question, 0, 100, 3, pairs[i].tag), -1);
        assert_int_equal(trip_of(&trips, pairs[i].question, 0, 110, 3, pairs[i].tag), -1); /* the first counts */
        assert_int_equal(trip_of(&trips, pairs[(i + 1) % 4].answer, 1, 120, 3, pairs[i].tag), -1);
        assert_int_equal(trip_of(&trips, pairs[i].answer, 1, 130, 3, pairs[i].tag), 35);
        assert_int_equal(trip_of(&trips, pairs[i].answer, 1, 140, 3, pairs[i].tag), -1); /* once */
    }
}

static void of_heartbeats_the_latest_with_its_information_counts(void **state)
{
    (void)state;
    struct sr_round_trips trips;
    sr_round_trips_begin(&trips);
    trip_of(&trips, SR_CHUNK_HEARTBEAT, 0, 100, 3, SR_RTT_TAG_HEARTBEAT);
    trip_of(&trips, SR_CHUNK_HEARTBEAT, 0, 200, 4, SR_RTT_TAG_HEARTBEAT);
    assert_int_equal(trip_of(&trips, SR_CHUNK_HEARTBEAT_ACK, 1, 210, 3, SR_RTT_TAG_HEARTBEAT), -1);
    assert_int_equal(trip_of(&trips, SR_CHUNK_HEARTBEAT_ACK, 1, 220, 4, SR_RTT_TAG_HEARTBEAT), 25);
    trip_of(&trips, SR_CHUNK_HEARTBEAT, 1, 300, 5, SR_RTT_TAG_HEARTBEAT); /* the other side asks */
    assert_int_equal(trip_of(&trips, SR_CHUNK_HEARTBEAT_ACK, 0, 310, 5, SR_RTT_TAG_HEARTBEAT), -1);
}

/* As where files of two taps were merged. */
static void an_answer_before_its_question_is_none_and_ends_it(void **state)
{
    (void)state;
    for (int64_t at_ms = 99; at_ms <= 100; at_ms++) {
        struct sr_round_trips trips;
        sr_round_trips_begin(&trips);
        trip_of(&trips, SR_CHUNK_INIT, 0, 100, 0, SR_RTT_TAG_HANDSHAKE);
        assert_int_equal(trip_of(&trips, SR_CHUNK_INIT_ACK, 1, at_ms, 0, SR_RTT_TAG_HANDSHAKE), at_ms < 100 ? -1 : 5);
        assert_int_equal(trip_of(&trips, SR_CHUNK_INIT_ACK, 1, 130, 0, SR_RTT_TAG_HANDSHAKE), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sender_measures_what_it_asks_and_its_own_loop),
        cmocka_unit_test(of_heartbeats_the_latest_with_its_information_counts),
        cmocka_unit_test(an_answer_before_its_question_is_none_and_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
