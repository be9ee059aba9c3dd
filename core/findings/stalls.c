/* SPDX-License-Identifier: BSD-2-Clause */
/* A direction's first copies in the order of their TSNs: what all before one waited for begins with the latest
 * acknowledgement of those, or with the first transmission of it and what follows. */
#include "stalls.h"

#include <stdlib.h>

#include "cuts.h"

struct chunk {
    int64_t tsn; /* without its wrap (RFC 9260 section 1.6) */
    int64_t sent_ns, acked_ns;
    uint32_t frame;
    uint32_t place; /* in the capture */
};

static struct chunk *chunk_at(const struct sr_standing_still *still, size_t at)
{
    return (struct chunk *)(void *)still->chunks.bytes + at;
}

static size_t count_of(const struct sr_standing_still *still)
{
    return still->chunks.length / sizeof(struct chunk);
}

/* The chunk of which others are copies. */
static bool is_first(const struct sr_transmission_row *row)
{
    return row->copy == 1 && row->time_ns != SR_NO_TIME &&
           (row->kind == SR_KIND_ORIGINAL || row->kind == SR_KIND_REORDERED || row->kind == SR_KIND_RETRANSMISSION);
}

static int by_tsn(const void *left, const void *right)
{
    const struct chunk *one = left, *other = right;
    if (one->tsn != other->tsn)
        return one->tsn < other->tsn ? -1 : 1;
    return one->place < other->place ? -1 : 1;
}

static void gather(struct sr_standing_still *still, const struct sr_journal *journal,
                   const struct sr_association *association, unsigned from)
{
    struct sr_entry entry;
    bool in_order = true;
    int64_t last = 0;
    still->chunks.length = 0;
    for (uint32_t next = association->entries.first; sr_journal_follow(journal, &next, &entry);) {
        const struct sr_transmission_row *row =
            entry.table == SR_ENTRY_TRANSMISSION ? sr_transmission_at(journal, entry.row) : NULL;
        if (!row || row->from != from || !is_first(row))
            continue;
        uint32_t place = (uint32_t)count_of(still);
        int64_t tsn = place == 0 ? row->tsn : last + (int32_t)(row->tsn - (uint32_t)last);
        struct chunk chunk = {
            .tsn = tsn,
            .sent_ns = row->time_ns,
            .acked_ns = row->acked_frame != 0 ? row->acked_time_ns : SR_NEVER,
            .frame = row->frame,
            .place = place,
        };
        in_order &= place == 0 || tsn > last;
        last = tsn;
        sr_buffer_append(&still->chunks, &chunk, sizeof chunk);
    }
    if (!in_order)
        qsort(chunk_at(still, 0), count_of(still), sizeof(struct chunk), by_tsn);
}

static int64_t lesser(int64_t one, int64_t other)
{
    return one < other ? one : other;
}

/* Of each chunk, when it or one behind it was sent first: in place of when it was sent. */
static void take_first_sent(struct sr_standing_still *still)
{
    for (size_t at = count_of(still); at-- > 1;)
        chunk_at(still, at - 1)->sent_ns = lesser(chunk_at(still, at - 1)->sent_ns, chunk_at(still, at)->sent_ns);
}

/* Of what was acknowledged; a later begin than the range of clocks is none. */
static bool lasts(int64_t begin_ns, int64_t end_ns, int64_t least_ns)
{
    int64_t length_ns;
    if (end_ns == SR_NEVER)
        return begin_ns != SR_NEVER;
    return sr_elapsed(end_ns, begin_ns, &length_ns) && length_ns > least_ns;
}

static int64_t length_of(const struct sr_stall *stall)
{
    return stall->end_ns == SR_NEVER ? SR_NEVER : sr_between(stall->end_ns, stall->begin_ns);
}

static int longest_first(const void *left, const void *right)
{
    const struct sr_stall *one = left, *other = right;
    if (length_of(one) != length_of(other))
        return length_of(one) > length_of(other) ? -1 : 1;
    return one->place < other->place ? -1 : 1;
}

static int by_begin(const void *left, const void *right)
{
    const struct sr_stall *one = left, *other = right;
    if (one->begin_ns != other->begin_ns)
        return one->begin_ns < other->begin_ns ? -1 : 1;
    return longest_first(left, right);
}

bool sr_stalls_find(struct sr_standing_still *still, const struct sr_engine *engine,
                    const struct sr_association *association, unsigned from, int64_t least_ns, struct sr_buffer *stalls)
{
    int64_t earlier_ns = SR_NO_TIME; /* when the last of those before was acknowledged */
    gather(still, sr_engine_journal(engine), association, from);
    take_first_sent(still);
    still->found.length = 0;
    for (size_t at = 0; at < count_of(still); at++) {
        const struct chunk *chunk = chunk_at(still, at);
        int64_t begin_ns = earlier_ns > chunk->sent_ns ? earlier_ns : chunk->sent_ns;
        if (chunk->acked_ns != SR_NO_TIME && lasts(begin_ns, chunk->acked_ns, least_ns)) {
            struct sr_stall stall = {
                .tsn = (uint32_t)chunk->tsn,
                .frame = chunk->frame,
                .place = sr_stalls_count(&still->found),
                .begin_ns = begin_ns,
                .end_ns = chunk->acked_ns,
            };
            sr_buffer_append(&still->found, &stall, sizeof stall);
        }
        earlier_ns = chunk->acked_ns > earlier_ns ? chunk->acked_ns : earlier_ns;
    }
    uint32_t count = sr_stalls_count(&still->found);
    if (count > SR_MOST_STALLS)
        qsort(still->found.bytes, count, sizeof(struct sr_stall), longest_first);
    count = count < SR_MOST_STALLS ? count : SR_MOST_STALLS;
    if (count > 1)
        qsort(still->found.bytes, count, sizeof(struct sr_stall), by_begin);
    if (count > 0)
        sr_buffer_append(stalls, still->found.bytes, count * sizeof(struct sr_stall));
    return !still->chunks.failed && !still->found.failed && !stalls->failed;
}

void sr_standing_still_free(struct sr_standing_still *still)
{
    sr_buffer_free(&still->chunks);
    sr_buffer_free(&still->found);
}

static bool is_by_timer(uint8_t cause)
{
    return cause == SR_CAUSE_T3 || cause == SR_CAUSE_T3_GBN || cause == SR_CAUSE_FAILOVER ||
           cause == SR_CAUSE_HANDSHAKE;
}

void sr_stalls_add(struct sr_buffer *stalls, const struct sr_transmission_row *row, uint8_t verdict, bool has_finding)
{
    bool by_timer = is_by_timer(row->cause), needed = verdict != SR_VERDICT_SPURIOUS;
    for (uint32_t i = sr_stalls_count(stalls); i-- > 0;) {
        struct sr_stall *stall = sr_stalls_at(stalls, i);
        if (stall->tsn != row->tsn)
            continue;
        stall->resent++;
        stall->timeouts += by_timer;
        stall->needed += needed;
        stall->needed_timeouts += by_timer && needed;
        stall->window_probes += row->cause == SR_CAUSE_ZERO_WINDOW_PROBE;
        stall->has_finding += has_finding;
        return;
    }
}
