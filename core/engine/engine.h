/* SPDX-License-Identifier: BSD-2-Clause */
/* Packet in, rows out: every chunk of every packet is decoded, counted in its association and written as a row. */
#ifndef SR_ENGINE_ENGINE_H
#define SR_ENGINE_ENGINE_H

#include "../association/registry.h"
#include "../wire/packet.h"
#include "rows.h"

struct sr_engine;

struct sr_engine_options {
    uint32_t tables;      /* 1 << enum sr_table: which rows are written */
    bool verify_checksum; /* a wrong checksum is `bad` even from a side that was never right */
};

struct sr_engine *sr_engine_new(const struct sr_engine_options *options); /* NULL when memory runs out */
void sr_engine_free(struct sr_engine *engine);

/* Packets come in the order of their frames. False when memory runs out: rows are missing then. */
bool sr_engine_packet(struct sr_engine *engine, const struct sr_packet *packet);

/* The rows since they were cleared. */
const struct sr_rows *sr_engine_rows(const struct sr_engine *engine);
void sr_engine_clear_rows(struct sr_engine *engine);

struct sr_engine_totals {
    uint64_t packets;
    uint64_t chunks;
    uint64_t short_packets; /* without a whole common header */
    uint64_t uncounted;     /* packets beyond SR_ASSOCIATIONS_LIMIT: their rows have no association */
};

struct sr_engine_totals sr_engine_totals(const struct sr_engine *engine);
const struct sr_registry *sr_engine_associations(const struct sr_engine *engine);

#endif
