/* SPDX-License-Identifier: BSD-2-Clause */
/* What the occasion of a resend tells: whether a timer or feedback moved the sender, where no mark says so. */
#ifndef SR_JUDGE_OCCASION_H
#define SR_JUDGE_OCCASION_H

#include "cause.h"

/* A timeout that no replay had, as where the acknowledgements that passed the tap were held up behind it. */
struct sr_episode {
    uint32_t row;      /* 1 + row of its first resend; 0: none yet */
    struct sr_tsn top; /* the highest that had passed the tap */
};

/* A timer waits for nothing: when one expires, no data was sent for as long, and no feedback has just come. */
bool sr_occasion_is_of_timer(const struct sr_half *half, const struct sr_explained *explained);

/* What was outstanding at the timeout, and is sent again after it, was marked by it (RFC 9260 section 6.3.3); but not
 * what missing reports had marked since, where `chosen` lets them. */
bool sr_occasion_follows(const struct sr_half *half, const struct sr_episode *episode,
                         const struct sr_explained *explained, const struct sr_transmission_row *row,
                         enum sr_cause marked_as, unsigned chosen);

/* The occasion contradicts the mark that the sender `chosen` had put on it. */
bool sr_occasion_contradicts(const struct sr_half *half, const struct sr_explained *explained, unsigned chosen);

/* The replay of `chosen` does not say what sent it, or the occasion says otherwise. */
bool sr_occasion_tells(const struct sr_half *half, const struct sr_episode *episode,
                       const struct sr_explained *explained, const struct sr_transmission_row *row, unsigned chosen);

/* A timer sends one packet of what is outstanding longest (RFC 9260 section 6.3.3 E3). So one TSN in a packet that
 * nothing can have said to be missing tells of all that is in it, if it did not come with feedback. `first` is the
 * first resend of the packet. */
bool sr_occasion_has_timer_packet(struct sr_causes *causes, uint32_t first, unsigned chosen);

/* What sent it, if `chosen` is the sender; it may begin a timeout. */
enum sr_cause sr_occasion_cause(const struct sr_half *half, const struct sr_explained *explained,
                                const struct sr_transmission_row *row, unsigned chosen, struct sr_episode *episode);

#endif
