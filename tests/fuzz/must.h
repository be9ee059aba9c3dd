/* SPDX-License-Identifier: BSD-2-Clause */
/* Stops the run where something does not hold. */
#ifndef SR_TESTS_MUST_H
#define SR_TESTS_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#endif
