/* SPDX-License-Identifier: BSD-2-Clause */
/* How records, or packets that a face brings, become rows, and when enough rows wait to be handed out. */
#include "session.h"

#include <stdlib.h>

#include "capture/decapsulate.h"
#include "capture/fragments.h"
#include "capture/udp_flows.h"

struct sr_session {
    struct sr_reader *reader;
    struct sr_decapsulator decapsulator;
    struct sr_engine *engine;
    struct sr_session_totals totals;
    int64_t time_before_ns; /* of the frame before that had one */
};

struct sr_session *sr_session_new(const struct sr_engine_options *options)
{
    struct sr_session *session = calloc(1, sizeof *session);
    if (!session)
        return NULL;
    session->reader = sr_reader_new();
    session->engine = sr_engine_new(options);
    session->totals.earliest_ns = session->totals.latest_ns = session->time_before_ns = SR_NO_TIME;
    if (!sr_decapsulator_init(&session->decapsulator) || !session->reader || !session->engine) {
        sr_session_free(session);
        return NULL;
    }
    return session;
}

void sr_session_free(struct sr_session *session)
{
    if (!session)
        return;
    sr_reader_free(session->reader);
    sr_engine_free(session->engine);
    sr_decapsulator_free(&session->decapsulator);
    free(session);
}

void sr_session_name_udp_port(struct sr_session *session, uint16_t port)
{
    sr_udp_flows_name_port(session->decapsulator.udp_flows, port);
}

uint8_t *sr_session_space(struct sr_session *session, size_t *room)
{
    return sr_reader_space(session->reader, room);
}

void sr_session_filled(struct sr_session *session, size_t count)
{
    sr_reader_filled(session->reader, count);
}

static void note_time(struct sr_session *session, int64_t time_ns)
{
    struct sr_session_totals *totals = &session->totals;
    if (time_ns == SR_NO_TIME)
        return;
    time_ns = sr_time_within(time_ns);
    if (totals->earliest_ns == SR_NO_TIME || time_ns < totals->earliest_ns)
        totals->earliest_ns = time_ns;
    if (totals->latest_ns == SR_NO_TIME || time_ns > totals->latest_ns)
        totals->latest_ns = time_ns;
    totals->time_steps_back += session->time_before_ns != SR_NO_TIME && time_ns < session->time_before_ns;
    session->time_before_ns = time_ns;
}

/* False when memory runs out. */
static bool take(struct sr_session *session, const struct sr_record *record)
{
    struct sr_packet packet = {.frame = record->frame, .time_ns = record->time_ns, .interface = record->interface};
    struct sr_cursor frame = sr_cursor(record->bytes, record->captured, record->wire);
    enum sr_skip skip;

    note_time(session, record->time_ns);
    if (sr_decapsulate(&session->decapsulator, record->link_type, frame, &packet, &skip))
        return sr_engine_packet(session->engine, &packet);
    if (skip == SR_SKIP_UNKNOWN_LINK && session->totals.skipped[skip] == 0)
        session->totals.unknown_link_type = record->link_type;
    sr_session_skip(session, record->frame, skip);
    return true;
}

/* Long texts count as further rows. */
static size_t rows_waiting(const struct sr_rows *rows)
{
    enum { TEXT_OF_A_ROW = 128 }; /* bytes */
    return rows->tables[SR_TABLE_CHUNKS].length / sizeof(struct sr_chunk_row) + rows->text.length / TEXT_OF_A_ROW;
}

enum sr_reader_step sr_session_read(struct sr_session *session, size_t most_rows)
{
    struct sr_record record;
    enum sr_reader_step step;

    while ((step = sr_reader_next(session->reader, &record)) == SR_READER_RECORD) {
        if (!take(session, &record))
            return SR_READER_NO_MEMORY;
        if (rows_waiting(sr_engine_rows(session->engine)) >= most_rows)
            return SR_READER_RECORD;
    }
    if (step != SR_READER_MORE)
        sr_engine_ended(session->engine);
    return step;
}

void sr_session_frame(struct sr_session *session, uint64_t frame, int64_t time_ns)
{
    session->totals.frames = frame;
    note_time(session, time_ns);
}

void sr_session_skip(struct sr_session *session, uint64_t frame, enum sr_skip reason)
{
    if (session->totals.skipped[reason]++ == 0)
        session->totals.skipped_first[reason] = frame;
}

bool sr_session_packet(struct sr_session *session, const struct sr_packet *packet)
{
    return sr_engine_packet(session->engine, packet);
}

bool sr_session_judge(struct sr_session *session)
{
    return sr_engine_judge(session->engine);
}

bool sr_session_hand_out(struct sr_session *session, size_t most_rows)
{
    return sr_engine_hand_out(session->engine, most_rows);
}

const char *sr_session_failure(const struct sr_session *session, int *reason)
{
    const struct sr_spool_store *store = &sr_engine_journal(session->engine)->store;
    *reason = store->reason;
    return store->failed;
}

const struct sr_rows *sr_session_rows(const struct sr_session *session)
{
    return sr_engine_rows(session->engine);
}

void sr_session_clear_rows(struct sr_session *session)
{
    sr_engine_clear_rows(session->engine);
}

const struct sr_reader *sr_session_reader(const struct sr_session *session)
{
    return session->reader;
}

const struct sr_engine *sr_session_engine(const struct sr_session *session)
{
    return session->engine;
}

struct sr_session_totals sr_session_totals(const struct sr_session *session)
{
    struct sr_session_totals totals = session->totals;
    uint64_t records = sr_reader_totals(session->reader).frames;
    if (records > totals.frames)
        totals.frames = records;
    totals.fragments_left_over = sr_fragments_left_over(session->decapsulator.fragments);
    return totals;
}
