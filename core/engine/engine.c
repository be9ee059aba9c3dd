/* SPDX-License-Identifier: BSD-2-Clause */
/* How a packet becomes rows: its chunks one after the other, and the place where decoding had to stop. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "../association/kind.h"
#include "../association/repeats.h"
#include "../judge/figures.h"
#include "../judge/judge.h"
#include "../text/chunk_json.h"
#include "../wire/checksum.h"
#include "../wire/chunk.h"
#include "../wire/layout.h"
#include "../wire/re_config.h"
#include "control.h"
#include "hand_out.h"
#include "joined.h"
#include "told_before.h"

struct sr_engine {
    struct sr_engine_options options;
    struct sr_engine_totals totals;
    struct sr_registry *associations;
    struct sr_repeats *repeats;
    struct sr_journal journal;
    struct sr_judgement judgement;
    struct sr_hand_out hand_out;
    struct sr_rows rows;
    bool keeps_journal;    /* a table was asked for that needs it */
    uint64_t frame;        /* of the packet before */
    uint32_t frame_chunks; /* chunks of that frame so far, over all its packets */
};

/* One packet on its way through. */
struct passage {
    const struct sr_packet *packet;
    struct sr_common_header header;
    uint32_t path;                      /* its number */
    struct sr_association *association; /* NULL beyond the limit */
    unsigned from;                      /* the side that sent it */
    uint8_t checksum;                   /* enum sr_checksum */
    uint8_t crc;                        /* enum sr_crc */
    uint32_t repeats;                   /* frame of the packet that it repeats; 0: none */
    enum sr_kind repeated_by;           /* and whether the capture or the network does */
    bool has_data;                      /* a DATA or I-DATA chunk was seen so far */
};

struct sr_engine *sr_engine_new(const struct sr_engine_options *options)
{
    struct sr_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->options = *options;
    engine->keeps_journal = options->judges || (options->tables & ~(1u << SR_TABLE_CHUNKS)) != 0;
    sr_journal_init(&engine->journal, options->memory ? options->memory : SR_JOURNAL_MEMORY);
    sr_judgement_init(&engine->judgement, &engine->journal);
    engine->judgement.wants_states = options->tables >> SR_TABLE_RACK_STATE & 1;
    engine->judgement.told = options->told;
    engine->associations = sr_registry_new(&engine->journal.store);
    engine->repeats = calloc(1, sizeof *engine->repeats);
    if (!engine->associations || !engine->repeats) {
        sr_engine_free(engine);
        return NULL;
    }
    return engine;
}

void sr_engine_free(struct sr_engine *engine)
{
    if (!engine)
        return;
    for (int i = 0; i < SR_TABLE_COUNT; i++)
        sr_buffer_free(&engine->rows.tables[i]);
    sr_buffer_free(&engine->rows.numbers);
    sr_buffer_free(&engine->rows.text);
    sr_paths_free(&engine->rows.paths);
    sr_judgement_free(&engine->judgement);
    sr_registry_free(engine->associations);
    sr_journal_free(&engine->journal);
    free(engine->repeats);
    free(engine);
}

static enum sr_checksum checksum_of(const struct sr_packet *packet)
{
    if (packet->checksum != 0)
        return (enum sr_checksum)(packet->checksum - 1);
    return sr_checksum_of(packet->bytes, packet->captured, packet->wire);
}

/* A wrong checksum is corruption only from a side that gets it right: otherwise it was left to the network card. */
static enum sr_crc crc_of(enum sr_checksum checksum, const struct passage *passage, bool verify)
{
    switch (checksum) {
    case SR_CHECKSUM_CRC32C:
    case SR_CHECKSUM_ADLER32: return SR_CRC_GOOD;
    case SR_CHECKSUM_ZERO: return SR_CRC_ZERO;
    case SR_CHECKSUM_CUT: return SR_CRC_UNVERIFIED;
    case SR_CHECKSUM_WRONG: break;
    }
    if (verify)
        return SR_CRC_BAD;
    if (!passage->association)
        return SR_CRC_UNVERIFIED;
    const uint32_t *before = passage->association->side[passage->from].checksums;
    return before[SR_CHECKSUM_CRC32C] || before[SR_CHECKSUM_ADLER32] ? SR_CRC_BAD : SR_CRC_UNVERIFIED;
}

/* A checksum that was verified is as good as the bytes; one that was not may be the same in every packet. */
static uint32_t fingerprint_of(const struct sr_packet *packet, const struct sr_common_header *header,
                               enum sr_checksum checksum)
{
    return checksum == SR_CHECKSUM_CRC32C ? header->checksum : sr_crc32c(0, packet->bytes, packet->captured);
}

static uint32_t path_of(struct sr_engine *engine, const struct sr_packet *packet)
{
    struct sr_path path;
    memcpy(path.bytes, packet->src.bytes, 16);
    path.bytes[16] = packet->src.family;
    memcpy(path.bytes + 17, packet->dst.bytes, 16);
    path.bytes[33] = packet->dst.family;
    return sr_paths_number(&engine->rows.paths, &path);
}

static uint32_t number_of(const struct passage *passage)
{
    return passage->association ? passage->association->number : SR_NO_ASSOCIATION;
}

static void link_entry(struct sr_engine *engine, const struct passage *passage)
{
    if (passage->association)
        sr_journal_link(&engine->journal, &passage->association->entries);
}

/* What of its packet a judge may ask. */
static void note_packet(struct sr_transmission_row *row, const struct sr_packet *packet, struct sr_side *side)
{
    row->missing = sr_unseen_take(&side->unseen);
    row->may_be_fragmented = packet->fragmentable && side->forbids_fragments;
    side->forbids_fragments |= !packet->fragmentable;
}

static void write_transmission(struct sr_engine *engine, const struct passage *passage, uint32_t position,
                               const struct sr_data *data, const struct sr_sent_chunk *sent, struct sr_copy copy)
{
    struct sr_transmission_row *row = engine->keeps_journal ? sr_journal_transmission(&engine->journal) : NULL;
    if (!row)
        return;
    *row = (struct sr_transmission_row){
        .frame = (uint32_t)passage->packet->frame,
        .time_ns = passage->packet->time_ns,
        .chunk = position,
        .assoc = number_of(passage),
        .copy = copy.copy,
        .first_frame = copy.first_frame,
        .prev_frame = copy.prev_frame,
        .kind = (uint8_t)copy.kind,
        .seen_kind = copy.kind & SR_KIND_MASK,
        .tsn = data->tsn.value,
        .bytes = (uint16_t)data->bytes, /* less than the chunk's length field says */
        .mid = data->mid,
        .fsn = data->fsn,
        .ppid = data->ppid,
        .sid = data->sid,
        .ssn = data->ssn,
        .path = passage->path,
        .from = (uint8_t)passage->from,
        .flags = data->flags,
        .present = data->present,
        .crc = passage->crc,
        .ip_id = sent->identity.ip_id,
        .fingerprint = sent->identity.fingerprint,
        .content = sent->content,
    };
    if (passage->association && passage->repeats == 0)
        note_packet(row, passage->packet, &passage->association->side[passage->from]);
    sr_transmission_unjudged(row);
    link_entry(engine, passage);
}

static uint32_t *write_blocks(uint32_t *numbers, const struct sr_sack *sack, struct sr_sack_list list)
{
    for (uint32_t i = 0; i < list.count; i++) {
        struct sr_tsn_range range = sr_sack_block(sack, list, i);
        *numbers++ = range.first.value;
        *numbers++ = range.last.value;
    }
    return numbers;
}

static void write_lists(struct sr_journal *journal, const struct sr_sack *sack, struct sr_sack_row *row)
{
    uint32_t count = 2 * (sack->gaps.count + sack->nr_gaps.count) + sack->dups.count;
    uint32_t *numbers = sr_journal_numbers(journal, count, &row->lists);
    if (!numbers) { /* none, or no memory */
        row->gaps = row->nr_gaps = row->dups = 0;
        return;
    }
    numbers = write_blocks(numbers, sack, sack->gaps);
    numbers = write_blocks(numbers, sack, sack->nr_gaps);
    for (uint32_t i = 0; i < sack->dups.count; i++)
        *numbers++ = sr_sack_dup(sack, i).value;
}

/* One with a wrong checksum was discarded: it tells nothing. */
static void compare_with_before(struct sr_journal *journal, const struct passage *passage, struct sr_sack_row *row)
{
    if (!passage->association || passage->crc == SR_CRC_BAD)
        return;
    uint32_t *last = &passage->association->side[passage->from].last_sack;
    if (*last != 0)
        sr_told_before(journal, sr_sack_at(journal, *last - 1), row);
    *last = (uint32_t)journal->sacks.count;
}

/* NULL where no row is kept. */
static struct sr_sack_row *write_sack(struct sr_engine *engine, const struct passage *passage, uint32_t position,
                                      const struct sr_sack *sack)
{
    struct sr_sack_row *row = engine->keeps_journal ? sr_journal_sack(&engine->journal) : NULL;
    if (!row)
        return NULL;
    *row = (struct sr_sack_row){
        .frame = (uint32_t)passage->packet->frame,
        .time_ns = passage->packet->time_ns,
        .gaps = (uint16_t)sack->gaps.count,
        .nr_gaps = (uint16_t)sack->nr_gaps.count,
        .dups = (uint16_t)sack->dups.count,
        .chunk = position,
        .assoc = number_of(passage),
        .cum_tsn = sack->cum_tsn.value,
        .a_rwnd = sack->a_rwnd,
        .malformed = sack->anomalies,
        .path = passage->path,
        .from = (uint8_t)passage->from,
        .kind = sack->kind,
        .flags = sack->flags,
        .crc = passage->crc & SR_CRC_MASK,
        .repeats = passage->repeats,
    };
    sr_sack_unjudged(row);
    write_lists(&engine->journal, sack, row);
    if (passage->repeats == 0) {
        link_entry(engine, passage);
        compare_with_before(&engine->journal, passage, row);
    }
    return row;
}

/* Without an association there is nothing that it could be judged with. */
static void write_control(struct sr_engine *engine, const struct passage *passage, uint32_t position,
                          const struct sr_chunk *chunk, const struct sr_tsn_response *reset)
{
    bool matters = engine->keeps_journal && passage->association && sr_control_matters(chunk->type);
    struct sr_control_row *row = matters ? sr_journal_control(&engine->journal) : NULL;
    if (!row)
        return;
    *row = (struct sr_control_row){
        .frame = (uint32_t)passage->packet->frame,
        .time_ns = passage->packet->time_ns,
        .chunk = position,
        .assoc = number_of(passage),
        .path = passage->path,
        .from = (uint8_t)passage->from,
        .type = chunk->type,
        .flags = chunk->flags,
    };
    sr_control(chunk, reset, &engine->journal, row);
    link_entry(engine, passage);
}

static void write_chunk(struct sr_engine *engine, const struct passage *passage, uint32_t position,
                        const struct sr_chunk *chunk, uint32_t anomalies, uint64_t text)
{
    if (!(engine->options.tables >> SR_TABLE_CHUNKS & 1))
        return;
    struct sr_chunk_row *row = sr_buffer_extend(&engine->rows.tables[SR_TABLE_CHUNKS], sizeof *row);
    if (!row)
        return;
    *row = (struct sr_chunk_row){
        .frame = (uint32_t)passage->packet->frame,
        .time_ns = passage->packet->time_ns,
        .text = text,
        .text_length = (uint32_t)(engine->rows.text.length - text),
        .chunk = position,
        .assoc = number_of(passage),
        .vtag = passage->header.vtag,
        .malformed = anomalies,
        .sport = passage->header.sport,
        .dport = passage->header.dport,
        .path = passage->path,
        .repeats = passage->repeats,
        .from = (uint8_t)passage->from,
        .encapsulation = passage->packet->encapsulation,
        .checksum = passage->checksum,
    };
    if (chunk) {
        row->has_chunk = 1;
        row->type = chunk->type;
        row->flags = chunk->flags;
        row->length = chunk->length;
    }
}

/* One with a wrong checksum may hold anything. */
static struct sr_sent_chunk sent_of(const struct sr_engine *engine, const struct passage *passage,
                                    const struct sr_chunk *chunk, const struct sr_data *data)
{
    return (struct sr_sent_chunk){
        .tsn = data->tsn,
        .bytes = data->bytes,
        .frame = (uint32_t)passage->packet->frame,
        .time_ns = passage->packet->time_ns,
        .identity = sr_association_identity(passage->association, passage->from, passage->packet),
        .content = passage->crc == SR_CRC_BAD ? 0 : sr_data_content(chunk),
        .loop = sr_loop_of(&engine->options.told, passage->association, passage->from),
    };
}

static uint32_t decode_data(struct sr_engine *engine, const struct passage *passage, uint32_t position,
                            const struct sr_chunk *chunk)
{
    struct sr_data data;
    switch (sr_data(chunk, &data)) {
    case SR_DATA: break;
    case SR_DATA_SHORT: return 1u << SR_CHUNK_ANOMALY_SHORT_BODY;
    case SR_DATA_CUT: return 1u << SR_CHUNK_ANOMALY_SNAPPED;
    }
    struct sr_copy copy = {0};
    struct sr_sent_chunk sent = {0};
    if (passage->association)
        sent = sent_of(engine, passage, chunk, &data);
    if (passage->repeats != 0)
        copy = sr_association_data_repeated(passage->association, passage->from, data.tsn, passage->repeats,
                                            passage->repeated_by);
    else if (passage->association)
        copy = sr_association_data(passage->association, passage->from, sr_registry_budget(engine->associations), sent);
    write_transmission(engine, passage, position, &data, &sent, copy);
    return 0;
}

static uint32_t decode_sack(struct sr_engine *engine, const struct passage *passage, uint32_t position,
                            const struct sr_chunk *chunk)
{
    struct sr_sack sack;
    switch (sr_sack(chunk, &sack)) {
    case SR_SACK: break;
    case SR_SACK_SHORT: return 1u << SR_CHUNK_ANOMALY_SHORT_BODY;
    case SR_SACK_CUT: return 1u << SR_CHUNK_ANOMALY_SNAPPED;
    }
    struct sr_sack_row *row = write_sack(engine, passage, position, &sack);
    bool discarded = passage->crc == SR_CRC_BAD; /* RFC 9260 section 6.8 */
    if (!passage->association || passage->repeats != 0)
        return 0;
    sack.told = row ? row->told : 0;
    struct sr_newly newly =
        sr_association_sack(passage->association, passage->from, sr_registry_budget(engine->associations), &sack,
                            passage->packet->time_ns, discarded);
    if (row) {
        row->newly_acked = newly.chunks;
        row->newly_acked_bytes = newly.bytes;
    }
    return 0;
}

/* That it is too short is counted whichever tables were asked for. */
static uint32_t decode_control(struct sr_engine *engine, const struct sr_chunk *chunk)
{
    const struct sr_layout *layout = sr_chunk_layout(chunk->type);
    if (engine->options.tables >> SR_TABLE_CHUNKS & 1)
        sr_chunk_json(chunk, &engine->rows.text);
    return layout && chunk->length < SR_CHUNK_HEADER_LENGTH + layout->fixed ? 1u << SR_CHUNK_ANOMALY_SHORT_BODY : 0;
}

/* Whether a RE-CONFIG numbers TSNs anew: only what was asked for counts (RFC 6525 section 5.2.7), and of several
 * responses the last. */
static bool number_anew(const struct passage *passage, const struct sr_chunk *chunk, struct sr_tsn_response *reset)
{
    struct sr_association *association = passage->association;
    if (chunk->type != SR_CHUNK_RE_CONFIG || !association || passage->crc == SR_CRC_BAD)
        return false;
    struct sr_side *side = &association->side[passage->from];
    side->asks_reset |= sr_re_config_asks(chunk, &side->reset_request);
    struct sr_tlv_walk walk = sr_re_config_walk(chunk);
    struct sr_tsn_response response;
    bool any = false;
    while (sr_re_config_next(&walk, &response)) {
        if (!sr_association_answers(association, passage->from, response.request))
            continue;
        *reset = response;
        any = true;
    }
    if (!any)
        return false;
    sr_association_tsn_reset(association, passage->from, reset->sender_next);
    sr_association_tsn_reset(association, 1 - passage->from, reset->receiver_next);
    return true;
}

static void decode_chunk(struct sr_engine *engine, struct passage *passage, const struct sr_chunk *chunk)
{
    uint32_t position = engine->frame_chunks++, anomalies = 0;
    uint64_t text = engine->rows.text.length;

    engine->totals.chunks++;
    switch (chunk->type) {
    case SR_CHUNK_DATA:
    case SR_CHUNK_I_DATA:
        passage->has_data = true;
        anomalies = decode_data(engine, passage, position, chunk);
        break;
    case SR_CHUNK_SACK:
    case SR_CHUNK_NR_SACK:
    case SR_CHUNK_SHUTDOWN: anomalies = decode_sack(engine, passage, position, chunk); break;
    default: {
        struct sr_tsn_response reset;
        anomalies = decode_control(engine, chunk);
        if (passage->repeats != 0)
            break;
        if ((chunk->type == SR_CHUNK_ABORT || chunk->type == SR_CHUNK_ERROR) && passage->association &&
            passage->crc != SR_CRC_BAD)
            sr_errors_note(&passage->association->errors, passage->from, chunk, (uint32_t)passage->packet->frame);
        bool resets = number_anew(passage, chunk, &reset);
        write_control(engine, passage, position, chunk, resets ? &reset : NULL);
        break;
    }
    }
    if (chunk->captured < chunk->length)
        anomalies |= 1u << SR_CHUNK_ANOMALY_SNAPPED;
    if (passage->association && passage->repeats == 0) {
        sr_association_chunk(passage->association, passage->from, chunk->type, passage->packet->time_ns);
        for (unsigned i = 0; anomalies >> i; i++)
            if (anomalies >> i & 1)
                sr_association_anomaly(passage->association, passage->from, (enum sr_chunk_anomaly)i);
    }
    write_chunk(engine, passage, position, chunk, anomalies, text);
}

/* The place where decoding had to stop is a row of its own. */
static void decode_end(struct sr_engine *engine, const struct passage *passage, enum sr_chunk_step end,
                       const struct sr_chunk *chunk)
{
    enum sr_chunk_anomaly anomaly = SR_CHUNK_ANOMALY_BLIND;
    switch (end) {
    case SR_CHUNK:
    case SR_CHUNK_END: return;
    case SR_CHUNK_END_BLIND: break;
    case SR_CHUNK_END_SHORT: anomaly = SR_CHUNK_ANOMALY_SHORT_CHUNK_HEADER; break;
    case SR_CHUNK_END_BAD_LENGTH: anomaly = SR_CHUNK_ANOMALY_LENGTH_BELOW_HEADER; break;
    case SR_CHUNK_END_BEYOND: anomaly = SR_CHUNK_ANOMALY_BEYOND_PACKET; break;
    }
    bool has_chunk = end == SR_CHUNK_END_BAD_LENGTH || end == SR_CHUNK_END_BEYOND;
    if (passage->association && passage->repeats == 0)
        sr_association_anomaly(passage->association, passage->from, anomaly);
    write_chunk(engine, passage, engine->frame_chunks++, has_chunk ? chunk : NULL, 1u << anomaly,
                engine->rows.text.length);
}

/* A packet that was seen before belongs to those that it belonged to then, whatever its addresses. One that the network
 * repeated may come twice from the capture, too. */
static void take_repeated(struct sr_engine *engine, struct passage *passage, struct sr_seen_packet before,
                          struct sr_seen_packet seen)
{
    const struct sr_paths *paths = &engine->rows.paths;
    int64_t later_ns;
    passage->association = sr_registry_side(engine->associations, before.assoc, &before.from);
    struct sr_mirror *mirror = &passage->association->mirror;
    bool twice = sr_is_captured_twice(mirror, &before, &seen);
    before.assoc = passage->association->number;
    passage->from = before.from;
    passage->repeats = before.frame;
    passage->repeated_by = twice ? SR_KIND_CAPTURE_DUPLICATE : SR_KIND_NETWORK_DUPLICATE;
    sr_association_repeated(passage->association, passage->from, passage->packet, passage->repeated_by);
    if (!sr_within_captured_twice(seen.time_ns, before.time_ns) && sr_elapsed(seen.time_ns, before.time_ns, &later_ns))
        sr_late_repeat(&passage->association->side[passage->from].late, true, later_ns);
    if (before.path == seen.path && !sr_within_captured_twice(seen.time_ns, before.time_ns))
        sr_mirror_learn(mirror, sr_mirrored(&before, &seen));
    if (before.path != seen.path)
        sr_association_translated(passage->association, passage->from, passage->packet,
                                  !sr_paths_same_source(paths, before.path, seen.path),
                                  !sr_paths_same_destination(paths, before.path, seen.path));
    before.time_ns = seen.time_ns;
    if (!twice)
        sr_repeats_keep(engine->repeats, &before);
}

/* To whom it belongs, and that it was seen. False when memory runs out. */
static bool take_packet(struct sr_engine *engine, struct passage *passage, const struct sr_chunk *first,
                        enum sr_checksum checksum)
{
    const struct sr_packet *packet = passage->packet;
    uint32_t fingerprint = fingerprint_of(packet, &passage->header, checksum);
    struct sr_seen_packet seen = sr_seen_packet(packet, fingerprint, passage->path, first);
    const struct sr_seen_packet *alike, *before = sr_repeats_find(engine->repeats, engine->associations, &seen, &alike);
    int64_t later_ns;
    passage->checksum = (uint8_t)checksum;
    if (before) {
        take_repeated(engine, passage, *before, seen);
        passage->crc = (uint8_t)crc_of(checksum, passage, engine->options.verify_checksum);
        return true;
    }
    struct sr_belongs belongs = sr_registry_find(engine->associations, packet, &passage->header, first);
    passage->association = belongs.association;
    passage->from = belongs.from;
    if (belongs.joined && engine->keeps_journal &&
        !sr_joined(&engine->journal, engine->associations, belongs.joined, &engine->options.told))
        return false;
    passage->crc = (uint8_t)crc_of(checksum, passage, engine->options.verify_checksum);
    if (!passage->association) {
        engine->totals.uncounted++;
        return true;
    }
    sr_association_packet(passage->association, passage->from, packet, checksum, fingerprint);
    seen.assoc = passage->association->number;
    seen.from = (uint8_t)passage->from;
    seen.number = (uint32_t)passage->association->packets;
    if (alike && sr_within_captured_twice(seen.time_ns, alike->time_ns))
        passage->association->side[passage->from].alike_soon++;
    else if (alike && sr_elapsed(seen.time_ns, alike->time_ns, &later_ns))
        sr_late_repeat(&passage->association->side[passage->from].late, false, later_ns);
    sr_repeats_keep(engine->repeats, &seen);
    return true;
}

static bool failed(const struct sr_engine *engine)
{
    const struct sr_rows *rows = &engine->rows;
    bool any = rows->numbers.failed || rows->text.failed || rows->paths.list.failed || rows->paths.slots.failed;
    any |= engine->journal.store.failed != NULL;
    for (int i = 0; i < SR_TABLE_COUNT; i++)
        any |= rows->tables[i].failed;
    return any;
}

bool sr_engine_packet(struct sr_engine *engine, const struct sr_packet *given)
{
    struct sr_packet timed = *given;
    const struct sr_packet *packet = &timed;
    struct passage passage = {.packet = packet};
    struct sr_chunk_walk walk;
    struct sr_chunk chunk;
    enum sr_chunk_step step;

    timed.time_ns = sr_time_within(given->time_ns);
    if (packet->frame != engine->frame)
        engine->frame_chunks = 0;
    engine->frame = packet->frame;
    engine->totals.packets++;
    passage.path = path_of(engine, packet);
    if (!sr_common_header(packet->bytes, packet->captured, &passage.header)) {
        engine->totals.short_packets++;
        passage.checksum = SR_CHECKSUM_CUT;
        write_chunk(engine, &passage, engine->frame_chunks++, NULL, 1u << SR_CHUNK_ANOMALY_SHORT_PACKET,
                    engine->rows.text.length);
        return !failed(engine);
    }
    sr_chunk_walk_begin(&walk, packet->bytes, packet->captured, packet->wire);
    step = sr_chunk_next(&walk, &chunk);
    if (!take_packet(engine, &passage, step == SR_CHUNK ? &chunk : NULL, checksum_of(packet)))
        return false;
    for (; step == SR_CHUNK; step = sr_chunk_next(&walk, &chunk))
        decode_chunk(engine, &passage, &chunk);
    decode_end(engine, &passage, step, &chunk);
    engine->totals.without_data += !passage.has_data;
    return !failed(engine);
}

const struct sr_rows *sr_engine_rows(const struct sr_engine *engine)
{
    return &engine->rows;
}

void sr_engine_clear_rows(struct sr_engine *engine)
{
    for (int i = 0; i < SR_TABLE_COUNT; i++)
        engine->rows.tables[i].length = 0;
    engine->rows.numbers.length = engine->rows.text.length = 0;
}

void sr_engine_ended(struct sr_engine *engine)
{
    sr_registry_ended(engine->associations);
}

bool sr_engine_judge(struct sr_engine *engine)
{
    engine->hand_out = (struct sr_hand_out){0};
    if (failed(engine))
        return false;
    engine->judgement.only_data = engine->totals.without_data == 0;
    return !engine->keeps_journal || sr_judge(&engine->journal, engine->associations, &engine->judgement);
}

void sr_engine_stop(struct sr_engine *engine)
{
    sr_journal_stop(&engine->journal);
}

bool sr_engine_hand_out(struct sr_engine *engine, size_t most)
{
    struct sr_kept kept = {&engine->journal, &engine->judgement, engine->associations};
    return sr_hand_out(&engine->hand_out, &kept, engine->options.tables, most, &engine->rows);
}

const struct sr_direction_figures *sr_engine_figures(const struct sr_engine *engine, uint32_t assoc, unsigned direction)
{
    uint32_t number = 2 * assoc + direction;
    return number < sr_figures_count(&engine->judgement) ? sr_figures_of(&engine->judgement, number) : NULL;
}

void sr_engine_lasts_until(struct sr_engine *engine, int64_t time_ns)
{
    engine->judgement.end_ns = time_ns;
}

bool sr_engine_filtered(const struct sr_engine *engine)
{
    return engine->judgement.filtered;
}

const struct sr_journal *sr_engine_journal(const struct sr_engine *engine)
{
    return &engine->journal;
}

const struct sr_judgement *sr_engine_judgement(const struct sr_engine *engine)
{
    return &engine->judgement;
}

struct sr_engine_totals sr_engine_totals(const struct sr_engine *engine)
{
    return engine->totals;
}

const struct sr_registry *sr_engine_associations(const struct sr_engine *engine)
{
    return engine->associations;
}
