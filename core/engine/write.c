/* SPDX-License-Identifier: BSD-2-Clause */
/* How what was seen becomes rows. */
#include "control.h"
#include "passage.h"
#include "told_before.h"

static uint32_t number_of(const struct sr_passage *passage)
{
    return passage->association ? passage->association->number : SR_NO_ASSOCIATION;
}

static void link_entry(struct sr_engine *engine, const struct sr_passage *passage)
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

void sr_write_transmission(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
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
        .packet_id = sent->identity.id,
        .fingerprint = sent->identity.fingerprint,
        .content = sent->content,
        .sent_before = sent->sent_before,
        .overtaken = copy.overtaken,
    };
    if (passage->association && passage->repeats == 0)
        note_packet(row, passage->packet, &passage->association->side[passage->from]);
    sr_transmission_unjudged(row);
    link_entry(engine, passage);
}

void sr_write_hidden(struct sr_engine *engine, const struct sr_passage *passage)
{
    const struct sr_journal *journal = &engine->journal;
    if (!engine->keeps_journal || !passage->has_data || journal->transmissions.count == 0)
        return;
    struct sr_transmission_row *row = sr_transmission_at(journal, journal->transmissions.count - 1);
    row->hides |= row->frame == (uint32_t)passage->packet->frame && row->assoc == number_of(passage);
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
static void compare_with_before(struct sr_journal *journal, const struct sr_passage *passage, struct sr_sack_row *row)
{
    if (!passage->association || passage->crc == SR_CRC_BAD)
        return;
    uint32_t *last = &passage->association->side[passage->from].last_sack;
    if (*last != 0)
        sr_told_before(journal, sr_sack_at(journal, *last - 1), row);
    *last = (uint32_t)journal->sacks.count;
    row->missing =
        sr_unseen_take_feedback(&passage->association->side[passage->from].unseen) & (unsigned)SR_UNSEEN_MOST;
}

/* NULL where no row is kept. */
struct sr_sack_row *sr_write_sack(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
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
void sr_write_control(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
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

void sr_write_chunk(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
                    const struct sr_chunk *chunk, uint32_t anomalies, uint64_t text)
{
    if (!(engine->options.tables >> SR_TABLE_CHUNKS & 1) || !sr_is_own(engine->options.share, number_of(passage)))
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
