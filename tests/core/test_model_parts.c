/* SPDX-License-Identifier: BSD-2-Clause */
/* The model's small structures against plain ones that do the same slowly: sets of sequence numbers, runs, the windowed
 * minimum and Karn's fence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "model/rtt.h"
#include "model/rtt_samples.h"
#include "model/runs.h"
#include "model/seq_set.h"
#include "wire/time.h"

static uint64_t seed;

static uint32_t dice(uint32_t sides)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % sides;
}

/* From `at` on, which may be before or behind a wrap of 2^32, by steps of up to `stride`. */
static void check_set(int64_t at, uint32_t capacity, uint32_t stride)
{
    enum { MOST = 1 << 14 };
    static bool member[MOST];
    memset(member, 0, sizeof member);
    struct sr_seq_sets sets = {.lanes = 3};
    assert_true(sr_seq_sets_grow(&sets, capacity / 2, 0, 0));
    for (uint32_t i = dice(stride); i < capacity / 2; i += 1 + dice(stride)) {
        member[i] = true;
        sr_seq_set_add(&sets, 1, at + i);
    }
    assert_true(sr_seq_sets_grow(&sets, capacity, at, at + capacity / 2));
    for (uint32_t i = capacity / 2; i < capacity; i += 1 + dice(stride)) {
        member[i] = true;
        sr_seq_set_add(&sets, 1, at + i);
        if (dice(3) > 0)
            continue;
        member[i] = false;
        sr_seq_set_remove(&sets, 1, at + i);
    }
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t from = dice(capacity), end = from + dice(capacity - from + 1), next = from, last = end;
        while (next < end && !member[next])
            next++;
        while (last > from && !member[last - 1])
            last--;
        assert_int_equal(sr_seq_set_next(&sets, 1, at + from, at + end), at + next);
        assert_int_equal(sr_seq_set_last(&sets, 1, at + from, at + end), at + last - 1);
        assert_int_equal(sr_seq_set_next(&sets, 0, at + from, at + end), at + end);
        assert_int_equal(sr_seq_set_last(&sets, 2, at + from, at + end), at + from - 1);
        assert_int_equal(sr_seq_set_has(&sets, 1, at + from), member[from]);
    }
    sr_seq_sets_free(&sets);
}

static void a_set_finds_the_next_and_the_last_member(void **state)
{
    (void)state;
    static const int64_t places[] = {0, -100, 63, (INT64_C(1) << 32) - 5000, (INT64_C(1) << 40) + 77};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (uint32_t capacity = 512; capacity <= 1 << 14; capacity *= 2)
            for (uint32_t stride = 2; stride <= 1 << 14; stride *= 8)
                check_set(places[i], capacity, stride);
}

enum { LINE = 64 };

static uint64_t bits_of(const struct sr_runs *runs)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < runs->count; i++) {
        assert_true(runs->at[i].first < runs->at[i].end);
        assert_true(i == 0 || runs->at[i - 1].end < runs->at[i].first);
        for (int64_t seq = runs->at[i].first; seq < runs->at[i].end; seq++)
            bits |= UINT64_C(1) << seq;
    }
    return bits;
}

/* Runs in any order, that may overlap and touch. */
static void fill(struct sr_runs *runs)
{
    assert_true(sr_runs_reserve(runs, 3 * LINE));
    runs->count = dice(8);
    for (size_t i = 0; i < runs->count; i++) {
        int64_t first = dice(LINE - 1);
        runs->at[i] =
            (struct sr_run){first, first + 1 + dice((uint32_t)(LINE - first) < 9 ? (uint32_t)(LINE - first) : 9)};
    }
    sr_runs_sort(runs);
}

static void runs_are_united_as_sets_are(void **state)
{
    (void)state;
    struct sr_runs a = {0}, b = {0}, c = {0};
    assert_true(sr_runs_reserve(&c, 3 * LINE));
    for (int round = 0; round < 20000; round++) {
        fill(&a);
        fill(&b);
        uint64_t left = bits_of(&a), right = bits_of(&b);
        sr_runs_unite(&c, &a, &b);
        assert_true(bits_of(&c) == (left | right));
        uint32_t seq = dice(LINE);
        assert_int_equal(sr_runs_have(&a, seq), left >> seq & 1);
    }
    sr_runs_free(&a);
    sr_runs_free(&b);
    sr_runs_free(&c);
}

static void the_minimum_is_that_of_the_window(void **state)
{
    (void)state;
    enum { SAMPLES = 3000, WINDOW = 500 };
    static struct sr_rtt_sample samples[SAMPLES];
    struct sr_windowed_minimum minimum = {0};
    int64_t now_ns = 0;
    assert_int_equal(sr_minimum_ns(&minimum, WINDOW, 0), SR_NO_TIME);
    for (int i = 0; i < SAMPLES; i++) {
        now_ns += dice(dice(20) ? 10 : 2 * WINDOW);
        samples[i] = (struct sr_rtt_sample){now_ns, 1000 + i % 700 + dice(20)};
        sr_minimum_add(&minimum, WINDOW, now_ns, samples[i].rtt_ns);
        int64_t asked_ns = now_ns + dice(2 * WINDOW), least_ns = samples[i].rtt_ns;
        for (int j = i; j >= 0 && samples[j].time_ns >= asked_ns - WINDOW; j--)
            least_ns = samples[j].rtt_ns < least_ns ? samples[j].rtt_ns : least_ns;
        assert_int_equal(sr_minimum_ns(&minimum, WINDOW, asked_ns), least_ns);
    }
    sr_minimum_free(&minimum);
}

static void dcsctp_doubles_from_the_second_timeout_on(void **state)
{
    (void)state;
    const struct sr_rtt_estimator unmeasured = {SR_NO_TIME, SR_NO_TIME};
    const struct sr_parameters dcsctp = sr_parameters_of(SR_PROFILE_DCSCTP), pion = sr_parameters_of(SR_PROFILE_PION);
    const int64_t first_ns = dcsctp.rto.initial_ns;
    assert_int_equal(sr_rto_ns(&unmeasured, &dcsctp.rto, 0), first_ns);
    assert_int_equal(sr_rto_ns(&unmeasured, &dcsctp.rto, 1), first_ns);
    assert_int_equal(sr_rto_ns(&unmeasured, &dcsctp.rto, 2), 2 * first_ns);
    assert_int_equal(sr_rto_ns(&unmeasured, &dcsctp.rto, 3), 4 * first_ns);
    assert_int_equal(sr_rto_ns(&unmeasured, &dcsctp.rto, 1000), dcsctp.rto.max_ns);
    assert_int_equal(sr_rto_ns(&unmeasured, &pion.rto, 1), 2 * pion.rto.initial_ns);
}

static void a_minimum_of_ever_longer_round_trips_stays_in_its_memory(void **state)
{
    (void)state;
    struct sr_windowed_minimum minimum = {0};
    for (int i = 0; i < 3 * SR_MODEL_MIN_SAMPLES; i++)
        sr_minimum_add(&minimum, INT64_MAX, i, 1000 + i);
    assert_int_equal(minimum.capacity, SR_MODEL_MIN_SAMPLES);
    assert_int_equal(minimum.count, SR_MODEL_MIN_SAMPLES);
    assert_int_equal(sr_minimum_ns(&minimum, INT64_MAX, 0), 1000);
    sr_minimum_free(&minimum);
}

/* Chunks of a window that moves on; the fence may forget what is older than all of them. */
static void the_fence_remembers_every_resend_that_matters(void **state)
{
    (void)state;
    enum { RESENDS = 4000, WINDOW = 40 };
    static struct sr_fence_post resends[RESENDS];
    struct sr_karn_fence fence = {0};
    int64_t now_ns = 0, una = 0;
    assert_true(sr_fence_clean(&fence, 0, 0));
    for (int i = 0; i < RESENDS; i++) {
        int64_t oldest_ns = now_ns - WINDOW;
        now_ns += dice(4);
        una += dice(2);
        resends[i] = (struct sr_fence_post){now_ns, una - 10 + dice(WINDOW)};
        assert_true(sr_fence_retransmitted(&fence, resends[i].seq, now_ns, oldest_ns, una));
        int64_t seq = una + dice(WINDOW), sent_ns = oldest_ns + dice(WINDOW + 5);
        bool clean = true;
        for (int j = 0; j <= i; j++)
            clean = clean && !(resends[j].seq <= seq && resends[j].time_ns >= sent_ns);
        assert_int_equal(sr_fence_clean(&fence, seq, sent_ns), clean);
    }
    assert_true(fence.room <= 4 * WINDOW);
    sr_fence_free(&fence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_finds_the_next_and_the_last_member),
        cmocka_unit_test(runs_are_united_as_sets_are),
        cmocka_unit_test(the_minimum_is_that_of_the_window),
        cmocka_unit_test(dcsctp_doubles_from_the_second_timeout_on),
        cmocka_unit_test(a_minimum_of_ever_longer_round_trips_stays_in_its_memory),
        cmocka_unit_test(the_fence_remembers_every_resend_that_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
