/* SPDX-License-Identifier: BSD-2-Clause */
/* Rising lists, merged as they are read. */
#include "blocks.h"

void sr_blocks_begin(struct sr_blocks *blocks, struct sr_tsn cum)
{
    *blocks = (struct sr_blocks){.at = cum};
}

void sr_blocks_add(struct sr_blocks *blocks, const uint32_t *list, uint32_t count)
{
    if (count == 0)
        return;
    blocks->lists[blocks->count].next = list;
    blocks->lists[blocks->count++].left = count;
}

/* The list whose next block begins lowest; -1 where all are read. Blocks that were given out are skipped. */
static int lowest(struct sr_blocks *blocks)
{
    int found = -1;
    for (uint32_t i = 0; i < blocks->count; i++) {
        while (blocks->lists[i].left > 0 && !sr_tsn_after(sr_tsn(blocks->lists[i].next[1]), blocks->at)) {
            blocks->lists[i].next += 2;
            blocks->lists[i].left--;
        }
        if (blocks->lists[i].left > 0 &&
            (found < 0 || sr_tsn_after(sr_tsn(blocks->lists[found].next[0]), sr_tsn(blocks->lists[i].next[0]))))
            found = (int)i;
    }
    return found;
}

bool sr_blocks_next(struct sr_blocks *blocks, struct sr_stretch *hole, struct sr_stretch *covered)
{
    int list = lowest(blocks);
    hole->first = sr_tsn_add(blocks->at, 1);
    if (list < 0)
        return false;
    struct sr_tsn first = sr_tsn(blocks->lists[list].next[0]);
    covered->first = sr_tsn_after(first, blocks->at) ? first : hole->first;
    hole->last = sr_tsn_add(covered->first, UINT32_MAX);
    do {
        covered->last = blocks->at = sr_tsn(blocks->lists[list].next[1]);
        list = lowest(blocks);
    } while (list >= 0 && !sr_tsn_after(sr_tsn(blocks->lists[list].next[0]), sr_tsn_add(blocks->at, 1)));
    return true;
}
