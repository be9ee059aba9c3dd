/* SPDX-License-Identifier: BSD-2-Clause */
/* What must hold of the rows and counters whatever the input was. */
#ifndef SR_TESTS_INVARIANTS_H
#define SR_TESTS_INVARIANTS_H

#include <string.h>

#include "engine/engine.h"
#include "json_check.h"
#include "must.h"
#include "wire/chunk.h"

/* What was seen of the rows so far: they are taken in batches. */
struct seen_rows {
    uint64_t rows[SR_TABLE_COUNT];
    uint64_t last_frame[SR_TABLE_COUNT];
    uint64_t next_chunk[SR_TABLE_COUNT]; /* least position of the next row of that frame */
    uint64_t data_chunks, sack_chunks;   /* rows of `chunks` that must have a row in another table */
    uint64_t decoded_chunks;             /* rows of `chunks` that are a chunk, not a place where decoding stopped */
};

static const uint32_t stopped = 1u << SR_CHUNK_ANOMALY_SHORT_PACKET | 1u << SR_CHUNK_ANOMALY_SHORT_CHUNK_HEADER |
                                1u << SR_CHUNK_ANOMALY_LENGTH_BELOW_HEADER | 1u << SR_CHUNK_ANOMALY_BEYOND_PACKET |
                                1u << SR_CHUNK_ANOMALY_BLIND;

/* Rows are sorted by (frame, chunk), and none has the place of another. */
static inline void check_place(struct seen_rows *seen, enum sr_table table, uint64_t frame, uint32_t chunk)
{
    MUST(frame >= 1 && frame >= seen->last_frame[table]);
    if (frame > seen->last_frame[table])
        seen->next_chunk[table] = 0;
    MUST(chunk >= seen->next_chunk[table]);
    if (table == SR_TABLE_CHUNKS)
        MUST(chunk == seen->next_chunk[table]);
    seen->last_frame[table] = frame;
    seen->next_chunk[table] = (uint64_t)chunk + 1;
    seen->rows[table]++;
}

static inline void check_path(const struct sr_rows *rows, uint32_t number)
{
    MUST(number < rows->paths.list.length / sizeof(struct sr_path));
    const struct sr_path *path = (const struct sr_path *)rows->paths.list.bytes + number;
    MUST(path->bytes[16] == 0 || path->bytes[16] == 4 || path->bytes[16] == 6);
    MUST(path->bytes[33] == 0 || path->bytes[33] == 4 || path->bytes[33] == 6);
}

static inline void check_transmissions(struct seen_rows *seen, const struct sr_rows *rows)
{
    const struct sr_transmission_row *row = (const void *)rows->tables[SR_TABLE_TRANSMISSIONS].bytes;
    for (size_t left = rows->tables[SR_TABLE_TRANSMISSIONS].length / sizeof *row; left > 0; left--, row++) {
        check_place(seen, SR_TABLE_TRANSMISSIONS, row->frame, row->chunk);
        check_path(rows, row->path);
        MUST(row->crc < SR_CRC_COUNT);
        MUST(row->present >> SR_DATA_FIELD_COUNT == 0);
        MUST(row->cause < SR_CAUSE_COUNT || row->cause == SR_NO_WORD);
        MUST(row->probe < SR_PROBE_COUNT || row->probe == SR_NO_WORD);
        MUST(row->verdict < SR_VERDICT_COUNT || row->verdict == SR_NO_WORD);
        MUST(row->outcome < SR_OUTCOME_COUNT || row->outcome == SR_NO_WORD);
        MUST((row->acked_frame == 0) == (row->acked_time_ns == SR_NO_TIME) || row->acked_frame != 0);
        MUST(row->assoc == SR_NO_ASSOCIATION || row->outcome != SR_NO_WORD);
        MUST((row->present >> SR_DATA_FIELD_SID & 1) || row->sid == 0);
        MUST((row->present >> SR_DATA_FIELD_SSN & 1) || row->ssn == 0);
        MUST((row->present >> SR_DATA_FIELD_MID & 1) || row->mid == 0);
        MUST((row->present >> SR_DATA_FIELD_FSN & 1) || row->fsn == 0);
        MUST((row->present >> SR_DATA_FIELD_PPID & 1) || row->ppid == 0);
    }
}

static inline void check_sacks(struct seen_rows *seen, const struct sr_rows *rows)
{
    const struct sr_sack_row *row = (const void *)rows->tables[SR_TABLE_SACKS].bytes;
    uint64_t next = 0;
    for (size_t left = rows->tables[SR_TABLE_SACKS].length / sizeof *row; left > 0; left--, row++) {
        check_place(seen, SR_TABLE_SACKS, row->frame, row->chunk);
        check_path(rows, row->path);
        MUST(row->kind < SR_SACK_KIND_COUNT);
        MUST(row->malformed >> SR_SACK_ANOMALY_COUNT == 0);
        MUST(row->lists == next);
        next += 2 * ((uint64_t)row->gaps + row->nr_gaps) + row->dups;
        MUST(row->reneged == next);
        next += row->reneged_count;
        MUST(row->rtt_tag < SR_RTT_TAG_COUNT || row->rtt_tag == SR_NO_WORD);
        MUST(row->stale <= 1 && row->truncated <= 1);
        MUST(row->kind == SR_SACK_KIND_NR_SACK || row->nr_gaps == 0);
        MUST(row->kind != SR_SACK_KIND_SHUTDOWN || (row->gaps == 0 && row->dups == 0 && row->a_rwnd == 0));
    }
    MUST(next == rows->numbers.length / sizeof(uint32_t));
}

static inline void check_chunks(struct seen_rows *seen, const struct sr_rows *rows)
{
    const struct sr_chunk_row *row = (const void *)rows->tables[SR_TABLE_CHUNKS].bytes;
    uint64_t next = 0;
    for (size_t left = rows->tables[SR_TABLE_CHUNKS].length / sizeof *row; left > 0; left--, row++) {
        check_place(seen, SR_TABLE_CHUNKS, row->frame, row->chunk);
        check_path(rows, row->path);
        MUST(row->malformed >> SR_CHUNK_ANOMALY_COUNT == 0);
        MUST(row->checksum < SR_CHECKSUM_COUNT);
        MUST(row->encapsulation < SR_ENCAPSULATION_COUNT);
        MUST(row->text == next);
        next += row->text_length;
        MUST(next <= rows->text.length);
        MUST(row->text_length == 0 || is_json_object((const char *)rows->text.bytes + row->text, row->text_length));
        MUST(row->has_chunk || (row->type == 0 && row->flags == 0 && row->length == 0 && row->text_length == 0));
        if (row->malformed & stopped) {
            MUST(row->text_length == 0);
            continue;
        }
        MUST(row->has_chunk && row->length >= SR_CHUNK_HEADER_LENGTH);
        seen->decoded_chunks++;
        bool data = row->type == SR_CHUNK_DATA || row->type == SR_CHUNK_I_DATA;
        bool sack = row->type == SR_CHUNK_SACK || row->type == SR_CHUNK_NR_SACK || row->type == SR_CHUNK_SHUTDOWN;
        MUST(!(data || sack) || row->text_length == 0);
        if (row->malformed & 1u << SR_CHUNK_ANOMALY_SHORT_BODY)
            continue;
        seen->data_chunks += data;
        seen->sack_chunks += sack;
    }
    MUST(next <= rows->text.length);
}

static inline void check_rows(struct seen_rows *seen, const struct sr_rows *rows)
{
    check_transmissions(seen, rows);
    check_sacks(seen, rows);
    check_chunks(seen, rows);
}

/* After judging: every row that was kept, in one batch. */
static inline void hand_out_all(struct sr_engine *engine)
{
    MUST(sr_engine_judge(engine));
    while (sr_engine_hand_out(engine, SIZE_MAX))
        continue;
}

/* What was counted was first seen within the association. */
static inline void check_firsts(const struct sr_association *association, const uint32_t *counts,
                                const uint32_t *firsts, int kinds)
{
    for (int i = 0; i < kinds; i++) {
        MUST((counts[i] > 0) == (firsts[i] > 0));
        MUST(counts[i] == 0 || (firsts[i] >= association->first_frame && firsts[i] <= association->last_frame));
    }
}

struct counted {
    uint64_t packets, repeated, chunks, data, sacks;
};

static inline void check_side(const struct sr_association *association, const struct sr_side *side,
                              struct counted *counted)
{
    const uint32_t *of_kind = side->data.kinds;
    uint64_t checksums = 0, chunks = 0, kinds = 0;
    uint64_t duplicates = of_kind[SR_KIND_NETWORK_DUPLICATE] + of_kind[SR_KIND_CAPTURE_DUPLICATE];
    for (int i = 0; i < SR_KIND_COUNT; i++)
        kinds += side->data.kinds[i];
    for (int i = 0; i < SR_CHECKSUM_COUNT; i++)
        checksums += side->checksums[i];
    for (int i = 0; i < SR_SIDE_CHUNK_TYPES; i++)
        chunks += sr_side_chunks(side, i);
    MUST(side->packets == checksums);
    check_firsts(association, side->checksums, side->checksums_first, SR_CHECKSUM_COUNT);
    if (side->anomalies) /* NULL: none */
        check_firsts(association, side->anomalies, side->anomalies_first, SR_CHUNK_ANOMALY_COUNT);
    MUST(side->data.tsns + side->data.repeated == side->data.chunks);
    MUST(kinds == side->data.chunks + duplicates);
    MUST(side->data.chunks <=
         (uint64_t)sr_side_chunks(side, SR_CHUNK_DATA) + sr_side_chunks(side, sr_chunk_counter(SR_CHUNK_I_DATA)));
    MUST(side->sacks.chunks <= (uint64_t)sr_side_chunks(side, SR_CHUNK_SACK) + sr_side_chunks(side, SR_CHUNK_NR_SACK) +
                                   sr_side_chunks(side, SR_CHUNK_SHUTDOWN));
    MUST(side->sacks.with_gaps <= side->sacks.chunks && side->sacks.zero_window <= side->sacks.chunks);
    MUST(side->sacks.most_blocks <= side->sacks.gaps + side->sacks.nr_gaps);
    counted->packets += side->packets;
    counted->chunks += chunks;
    counted->repeated += side->repeated;
    counted->data += side->data.chunks + duplicates;
    counted->sacks += side->sacks.chunks;
}

/* The associations add up to the rows; all three tables were asked for. */
static inline void check_counts(const struct seen_rows *seen, const struct sr_engine *engine)
{
    struct sr_engine_totals totals = sr_engine_totals(engine);
    const struct sr_registry *associations = sr_engine_associations(engine);
    struct counted counted = {0};

    for (uint32_t i = 0; i < sr_registry_count(associations); i++) {
        const struct sr_association *association = sr_registry_at(associations, i);
        MUST(association->number == i && association->packets > 0);
        if (association->joined) /* all that was its is there */
            continue;
        MUST(association->packets == association->side[0].packets + association->side[1].packets);
        MUST(association->first_frame <= association->last_frame);
        check_side(association, &association->side[0], &counted);
        check_side(association, &association->side[1], &counted);
    }
    MUST(counted.packets + counted.repeated == totals.packets - totals.short_packets - totals.uncounted);
    MUST(totals.chunks == seen->decoded_chunks);
    MUST(seen->rows[SR_TABLE_TRANSMISSIONS] <= seen->data_chunks && seen->rows[SR_TABLE_SACKS] <= seen->sack_chunks);
    if (totals.uncounted > 0)
        return;
    MUST(counted.chunks == totals.chunks || (counted.repeated > 0 && counted.chunks < totals.chunks));
    MUST(counted.data == seen->rows[SR_TABLE_TRANSMISSIONS]);
    MUST(counted.sacks == seen->rows[SR_TABLE_SACKS] ||
         (counted.repeated > 0 && counted.sacks < seen->rows[SR_TABLE_SACKS]));
}

#endif
