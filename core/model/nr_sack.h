/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which TSNs a SACK or NR-SACK says were received, and which of them for good. Sources: RFC 9260 section 3.3.4;
 * the NR-SACK paper, section III.A; draft-natarajan-tsvwg-sctp-nrsack. NR-SACK processing is that of SACK, plus the
 * freeing. */
#ifndef SR_MODEL_NR_SACK_H
#define SR_MODEL_NR_SACK_H

#include "scoreboard.h"

/* Reads feedback for a sender whose next new sequence number is `nxt`. Blocks that end before they start, or start at
 * or below the cumulative TSN, are ignored there; what was never sent is ignored too. False without memory. */
bool sr_receive(struct sr_received *received, struct sr_runs *scratch, const struct sr_model_feedback *feedback,
                const struct sr_tsn_line *line, int64_t nxt);

#endif
