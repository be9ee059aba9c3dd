/* SPDX-License-Identifier: BSD-2-Clause */
/* What each chunk does to its association, and which rows it becomes. */
#include "../association/tsn_order.h"
#include "../text/chunk_json.h"
#include "../wire/forward_tsn.h"
#include "../wire/layout.h"
#include "joined.h"
#include "passage.h"

/* One with a wrong checksum may hold anything. */
static struct sr_sent_chunk sent_of(const struct sr_engine *engine, const struct sr_passage *passage,
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
        .sent_before = passage->crc != SR_CRC_BAD && sr_tsn_after(passage->new_from, data->tsn),
    };
}

static uint32_t decode_data(struct sr_engine *engine, struct sr_passage *passage, uint32_t position,
                            const struct sr_chunk *chunk)
{
    struct sr_data data;
    switch (sr_data(chunk, &data)) {
    case SR_DATA: break;
    case SR_DATA_SHORT: return 1u << SR_CHUNK_ANOMALY_SHORT_BODY;
    case SR_DATA_CUT: sr_write_hidden(engine, passage); return 1u << SR_CHUNK_ANOMALY_SNAPPED;
    }
    struct sr_copy copy = {0};
    struct sr_sent_chunk sent = {0};
    if (passage->association && !passage->sends && !passage->fills && !passage->sends_again)
        passage->new_from =
            sr_tsn_order(&passage->association->side[passage->from].data.board, passage->packet, data.tsn);
    if (passage->association)
        sent = sent_of(engine, passage, chunk, &data);
    if (passage->repeats != 0)
        copy = sr_association_data_repeated(passage->association, passage->from, data.tsn, passage->repeats,
                                            passage->repeated_by);
    else if (passage->association)
        copy = sr_association_data(passage->association, passage->from, sr_registry_budget(engine->associations), sent);
    bool again = copy.kind == SR_KIND_RETRANSMISSION && copy.copy > 1;
    bool fills = !again && (copy.kind == SR_KIND_RETRANSMISSION || copy.kind == SR_KIND_REORDERED);
    passage->sends |= !again && !fills;
    if (fills && !passage->fills)
        passage->fills_at = data.tsn;
    passage->fills |= fills;
    passage->sends_again |= again;
    sr_write_transmission(engine, passage, position, &data, &sent, copy);
    return 0;
}

static uint32_t decode_sack(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
                            const struct sr_chunk *chunk)
{
    struct sr_sack sack;
    switch (sr_sack(chunk, &sack)) {
    case SR_SACK: break;
    case SR_SACK_SHORT: return 1u << SR_CHUNK_ANOMALY_SHORT_BODY;
    case SR_SACK_CUT: return 1u << SR_CHUNK_ANOMALY_SNAPPED;
    }
    struct sr_sack_row *row = sr_write_sack(engine, passage, position, &sack);
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
static bool number_anew(const struct sr_passage *passage, const struct sr_chunk *chunk, struct sr_tsn_response *reset)
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

static void give_up(const struct sr_passage *passage, const struct sr_chunk *chunk)
{
    struct sr_tsn cum;
    if (passage->association && passage->crc != SR_CRC_BAD && sr_forward_tsn(chunk, &cum))
        sr_association_forward(passage->association, passage->from, cum);
}

void sr_decode_chunk(struct sr_engine *engine, struct sr_passage *passage, const struct sr_chunk *chunk)
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
        give_up(passage, chunk);
        bool resets = number_anew(passage, chunk, &reset);
        sr_write_control(engine, passage, position, chunk, resets ? &reset : NULL);
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
    sr_write_chunk(engine, passage, position, chunk, anomalies, text);
}

/* The place where decoding had to stop is a row of its own. */
void sr_decode_end(struct sr_engine *engine, const struct sr_passage *passage, enum sr_chunk_step end,
                   const struct sr_chunk *chunk)
{
    enum sr_chunk_anomaly anomaly = SR_CHUNK_ANOMALY_BLIND;
    switch (end) {
    case SR_CHUNK:
    case SR_CHUNK_END: return;
    case SR_CHUNK_END_BLIND: sr_write_hidden(engine, passage); break;
    case SR_CHUNK_END_SHORT: anomaly = SR_CHUNK_ANOMALY_SHORT_CHUNK_HEADER; break;
    case SR_CHUNK_END_BAD_LENGTH: anomaly = SR_CHUNK_ANOMALY_LENGTH_BELOW_HEADER; break;
    case SR_CHUNK_END_BEYOND: anomaly = SR_CHUNK_ANOMALY_BEYOND_PACKET; break;
    }
    bool has_chunk = end == SR_CHUNK_END_BAD_LENGTH || end == SR_CHUNK_END_BEYOND;
    if (passage->association && passage->repeats == 0)
        sr_association_anomaly(passage->association, passage->from, anomaly);
    sr_write_chunk(engine, passage, engine->frame_chunks++, has_chunk ? chunk : NULL, 1u << anomaly,
                   engine->rows.text.length);
}
