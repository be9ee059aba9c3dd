/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides what pion/sctp 1.9.0 and later marks by time and when it probes, exactly as it does; read in the source of
 * pion/sctp v1.11.3 and v1.12.0 (onRackAfterSACK, onPTOTimer). It differs from RFC 8985 in nearly every step:
 * - state is per association, not per path;
 * - the watermark of reordering starts at TSN 0 and is compared by serial arithmetic: with a TSN from 2^31 up, the
 * first acknowledgement already counts as reordering, and always will;
 * - a chunk is lost if it was sent more than the window before the newest delivered one; the time now plays no part, so
 *   its reordering timer can mark nothing new and is left out here;
 * - a chunk that was sent twice is never marked;
 * - the window grows with every SACK that lists duplicates, and decays by SACKs, not by recoveries. */
#ifndef SR_MODEL_PION_H
#define SR_MODEL_PION_H

#include "sender.h"

void sr_pion_init(struct sr_pion *pion);

/* Follows one feedback, after the scoreboard, the RTT and fast retransmit have, and marks. */
void sr_pion_detect(struct sr_model *model, struct sr_sender *sender, bool duplicates, uint32_t by_frame);

/* The probe timeout, a duration; the queue counts gap-acked chunks too. */
int64_t sr_pion_pto_ns(const struct sr_pion_parameters *parameters, int64_t srtt_ns, uint32_t queue_length);

#endif
