/* SPDX-License-Identifier: BSD-2-Clause */
/* The model at its limits: what it refuses, what hostile events cost, and events that no sender makes. What it decides
 * is compared with the reference in tests/model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "model/model.h"
#include "wire/time.h"

#define MS INT64_C(1000000)

struct world {
    struct sr_model *model;
    int64_t now_ns;
    uint32_t frame;
    uint64_t seed;
};

static struct world begin(void)
{
    struct sr_parameters senders[SR_PROFILE_COUNT];
    for (int i = 0; i < SR_PROFILE_COUNT; i++)
        senders[i] = sr_parameters_of((enum sr_profile)i);
    struct world world = {sr_model_new(senders, SR_PROFILE_COUNT, (struct sr_receiver){0, SR_ANSWER_YES}), 0, 0, 1};
    assert_non_null(world.model);
    return world;
}

static bool send_on(struct world *world, uint32_t path, uint32_t tsn)
{
    const struct sr_model_data data = {sr_tsn(tsn), 1000, false};
    const struct sr_model_sent sent = {world->now_ns, ++world->frame, path, &data, 1};
    return sr_model_sent(world->model, &sent);
}

static bool acknowledge(struct world *world, uint32_t cum, const struct sr_tsn_range *gaps, size_t count)
{
    const struct sr_model_feedback feedback = {
        .time_ns = world->now_ns,
        .frame = ++world->frame,
        .cum_tsn = sr_tsn(cum),
        .gaps = gaps,
        .gap_count = count,
    };
    return sr_model_feedback(world->model, &feedback);
}

static void it_refuses_what_it_cannot_take(void **state)
{
    (void)state;
    const struct sr_parameters senders[SR_MODEL_SENDERS + 1] = {0};
    assert_null(sr_model_new(senders, 0, (struct sr_receiver){0}));
    assert_null(sr_model_new(senders, SR_MODEL_SENDERS + 1, (struct sr_receiver){0}));

    struct world world = begin();
    world.now_ns = 10;
    assert_true(send_on(&world, 0, 1));
    assert_true(send_on(&world, SR_MODEL_PATHS - 1, 2));
    assert_false(send_on(&world, SR_MODEL_PATHS, 3));
    assert_false(sr_model_rtt(world.model, 10, SR_MODEL_PATHS, 1, SR_RTT_TAG_HEARTBEAT));
    assert_false(sr_model_rtt(world.model, 10, 0, -1, SR_RTT_TAG_HEARTBEAT));
    assert_false(sr_model_time_passed(world.model, 9));
    assert_false(sr_model_time_passed(world.model, SR_MODEL_LAST_NS + 1));
    struct sr_path_snapshot snapshot;
    assert_false(sr_model_snapshot(world.model, 0, 3, &snapshot));
    assert_false(sr_model_snapshot(world.model, 0, UINT32_MAX, &snapshot));
    sr_model_free(world.model);
}

static void a_tsn_beyond_the_window_is_refused_and_the_last_one_in_it_is_not(void **state)
{
    (void)state;
    struct world world = begin();
    assert_true(send_on(&world, 0, UINT32_C(0xfffffff0)));
    assert_true(send_on(&world, 0, UINT32_C(0xfffffff0) + SR_MODEL_WINDOW - 1));
    assert_false(send_on(&world, 0, UINT32_C(0xfffffff0) + SR_MODEL_WINDOW));
    assert_int_equal(sr_model_queue(world.model, 0).chunks, 2);
    assert_true(acknowledge(&world, UINT32_C(0xfffffff0), NULL, 0));
    assert_true(send_on(&world, 0, UINT32_C(0xfffffff0) + SR_MODEL_WINDOW));
    sr_model_free(world.model);
}

static void timers_end_when_an_hour_or_a_century_passes(void **state)
{
    (void)state;
    struct world world = begin();
    size_t count;
    assert_true(send_on(&world, 0, 1));
    assert_true(sr_model_time_passed(world.model, 3600 * 1000 * MS));
    assert_true(sr_model_time_passed(world.model, SR_MODEL_LAST_NS));
    sr_model_take_expectations(world.model, &count);
    assert_in_range(count, SR_PROFILE_COUNT, 2 * SR_MODEL_TIMEOUTS);
    sr_model_free(world.model);
}

/* A capture that begins late: the receiver speaks of TSNs far below the first that is seen, which share its slot. */
static void blocks_below_the_first_tsn_seen_say_nothing_of_it(void **state)
{
    (void)state;
    enum { SEEN = 100000, CUM = 50000, RING = 512 };
    struct world world = begin();
    const struct sr_tsn_range below = {sr_tsn(SEEN - RING), sr_tsn(SEEN - RING)};
    assert_true(send_on(&world, 0, SEEN));
    assert_true(acknowledge(&world, CUM, &below, 1));
    assert_int_equal(sr_model_last_feedback(world.model).newly_chunks, 0);

    const struct sr_tsn_range all = {sr_tsn(CUM + 2), sr_tsn(SEEN)};
    const struct sr_model_feedback promise = {
        .frame = ++world.frame, .cum_tsn = sr_tsn(CUM), .nr_gaps = &all, .nr_gap_count = 1};
    assert_true(sr_model_feedback(world.model, &promise));
    assert_int_equal(sr_model_last_feedback(world.model).newly_chunks, 1);
    assert_true(acknowledge(&world, CUM, NULL, 0));
    assert_int_equal(sr_model_broken_promises(world.model, SR_PROFILE_RFC9260, NULL, 0), 1);
    sr_model_free(world.model);
}

/* Acknowledgements of which each has one new TSN, at the end of the last block. */
static void acknowledge_one_more(struct world *world, struct sr_tsn_range *gaps, size_t count, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        gaps[count - 1].last.value++;
        assert_true(acknowledge(world, 0, gaps, count));
    }
}

/* A window of `window` TSNs whose every `every`th is missing and marked, and perhaps was sent again and marked where it
 * can be; then each of many SACKs acknowledges one new TSN. Returns the steps for each, beside its own blocks. */
static uint64_t steps_for_each_sack(uint32_t window, uint32_t every, bool again)
{
    enum { SACKS = 500, TO_MARK = 8 };
    static struct sr_tsn_range gaps[SR_MODEL_WINDOW];
    struct world world = begin();
    size_t count = 0;
    for (uint32_t tsn = 0; tsn < window + SACKS + 2 * TO_MARK; tsn++)
        assert_true(send_on(&world, 0, tsn));
    for (uint32_t first = 1; first + every <= window; first += every)
        gaps[count++] = (struct sr_tsn_range){sr_tsn(first + 1), sr_tsn(first + every - 1)};
    world.now_ns = 100 * MS;
    acknowledge_one_more(&world, gaps, count, TO_MARK);
    for (uint32_t first = 1; first + every <= window && again; first += every)
        assert_true(send_on(&world, 0, first));
    acknowledge_one_more(&world, gaps, count, TO_MARK);
    uint64_t before = sr_model_steps(world.model);
    acknowledge_one_more(&world, gaps, count, SACKS);
    uint64_t steps = (sr_model_steps(world.model) - before) / SACKS;
    sr_model_free(world.model);
    assert_true(steps >= 2 * count);
    return steps - 2 * count;
}

static void a_sack_costs_its_blocks_and_what_changed_whatever_the_window(void **state)
{
    (void)state;
    assert_in_range(steps_for_each_sack(200, 100, false), 0, 12);
    assert_in_range(steps_for_each_sack(200, 100, true), 0, 12);
    assert_in_range(steps_for_each_sack(50000, 25000, false), 0, 12);
    assert_in_range(steps_for_each_sack(50000, 25000, true), 0, 12);
    assert_in_range(steps_for_each_sack(50000, 140, false), 0, 12);
    assert_in_range(steps_for_each_sack(50000, 140, true), 0, 12);
    assert_in_range(steps_for_each_sack(50000, 2, false), 0, 12);
    assert_in_range(steps_for_each_sack(50000, 2, true), 0, 12);
}

/* A receiver has again what it took back only when that is sent again: no more is followed, for ever. */
static void feedback_that_takes_back_without_end_is_followed_to_a_limit_and_counted(void **state)
{
    (void)state;
    enum { CHUNKS = 1000, SACKS = 200 };
    struct world world = begin();
    const struct sr_tsn_range all = {sr_tsn(2), sr_tsn(CHUNKS - 1)};
    uint64_t taken_back = 0;
    for (uint32_t tsn = 0; tsn < CHUNKS; tsn++)
        assert_true(send_on(&world, 0, tsn));
    for (int i = 0; i < SACKS; i++) {
        assert_true(acknowledge(&world, 0, &all, i % 2 == 0));
        taken_back += sr_model_reneged(world.model, SR_PROFILE_RFC9260, NULL, 0);
        assert_true(sr_model_beyond(world.model) > 0 || taken_back == (uint64_t)(CHUNKS - 2) * (uint64_t)((i + 1) / 2));
    }
    assert_in_range(taken_back, SR_MODEL_TAKEN_BACK * CHUNKS, SR_MODEL_TAKEN_BACK * (CHUNKS + SACKS));
    assert_in_range(sr_model_beyond(world.model), 1, SACKS / 2);
    sr_model_free(world.model);
}

static uint32_t dice(struct world *world, uint32_t sides)
{
    world->seed = world->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(world->seed >> 33) % sides;
}

static uint32_t some_tsn(struct world *world)
{
    return dice(world, 20) ? dice(world, 300) - 100 : dice(world, UINT32_MAX);
}

/* An event made of anything. */
static void do_anything(struct world *world)
{
    struct sr_model_data data[3];
    struct sr_tsn_range gaps[4], nr_gaps[2];
    struct sr_tsn dups[2];
    for (int i = 0; i < 3; i++)
        data[i] = (struct sr_model_data){sr_tsn(some_tsn(world)), dice(world, 2000), dice(world, 2)};
    for (int i = 0; i < 4; i++)
        gaps[i] = (struct sr_tsn_range){sr_tsn(some_tsn(world)), sr_tsn(some_tsn(world))};
    for (int i = 0; i < 2; i++) {
        nr_gaps[i] = gaps[dice(world, 4)];
        dups[i] = sr_tsn(some_tsn(world));
    }
    world->now_ns += dice(world, 100) * MS * (dice(world, 50) ? 1 : 100000);
    const struct sr_model_sent sent = {world->now_ns, ++world->frame, dice(world, 3), data, 1 + dice(world, 3)};
    const struct sr_model_feedback feedback = {
        .time_ns = world->now_ns,
        .frame = world->frame,
        .cum_tsn = sr_tsn(dice(world, 3) ? dice(world, 100) - 100 : some_tsn(world)),
        .gaps = gaps,
        .nr_gaps = nr_gaps,
        .gap_count = dice(world, 5),
        .nr_gap_count = dice(world, 3),
        .dups = dups,
        .dup_count = dice(world, 3),
        .a_rwnd_bytes = dice(world, 1500),
        .has_a_rwnd = dice(world, 2),
        .kind = (uint8_t)dice(world, SR_SACK_KIND_COUNT),
        .all_non_renegable = dice(world, 2),
        .lists_cut = dice(world, 2),
        .overtaken = dice(world, 8) == 0,
    };
    switch (dice(world, 16)) {
    case 0: sr_model_forward_tsn(world->model, world->now_ns, sr_tsn(some_tsn(world))); break;
    case 1:
        sr_model_rtt(world->model, world->now_ns, dice(world, 3), dice(world, 1000) * MS, SR_RTT_TAG_HEARTBEAT);
        break;
    case 2:
        if (dice(world, 20) == 0)
            sr_model_tsn_reset(world->model, world->now_ns, sr_tsn(some_tsn(world)));
        break;
    case 3:
    case 4:
    case 5:
    case 6: sr_model_feedback(world->model, &feedback); break;
    default: sr_model_sent(world->model, &sent); break;
    }
}

static void anything_may_be_said_to_it(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct world world = begin();
        world.seed = seed;
        for (int i = 0; i < 600; i++) {
            size_t count;
            do_anything(&world);
            const struct sr_mark *marks = sr_model_take_marks(world.model, &count);
            for (size_t k = 0; k < count; k++)
                assert_true(marks[k].time_ns <= world.now_ns && marks[k].copy > 0);
            struct sr_queue_step queue = sr_model_queue(world.model, 0);
            assert_true(queue.necessary_chunks <= queue.chunks && queue.necessary_bytes <= queue.bytes);
            assert_true(queue.chunks <= SR_MODEL_WINDOW);
            for (uint32_t sender = 0; sender < SR_PROFILE_COUNT; sender++) {
                struct sr_path_snapshot snapshot;
                if (sr_model_snapshot(world.model, sender, 0, &snapshot))
                    assert_true(snapshot.flight_bytes <= queue.necessary_bytes);
            }
        }
        sr_model_finish(world.model);
        assert_false(sr_model_short_of_memory(world.model));
        sr_model_free(world.model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_refuses_what_it_cannot_take),
        cmocka_unit_test(a_tsn_beyond_the_window_is_refused_and_the_last_one_in_it_is_not),
        cmocka_unit_test(timers_end_when_an_hour_or_a_century_passes),
        cmocka_unit_test(blocks_below_the_first_tsn_seen_say_nothing_of_it),
        cmocka_unit_test(a_sack_costs_its_blocks_and_what_changed_whatever_the_window),
        cmocka_unit_test(feedback_that_takes_back_without_end_is_followed_to_a_limit_and_counted),
        cmocka_unit_test(anything_may_be_said_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
