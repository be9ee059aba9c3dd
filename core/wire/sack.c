/* SPDX-License-Identifier: BSD-2-Clause */
/* SACK, NR-SACK in its layouts, SHUTDOWN. */
#include "sack.h"

#include "../names.h"
#include "bytes.h"

enum { SACK_FIXED = 16, NR_SACK_FIXED = 20, NR_SACK_SHORT_FIXED = 16, SHUTDOWN_FIXED = 8, WINDOW_END = 12, ENTRY = 4 };

static uint32_t anomaly(enum sr_sack_anomaly what)
{
    return UINT32_C(1) << what;
}

static uint16_t offset_first(struct sr_sack_list list, uint32_t i)
{
    return sr_be16(list.bytes + (size_t)i * ENTRY);
}

static uint16_t offset_last(struct sr_sack_list list, uint32_t i)
{
    return sr_be16(list.bytes + (size_t)i * ENTRY + 2);
}

struct sr_tsn_range sr_sack_block(const struct sr_sack *sack, struct sr_sack_list list, uint32_t i)
{
    return (struct sr_tsn_range){sr_tsn_add(sack->cum_tsn, offset_first(list, i)),
                                 sr_tsn_add(sack->cum_tsn, offset_last(list, i))};
}

struct sr_tsn sr_sack_top(const struct sr_sack *sack)
{
    const struct sr_sack_list lists[] = {sack->gaps, sack->nr_gaps};
    struct sr_tsn top = sack->cum_tsn;
    for (int kind = 0; kind < 2; kind++) {
        for (uint32_t i = 0; i < lists[kind].count; i++) {
            struct sr_tsn_range range = sr_sack_block(sack, lists[kind], i);
            if (sr_tsn_distance(range.last, range.first) >= 0 && sr_tsn_after(range.last, top))
                top = range.last;
        }
    }
    return top;
}

struct sr_tsn sr_sack_dup(const struct sr_sack *sack, uint32_t i)
{
    return sr_tsn(sr_be32(sack->dups.bytes + (size_t)i * ENTRY));
}

/* The list of `count` entries at `offset`, shortened to what the chunk says it has, then to what was captured. */
static struct sr_sack_list take(const struct sr_chunk *chunk, uint32_t *offset, uint32_t count, uint32_t *anomalies)
{
    struct sr_sack_list list = {chunk->bytes, count};
    uint32_t start = *offset;
    uint32_t fits = (chunk->length - *offset) / ENTRY;
    if (list.count > fits) {
        *anomalies |= anomaly(SR_SACK_ANOMALY_LENGTH_MISMATCH);
        list.count = fits;
    }
    *offset += list.count * ENTRY;
    if (*offset > chunk->captured) {
        *anomalies |= anomaly(SR_SACK_ANOMALY_SNAPPED);
        list.count = start < chunk->captured ? (chunk->captured - start) / ENTRY : 0;
    }
    if (list.count > 0)
        list.bytes = chunk->bytes + start;
    return list;
}

/* Names what RFC 9260 section 3.3.4 forbids in a list of blocks; `first` is the first anomaly of this list. */
static uint32_t block_anomalies(struct sr_sack_list list, enum sr_sack_anomaly first)
{
    enum { ZERO_START, AT_CUM, REVERSED, OVERLAP, ADJACENT, UNORDERED };
    uint32_t found = 0, reach = 0; /* highest offset of the blocks so far */
    uint16_t before = 0;           /* where the block before starts */
    uint32_t i = 0;
    for (; i < list.count && offset_first(list, i) > reach + 1 && offset_last(list, i) >= offset_first(list, i); i++) {
        before = offset_first(list, i); /* as it should be */
        reach = offset_last(list, i);
    }
    for (; i < list.count; i++) {
        uint16_t start = offset_first(list, i), end = offset_last(list, i);
        if (start == 0)
            found |= 1u << ZERO_START;
        else if (start == 1)
            found |= 1u << AT_CUM;
        if (start > end)
            found |= 1u << REVERSED;
        if (i > 0) {
            if (start < before)
                found |= 1u << UNORDERED;
            else if (start <= reach)
                found |= 1u << OVERLAP;
            else if (start == reach + 1)
                found |= 1u << ADJACENT;
        }
        before = start;
        if (end > reach)
            reach = end;
    }
    return found << first;
}

static bool holds(struct sr_sack_list list, int64_t offset)
{
    for (uint32_t i = 0; i < list.count; i++)
        if (offset >= offset_first(list, i) && offset <= offset_last(list, i))
            return true;
    return false;
}

/* RFC 9260 section 6.2: what is reported as a duplicate was received, so the same chunk acknowledges it. */
static bool reports_missing(const struct sr_sack *sack)
{
    enum { LOOKED_AT = 64 }; /* a hostile list must not cost dups times blocks */
    for (uint32_t i = 0; i < sack->dups.count && i < LOOKED_AT; i++) {
        int64_t offset = sr_tsn_distance(sr_sack_dup(sack, i), sack->cum_tsn);
        if (offset > 0 && !holds(sack->gaps, offset) && !holds(sack->nr_gaps, offset))
            return true;
    }
    return false;
}

/* Counts of the lists; where an NR-SACK's lists fit its length only without the duplicate count and the reserved
 * field, as one encoder writes it, they start at offset 16. */
static uint32_t nr_sack_counts(const struct sr_chunk *chunk, struct sr_sack *sack, uint32_t counts[3])
{
    counts[0] = sr_be16(chunk->bytes + 12);
    counts[1] = sr_be16(chunk->bytes + 14);
    uint32_t blocks = (counts[0] + counts[1]) * ENTRY;
    if (chunk->length >= NR_SACK_FIXED) {
        counts[2] = sr_be16(chunk->bytes + 16);
        if (NR_SACK_FIXED + blocks + counts[2] * ENTRY == chunk->length)
            return NR_SACK_FIXED;
    }
    if (NR_SACK_SHORT_FIXED + blocks == chunk->length) {
        sack->anomalies |= anomaly(SR_SACK_ANOMALY_NO_RESERVED_FIELD);
        counts[2] = 0;
        return NR_SACK_SHORT_FIXED;
    }
    return NR_SACK_FIXED;
}

enum sr_sack_step sr_sack(const struct sr_chunk *chunk, struct sr_sack *sack)
{
    static const uint32_t minimum[] = {SACK_FIXED, NR_SACK_SHORT_FIXED, SHUTDOWN_FIXED};
    const uint8_t *at = chunk->bytes;

    *sack = (struct sr_sack){.flags = chunk->flags};
    sack->kind = chunk->type == SR_CHUNK_SACK      ? SR_SACK_KIND_SACK
                 : chunk->type == SR_CHUNK_NR_SACK ? SR_SACK_KIND_NR_SACK
                                                   : SR_SACK_KIND_SHUTDOWN;
    if (chunk->length < minimum[sack->kind])
        return SR_SACK_SHORT;
    if (chunk->captured < (sack->kind == SR_SACK_KIND_SHUTDOWN ? SHUTDOWN_FIXED : WINDOW_END))
        return SR_SACK_CUT;
    sack->cum_tsn = sr_tsn(sr_be32(at + 4));
    if (sack->kind == SR_SACK_KIND_SHUTDOWN)
        return SR_SACK;

    sack->a_rwnd = sr_be32(at + 8);
    if (chunk->captured < minimum[sack->kind]) {
        if (sack->kind == SR_SACK_KIND_NR_SACK && chunk->length < NR_SACK_FIXED)
            return SR_SACK_CUT; /* whether it is one in any layout cannot be told */
        sack->anomalies = anomaly(SR_SACK_ANOMALY_SNAPPED);
        return SR_SACK;
    }
    uint32_t counts[3] = {sr_be16(at + 12), 0, sr_be16(at + 14)};
    uint32_t offset = SACK_FIXED;
    if (sack->kind == SR_SACK_KIND_NR_SACK) {
        offset =
            chunk->captured < NR_SACK_FIXED && chunk->length >= NR_SACK_FIXED ? 0 : nr_sack_counts(chunk, sack, counts);
        if (offset == 0) { /* snapped inside the counts: only the cumulative TSN and the window are known */
            sack->anomalies |= anomaly(SR_SACK_ANOMALY_SNAPPED);
            return SR_SACK;
        }
        if (chunk->length < offset)
            return SR_SACK_SHORT;
    }
    sack->gaps = take(chunk, &offset, counts[0], &sack->anomalies);
    sack->nr_gaps = take(chunk, &offset, counts[1], &sack->anomalies);
    sack->dups = take(chunk, &offset, counts[2], &sack->anomalies);
    if (offset < chunk->length)
        sack->anomalies |= anomaly(SR_SACK_ANOMALY_TRAILING_BYTES);

    sack->anomalies |= block_anomalies(sack->gaps, SR_SACK_ANOMALY_GAP_ZERO_START);
    sack->anomalies |= block_anomalies(sack->nr_gaps, SR_SACK_ANOMALY_NR_GAP_ZERO_START);
    if (reports_missing(sack))
        sack->anomalies |= anomaly(SR_SACK_ANOMALY_DUP_NOT_RECEIVED);
    return SR_SACK;
}
