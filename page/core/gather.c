/* SPDX-License-Identifier: BSD-2-Clause */
/* Of the rows that wait, what the graph draws, in columns as JavaScript has them: read field by field there, a million
 * rows took longer than all that the core does with them. */
#include "gather.h"

#include <math.h>

/* What became of a transmission, as worker/analysis.js has it. */
enum mark { SENT, NEEDED, UNDETERMINED, SPURIOUS, OTHER, LOST = 8 };

enum column { TIME, WAY, TSN, FRAME, MARK, CAUSE, COLUMNS };
static const uint8_t width_of[COLUMNS] = {[TIME] = 8, [WAY] = 4, [TSN] = 4, [FRAME] = 4, [MARK] = 1, [CAUSE] = 1};

static struct sr_buffer columns[COLUMNS];
static struct sr_buffer resent; /* numbers of the rows of retransmissions */
static int64_t first_ns;        /* time of the first frame */

void page_gather_free(void)
{
    for (int column = 0; column < COLUMNS; column++)
        sr_buffer_free(&columns[column]);
    sr_buffer_free(&resent);
}

/* Room for as many rows. False when memory runs out. */
static bool make_room(size_t rows)
{
    bool failed = false;
    first_ns = sr_session_totals(page_session()).earliest_ns;
    for (int column = 0; column < COLUMNS; column++) {
        columns[column].length = 0;
        sr_buffer_extend(&columns[column], rows * width_of[column]);
        failed |= columns[column].failed;
    }
    resent.length = 0;
    return !failed;
}

/* Seconds since the first frame; without a time it is not drawn. */
static double seconds(int64_t time_ns)
{
    return time_ns == SR_NO_TIME || first_ns == SR_NO_TIME ? NAN : (double)(time_ns - first_ns) / 1e9;
}

/* A way is a direction of an association: 2 * association + 1 where the data is b's. */
static void put(size_t at, int64_t time_ns, uint32_t assoc, uint8_t side, uint32_t tsn)
{
    ((double *)(void *)columns[TIME].bytes)[at] = seconds(time_ns);
    ((uint32_t *)(void *)columns[WAY].bytes)[at] = 2 * assoc + side;
    ((uint32_t *)(void *)columns[TSN].bytes)[at] = tsn;
}

static uint8_t mark_of(const struct sr_transmission_row *row)
{
    uint8_t mark = OTHER;
    if (row->kind == SR_KIND_ORIGINAL || row->kind == SR_KIND_REORDERED)
        mark = SENT;
    else if (row->kind == SR_KIND_RETRANSMISSION)
        mark = row->verdict == SR_VERDICT_NEEDED     ? NEEDED
               : row->verdict == SR_VERDICT_SPURIOUS ? SPURIOUS
                                                     : UNDETERMINED;
    return mark | (row->outcome == SR_OUTCOME_LOST ? LOST : 0);
}

/* Transmissions of associations that are followed: how many, or -1 when memory runs out. */
EXPORTED(gather_sent) int32_t page_gather_sent(void)
{
    const struct sr_buffer *table = &sr_session_rows(page_session())->tables[SR_TABLE_TRANSMISSIONS];
    const struct sr_transmission_row *rows = (const void *)table->bytes;
    size_t count = table->length / sizeof *rows, found = 0;
    if (!make_room(count))
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        const struct sr_transmission_row *row = &rows[i];
        if (row->assoc == SR_NO_ASSOCIATION)
            continue;
        put(found, row->time_ns, row->assoc, row->from, row->tsn);
        ((uint32_t *)(void *)columns[FRAME].bytes)[found] = row->frame;
        columns[MARK].bytes[found] = mark_of(row);
        columns[CAUSE].bytes[found++] = row->kind == SR_KIND_RETRANSMISSION ? row->cause : SR_NO_WORD;
        if (row->kind == SR_KIND_RETRANSMISSION)
            sr_buffer_append(&resent, &i, sizeof i);
    }
    return resent.failed ? -1 : (int32_t)found;
}

/* Likewise acknowledgements of what was sent the other way. */
EXPORTED(gather_acked) int32_t page_gather_acked(void)
{
    const struct sr_buffer *table = &sr_session_rows(page_session())->tables[SR_TABLE_SACKS];
    const struct sr_sack_row *rows = (const void *)table->bytes;
    size_t count = table->length / sizeof *rows, found = 0;
    if (!make_room(count))
        return -1;
    for (size_t i = 0; i < count; i++) {
        const struct sr_sack_row *row = &rows[i];
        if (row->assoc == SR_NO_ASSOCIATION || row->repeats)
            continue;
        put(found, row->time_ns, row->assoc, !row->from, row->cum_tsn);
        columns[MARK].bytes[found++] = row->kind;
    }
    return (int32_t)found;
}

EXPORTED(column) const uint8_t *page_column(uint32_t column)
{
    return columns[column].bytes;
}

/* Numbers of those rows among the transmissions that were sent again. */
EXPORTED(resent) const uint8_t *page_resent(void)
{
    return resent.bytes;
}

EXPORTED(resent_count) uint32_t page_resent_count(void)
{
    return (uint32_t)(resent.length / sizeof(uint32_t));
}
