/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides in which order the detectors look at feedback, and what a mark does to recovery: the steps of RFC 8985
 * section 6.2, with the counting of RFC 9260 section 7.2.4 for the profiles that count. */
#ifndef SR_MODEL_DETECTION_H
#define SR_MODEL_DETECTION_H

#include "tlp.h"

/* Feedback as the detectors see it, beside what it changed on the scoreboard. */
struct sr_detection {
    const struct sr_model_feedback *feedback;
    uint32_t duplicates_on; /* a bit for each path: duplicates that can speak of a spurious retransmission there */
    bool duplicates;        /* any */
    bool window_unchanged;  /* the advertised window is that of the feedback before */
};

/* Takes the round-trip samples that the feedback gives: for each path at most one for each clock. */
void sr_measure(struct sr_model *model, enum sr_rtt_tag tag);

/* Takes one that does not come from data, for all clocks; of a handshake only for those whose senders time it. */
void sr_measured_by_all(struct sr_model *model, uint8_t place, int64_t rtt_ns, enum sr_rtt_tag tag);

/* Follows it for one sender: RFC 8985 section 6.2 steps 2 to 5, missing reports, probes. */
void sr_detect(struct sr_model *model, struct sr_sender *sender, const struct sr_detection *detection);

/* Step 5 of RFC 8985 section 6.2 on one path: marks, and arms the reordering timer. The same at feedback and when that
 * timer expires (`by_frame` 0). */
void sr_detect_by_time(struct sr_model *model, struct sr_sender *sender, uint8_t place, uint32_t by_frame,
                       bool in_recovery);

/* Enters recovery: the probe in flight, if any, has said what it could. */
void sr_enter_recovery(struct sr_model *model, struct sr_sender *sender, enum sr_phase phase, int64_t exit_seq);

/* Whether a TSN that the receiver reports as a duplicate is acknowledged, and not only a late original. */
bool sr_speaks_of_a_resend(const struct sr_model *model, int64_t seq);

#endif
