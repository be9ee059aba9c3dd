/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the responses of a RE-CONFIG. */
#include "numbering.h"

#include "../wire/re_config.h"

bool sr_numbered_anew(const struct sr_journal *journal, const struct sr_control_row *row, unsigned from,
                      struct sr_tsn *next)
{
    bool found = false;
    if (row->type != SR_CHUNK_RE_CONFIG || row->count == 0)
        return false;
    const uint32_t *list = sr_numbers_at(journal, row->lists);
    for (uint32_t i = 0; i + 2 < row->count; i += 3) {
        if (list[i] != SR_RE_CONFIG_PERFORMED)
            continue;
        *next = sr_tsn(list[i + (row->from == from ? 1 : 2)]);
        found = true;
    }
    return found;
}
