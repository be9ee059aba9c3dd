/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the growing array. */
#include "bytes_builder.h"

#include "buffer.h"

static void nothing_can_be_appended_to_nothing(void **state)
{
    (void)state;
    struct sr_buffer buffer = {0};
    sr_buffer_append(&buffer, "x", 0);
    assert_null(buffer.bytes);
    assert_false(buffer.failed);
    sr_buffer_append(&buffer, "x", 1);
    sr_buffer_append(&buffer, "y", 0);
    assert_int_equal(buffer.length, 1);
    assert_int_equal(buffer.bytes[0], 'x');
    sr_buffer_free(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_can_be_appended_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
