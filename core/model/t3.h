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
    path->t3_armed_ns = sender->now_ns;
    path->t3_ns = sender->now_ns + sr_path_rto_ns(sender, path);
    sr_sender_wakes_at(sender, path->t3_ns);
}

/* Follows a transmission to a path. */
static inline void sr_t3_data_sent(struct sr_sender *sender, struct sr_sender_path *path, bool earliest_resent)
{
    /* RFC 9260 section 6.3.2 R1: if the T3-rtx timer of that address is not running, start it; F1: those of others are
     * left running. Section 6.1 and 7.2.4 rule 4: restart it if the earliest outstanding chunk is retransmitted. */
    if (path->t3_ns == SR_NO_TIME || (earliest_resent && !sender->parameters.t3.restarts_itself))
        sr_t3_start(sender, path);
}

/* Follows feedback, after the scoreboard has. */
static inline void sr_t3_acknowledged(struct sr_sender *sender, struct sr_sender_path *path, bool has_gaps,
                                      const struct sr_path_news *news, bool outstanding)
{
    bool with_gaps = sender->parameters.t3.restarts == SR_T3_RESTARTS_EARLIEST_ACKED_WITH_GAPS;
    if (!outstanding)
        /* RFC 9260 section 6.3.2 R2: all outstanding data sent to the address is acknowledged: turn off. */
        path->t3_ns = SR_NO_TIME;
    else if (news->earliest_acked && (has_gaps || !with_gaps))
        /* RFC 9260 section 6.3.2 R3: restart with the current RTO; section 7.2.4 rule 4: only if the lowest outstanding
         * TSN was acknowledged. */
        sr_t3_start(sender, path);
    else if (path->t3_ns == SR_NO_TIME && news->taken_back)
        /* RFC 9260 section 6.3.2 R4: a TSN once gap-acked is missing: start T3-rtx if it is not running. */
        sr_t3_start(sender, path);
}

/* Whether a timeout marks what was sent then, beside the earliest outstanding chunk. */
bool sr_t3_marks(const struct sr_sender *sender, const struct sr_sender_path *path, int64_t sent_ns);

#endif
