/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose next TSN is whose in the response of a RE-CONFIG. */
#include "numbering.h"

#include "../wire/chunk.h"

bool sr_numbered_anew(const struct sr_journal *journal, const struct sr_control_row *row, unsigned from,
                      struct sr_tsn *next)
{
    if (row->type != SR_CHUNK_RE_CONFIG || row->count == 0)
        return false;
    *next = sr_tsn(sr_numbers_at(journal, row->lists)[row->from == from ? 0 : 1]);
    return true;
}
