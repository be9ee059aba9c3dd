/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides when a tail loss probe is due, which packet was one, and what it found out: RFC 8985 section 7. */
#ifndef SR_MODEL_TLP_H
#define SR_MODEL_TLP_H

#include "sender.h"

/* A packet with data that was sent, as the timers see it. */
struct sr_packet_view {
    int64_t time_ns;
    uint32_t frame, packet;
    uint8_t path;        /* place on the scoreboard */
    const int64_t *seqs; /* in the order of the packet, none twice among what was not redundant */
    const bool *first;   /* of each, whether it was sent for the first time */
    size_t count;
    int64_t highest; /* of the sequence numbers */
    bool any_new, any_resent;
    bool window_closed; /* too small for it */
};

void sr_tlp_init(struct sr_tlp *tlp);

/* The probe timeout, a duration: RFC 8985 section 7.2. Something is in flight on the path. */
int64_t sr_tlp_pto_ns(struct sr_board *board, struct sr_sender *sender, uint8_t place);

/* Whether both conditions for a probe hold. */
bool sr_tlp_may_probe(const struct sr_tlp *tlp);

/* Whether this packet is the probe that was due: it has new data only, or the expected TSN; a packet with a resend and
 * new data is no probe. */
bool sr_tlp_claims(struct sr_tlp *tlp, const struct sr_tlp_parameters *parameters, const struct sr_packet_view *packet,
                   uint8_t path_number);

/* Records the probe that was claimed, with SND.NXT after it. */
void sr_tlp_sent(struct sr_tlp *tlp, const struct sr_packet_view *packet, int64_t nxt, uint8_t path_number,
                 uint8_t sender);

/* What feedback says that may concern the probe. */
struct sr_tlp_feedback {
    int64_t una;             /* SND.UNA after it */
    bool reports_probe;      /* the probe's TSN is among the duplicates */
    bool duplicate_ack;      /* it acknowledges nothing, reports nothing and opens no window */
    bool reports_duplicates; /* this receiver lists duplicates */
};

/* TLP_process_ack of RFC 8985 section 7.4.2. */
void sr_tlp_acknowledged(struct sr_model *model, struct sr_tlp *tlp, const struct sr_tlp_feedback *feedback);

/* Forgets the probe in flight or due, on entering recovery: RFC 8985 section 7.1. */
void sr_tlp_reset(struct sr_model *model, struct sr_tlp *tlp, enum sr_probe_outcome outcome);

#endif
