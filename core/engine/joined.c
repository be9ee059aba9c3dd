/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows in their order, once more through the books of their association. */
#include "joined.h"

#include <stdlib.h>

#include "../association/kind.h"
#include "../wire/bytes.h"
#include "../wire/chunk.h"
#include "../wire/forward_tsn.h"

/* Blocks of a chunk, whose length is of 16 bits. */
enum { BLOCK = 4, MOST_BLOCK_BYTES = 65536 };

struct again {
    struct sr_journal *journal;
    struct sr_association *association;
    const struct sr_association *half; /* its rows say so until they are seen */
    struct sr_slot_budget *budget;
    const struct sr_told *told;
    uint8_t *blocks; /* MOST_BLOCK_BYTES */
};

/* Side of the association, of a row that was its half's or its own. */
static uint8_t side_of(const struct again *again, uint32_t assoc, uint8_t from)
{
    return assoc == again->half->number && again->half->turned ? 1 - from : from;
}

/* Of a packet that came again nothing is counted: it repeats the frame that it did. */
static struct sr_copy copy_of(const struct again *again, const struct sr_transmission_row *row)
{
    enum sr_kind kind = (enum sr_kind)row->seen_kind;
    if (sr_is_duplicate(kind) && row->prev_frame != 0)
        return sr_association_data_repeated(again->association, row->from, sr_tsn(row->tsn), row->prev_frame, kind);
    return sr_association_data(again->association, row->from, again->budget,
                               (struct sr_sent_chunk){
                                   .tsn = sr_tsn(row->tsn),
                                   .bytes = row->bytes,
                                   .frame = row->frame,
                                   .time_ns = row->time_ns,
                                   .identity = {row->fingerprint, row->packet_id},
                                   .content = row->content,
                                   .loop = sr_loop_of(again->told, again->association, row->from),
                                   .sent_before = row->sent_before,
                               });
}

static void transmission(const struct again *again, struct sr_transmission_row *row)
{
    row->from = side_of(again, row->assoc, row->from);
    row->assoc = again->association->number;
    struct sr_copy copy = copy_of(again, row);
    row->copy = copy.copy;
    row->first_frame = copy.first_frame;
    row->prev_frame = copy.prev_frame;
    row->kind = (uint8_t)copy.kind;
    row->seen_kind = copy.kind & SR_KIND_MASK;
    row->overtaken = copy.overtaken;
}

/* As it was on the wire: offsets from the cumulative TSN. */
static struct sr_sack sack_of(const struct again *again, const struct sr_sack_row *row)
{
    uint32_t blocks = (uint32_t)row->gaps + row->nr_gaps;
    const uint32_t *tsns = blocks > 0 ? sr_numbers_at(again->journal, row->lists) : NULL;
    if (blocks > MOST_BLOCK_BYTES / BLOCK) /* no chunk has so many */
        blocks = 0;
    for (uint32_t i = 0; i < 2 * blocks; i++) {
        uint32_t offset = tsns[i] - row->cum_tsn;
        again->blocks[2 * i] = (uint8_t)(offset >> 8);
        again->blocks[2 * i + 1] = (uint8_t)offset;
    }
    return (struct sr_sack){
        .cum_tsn = sr_tsn(row->cum_tsn),
        .a_rwnd = row->a_rwnd,
        .gaps = {again->blocks, blocks > 0 ? row->gaps : 0},
        .nr_gaps = {again->blocks + (size_t)row->gaps * BLOCK, blocks > 0 ? row->nr_gaps : 0},
        .anomalies = row->malformed,
        .told = blocks > 0 ? row->told : 0,
        .kind = row->kind,
        .flags = row->flags,
    };
}

static void feedback(const struct again *again, struct sr_sack_row *row)
{
    row->from = side_of(again, row->assoc, row->from);
    row->assoc = again->association->number;
    struct sr_newly newly = {0};
    if (row->crc != SR_CRC_BAD) {
        struct sr_sack sack = sack_of(again, row);
        newly = sr_association_acked(again->association, row->from, again->budget, &sack, row->time_ns);
    }
    row->newly_acked = newly.chunks;
    row->newly_acked_bytes = newly.bytes;
}

static void control(const struct again *again, struct sr_control_row *row)
{
    struct sr_side *side = again->association->side;
    struct sr_loop *const loops[2] = {&side[0].loop, &side[1].loop};
    row->from = side_of(again, row->assoc, row->from);
    row->assoc = again->association->number;
    sr_loop_chunk(loops, row->from, row->type, row->time_ns);
    if (row->whole && sr_is_forward_tsn(row->type))
        sr_association_forward(again->association, row->from, sr_tsn(row->tsn));
    const uint32_t *next =
        row->type == SR_CHUNK_RE_CONFIG && row->count > 0 ? sr_numbers_at(again->journal, row->lists) : NULL;
    for (uint32_t i = 0; next && i + 1 < row->count; i += 2) {
        sr_association_tsn_reset(again->association, row->from, sr_tsn(next[i]));
        sr_association_tsn_reset(again->association, 1u - row->from, sr_tsn(next[i + 1]));
    }
}

bool sr_joined(struct sr_journal *journal, struct sr_registry *registry, struct sr_association *half,
               const struct sr_told *told)
{
    struct again again = {
        .journal = journal,
        .association = half->joined,
        .half = half,
        .budget = sr_registry_budget(registry),
        .told = told,
        .blocks = malloc(MOST_BLOCK_BYTES),
    };
    if (!again.blocks)
        return false;
    sr_journal_join(journal, &half->joined->entries, &half->entries);
    sr_association_again(half->joined, again.budget);
    struct sr_journal_pass pass = {.next = half->joined->entries.first};
    struct sr_entry entry;
    while (sr_journal_pass(journal, &pass, &entry)) {
        switch ((enum sr_entry_table)entry.table) {
        case SR_ENTRY_TRANSMISSION: transmission(&again, sr_transmission_at(journal, entry.row)); break;
        case SR_ENTRY_SACK: feedback(&again, sr_sack_at(journal, entry.row)); break;
        case SR_ENTRY_CONTROL: control(&again, sr_control_at(journal, entry.row)); break;
        }
    }
    free(again.blocks);
    return true;
}
