/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts about the open file: `-z sctp_rack,NAME[,filter]`, and in Wireshark a window of the Tools menu. */
#ifndef SR_DISSECTOR_REPORT_H
#define SR_DISSECTOR_REPORT_H

#include "recording.h"

/* Which associations are told of. */
struct sr_scope {
    GHashTable *associations; /* their numbers; NULL: all */
};

static inline bool sr_in_scope(const struct sr_scope *scope, uint32_t association)
{
    return !scope->associations || g_hash_table_contains(scope->associations, GUINT_TO_POINTER(association));
}

/* What was recorded was judged. */
typedef void sr_report_write(GString *text, const struct sr_recording *recording, const struct sr_scope *scope);

sr_report_write sr_write_findings, sr_write_limits;

#endif
