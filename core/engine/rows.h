/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows that leave the core: fixed width, columns as in names.toml, lists and text in pools beside them. Strings
 * exist only where the rows are shown. */
#ifndef SR_ENGINE_ROWS_H
#define SR_ENGINE_ROWS_H

#include <stdint.h>

#include "../buffer.h"
#include "paths.h"

/* In a row of an association beyond the limit. */
#define SR_NO_ASSOCIATION UINT32_MAX

struct sr_transmission_row {
    int64_t time_ns;
    uint32_t frame;
    uint32_t chunk;
    uint32_t assoc; /* or SR_NO_ASSOCIATION */
    uint32_t copy;
    uint32_t first_frame, prev_frame; /* 0: not known, none */
    uint32_t tsn;
    uint32_t bytes;
    uint32_t mid, fsn, ppid;
    uint16_t sid, ssn;
    uint32_t path; /* its number, or SR_NO_PATH */
    uint8_t from;  /* side that sent the packet: 0 for a, 1 for b */
    uint8_t flags;
    uint8_t kind;    /* enum sr_kind */
    uint8_t present; /* 1 << enum sr_data_field */
    uint8_t crc;     /* enum sr_crc */
};

struct sr_sack_row {
    int64_t time_ns;
    uint32_t frame;
    uint64_t lists; /* index into the pool of numbers: first and last TSN of each gap, then of each NR-gap, then dups */
    uint32_t gaps, nr_gaps, dups; /* how many of each */
    uint32_t chunk;
    uint32_t assoc; /* or SR_NO_ASSOCIATION */
    uint32_t newly_acked, newly_acked_bytes;
    uint32_t cum_tsn;
    uint32_t a_rwnd;
    uint32_t malformed; /* 1 << enum sr_sack_anomaly */
    uint32_t path;      /* its number, or SR_NO_PATH */
    uint8_t from;       /* side that sent the packet: it acknowledges the data of the other */
    uint8_t kind;       /* enum sr_sack_kind; SHUTDOWN has no a_rwnd */
    uint8_t flags;
};

struct sr_chunk_row {
    int64_t time_ns;
    uint32_t frame;
    uint64_t text;        /* index into the pool of text */
    uint32_t text_length; /* 0 without */
    uint32_t chunk;
    uint32_t assoc; /* or SR_NO_ASSOCIATION */
    uint32_t vtag;
    uint32_t malformed; /* 1 << enum sr_chunk_anomaly */
    uint16_t sport, dport;
    uint16_t length;
    uint32_t path;     /* its number, or SR_NO_PATH */
    uint8_t from;      /* side that sent the packet */
    uint8_t has_chunk; /* 0 where not even a chunk header is there: type, flags and length mean nothing */
    uint8_t type, flags;
    uint8_t encapsulation; /* enum sr_encapsulation */
    uint8_t checksum;      /* enum sr_checksum */
};

enum sr_table { SR_TABLE_TRANSMISSIONS, SR_TABLE_SACKS, SR_TABLE_CHUNKS, SR_TABLE_COUNT };

struct sr_rows {
    struct sr_buffer tables[SR_TABLE_COUNT];
    struct sr_buffer numbers; /* uint32_t */
    struct sr_buffer text;
    struct sr_paths paths; /* of the whole capture: they outlive the rows */
};

#endif
