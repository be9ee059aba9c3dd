/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps from one identification to the next. */
#include "unseen.h"

static uint8_t more(uint8_t packets, uint16_t hole)
{
    return hole < SR_UNSEEN_MOST - packets ? (uint8_t)(packets + hole) : SR_UNSEEN_MOST;
}

void sr_unseen_packet(struct sr_unseen *unseen, uint16_t id, bool owes)
{
    uint16_t last = unseen->last, step = (uint16_t)(id - last);
    if (last == 0 || id == 0 || id == last) { /* nobody knows what is missing before it */
        unseen->last = id != 0 ? id : last;
        unseen->since_feedback = SR_UNSEEN_MOST;
        return;
    }
    if ((uint16_t)-step <= SR_UNSEEN_LATE) {
        if (unseen->packets > 0)
            unseen->packets--;
        if (unseen->since_feedback > 0 && unseen->since_feedback < SR_UNSEEN_MOST)
            unseen->since_feedback--;
        return;
    }
    unseen->last = id;
    unseen->steps++;
    unseen->of_one += step == 1;
    unseen->of_count += step < SR_PACKETS_APART;
    uint16_t hole = (uint16_t)(step - 1);
    unseen->since_feedback = more(unseen->since_feedback, hole);
    if (owes)
        return;
    unseen->packets = hole > SR_UNSEEN_MOST ? 0 : more(unseen->packets, hole);
}
