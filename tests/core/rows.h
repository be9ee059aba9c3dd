/* SPDX-License-Identifier: BSD-2-Clause */
/* How each row of a table is a test: it begins with the sentence that is its name, and is what its check gets. */
#ifndef SR_TESTS_ROWS_H
#define SR_TESTS_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define CHECK_ROWS(name, rows, check) check_rows(name, rows, sizeof *(rows), sizeof(rows) / sizeof *(rows), check)

static inline int check_rows(const char *name, void *rows, size_t size, size_t count, CMUnitTestFunction check)
{
    struct CMUnitTest *tests = calloc(count, sizeof *tests);
    if (!tests)
        return 1;
    for (size_t i = 0; i < count; i++) {
        void *row = (char *)rows + i * size;
        tests[i] = (struct CMUnitTest){.name = *(const char **)row, .test_func = check, .initial_state = row};
    }
    int failed = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    free(tests);
    return failed;
}

#endif
