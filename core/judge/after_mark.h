/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a TSN is sent again that a sender had marked, if it is this sender: by how soon after its mark. */
#ifndef SR_JUDGE_AFTER_MARK_H
#define SR_JUDGE_AFTER_MARK_H

#include "marks.h"

/* What the sender's code path did. `is_first`: whether the packet is the first that was sent again after the mark. */
enum sr_cause sr_cause_by_mark(struct sr_causes *causes, unsigned sender, const struct sr_said *said,
                               const struct sr_transmission_row *row, int64_t reaction_ns, int64_t most_ns,
                               bool *is_first);

/* How soon after its mark the first packet leaves that a sender sends because of it. A timer may expire late; feedback
 * that has just come would have moved what comes late. */
int64_t sr_soon_after_mark_ns(const struct sr_causes *causes, unsigned sender, const struct sr_said *said,
                              bool at_feedback);

/* At the third missing report one packet leaves, the rest when the window allows (RFC 9260 section 7.2.4): at once it
 * would be the first packet, before other feedback. */
uint8_t sr_doubts_after_mark(const struct sr_causes *causes, const struct sr_said *said, enum sr_cause cause,
                             bool first);

/* Its timer expired when the real one's did. */
bool sr_is_of_timeout(struct sr_mark_history *history, const struct sr_said *said);

/* A timeout sends at once: what comes later by more than timers are off was held up, or the clock has stepped. Behind
 * the sender queues may do that. */
bool sr_is_late_for_timeout(const struct sr_causes *causes, const struct sr_transmission_row *row, int64_t reaction_ns,
                            int64_t most_ns);

#endif
