/* SPDX-License-Identifier: BSD-2-Clause */
/* How records, or packets that a face brings, become rows, and when enough rows wait to be handed out. */
#include "session.h"

#include <stdlib.h>

#include "capture/decapsulate.h"
#include "capture/fragments.h"
#include "capture/udp_flows.h"
#include "dtls/dtls.h"
#include "engine_thread.h"
#include "judging_thread.h"
#include "wire/checksum.h"

enum { WORTH_A_THREAD = 1 << 19 /* bytes of the file */ };

struct sr_session {
    struct sr_reader *reader;
    struct sr_decapsulator decapsulator;
    struct sr_engine *engine;
    struct sr_engine_thread *thread;   /* the engine's; null: it has none */
    struct sr_judging_thread *judging; /* while the engine judges in a thread; else null */
    uint64_t given[SR_READER_KEPT];    /* to it, when space was asked for last, and before */
    uint32_t asked;                    /* for space */
    size_t secrets;                    /* of the file, that were taken: where those behind them begin */
    bool may_have_thread;
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
    session->may_have_thread = !(options->tables >> SR_TABLE_CHUNKS & 1); /* no row is taken while the file is read */
    session->totals.earliest_ns = session->totals.latest_ns = session->time_before_ns = SR_NO_TIME;
    if (!sr_decapsulator_init(&session->decapsulator) || !session->reader || !session->engine) {
        sr_session_free(session);
        return NULL;
    }
    return session;
}

/* Returns when the engine has taken all that it was given. False when it has failed. */
static bool all_taken(const struct sr_session *session)
{
    return !session->thread || sr_engine_thread_wait(session->thread, sr_engine_thread_given(session->thread));
}

static struct sr_engine *settled(const struct sr_session *session)
{
    all_taken(session);
    return session->engine;
}

static void stop_thread(struct sr_session *session)
{
    if (session->thread)
        sr_engine_thread_stop(session->thread);
    session->thread = NULL;
    session->may_have_thread = false;
    sr_reader_let_go(session->reader);
}

void sr_session_free(struct sr_session *session)
{
    if (!session)
        return;
    if (session->judging) {
        sr_session_stop(session);
        sr_judging_thread_end(session->judging);
    }
    if (session->reader)
        stop_thread(session);
    sr_reader_free(session->reader);
    sr_engine_free(session->engine);
    sr_decapsulator_free(&session->decapsulator);
    free(session);
}

void sr_session_name_udp_port(struct sr_session *session, uint16_t port)
{
    sr_udp_flows_name_port(session->decapsulator.udp_flows, port);
}

bool sr_session_keys(struct sr_session *session, const uint8_t *text, size_t length)
{
    return sr_dtls_add_keys(session->decapsulator.dtls, text, length);
}

uint8_t *sr_session_space(struct sr_session *session, size_t *room)
{
    if (session->thread) { /* what it may not have taken yet lies in buffers that are kept */
        uint64_t *given = &session->given[session->asked++ % SR_READER_KEPT];
        sr_engine_thread_wait(session->thread, *given);
        *given = sr_engine_thread_given(session->thread);
    }
    return sr_reader_space(session->reader, room);
}

void sr_session_filled(struct sr_session *session, size_t count)
{
    sr_reader_filled(session->reader, count);
    if (!session->may_have_thread || sr_reader_totals(session->reader).bytes < WORTH_A_THREAD)
        return;
    session->may_have_thread = false;
    if (sr_reader_keep(session->reader))
        session->thread = sr_engine_thread_start(session->engine);
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

/* A datagram that was put together from fragments does not stay where it is. */
static bool stays(const struct sr_packet *packet, const struct sr_record *record)
{
    if (packet->encapsulation == SR_ENCAPSULATION_DTLS)
        return true; /* make_room_for_decrypted sees to it */
    uintptr_t at = (uintptr_t)packet->bytes, begin = (uintptr_t)record->bytes;
    return at >= begin && at <= begin + record->captured;
}

static bool give(struct sr_session *session, struct sr_packet *packet, const struct sr_record *record)
{
    if (!session->thread)
        return sr_engine_packet(session->engine, packet);
    if (packet->captured >= SR_COMMON_HEADER_LENGTH)
        packet->checksum = (uint8_t)(1 + sr_checksum_of(packet->bytes, packet->captured, packet->wire));
    return sr_engine_thread_give(session->thread, packet) && (stays(packet, record) || all_taken(session));
}

/* What was decrypted stays until the engine has taken it. */
static bool make_room_for_decrypted(struct sr_session *session)
{
    if (session->thread && !sr_dtls_is_full(session->decapsulator.dtls))
        return true;
    bool taken = all_taken(session);
    sr_dtls_reuse(session->decapsulator.dtls);
    return taken;
}

/* Keys that the file has had so far (draft-ietf-opsawg-pcapng section 4.7). False when memory runs out. */
static bool take_secrets(struct sr_session *session)
{
    enum { TLS_KEY_LOG = 0x544c534b };
    uint32_t type, length;
    const uint8_t *bytes;
    while ((bytes = sr_reader_next_secrets(session->reader, &session->secrets, &type, &length)))
        if (type == TLS_KEY_LOG && !sr_session_keys(session, bytes, length))
            return false;
    return true;
}

/* False when memory runs out. */
static bool take(struct sr_session *session, const struct sr_record *record)
{
    struct sr_packet packet = {.frame = record->frame, .time_ns = record->time_ns, .interface = record->interface};
    struct sr_cursor frame = sr_cursor(record->bytes, record->captured, record->wire);
    enum sr_skip skip;

    note_time(session, record->time_ns);
    if (!make_room_for_decrypted(session) || !take_secrets(session))
        return false;
    if (sr_decapsulate(&session->decapsulator, record->link_type, frame, &packet, &skip)) {
        bool given = give(session, &packet, record);
        for (; given && sr_decapsulate_next(&session->decapsulator, &packet); session->totals.further_packets++)
            given = give(session, &packet, record);
        return given;
    }
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
        if (!session->thread && rows_waiting(sr_engine_rows(session->engine)) >= most_rows)
            return SR_READER_RECORD;
    }
    if (step == SR_READER_MORE)
        return step;
    bool taken = all_taken(session);
    stop_thread(session);
    sr_engine_ended(session->engine);
    return taken ? step : SR_READER_NO_MEMORY;
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
    return sr_engine_packet(settled(session), packet);
}

bool sr_session_judge(struct sr_session *session)
{
    struct sr_engine *engine = settled(session);
    sr_engine_lasts_until(engine, session->totals.latest_ns);
    return sr_engine_judge(engine);
}

enum sr_judging sr_session_judge_for(struct sr_session *session, uint32_t ms)
{
    struct sr_judging_thread *judging = session->judging;
    if (!judging) {
        struct sr_engine *engine = settled(session);
        sr_engine_lasts_until(engine, session->totals.latest_ns);
        session->judging = judging = sr_judging_thread_start(engine);
        if (!judging)
            return sr_engine_judge(engine) ? SR_JUDGING_DONE : SR_JUDGING_FAILED;
    }
    if (!sr_judging_thread_wait(judging, ms))
        return SR_JUDGING_MORE;
    session->judging = NULL;
    return sr_judging_thread_end(judging) ? SR_JUDGING_DONE : SR_JUDGING_FAILED;
}

void sr_session_stop(struct sr_session *session)
{
    sr_engine_stop(session->engine);
}

bool sr_session_hand_out(struct sr_session *session, size_t most_rows)
{
    return sr_engine_hand_out(settled(session), most_rows);
}

const char *sr_session_failure(const struct sr_session *session, int *reason)
{
    const struct sr_spool_store *store = &sr_engine_journal(settled(session))->store;
    *reason = store->reason;
    return store->failed;
}

const struct sr_rows *sr_session_rows(const struct sr_session *session)
{
    return sr_engine_rows(settled(session));
}

void sr_session_clear_rows(struct sr_session *session)
{
    sr_engine_clear_rows(settled(session));
}

const struct sr_reader *sr_session_reader(const struct sr_session *session)
{
    return session->reader;
}

const struct sr_engine *sr_session_engine(const struct sr_session *session)
{
    return settled(session);
}

const struct sr_icmp_errors *sr_session_icmp_errors(const struct sr_session *session)
{
    return session->decapsulator.icmp_errors;
}

struct sr_session_totals sr_session_totals(const struct sr_session *session)
{
    struct sr_session_totals totals = session->totals;
    uint64_t records = sr_reader_totals(session->reader).frames;
    if (records > totals.frames)
        totals.frames = records;
    totals.fragments_left_over =
        sr_fragments_left_over(session->decapsulator.fragments, &session->decapsulator.carriers);
    return totals;
}

struct sr_dtls_totals sr_session_dtls(const struct sr_session *session)
{
    return sr_dtls_totals(session->decapsulator.dtls);
}
