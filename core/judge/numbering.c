/* SPDX-License-Identifier: BSD-2-Clause */
/* Whose next TSN is whose in the responses of a RE-CONFIG; the last of them counts. */
#include "numbering.h"

#include "../wire/chunk.h"

bool sr_numbered_anew(const struct sr_journal *journal, const struct sr_control_row *row, unsigned from,
                      struct sr_tsn *next)
{
    if (row->type != SR_CHUNK_RE_CONFIG || row->count == 0)
        return false;
    const uint32_t *last = sr_numbers_at(journal, row->lists) + row->count - 2;
    *next = sr_tsn(last[row->from == from ? 0 : 1]);
    return true;
}
