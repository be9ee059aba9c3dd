/* SPDX-License-Identifier: BSD-2-Clause */
/* How rows are handed out: a batch of each table, and the pools that they refer to. */
#ifndef SR_ENGINE_ROWS_H
#define SR_ENGINE_ROWS_H

#include "../buffer.h"
#include "../journal/rows.h"
#include "../journal/tables.h"
#include "paths.h"

enum sr_table {
    SR_TABLE_TRANSMISSIONS,
    SR_TABLE_SACKS,
    SR_TABLE_CHUNKS,
    SR_TABLE_RTT_SAMPLES,
    SR_TABLE_RACK_MARKS,
    SR_TABLE_RACK_STATE,
    SR_TABLE_PROBES,
    SR_TABLE_STORMS,
    SR_TABLE_LIMITS,
    SR_TABLE_WINDOWS,
    SR_TABLE_COUNTS,
    SR_TABLE_PATHS,
    SR_TABLE_ASSOCIATIONS,
    SR_TABLE_COUNT,
};

struct sr_rows {
    struct sr_buffer tables[SR_TABLE_COUNT];
    struct sr_buffer numbers; /* uint32_t */
    struct sr_buffer text;
    struct sr_paths paths; /* of the whole capture: they outlive the rows */
};

#endif
