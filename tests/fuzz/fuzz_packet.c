/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzz target: one SCTP packet through the engine, whole, then cut. The first four bytes of the input choose how; what
 * a cut packet shows must be the beginning of what the whole one shows. */
#include "engine/engine.h"
#include "invariants.h"
#include "wire/checksum.h"

enum { CHOICES = 4, VERIFY = 0x80, RIGHT_CHECKSUM = 0x40, RIGHT_ADLER = 0x20 };

static void set_checksum(uint8_t *packet, size_t length, bool adler)
{
    memset(packet + 8, 0, 4);
    uint32_t sum = adler ? sr_adler32(1, packet, length) : sr_crc32c(0, packet, length);
    for (int i = 0; i < 4; i++)
        packet[8 + i] = (uint8_t)(adler ? sum >> (24 - 8 * i) : sum >> 8 * i);
}

static void pass(struct sr_engine *engine, uint64_t frame, const uint8_t *from, size_t captured, uint32_t wire)
{
    uint8_t *bytes = malloc(captured > 0 ? captured : 1);
    MUST(bytes);
    if (captured > 0)
        memcpy(bytes, from, captured);
    struct sr_packet packet = {.frame = frame,
                               .time_ns = INT64_MIN,
                               .src = {.family = 4},
                               .dst = {.family = 6},
                               .bytes = captured > 0 ? bytes : bytes + 1,
                               .captured = (uint32_t)captured,
                               .wire = wire};
    MUST(sr_engine_packet(engine, &packet));
    free(bytes);
}

static void check_data_prefix(const struct sr_rows *whole, const struct sr_rows *cut)
{
    const struct sr_transmission_row *a = (const void *)whole->tables[SR_TABLE_TRANSMISSIONS].bytes;
    const struct sr_transmission_row *b = (const void *)cut->tables[SR_TABLE_TRANSMISSIONS].bytes;
    size_t count = cut->tables[SR_TABLE_TRANSMISSIONS].length / sizeof *b;
    MUST(count <= whole->tables[SR_TABLE_TRANSMISSIONS].length / sizeof *a);
    for (; count > 0; count--, a++, b++) {
        MUST(a->chunk == b->chunk && a->tsn == b->tsn && a->bytes == b->bytes && a->flags == b->flags);
        MUST((b->present & ~a->present) == 0);
        MUST(!(b->present >> SR_DATA_FIELD_SID & 1) || a->sid == b->sid);
        MUST(!(b->present >> SR_DATA_FIELD_SSN & 1) || a->ssn == b->ssn);
        MUST(!(b->present >> SR_DATA_FIELD_MID & 1) || a->mid == b->mid);
        MUST(!(b->present >> SR_DATA_FIELD_FSN & 1) || a->fsn == b->fsn);
        MUST(!(b->present >> SR_DATA_FIELD_PPID & 1) || a->ppid == b->ppid);
    }
}

static void check_list_prefix(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    MUST(b_count <= a_count);
    if (b_count > 0)
        MUST(memcmp(a, b, (size_t)b_count * sizeof *b) == 0);
}

static void check_sack_prefix(const struct sr_rows *whole, const struct sr_rows *cut)
{
    const struct sr_sack_row *a = (const void *)whole->tables[SR_TABLE_SACKS].bytes;
    const struct sr_sack_row *b = (const void *)cut->tables[SR_TABLE_SACKS].bytes;
    const uint32_t *of_a = (const void *)whole->numbers.bytes, *of_b = (const void *)cut->numbers.bytes;
    size_t count = cut->tables[SR_TABLE_SACKS].length / sizeof *b;
    MUST(count <= whole->tables[SR_TABLE_SACKS].length / sizeof *a);
    for (; count > 0; count--, a++, b++) {
        MUST(a->chunk == b->chunk && a->cum_tsn == b->cum_tsn && a->a_rwnd == b->a_rwnd && a->kind == b->kind);
        if (b->gaps + b->nr_gaps + b->dups == 0)
            continue;
        const uint32_t *lists = of_a + a->lists, *cut_lists = of_b + b->lists;
        check_list_prefix(lists, 2 * a->gaps, cut_lists, 2 * b->gaps);
        check_list_prefix(lists + 2 * a->gaps, 2 * a->nr_gaps, cut_lists + 2 * b->gaps, 2 * b->nr_gaps);
        check_list_prefix(lists + 2 * (a->gaps + a->nr_gaps), a->dups, cut_lists + 2 * (b->gaps + b->nr_gaps), b->dups);
    }
}

static void check_chunk_prefix(const struct sr_rows *whole, const struct sr_rows *cut)
{
    const struct sr_chunk_row *a = (const void *)whole->tables[SR_TABLE_CHUNKS].bytes;
    const struct sr_chunk_row *b = (const void *)cut->tables[SR_TABLE_CHUNKS].bytes;
    size_t of_whole = whole->tables[SR_TABLE_CHUNKS].length / sizeof *a;
    for (size_t i = 0; i < cut->tables[SR_TABLE_CHUNKS].length / sizeof *b; i++) {
        if (b[i].malformed & stopped && !b[i].has_chunk)
            continue; /* the cut packet may stop where the whole one has a chunk, or nothing */
        MUST(i < of_whole);
        MUST(a[i].chunk == b[i].chunk && a[i].type == b[i].type && a[i].flags == b[i].flags);
        MUST(a[i].length == b[i].length);
    }
}

static struct sr_engine *passed(uint8_t choices, const uint8_t *bytes, size_t captured, uint32_t wire)
{
    struct sr_engine_options options = {.tables = (1u << SR_TABLE_COUNT) - 1,
                                        .verify_checksum = (choices & VERIFY) != 0};
    struct sr_engine *engine = sr_engine_new(&options);
    MUST(engine);
    pass(engine, 1, bytes, captured, wire);
    return engine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < CHOICES)
        return 0;
    size_t length = size - CHOICES, cut = length > 0 ? ((size_t)data[1] << 8 | data[2]) % (length + 1) : 0;
    uint8_t *bytes = malloc(length + 1);
    MUST(bytes);
    memcpy(bytes, data + CHOICES, length);
    if (length >= 12 && data[0] & (RIGHT_CHECKSUM | RIGHT_ADLER))
        set_checksum(bytes, length, data[0] & RIGHT_ADLER);

    struct sr_engine *whole = passed(data[0], bytes, length, (uint32_t)length);
    struct sr_engine *snapped = passed(data[0], bytes, cut, (uint32_t)length);
    hand_out_all(whole);
    hand_out_all(snapped);
    check_data_prefix(sr_engine_rows(whole), sr_engine_rows(snapped));
    check_sack_prefix(sr_engine_rows(whole), sr_engine_rows(snapped));
    check_chunk_prefix(sr_engine_rows(whole), sr_engine_rows(snapped));

    sr_engine_free(whole);
    sr_engine_free(snapped);

    /* The same packet again, cut, in the same frame; then one that the link cut short without its length field. Having
     * been judged between them changes nothing. */
    struct sr_engine *several = passed(data[0], bytes, length, (uint32_t)length);
    MUST(sr_engine_judge(several));
    pass(several, 1, bytes, cut, (uint32_t)length);
    pass(several, 1 + data[3] % 2, bytes, cut, (uint32_t)cut);
    struct seen_rows seen = {0};
    hand_out_all(several);
    check_rows(&seen, sr_engine_rows(several));
    check_counts(&seen, several);
    sr_engine_free(several);
    free(bytes);
    return 0;
}
