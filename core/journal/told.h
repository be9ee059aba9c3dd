/* SPDX-License-Identifier: BSD-2-Clause */
/* What the caller knows better than the capture tells: it takes the place of what would be measured. It speaks of the
 * data sender of each association: the side that sends more user data (sr_data_sender). */
#ifndef SR_JOURNAL_TOLD_H
#define SR_JOURNAL_TOLD_H

#include <stdbool.h>
#include <stdint.h>

struct sr_told {
    int64_t loop_ns;          /* from the tap to the data sender and back, where `loop` is set */
    int64_t max_ack_delay_ns; /* of a receiver (RFC 8985 section 7.2), for its sender, where `max_ack_delay` is set */
    bool loop, max_ack_delay;
    uint8_t vantage; /* 1 + enum sr_vantage; 0: not told */
    uint8_t profile; /* 1 + enum sr_profile: whose loss detection the data sender has; 0: not told */
    uint8_t without; /* 1 << enum sr_profile: of stacks that no side has, in both directions */
};

#endif
