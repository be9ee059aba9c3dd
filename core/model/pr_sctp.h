/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which marks a FORWARD-TSN takes back. A sender that limits retransmissions looks at the limit when a chunk
 * would be marked (usrsctp: PR_SCTP_RTX_ENABLED; dcSCTP: OutstandingData::Item::Nack). The limit is not on the wire:
 * that it was reached shows when a FORWARD-TSN comes and no resend has. */
#ifndef SR_MODEL_PR_SCTP_H
#define SR_MODEL_PR_SCTP_H

#include "sender.h"

/* Withdraws the marks of what is given up now, up to `new_cum`, by the senders that look at the limit first. */
void sr_withdraw_marks(struct sr_model *model, int64_t new_cum);

#endif
