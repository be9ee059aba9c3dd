/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of a control chunk, as the journal keeps it, in milliseconds. */
#ifndef SR_TESTS_CONTROL_ROW_H
#define SR_TESTS_CONTROL_ROW_H

#include "bytes_builder.h"

#include "journal/rows.h"

#define MS INT64_C(1000000)

static inline struct sr_control_row row_of(uint8_t type, unsigned from, int64_t ms, uint32_t path, uint32_t value)
{
    return (struct sr_control_row){.type = type,
                                   .from = (uint8_t)from,
                                   .time_ns = ms * MS,
                                   .path = path,
                                   .value = value,
                                   .frame = (uint32_t)ms,
                                   .whole = 1};
}

#endif
