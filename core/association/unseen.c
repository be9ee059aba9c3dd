/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps from one identification to the next. */
#include "unseen.h"

void sr_unseen_packet(struct sr_unseen *unseen, uint16_t ip_id, bool owes)
{
    uint16_t last = unseen->last, step = (uint16_t)(ip_id - last);
    if (ip_id == 0 || ip_id == last)
        return;
    if (last != 0 && (uint16_t)-step <= SR_UNSEEN_LATE) {
        if (unseen->packets > 0)
            unseen->packets--;
        return;
    }
    unseen->last = ip_id;
    if (last == 0)
        return;
    unseen->steps++;
    unseen->of_one += step == 1;
    if (owes)
        return;
    uint16_t hole = (uint16_t)(step - 1);
    if (hole > SR_UNSEEN_MOST)
        unseen->packets = 0;
    else if (unseen->packets + hole <= SR_UNSEEN_MOST)
        unseen->packets = (uint8_t)(unseen->packets + hole);
    else
        unseen->packets = SR_UNSEEN_MOST;
}
