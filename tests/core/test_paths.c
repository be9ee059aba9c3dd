/* SPDX-License-Identifier: BSD-2-Clause */
/* A path keeps its number, whatever else comes; beyond the limit there is none. */
#include "bytes_builder.h"

#include "engine/paths.h"

static struct sr_path path_with(uint32_t number, size_t at)
{
    struct sr_path path = {{0}};
    memcpy(path.bytes + at, &number, sizeof number);
    return path;
}

/* Differing in whichever bytes: first, middle, last. */
static void the_same_path_has_the_same_number(void **state)
{
    (void)state;
    struct sr_paths paths = {0};
    const size_t places[] = {0, 8, 16, 24, 30};
    uint32_t expected = 0;
    for (size_t place = 0; place < sizeof places / sizeof *places; place++)
        for (uint32_t i = 1; i <= 300; i++) {
            struct sr_path path = path_with(i, places[place]);
            assert_int_equal(sr_paths_number(&paths, &path), expected++);
        }
    expected = 0;
    for (size_t place = 0; place < sizeof places / sizeof *places; place++)
        for (uint32_t i = 1; i <= 300; i++) {
            struct sr_path path = path_with(i, places[place]);
            assert_int_equal(sr_paths_number(&paths, &path), expected);
            assert_int_equal(memcmp(paths.list.bytes + expected++ * sizeof path, &path, sizeof path), 0);
        }
    sr_paths_free(&paths);
}

static void beyond_the_limit_there_is_no_number(void **state)
{
    (void)state;
    struct sr_paths paths = {0};
    for (uint32_t i = 0; i < SR_PATHS_LIMIT; i++) {
        struct sr_path path = path_with(i, 4);
        assert_int_equal(sr_paths_number(&paths, &path), i);
    }
    struct sr_path one_more = path_with(SR_PATHS_LIMIT, 4), known = path_with(7, 4);
    assert_int_equal(sr_paths_number(&paths, &one_more), SR_NO_PATH);
    assert_int_equal(sr_paths_number(&paths, &known), 7);
    assert_int_equal(paths.list.length, SR_PATHS_LIMIT * sizeof known);
    sr_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_path_has_the_same_number),
        cmocka_unit_test(beyond_the_limit_there_is_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
