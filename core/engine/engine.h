/* SPDX-License-Identifier: BSD-2-Clause */
/* Packet in, rows out: every chunk of every packet is decoded, counted in its association and written as a row. Rows of
 * `chunks` are handed out as they come; the others are kept, judged, and handed out complete. */
#ifndef SR_ENGINE_ENGINE_H
#define SR_ENGINE_ENGINE_H

#include "../association/registry.h"
#include "../journal/journal.h"
#include "../journal/share.h"
#include "../journal/tables.h"
#include "../journal/told.h"
#include "../wire/packet.h"
#include "rows.h"

struct sr_engine;
struct sr_judgement;

struct sr_engine_options {
    uint32_t tables;       /* 1 << enum sr_table: which rows are written */
    bool judges;           /* also without a table that needs it: for the figures of each direction */
    bool verify_checksum;  /* a wrong checksum is `bad` even from a side that was never right */
    size_t memory;         /* for the rows that are kept, before they go to a file; 0: SR_JOURNAL_MEMORY */
    struct sr_told told;   /* instead of what the judge would measure */
    struct sr_share share; /* associations that it judges, and whose rows it hands out */
};

struct sr_engine *sr_engine_new(const struct sr_engine_options *options); /* NULL when memory runs out */
void sr_engine_free(struct sr_engine *engine);

/* Packets come in the order of their frames. False when memory or the disk runs out: rows are missing then. */
bool sr_engine_packet(struct sr_engine *engine, const struct sr_packet *packet);

/* No packet follows: gives back what only packets need. */
void sr_engine_ended(struct sr_engine *engine);

/* The rows since they were cleared: of `chunks` those of the packets, of other tables those handed out. */
const struct sr_rows *sr_engine_rows(const struct sr_engine *engine);
void sr_engine_clear_rows(struct sr_engine *engine);

/* Judges what was seen so far, and begins to hand out from the first row. It may be repeated, and packets may follow.
 * False when memory or the disk runs out. */
bool sr_engine_judge(struct sr_engine *engine);

/* Whoever judges is at its end soon, and false; nothing else may be asked of the engine any more. From any thread. */
void sr_engine_stop(struct sr_engine *engine);

/* Hands out the next rows, about `most` of them, to sr_engine_rows. False when there are none left. */
bool sr_engine_hand_out(struct sr_engine *engine, size_t most);

/* The figures of a direction, 0 for the data of side a, 1 for that of side b; NULL where it was not judged. */
const struct sr_direction_figures *sr_engine_figures(const struct sr_engine *engine, uint32_t assoc,
                                                     unsigned direction);

/* The input lasts until then, also where frames without SCTP follow; before judging. */
void sr_engine_lasts_until(struct sr_engine *engine, int64_t time_ns);

/* Packets without data were filtered out of the input (books/filtered.h), as far as judged. */
bool sr_engine_filtered(const struct sr_engine *engine);

/* What is kept; its rows may be read at any time. */
const struct sr_journal *sr_engine_journal(const struct sr_engine *engine);

/* The tables that judging filled (journal/judgement.h), for a face that shows rows where they belong instead of taking
 * them in order. They stay until it is judged again. */
const struct sr_judgement *sr_engine_judgement(const struct sr_engine *engine);

struct sr_engine_totals {
    uint64_t packets;
    uint64_t chunks;
    uint64_t short_packets; /* without a whole common header */
    uint64_t without_data;  /* with a whole common header and no DATA or I-DATA chunk that was captured */
    uint64_t uncounted;     /* packets beyond SR_ASSOCIATIONS_LIMIT: their rows have no association */
};

struct sr_engine_totals sr_engine_totals(const struct sr_engine *engine);
const struct sr_registry *sr_engine_associations(const struct sr_engine *engine);

#endif
