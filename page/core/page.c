/* SPDX-License-Identifier: BSD-2-Clause */
/* What the page asks of the core: one capture at a time, its bytes in, batches of rows out. Counts leave as double, in
 * which JavaScript has whole numbers up to 2^53. */
#include <stdlib.h>

#include "gather.h"
#include "layout_check.h" /* written by page/layout.py */

static struct sr_session *session;

struct sr_session *page_session(void)
{
    return session;
}

EXPORTED(end) void page_end(void)
{
    sr_session_free(session);
    session = NULL;
    page_gather_free();
    page_findings_free();
    page_keys_free();
}

/* Another capture, of which these tables are wanted, a bit each. False when memory runs out. */
EXPORTED(begin) int page_begin(uint32_t tables)
{
    struct sr_engine_options options = {.tables = tables, .judges = true, .memory = SIZE_MAX};
    options.told.max_ack_delay_ns = 200000000; /* as binding/told.py */
    page_end();
    session = sr_session_new(&options);
    return session != NULL;
}

EXPORTED(space) uint8_t *page_space(void)
{
    size_t room;
    return sr_session_space(session, &room);
}

EXPORTED(room) uint32_t page_room(void)
{
    size_t room;
    sr_session_space(session, &room);
    return (uint32_t)room;
}

EXPORTED(filled) void page_filled(uint32_t count)
{
    sr_session_filled(session, count);
}

/* An enum sr_reader_step. */
EXPORTED(read) uint32_t page_read(uint32_t most_rows)
{
    return sr_session_read(session, most_rows);
}

EXPORTED(judge) int page_judge(void)
{
    return sr_session_judge(session);
}

EXPORTED(hand_out) int page_hand_out(uint32_t most_rows)
{
    return sr_session_hand_out(session, most_rows);
}

EXPORTED(clear) void page_clear(void)
{
    sr_session_clear_rows(session);
}

/* The bytes of a table, by its enum sr_table; behind them the pools of numbers, texts and paths. */
enum { POOLS = SR_TABLE_COUNT, NUMBERS = POOLS, TEXTS, PATHS };

static const struct sr_buffer *buffer(uint32_t which)
{
    const struct sr_rows *rows = sr_session_rows(session);
    if (which < POOLS)
        return &rows->tables[which];
    return which == NUMBERS ? &rows->numbers : which == TEXTS ? &rows->text : &rows->paths.list;
}

EXPORTED(bytes) const uint8_t *page_bytes(uint32_t which)
{
    return buffer(which)->bytes;
}

EXPORTED(length) uint32_t page_length(uint32_t which)
{
    return (uint32_t)buffer(which)->length;
}

/* Counts of the whole capture. */
EXPORTED(frames) double page_frames(void)
{
    return (double)sr_session_totals(session).frames;
}

EXPORTED(packets) double page_packets(void)
{
    return (double)sr_engine_totals(sr_session_engine(session)).packets;
}

EXPORTED(skipped) double page_skipped(uint32_t reason)
{
    return reason < SR_SKIP_COUNT ? (double)sr_session_totals(session).skipped[reason] : 0;
}

EXPORTED(uncounted) double page_uncounted(void)
{
    return (double)sr_engine_totals(sr_session_engine(session)).uncounted;
}

EXPORTED(earliest) int64_t page_earliest(void)
{
    return sr_session_totals(session).earliest_ns;
}

EXPORTED(latest) int64_t page_latest(void)
{
    return sr_session_totals(session).latest_ns;
}

EXPORTED(filtered) int page_filtered(void)
{
    return sr_engine_filtered(sr_session_engine(session));
}

/* "pcap" or "pcapng", or nothing. */
EXPORTED(format) const char *page_format(void)
{
    return sr_reader_format(sr_session_reader(session));
}

/* Where the reader says that the input is cut or bad: what, and where. */
EXPORTED(error_text) const char *page_error_text(void)
{
    return sr_reader_error(sr_session_reader(session)).what;
}

EXPORTED(error_offset) double page_error_offset(void)
{
    return (double)sr_reader_error(sr_session_reader(session)).offset;
}

EXPORTED(error_frame) double page_error_frame(void)
{
    return (double)sr_reader_error(sr_session_reader(session)).frame;
}
