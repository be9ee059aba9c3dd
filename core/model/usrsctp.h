/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides what usrsctp (and FreeBSD, from which it comes) strikes at a SACK, and its recovery; read in usrsctp 0.9.5.0
 * (sctp_handle_sack, sctp_express_handle_sack, sctp_strike_gap_ack_chunks, sctp_mark_all_for_resend, and
 * sctp_cwnd_update_after_fr of the default congestion control). A missing report is called a strike there. It differs
 * from RFC 9260:
 * - only a SACK with gap blocks strikes, and only below the highest TSN that it acknowledges for the first time, on
 * each path; a path of which nothing was newly acknowledged is left out;
 * - in fast recovery, a SACK that advances the cumulative TSN strikes everything missing in it, also what was
 *   fast-retransmitted before. Else that takes an acknowledgement of data newer than the fast retransmission;
 * - a SACK without gap blocks, when the one before had none either, takes a short way ("express"): it neither ends fast
 *   recovery nor restarts T3-rtx;
 * - fast recovery ends after the strikes of the SACK that reaches its exit point; entering it restarts T3-rtx;
 * - with CMT (split_paths) nothing is fast-retransmitted that was sent again before; each fast retransmission moves the
 *   end of fast recovery, of which there is one for all paths; and where a SACK says that it answers two packets (DAC),
 *   they count twice;
 * - with a window of less than 1420 bytes, data sent while nothing is in flight is a window probe. Its acknowledgement
 *   does not turn T3-rtx off; and where T3-rtx expires with no window and less than a packet in flight, it marks
 *   whatever the age. */
#ifndef SR_MODEL_USRSCTP_H
#define SR_MODEL_USRSCTP_H

#include "sender.h"

enum { SR_SWS_SENDER = 1420 }; /* sctp_sws_sender: less than this counts as no window */

/* Follows one feedback: strikes, marks, enters or leaves fast recovery. */
void sr_usrsctp_detect(struct sr_model *model, struct sr_sender *sender, const struct sr_model_feedback *feedback);

/* An outstanding chunk goes out again. A fast retransmission goes before new data: what passed until now was sent
 * before it, and the chunk gets no strikes until data is acknowledged that is newer. */
void sr_usrsctp_sends_again(struct sr_model *model, struct sr_chunk *chunk);

/* Whether T3-rtx is for a window probe: win_probe of sctp_t3rxt_timer. */
bool sr_without_window(const struct sr_model *model, const struct sr_sender *sender);

/* Whether nothing is in flight but what is in this packet of the board's books. */
bool sr_is_alone(const struct sr_model *model, const struct sr_sender *sender, uint32_t packet);

#endif
