/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the spool: records keep their places and their bytes, in memory and in the file. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "bytes_builder.h"

#include "journal/spool.h"

enum { MEBIBYTE = 1 << 20 };

struct record {
    uint64_t value;
    uint32_t other;
    uint8_t odd[12];
};

static struct record record_of(uint64_t n)
{
    return (struct record){n * UINT64_C(0x9e3779b97f4a7c15), (uint32_t)~n, {(uint8_t)n}};
}

static void append_until(struct sr_spool *spool, uint64_t count)
{
    while (spool->count < count) {
        struct record wanted = record_of(spool->count);
        struct record *room = sr_spool_append(spool);
        assert_non_null(room);
        *room = wanted;
    }
}

static void check_all(const struct sr_spool *spool)
{
    for (uint64_t n = 0; n < spool->count; n++) {
        struct record wanted = record_of(n);
        assert_memory_equal(sr_spool_at(spool, n), &wanted, sizeof wanted);
    }
}

static void records_keep_their_places_beyond_the_memory_limit(void **state)
{
    (void)state;
    struct sr_spool_store store;
    struct sr_spool one, other;
    sr_spool_store_init(&store, 2 * MEBIBYTE);
    sr_spool_init(&one, &store, sizeof(struct record));
    sr_spool_init(&other, &store, sizeof(struct record));
    for (uint64_t count = 0; count <= 400000; count += 50000) {
        append_until(&one, count);
        append_until(&other, count / 3);
        if (count == 50000)
            assert_int_equal(store.file, -1);
    }
    check_all(&one);
    check_all(&other);
    assert_true(store.file_length >= 400000 * sizeof(struct record) - 2 * MEBIBYTE);
    sr_spool_free(&one);
    sr_spool_free(&other);
    sr_spool_store_free(&store);
}

static void what_is_done_with_can_still_be_read_and_written(void **state)
{
    (void)state;
    struct sr_spool_store store;
    struct sr_spool spool;
    sr_spool_store_init(&store, MEBIBYTE);
    sr_spool_init(&spool, &store, sizeof(struct record));
    append_until(&spool, 300000);
    struct record *early = sr_spool_at(&spool, 100000);
    early->value = 77;
    sr_spool_done_before(&spool, 250000);
    assert_int_equal(((struct record *)sr_spool_at(&spool, 100000))->value, 77);
    *early = record_of(100000);
    sr_spool_done_before(&spool, UINT64_MAX);
    append_until(&spool, 400000);
    check_all(&spool);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

/* Kilobytes of this process in memory. */
static long resident(void)
{
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return -1;
    int found = fscanf(file, "%ld %ld", &all, &pages);
    fclose(file);
    return found == 2 ? pages * (sysconf(_SC_PAGESIZE) / 1024) : -1;
}

static void memory_stays_bounded_while_appending_and_while_walking(void **state)
{
    (void)state;
    enum { RECORDS = 4000000 }; /* 96 MB */
    struct sr_spool_store store;
    struct sr_spool spool;
    long before = resident();
    if (before < 0)
        skip();
    sr_spool_store_init(&store, MEBIBYTE);
    sr_spool_init(&spool, &store, sizeof(struct record));
    append_until(&spool, RECORDS);
    assert_true(resident() - before < 16 * 1024);
    uint64_t sum = 0;
    for (uint64_t n = 0; n < RECORDS; n++) {
        struct record *record = sr_spool_at(&spool, n);
        sum += record->other++;
        if (n % 100000 == 0) {
            sr_spool_done_before(&spool, n);
            assert_true(resident() - before < 16 * 1024);
        }
    }
    assert_true(sum > 0);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void memory_stays_bounded_while_a_cleared_spool_is_filled_again(void **state)
{
    (void)state;
    enum { RECORDS = 1500000 }; /* 36 MB */
    struct sr_spool_store store;
    struct sr_spool spool;
    sr_spool_store_init(&store, MEBIBYTE);
    sr_spool_init(&spool, &store, sizeof(struct record));
    append_until(&spool, RECORDS);
    long before = resident();
    if (before < 0)
        skip();
    sr_spool_clear(&spool);
    append_until(&spool, RECORDS);
    assert_true(resident() - before < 8 * 1024);
    check_all(&spool);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void memory_stays_bounded_while_records_are_visited_here_and_there(void **state)
{
    (void)state;
    enum { RECORDS = 4000000, VISITS = 20000, STEP = 1234577 };
    struct sr_spool_store store;
    struct sr_spool spool, freed;
    long before = resident();
    if (before < 0)
        skip();
    sr_spool_store_init(&store, MEBIBYTE);
    sr_spool_init(&spool, &store, sizeof(struct record));
    sr_spool_init(&freed, &store, sizeof(struct record));
    append_until(&spool, RECORDS);
    append_until(&freed, 100000);
    ((struct record *)sr_spool_visit(&freed, 1))->other++;
    sr_spool_free(&freed); /* it is not given back when it is another's memory */
    uint64_t at = 0;
    for (int i = 0; i < VISITS; i++, at = (at + STEP) % RECORDS) {
        struct record wanted = record_of(at);
        assert_memory_equal(sr_spool_visit(&spool, at), &wanted, sizeof wanted);
        assert_true(i % 1000 != 0 || resident() - before < 16 * 1024);
    }
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void records_that_stay_never_move_and_memory_stays_bounded_while_they_are_looked_at(void **state)
{
    (void)state;
    enum { RECORDS = 2000000, LOOKS = 400000, STEP = 1234577, EVERY = 100000 };
    struct sr_spool_store store;
    struct sr_spool spool;
    struct record *pointed_at[RECORDS / EVERY];
    long before = resident();
    if (before < 0)
        skip();
    sr_spool_store_init(&store, 0);
    sr_spool_init_staying(&spool, &store, sizeof(struct record));
    for (uint64_t n = 0; n < RECORDS; n++) {
        append_until(&spool, n + 1);
        if (n % EVERY == 0)
            pointed_at[n / EVERY] = sr_spool_look(&spool, n);
    }
    assert_true(resident() - before < 16 * 1024);
    uint64_t at = 0;
    for (int i = 0; i < LOOKS; i++, at = (at + (i < LOOKS / 2 ? STEP : 1)) % RECORDS) {
        struct record wanted = record_of(at), *record = sr_spool_look(&spool, at);
        assert_memory_equal(record, &wanted, sizeof wanted);
        *record = wanted;
        assert_true(i % 1000 != 0 || resident() - before < 16 * 1024);
    }
    for (uint64_t n = 0; n < RECORDS; n += EVERY) {
        struct record wanted = record_of(n);
        assert_ptr_equal(pointed_at[n / EVERY], sr_spool_look(&spool, n));
        assert_memory_equal(pointed_at[n / EVERY], &wanted, sizeof wanted);
    }
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void a_few_records_that_stay_need_no_file(void **state)
{
    (void)state;
    struct sr_spool_store store;
    struct sr_spool spool;
    sr_spool_store_init(&store, 0);
    sr_spool_init_staying(&spool, &store, sizeof(struct record));
    append_until(&spool, (uint64_t)spool.mask + 1);
    assert_int_equal(store.file, -1);
    append_until(&spool, (uint64_t)spool.mask + 2);
    assert_int_not_equal(store.file, -1);
    check_all(&spool);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void a_list_lies_side_by_side(void **state)
{
    (void)state;
    struct sr_spool_store store;
    struct sr_spool spool;
    uint64_t firsts[200];
    sr_spool_store_init(&store, MEBIBYTE);
    sr_spool_init(&spool, &store, sizeof(uint32_t));
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t count = i % 7 == 0 ? SR_SPOOL_LIST : 1 + i * 31;
        uint32_t *list = sr_spool_append_list(&spool, count, &firsts[i]);
        assert_non_null(list);
        for (uint32_t j = 0; j < count; j++)
            list[j] = i ^ j;
    }
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t count = i % 7 == 0 ? SR_SPOOL_LIST : 1 + i * 31;
        const uint32_t *list = sr_spool_at(&spool, firsts[i]);
        for (uint32_t j = 0; j < count; j++)
            assert_int_equal(list[j], i ^ j);
    }
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void a_cleared_spool_takes_no_more_room_than_before(void **state)
{
    (void)state;
    struct sr_spool_store store;
    struct sr_spool spool;
    sr_spool_store_init(&store, MEBIBYTE);
    sr_spool_init(&spool, &store, sizeof(struct record));
    append_until(&spool, 300000);
    uint64_t length = store.file_length;
    for (int i = 0; i < 3; i++) {
        sr_spool_clear(&spool);
        append_until(&spool, 300000);
        check_all(&spool);
        assert_int_equal(store.file_length, length);
    }
    append_until(&spool, 500000);
    check_all(&spool);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void append_until_it_fails(struct sr_spool *spool)
{
    while (spool->count < 1000000) {
        struct record wanted = record_of(spool->count);
        struct record *room = sr_spool_append(spool);
        if (!room)
            break;
        *room = wanted;
    }
    assert_true(spool->count < 1000000);
    assert_non_null(spool->store->failed);
    check_all(spool);
    assert_null(sr_spool_append(spool));
}

static void a_full_disk_is_an_error_with_a_name(void **state)
{
    (void)state;
    struct sr_spool_store store;
    struct sr_spool spool;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 3 * MEBIBYTE + 1000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    sr_spool_store_init(&store, MEBIBYTE);
    sr_spool_init(&spool, &store, sizeof(struct record));
    append_until_it_fails(&spool);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_string_equal(store.failed, "cannot write to the temporary file");
    assert_int_equal(store.reason, EFBIG);
    sr_spool_free(&spool);
    sr_spool_store_free(&store);
}

static void without_a_directory_for_it_there_is_no_file(void **state)
{
    (void)state;
    struct sr_spool_store store;
    struct sr_spool spool;
    assert_int_equal(setenv("TMPDIR", "/nonexistent/directory", 1), 0);
    for (int stay = 0; stay < 2; stay++) {
        sr_spool_store_init(&store, 0);
        if (stay)
            sr_spool_init_staying(&spool, &store, sizeof(struct record));
        else
            sr_spool_init(&spool, &store, sizeof(struct record));
        append_until_it_fails(&spool);
        assert_string_equal(store.failed, "cannot create a temporary file");
        assert_int_equal(store.reason, ENOENT);
        sr_spool_free(&spool);
        sr_spool_store_free(&store);
    }
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_keep_their_places_beyond_the_memory_limit),
        cmocka_unit_test(what_is_done_with_can_still_be_read_and_written),
        cmocka_unit_test(memory_stays_bounded_while_appending_and_while_walking),
        cmocka_unit_test(memory_stays_bounded_while_a_cleared_spool_is_filled_again),
        cmocka_unit_test(memory_stays_bounded_while_records_are_visited_here_and_there),
        cmocka_unit_test(records_that_stay_never_move_and_memory_stays_bounded_while_they_are_looked_at),
        cmocka_unit_test(a_few_records_that_stay_need_no_file),
        cmocka_unit_test(a_list_lies_side_by_side),
        cmocka_unit_test(a_cleared_spool_takes_no_more_room_than_before),
        cmocka_unit_test(a_full_disk_is_an_error_with_a_name),
        cmocka_unit_test(without_a_directory_for_it_there_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
