/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides what pion/sctp counts as missing and which chunks its fast retransmission sends; read in v1.8.41 and v1.12.0
 * (processFastRetransmission counts, gatherOutboundFastRetransmissionPackets sends). It differs from RFC 9260:
 * - missIndicator of a chunk is never taken back: not by a mark, a timeout or a resend. Each chunk that is not
 *   acknowledged is counted, up to the third report, also when it was sent again;
 * - the third report of any of them, outside fast recovery, begins fast recovery. Its exit point is the TSN below which
 *   reports count. In fast recovery reports count only if the cumulative TSN advances, and recovery ends before a
 * SACK's reports are counted;
 * - a chunk is fast-retransmitted if it has three reports and was sent once. That is looked at when recovery begins and
 *   when the cumulative TSN advances in it. Only what fits one packet goes out; nothing is remembered of the rest, so
 *   that RACK may mark it before its turn comes. */
#ifndef SR_MODEL_PION_MISSES_H
#define SR_MODEL_PION_MISSES_H

#include "sender.h"

/* What chunks with so many bytes of data take in a packet, padding included, and what the packet takes besides. */
enum { SR_COMMON_HEADER_BYTES = 12 };
uint32_t sr_chunk_bytes(uint32_t bytes);

/* Counts one feedback's reports; whether fast retransmission is due now. */
bool sr_pion_count_misses(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame);

/* Marks what goes out in the one packet of a fast retransmission. */
void sr_pion_mark_missed(struct sr_model *model, struct sr_sender *sender, uint32_t by_frame);

/* A chunk is in flight again, with the reports that it had. */
void sr_pion_misses_return(struct sr_board *board, const struct sr_chunk *chunk);

#endif
