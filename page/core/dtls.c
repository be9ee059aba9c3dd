/* SPDX-License-Identifier: BSD-2-Clause */
/* DTLS in the page: lines of key logs go in, and what could not be opened comes out by its reason. */
#include <string.h>

#include "gather.h"

/* Where a piece of a key log waits. */
static struct sr_buffer lines;

void page_keys_free(void)
{
    if (lines.bytes) /* no secret stays in memory that something else may get */
        memset(lines.bytes, 0, lines.length);
    sr_buffer_free(&lines);
}

/* Where to put so many bytes of whole lines; NULL when memory runs out. */
EXPORTED(keys_space) uint8_t *page_keys_space(uint32_t length)
{
    page_keys_free();
    sr_buffer_extend(&lines, length);
    return lines.failed ? NULL : lines.bytes;
}

/* That they are there, before the first bytes of the capture. False when memory runs out. */
EXPORTED(keys) int page_keys(void)
{
    bool taken = sr_session_keys(page_session(), lines.bytes, lines.length);
    page_keys_free();
    return taken;
}

static struct sr_dtls_totals totals(void)
{
    return sr_session_dtls(page_session());
}

EXPORTED(dtls_opened) double page_dtls_opened(void)
{
    return (double)totals().opened;
}

EXPORTED(dtls_packets) double page_dtls_packets(void)
{
    return (double)totals().packets;
}

EXPORTED(dtls_secrets) double page_dtls_secrets(void)
{
    return (double)totals().secrets;
}

/* By an enum sr_unopened: records, their connections, and the first frame. */
EXPORTED(unopened) double page_unopened(uint32_t reason)
{
    return reason < SR_UNOPENED_COUNT ? (double)totals().unopened[reason] : 0;
}

EXPORTED(unopened_sessions) double page_unopened_sessions(uint32_t reason)
{
    return reason < SR_UNOPENED_COUNT ? (double)totals().unopened_sessions[reason] : 0;
}

EXPORTED(unopened_first) double page_unopened_first(uint32_t reason)
{
    return reason < SR_UNOPENED_COUNT ? (double)totals().unopened_first[reason] : 0;
}
