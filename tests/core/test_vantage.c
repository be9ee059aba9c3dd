/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of where the tap is, and how sure that is (docs/verdict-rules.md, "Where the tap is"). */
#include "bytes_builder.h"

#include "facts/missing.h"
#include "facts/vantage.h"
#include "wire/time.h"

#define MS INT64_C(1000000)
#define US INT64_C(1000)

struct place {
    struct sr_association association;
    struct sr_half half;
};

/* Loops to the sender and to the receiver; what a handshake shows. */
static void measure(struct place *place, int64_t sender_ns, int64_t receiver_ns)
{
    *place = (struct place){.association = {.started = SR_STARTED_HANDSHAKE}};
    place->half =
        (struct sr_half){.association = &place->association,
                         .measured = {.handshake_ns = {receiver_ns, sender_ns}, .receiver = {.least_ns = receiver_ns}}};
}

static void check(struct place *place, enum sr_vantage vantage, uint8_t class)
{
    place->half.association = &place->association;
    sr_conclude_vantage(&place->half);
    assert_int_equal(place->half.measured.vantage, vantage);
    assert_int_equal(place->half.measured.vantage_class, class);
}

static void a_loop_below_a_millisecond_or_an_eighth_of_both_is_that_of_a_host(void **state)
{
    (void)state;
    const struct {
        int64_t sender_ns, receiver_ns;
        enum sr_vantage vantage;
    } cases[] = {
        {MS, 5 * MS, SR_VANTAGE_SENDER},
        {MS + 1, 5 * MS, SR_VANTAGE_MIDDLE},
        {5 * MS, MS, SR_VANTAGE_RECEIVER},
        {5 * MS, MS + 1, SR_VANTAGE_MIDDLE},
        {10 * MS - 1, 70 * MS, SR_VANTAGE_MIDDLE}, /* 9.999999 of 79.999999 in whole ns: an eighth is 9.999999 */
        {10 * MS - 8, 70 * MS, SR_VANTAGE_SENDER},
        {10 * MS, 70 * MS, SR_VANTAGE_MIDDLE},
        {70 * MS, 10 * MS - 8, SR_VANTAGE_RECEIVER},
        {70 * MS, 10 * MS, SR_VANTAGE_MIDDLE},
        {500 * US, 500 * US, SR_VANTAGE_SENDER},
        {500 * US + 1, 500 * US, SR_VANTAGE_RECEIVER},
        {SR_NO_TIME, 5 * MS, SR_VANTAGE_UNKNOWN},
        {5 * MS, SR_NO_TIME, SR_VANTAGE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct place place;
        measure(&place, cases[i].sender_ns, cases[i].receiver_ns);
        check(&place, cases[i].vantage, cases[i].vantage == SR_VANTAGE_UNKNOWN ? 1 : 4);
    }
}

static void set_hops(struct place *place, uint8_t of_a, uint8_t of_b)
{
    sr_hops_note(&place->association.side[0].hops, of_a);
    sr_hops_note(&place->association.side[1].hops, of_b);
}

static void what_was_lost_on_its_side_says_that_it_is_not_there_but_where_hop_limits_do(void **state)
{
    (void)state;
    const struct sr_losses before = {.before = 2, .holes = 1}, behind = {.behind = 2};
    struct place place;
    measure(&place, 500 * US, 20 * MS);
    place.half.measured.losses = before;
    check(&place, SR_VANTAGE_MIDDLE, 4);
    measure(&place, 20 * MS, 500 * US);
    place.half.measured.losses = behind;
    check(&place, SR_VANTAGE_MIDDLE, 4);
    measure(&place, 500 * US, 20 * MS);
    place.half.measured.losses = before;
    set_hops(&place, 64, 60);
    check(&place, SR_VANTAGE_SENDER, 5);
}

static void hop_limits_and_a_handshake_together_are_sure(void **state)
{
    (void)state;
    struct place place;
    measure(&place, 100 * US, 20 * MS);
    set_hops(&place, 64, 60);
    check(&place, SR_VANTAGE_SENDER, 5);
    measure(&place, 100 * US, 20 * MS);
    set_hops(&place, 60, 64); /* it says something else, and a handshake says more */
    check(&place, SR_VANTAGE_SENDER, 3);
    measure(&place, 10 * MS, 10 * MS);
    set_hops(&place, 60, 60);
    check(&place, SR_VANTAGE_MIDDLE, 5);
    measure(&place, 20 * MS, MS);
    set_hops(&place, 60, 64);
    check(&place, SR_VANTAGE_RECEIVER, 5);
    measure(&place, 20 * MS, MS + US); /* or behind a bridge, which is no router */
    set_hops(&place, 60, 64);
    check(&place, SR_VANTAGE_RECEIVER, 4);
    measure(&place, 100 * US, 20 * MS);
    place.half.measured.inferred = true;
    check(&place, SR_VANTAGE_SENDER, 3);
    measure(&place, 20 * MS, 20 * MS);
    place.half.measured.handshake_ns[0] = SR_NO_TIME; /* how soon data is acknowledged tells */
    check(&place, SR_VANTAGE_MIDDLE, 3);
}

static void where_all_is_near_hop_limits_place_it(void **state)
{
    (void)state;
    const struct {
        uint8_t of_a, of_b;
        enum sr_vantage vantage;
        uint8_t class;
    } cases[] = {{64, 63, SR_VANTAGE_SENDER, 4},
                 {63, 64, SR_VANTAGE_RECEIVER, 4},
                 {63, 63, SR_VANTAGE_RECEIVER, 3},
                 {64, 64, SR_VANTAGE_RECEIVER, 4}};
    for (int i = 0; i < 4; i++) {
        struct place place;
        measure(&place, 400 * US, 300 * US); /* the sender's host takes its time for a cookie */
        set_hops(&place, cases[i].of_a, cases[i].of_b);
        check(&place, cases[i].vantage, cases[i].class);
    }
}

static void without_a_handshake_hop_limits_place_it(void **state)
{
    (void)state;
    const struct {
        uint8_t of_a, of_b;
        enum sr_vantage vantage;
    } cases[] = {{64, 60, SR_VANTAGE_SENDER},  {60, 64, SR_VANTAGE_RECEIVER}, {60, 60, SR_VANTAGE_MIDDLE},
                 {64, 64, SR_VANTAGE_UNKNOWN}, {0, 60, SR_VANTAGE_UNKNOWN},   {60, 0, SR_VANTAGE_UNKNOWN}};
    for (int i = 0; i < 6; i++) {
        struct place place;
        measure(&place, SR_NO_TIME, 20 * MS);
        place.association.started = SR_STARTED_MIDDLE;
        set_hops(&place, cases[i].of_a, cases[i].of_b);
        check(&place, cases[i].vantage, cases[i].vantage == SR_VANTAGE_UNKNOWN ? 1 : 3);
        assert_int_equal(place.half.measured.sender_loop_ns, 0);
        assert_int_equal(place.half.measured.adrift, cases[i].vantage != SR_VANTAGE_SENDER);
    }
    struct place place;
    measure(&place, 9 * MS, 10 * MS); /* a loop that its reactions show, in the middle; its routers are in the host */
    place.association.started = SR_STARTED_MIDDLE;
    place.half.measured.inferred = true;
    set_hops(&place, 64, 60);
    check(&place, SR_VANTAGE_SENDER, 3);
    assert_int_equal(place.half.measured.sender_loop_ns, 0);
    measure(&place, 9 * MS, 10 * MS);
    place.half.measured.inferred = true;
    set_hops(&place, 60, 60);
    check(&place, SR_VANTAGE_MIDDLE, 3);
    assert_int_equal(place.half.measured.sender_loop_ns, 9 * MS);
    measure(&place, 9 * MS, MS + 1); /* a loop that follows from others does not make the other near */
    place.half.measured.inferred = true;
    check(&place, SR_VANTAGE_MIDDLE, 3);
    measure(&place, 9 * MS, MS);
    place.half.measured.inferred = true;
    check(&place, SR_VANTAGE_RECEIVER, 3);
}

static void feedback_is_a_sixteenth_sooner_at_most_a_fifth_of_a_millisecond(void **state)
{
    (void)state;
    struct place place;
    measure(&place, 1600 * US, 5 * MS);
    check(&place, SR_VANTAGE_MIDDLE, 4);
    assert_int_equal(place.half.measured.feedback_ns, 1500 * US);
    measure(&place, 16 * MS, 16 * MS);
    check(&place, SR_VANTAGE_MIDDLE, 4);
    assert_int_equal(place.half.measured.feedback_ns, 15800 * US);
    measure(&place, 100 * US, 16 * MS);
    check(&place, SR_VANTAGE_SENDER, 4);
    assert_int_equal(place.half.measured.feedback_ns, 0);
    assert_int_equal(place.half.measured.sender_loop_ns, 100 * US);
}

static void what_was_told_is_taken(void **state)
{
    (void)state;
    struct place place;
    measure(&place, 10 * MS, 10 * MS);
    place.half.told.vantage = 1 + SR_VANTAGE_SENDER;
    check(&place, SR_VANTAGE_SENDER, 0);
    assert_int_equal(place.half.measured.sender_loop_ns, 0);
    assert_int_equal(place.half.measured.feedback_ns, 0);
    measure(&place, 100 * US, 10 * MS);
    place.half.told.vantage = 1 + SR_VANTAGE_SENDER;
    check(&place, SR_VANTAGE_SENDER, 0);
    assert_int_equal(place.half.measured.sender_loop_ns, 100 * US);
    measure(&place, 10 * MS, 10 * MS);
    place.half.told = (struct sr_told){.vantage = 1 + SR_VANTAGE_SENDER, .loop = true, .loop_ns = 10 * MS};
    check(&place, SR_VANTAGE_SENDER, 0);
    assert_int_equal(place.half.measured.sender_loop_ns, 10 * MS);
    assert_int_equal(place.half.measured.feedback_ns, 10 * MS);
    measure(&place, SR_NO_TIME, 10 * MS);
    place.half.told.vantage = 1 + SR_VANTAGE_RECEIVER;
    check(&place, SR_VANTAGE_RECEIVER, 0);
    assert_true(place.half.measured.adrift);
}

/* A PTO of pion is two round trips, an RTO no less than one, nor than 100 ms. */
static void a_silence_is_a_timeout_from_the_shortest_timer_on(void **state)
{
    (void)state;
    const struct {
        int64_t round_trip_ms, least_ms;
        bool pion;
    } cases[] = {{30, 100, false}, {120, 120, false}, {30, 60, true}, {80, 100, true}};
    for (int i = 0; i < 4; i++) {
        for (int late = 0; late < 2; late++) {
            struct place place;
            struct sr_silence silence;
            measure(&place, MS, MS);
            place.half.measured.receiver.typical_ns = (cases[i].round_trip_ms - 10) * MS;
            place.half.measured.sender_loop_ns = 10 * MS;
            place.half.association = &place.association;
            place.association.side[0].family = cases[i].pion ? SR_FAMILY_PION : SR_FAMILY_OTHER;
            sr_silence_begin(&silence);
            assert_false(sr_silence_is_timeout(&silence, &place.half));
            sr_silence_frame(&silence, 1, 1000 * MS);
            assert_false(sr_silence_is_timeout(&silence, &place.half));
            sr_silence_frame(&silence, 2, (1000 + cases[i].least_ms) * MS - 1 + late);
            sr_silence_frame(&silence, 2, (1000 + cases[i].least_ms) * MS - 1 + late); /* another chunk of it */
            assert_int_equal(sr_silence_is_timeout(&silence, &place.half), late);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_below_a_millisecond_or_an_eighth_of_both_is_that_of_a_host),
        cmocka_unit_test(what_was_lost_on_its_side_says_that_it_is_not_there_but_where_hop_limits_do),
        cmocka_unit_test(hop_limits_and_a_handshake_together_are_sure),
        cmocka_unit_test(where_all_is_near_hop_limits_place_it),
        cmocka_unit_test(without_a_handshake_hop_limits_place_it),
        cmocka_unit_test(feedback_is_a_sixteenth_sooner_at_most_a_fifth_of_a_millisecond),
        cmocka_unit_test(what_was_told_is_taken),
        cmocka_unit_test(a_silence_is_a_timeout_from_the_shortest_timer_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
