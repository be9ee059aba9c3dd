/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of what the sides of two joined halves said that is wrong. */
#include "bytes_builder.h"

#include "association/errors.h"

static struct sr_errors aborts(uint8_t from, uint32_t frame, uint16_t cause)
{
    struct sr_errors errors = {.kept = calloc(SR_ERRORS_KEPT, sizeof *errors.kept), .kinds = 1};
    assert_non_null(errors.kept);
    errors.kept[0] = (struct sr_error){
        .count = 2, .first_frame = frame, .cause = cause, .chunk = SR_CHUNK_ABORT, .from = from, .has_cause = true};
    return errors;
}

static void one_kind_in_both_halves_is_counted_once_more(void **state)
{
    (void)state;
    struct sr_errors errors = aborts(1, 9, 12), others = aborts(0, 7, 12);
    sr_errors_join(&errors, &others, true);
    assert_int_equal(errors.kinds, 1);
    assert_int_equal(errors.kept[0].count, 4);
    assert_int_equal(errors.kept[0].first_frame, 7);
    sr_errors_free(&errors);
    sr_errors_free(&others);
}

static void the_side_is_that_of_the_whole(void **state)
{
    (void)state;
    struct sr_errors errors = aborts(1, 9, 12), others = aborts(0, 7, 12);
    sr_errors_join(&errors, &others, false);
    assert_int_equal(errors.kinds, 2);
    assert_int_equal(errors.kept[1].from, 0);
    sr_errors_free(&errors);
    sr_errors_free(&others);
}

static void more_kinds_than_are_kept_are_counted(void **state)
{
    (void)state;
    struct sr_errors errors = aborts(0, 1, 0);
    for (uint16_t cause = 1; cause <= SR_ERRORS_KEPT; cause++) {
        struct sr_errors others = aborts(0, 1, cause);
        sr_errors_join(&errors, &others, false);
        sr_errors_free(&others);
    }
    assert_int_equal(errors.kinds, SR_ERRORS_KEPT);
    assert_int_equal(errors.more, 1);
    sr_errors_free(&errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_kind_in_both_halves_is_counted_once_more),
        cmocka_unit_test(the_side_is_that_of_the_whole),
        cmocka_unit_test(more_kinds_than_are_kept_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
