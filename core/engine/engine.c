/* SPDX-License-Identifier: BSD-2-Clause */
/* How a packet becomes rows: whose it is, then its chunks one after the other. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "../association/kind.h"
#include "../books/figures.h"
#include "../judge/judge.h"
#include "../wire/checksum.h"
#include "joined.h"
#include "passage.h"

struct sr_engine *sr_engine_new(const struct sr_engine_options *options)
{
    struct sr_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    engine->options = *options;
    engine->keeps_journal = options->judges || (options->tables & ~(1u << SR_TABLE_CHUNKS)) != 0;
    sr_journal_init(&engine->journal, options->memory ? options->memory : SR_JOURNAL_MEMORY);
    sr_judgement_init(&engine->judgement, &engine->journal);
    engine->judgement.wants_limits = options->tables >> SR_TABLE_LIMITS & 1;
    engine->judgement.wants_windows = options->tables >> SR_TABLE_WINDOWS & 1;
    engine->judgement.wants_states = options->tables >> SR_TABLE_RACK_STATE & 1;
    engine->judgement.told = options->told;
    engine->judgement.share = options->share;
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
static enum sr_crc crc_of(enum sr_checksum checksum, const struct sr_passage *passage, bool verify)
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

/* A packet that was seen before belongs to those that it belonged to then, whatever its addresses. One that the network
 * repeated may come twice from the capture, too. */
static void take_repeated(struct sr_engine *engine, struct sr_passage *passage, struct sr_seen_packet *kept,
                          struct sr_seen_packet seen)
{
    struct sr_seen_packet before = *kept;
    const struct sr_paths *paths = &engine->rows.paths;
    int64_t later_ns;
    passage->association = sr_registry_side(engine->associations, before.assoc, &before.from);
    struct sr_mirror *mirror = &passage->association->mirror;
    bool twice = sr_is_captured_twice(mirror, &before, &seen);
    before.assoc = passage->association->number;
    passage->from = before.from;
    passage->repeats = before.frame;
    passage->repeated_by = twice ? SR_KIND_CAPTURE_DUPLICATE : SR_KIND_NETWORK_DUPLICATE;
    kept->came_again = twice;
    if (twice && before.fills_gap) {
        passage->association->side[passage->from].repeated_in_gaps++;
        sr_filled_again_seen(&passage->association->side[passage->from].filled_again, sr_tsn(before.fills_at));
    }
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
static bool take_packet(struct sr_engine *engine, struct sr_passage *passage, const struct sr_chunk *first,
                        enum sr_checksum checksum)
{
    const struct sr_packet *packet = passage->packet;
    uint32_t fingerprint = fingerprint_of(packet, &passage->header, checksum);
    struct sr_seen_packet seen = sr_seen_packet(packet, fingerprint, passage->path, first);
    const struct sr_seen_packet *alike;
    struct sr_seen_packet *before = sr_repeats_find(engine->repeats, engine->associations, &seen, &alike);
    int64_t later_ns;
    passage->checksum = (uint8_t)checksum;
    if (before) {
        take_repeated(engine, passage, before, seen);
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
    passage->kept = sr_repeats_keep(engine->repeats, &seen);
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
    struct sr_passage passage = {.packet = packet};
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
        sr_write_chunk(engine, &passage, engine->frame_chunks++, NULL, 1u << SR_CHUNK_ANOMALY_SHORT_PACKET,
                       engine->rows.text.length);
        return !failed(engine);
    }
    sr_chunk_walk_begin(&walk, packet->bytes, packet->captured, packet->wire);
    step = sr_chunk_next(&walk, &chunk);
    if (!take_packet(engine, &passage, step == SR_CHUNK ? &chunk : NULL, checksum_of(packet)))
        return false;
    for (; step == SR_CHUNK; step = sr_chunk_next(&walk, &chunk))
        sr_decode_chunk(engine, &passage, &chunk);
    sr_decode_end(engine, &passage, step, &chunk);
    if (passage.kept) {
        passage.kept->sent_again = passage.sends_again && !passage.sends && !passage.fills;
        passage.kept->fills_gap = passage.fills && !passage.sends;
        passage.kept->fills_at = passage.fills_at.value;
    }
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
    uint32_t shares = engine->options.share.of;
    size_t looked_at = shares > 1 ? most * shares : most;
    return sr_hand_out(&engine->hand_out, &kept, engine->options.tables, looked_at, &engine->rows);
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
