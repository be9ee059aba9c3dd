/* SPDX-License-Identifier: BSD-2-Clause */
/* The lowest TSN sent again since a row, for every row at once: a stack that rises. */
#include "karn.h"

#include <stdlib.h>
#include <string.h>

void sr_karn_free(struct sr_karn *karn)
{
    free(karn->kept);
    *karn = (struct sr_karn){0};
}

void sr_karn_sent_again(struct sr_karn *karn, struct sr_tsn tsn, uint32_t row)
{
    if (!karn->kept && !(karn->kept = malloc(SR_KARN_KEPT * sizeof *karn->kept))) {
        karn->forgotten_row = row + 1;
        return;
    }
    while (karn->count > 0 && !sr_tsn_after(tsn, karn->kept[karn->count - 1].tsn))
        karn->count--;
    if (karn->count == SR_KARN_KEPT) {
        karn->count /= 2;
        karn->forgotten_row = karn->kept[SR_KARN_KEPT - karn->count - 1].row + 1;
        memmove(karn->kept, karn->kept + SR_KARN_KEPT - karn->count, karn->count * sizeof *karn->kept);
    }
    karn->kept[karn->count].tsn = tsn;
    karn->kept[karn->count++].row = row;
}

bool sr_karn_allows(const struct sr_karn *karn, struct sr_tsn tsn, uint32_t row)
{
    uint32_t first = 0, end = karn->count; /* of the retransmissions since, the first is the lowest */
    if (row < karn->forgotten_row)
        return false;
    while (first < end) {
        uint32_t middle = first + (end - first) / 2;
        if (karn->kept[middle].row > row)
            end = middle;
        else
            first = middle + 1;
    }
    return first == karn->count || sr_tsn_after(karn->kept[first].tsn, tsn);
}
