/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides when T3-rtx runs, and what its expiry marks: RFC 9260 sections 6.1, 6.3.2 and 6.3.3. Expiry marks the
 * earliest outstanding chunk of the path; which others it marks, and what restarts the timer, differs between stacks.
 */
#ifndef SR_MODEL_T3_H
#define SR_MODEL_T3_H

#include "rack.h"

/* (Re)starts T3-rtx of a path with its current timeout.
 * RFC 9260 section 6.3.2 R1: the RTO used is that after any doubling; section 6.3.3 E4: that of the address the
 * retransmission is sent to. */
static inline void sr_t3_start(struct sr_sender *sender, struct sr_sender_path *path)
{
    path->t3_started_ns = path->t3_armed_ns = sender->now_ns;
    path->t3_ns = sender->now_ns + sr_path_rto_ns(sender, path);
    sr_sender_wakes_at(sender, path->t3_ns);
}

static inline void sr_t3_stop(const struct sr_sender *sender, struct sr_sender_path *path)
{
    if (path->t3_ns == SR_NO_TIME)
        return;
    path->t3_ns = SR_NO_TIME;
    path->t3_off_ns = sender->now_ns;
}

/* Follows a transmission to a path. */
void sr_t3_data_sent(struct sr_sender *sender, struct sr_sender_path *path, bool earliest_resent);

/* Follows feedback, after the scoreboard has. */
void sr_t3_acknowledged(struct sr_sender *sender, struct sr_sender_path *path, bool cum_advanced,
                        const struct sr_path_news *news, bool outstanding);

/* Whether a timeout marks what was sent then, beside the earliest outstanding chunk. */
bool sr_t3_marks(const struct sr_sender *sender, const struct sr_sender_path *path, int64_t sent_ns);

#endif
