/* SPDX-License-Identifier: BSD-2-Clause */
/* Fuzz target: the bytes of a whole capture file through the reader, the headers below SCTP and the engine, fed at once
 * and again in odd pieces. Both must give the same rows. */
#include <sanitizer/asan_interface.h>

#include "invariants.h"
#include "session.h"

/* All that came out of a file, as a sum of its bytes. */
struct outcome {
    uint64_t sum;
    enum sr_reader_step step;
    struct sr_reader_error error;
    struct sr_reader_totals totals;
    struct sr_session_totals session;
};

static uint64_t add(uint64_t sum, const struct sr_buffer *buffer)
{
    for (size_t i = 0; i < buffer->length; i++)
        sum = (sum ^ buffer->bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Rows have padding bytes, which need not be the same: of each row only what its fields say. */
static uint64_t add_rows(uint64_t sum, const struct sr_rows *rows)
{
    const struct sr_transmission_row *data = (const void *)rows->tables[SR_TABLE_TRANSMISSIONS].bytes;
    for (size_t i = rows->tables[SR_TABLE_TRANSMISSIONS].length / sizeof *data; i > 0; i--, data++)
        sum = (sum ^ data->frame ^ (uint64_t)data->time_ns ^ data->tsn ^ data->bytes ^ data->present ^ data->crc ^
               data->acked_frame ^ data->outcome) *
              UINT64_C(0x100000001b3);
    const struct sr_sack_row *sack = (const void *)rows->tables[SR_TABLE_SACKS].bytes;
    for (size_t i = rows->tables[SR_TABLE_SACKS].length / sizeof *sack; i > 0; i--, sack++)
        sum = (sum ^ sack->frame ^ sack->cum_tsn ^ sack->malformed ^ sack->gaps ^ sack->nr_gaps ^ sack->dups ^
               (uint64_t)sack->rtt_ns ^ sack->rtxq_bytes) *
              UINT64_C(0x100000001b3);
    const struct sr_chunk_row *chunk = (const void *)rows->tables[SR_TABLE_CHUNKS].bytes;
    for (size_t i = rows->tables[SR_TABLE_CHUNKS].length / sizeof *chunk; i > 0; i--, chunk++)
        sum = (sum ^ chunk->frame ^ chunk->chunk ^ chunk->malformed ^ chunk->length ^ chunk->checksum) *
              UINT64_C(0x100000001b3);
    return add(add(sum, &rows->numbers), &rows->text);
}

/* Puts the next piece into the space that the session offers; what lies behind it must not be read. */
static size_t feed(struct sr_session *session, const uint8_t *bytes, size_t size, size_t piece)
{
    size_t room;
    uint8_t *space = sr_session_space(session, &room);
    MUST(room > 0);
    size_t count = size < piece ? size : piece;
    if (count > room)
        count = room;
    ASAN_UNPOISON_MEMORY_REGION(space, room);
    if (count > 0)
        memcpy(space, bytes, count);
    ASAN_POISON_MEMORY_REGION(space + count, room - count);
    sr_session_filled(session, count);
    return count;
}

/* Each frame is a packet or is skipped, but for the blocks of pcapng that only have a number. */
static void check_skipped(const struct sr_session *session, struct sr_reader_totals reader)
{
    struct sr_session_totals totals = sr_session_totals(session);
    uint64_t sum = sr_engine_totals(sr_session_engine(session)).packets - totals.further_packets;
    for (int i = 0; i < SR_SKIP_COUNT; i++) {
        sum += totals.skipped[i];
        MUST((totals.skipped[i] > 0) == (totals.skipped_first[i] > 0) && totals.skipped_first[i] <= reader.frames);
    }
    MUST(sum <= reader.frames && reader.frames - sum <= reader.skipped_blocks);
    MUST(totals.fragments_left_over <= totals.skipped[SR_SKIP_FRAGMENT] + totals.skipped[SR_SKIP_FRAGMENT_LEFT_OVER]);
}

static void check_secrets(const struct sr_reader *reader)
{
    uint32_t type, length;
    uint64_t kept = 0, bytes = 0;
    for (const uint8_t *at; (at = sr_reader_secrets(reader, (size_t)kept, &type, &length)); kept++)
        for (uint32_t i = 0; i < length; i++)
            bytes += 1 + 0 * *(const volatile uint8_t *)(at + i);
    MUST(bytes <= SR_SECRETS_LIMIT && kept <= sr_reader_totals(reader).secrets);
}

static struct outcome run(const uint8_t *bytes, size_t size, size_t piece, size_t most_rows)
{
    const struct sr_engine_options options = {.tables = (1u << SR_TABLE_COUNT) - 1};
    struct sr_session *session = sr_session_new(&options);
    struct seen_rows seen = {0};
    struct outcome outcome = {.sum = UINT64_C(0xcbf29ce484222325)};

    MUST(session);
    sr_session_name_udp_port(session, 5000);
    for (outcome.step = SR_READER_MORE; outcome.step == SR_READER_MORE || outcome.step == SR_READER_RECORD;) {
        if (outcome.step == SR_READER_MORE) {
            size_t count = feed(session, bytes, size, piece);
            bytes += count;
            size -= count;
        }
        outcome.step = sr_session_read(session, most_rows);
        check_rows(&seen, sr_session_rows(session));
        if (sr_session_rows(session)->tables[SR_TABLE_CHUNKS].length > 0)
            outcome.sum = add_rows(outcome.sum, sr_session_rows(session));
        sr_session_clear_rows(session);
    }
    MUST(sr_session_judge(session));
    while (sr_session_hand_out(session, most_rows)) {
        check_rows(&seen, sr_session_rows(session));
        outcome.sum = add_rows(outcome.sum, sr_session_rows(session));
        sr_session_clear_rows(session);
    }
    MUST(outcome.step != SR_READER_NO_MEMORY);
    MUST(sr_session_read(session, most_rows) == outcome.step); /* an end stays an end */
    check_counts(&seen, sr_session_engine(session));
    outcome.totals = sr_reader_totals(sr_session_reader(session));
    outcome.session = sr_session_totals(session);
    outcome.error = sr_reader_error(sr_session_reader(session));
    check_skipped(session, outcome.totals);
    check_secrets(sr_session_reader(session));
    for (int i = 0; i < SR_TABLE_COUNT; i++)
        MUST(seen.last_frame[i] <= outcome.totals.frames);

    /* The buffer is about to be freed. */
    size_t room;
    uint8_t *space = sr_session_space(session, &room);
    ASAN_UNPOISON_MEMORY_REGION(space, room);
    sr_session_free(session);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Rows are taken one by one, and the sum is made of all of them: where a batch ends must not show. */
    struct outcome whole = run(data, size, SIZE_MAX, 1), pieces = run(data, size, 1 + size % 97 * 3, 1);
    MUST(whole.sum == pieces.sum);
    MUST(whole.step == pieces.step);
    MUST(whole.error.what == pieces.error.what && whole.error.offset == pieces.error.offset &&
         whole.error.frame == pieces.error.frame);
    MUST(memcmp(&whole.totals, &pieces.totals, sizeof whole.totals) == 0);
    MUST(memcmp(&whole.session, &pieces.session, sizeof whole.session) == 0);
    return 0;
}
