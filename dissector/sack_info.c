/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the Info column says of acknowledgements beyond what Wireshark does: it says of SACKs the cumulative TSN, how
 * far above it the last block ends, and the window; of NR-SACKs nothing; and which TSNs blocks have of neither. */
#include "sack_info.h"

enum { SHOWN_BLOCKS = 4 }; /* what fits beside the rest in one line; the tree has all */

static void say_blocks(column_info *columns, const char *name, const uint32_t *tsns, uint32_t count, uint32_t base)
{
    for (uint32_t i = 0; i < count && i < SHOWN_BLOCKS; i++) {
        uint32_t first = tsns[2 * i] - base, last = tsns[2 * i + 1] - base;
        col_append_fstr(columns, COL_INFO, "%s%u", i ? "," : name, first);
        if (last != first)
            col_append_fstr(columns, COL_INFO, "-%u", last);
    }
    if (count > 0)
        col_append_str(columns, COL_INFO, count > SHOWN_BLOCKS ? ",… " : " ");
}

static uint32_t higher(uint32_t reached, const uint32_t *tsns, uint32_t count, uint32_t cum_tsn)
{
    uint32_t end = count > 0 ? tsns[2 * count - 1] - cum_tsn : 0;
    return end > reached ? end : reached;
}

void sr_say_sack(const struct sr_canvas *canvas, const struct sr_sack_row *row, const uint32_t *gaps,
                 const uint32_t *nr_gaps, uint32_t base)
{
    column_info *columns = canvas->pinfo->cinfo;
    if (row->kind == SR_SACK_KIND_NR_SACK) {
        uint32_t end = higher(higher(0, gaps, row->gaps, row->cum_tsn), nr_gaps, row->nr_gaps, row->cum_tsn);
        col_append_fstr(columns, COL_INFO, "(Ack=%u", row->cum_tsn - base);
        if (end > 0)
            col_append_fstr(columns, COL_INFO, "+%u", end);
        col_append_fstr(columns, COL_INFO, ", Arwnd=%u) ", row->a_rwnd);
    }
    say_blocks(columns, "Gaps=", gaps, row->gaps, base);
    say_blocks(columns, "NR-gaps=", nr_gaps, row->nr_gaps, base);
}
