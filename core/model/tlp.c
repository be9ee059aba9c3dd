/* SPDX-License-Identifier: BSD-2-Clause */
/* Tail loss probes, step by step as in RFC 8985 section 7. */
#include "tlp.h"

#include "rack.h"
#include "send_order.h"

void sr_tlp_init(struct sr_tlp *tlp)
{
    /* RFC 8985 section 7.1: TLP.end_seq = None, TLP.is_retrans = false. */
    *tlp = (struct sr_tlp){.end_seq = SR_NO_SEQ};
}

/* Whether all that is in flight is one packet whose delayed acknowledgement may keep the sender waiting. */
static bool one_delayed_packet(struct sr_board *board, struct sr_sender *sender, uint8_t place)
{
    struct sr_seq_sets *unmarked = &board->paths[place].unmarked;
    const struct sr_chunk *oldest = sr_rack_oldest(board, sender, place), *highest = oldest;
    if (oldest->frame != sr_rack_newest(board, sender, place)->frame)
        return false;
    for (int64_t at = oldest->order; at < board->order_next;
         at = sr_seq_set_next(unmarked, sender->number, at + 1, board->order_next)) {
        const struct sr_chunk *chunk = sr_send_order_chunk(board, at);
        board->steps++;
        highest = chunk->seq > highest->seq ? chunk : highest;
    }
    return !highest->ack_now;
}

int64_t sr_tlp_pto_ns(struct sr_board *board, struct sr_sender *sender, uint8_t place)
{
    const struct sr_tlp_parameters *tlp = &sender->parameters.tlp;
    int64_t srtt_ns = sender->paths[place].clock->rtt.srtt_ns;
    /* RFC 8985 section 7.2: 1 second when there is no SRTT, else 2 * SRTT. */
    if (srtt_ns == SR_NO_TIME)
        return tlp->without_srtt_ns;
    int64_t pto_ns = srtt_ns * tlp->srtt_factor.numerator / tlp->srtt_factor.denominator;
    /* RFC 8985 section 7.2: with one segment in flight, add TLP.max_ack_delay.
     * ADAPTATION: a segment is a packet, and one whose last chunk has the I bit is not delayed. */
    return one_delayed_packet(board, sender, place) ? pto_ns + tlp->max_ack_delay_ns : pto_ns;
}

bool sr_tlp_may_probe(const struct sr_tlp *tlp)
{
    /* RFC 8985 section 7.3: no other probe is in flight, and an RTT was measured since the last probe, or the start. */
    return tlp->end_seq == SR_NO_SEQ && tlp->rtt_since_probe;
}

static bool names(const struct sr_packet_view *packet, struct sr_tsn tsn)
{
    for (size_t i = 0; i < packet->count; i++)
        if (!packet->first[i] && sr_tsn_equal(sr_tsn_at(packet->seqs[i]), tsn))
            return true;
    return false;
}

bool sr_tlp_claims(struct sr_tlp *tlp, const struct sr_tlp_parameters *parameters, const struct sr_packet_view *packet,
                   uint8_t path_number)
{
    if (!tlp->expects || tlp->expected.path != path_number)
        return false;
    tlp->expects = false;
    if (packet->time_ns > tlp->expected.time_ns + parameters->reaction_ns)
        return false;
    return !packet->any_resent || (!packet->any_new && names(packet, tlp->expected.tsn));
}

void sr_tlp_sent(struct sr_tlp *tlp, const struct sr_packet_view *packet, int64_t nxt, uint8_t path_number,
                 uint8_t sender)
{
    /* RFC 8985 section 7.3: TLP.end_seq = SND.NXT after the probe; with a resend TLP.is_retrans = true. */
    tlp->end_seq = nxt;
    tlp->is_retrans = packet->any_resent;
    tlp->rtt_since_probe = false;
    tlp->probe_seq = packet->highest;
    tlp->reported = true;
    tlp->report = (struct sr_probe_report){
        .armed_ns = tlp->expected.armed_ns,
        .expected_ns = tlp->expected.time_ns,
        .sent_ns = packet->time_ns,
        .tsn = sr_tsn_at(packet->highest),
        .frame = packet->frame,
        .sender = sender,
        .path = path_number,
        .kind = packet->any_resent ? SR_PROBE_RETRANSMISSION : SR_PROBE_NEW_DATA,
        .outcome = SR_PROBE_WITHOUT_OUTCOME,
    };
}

static void finish(struct sr_model *model, struct sr_tlp *tlp, uint8_t outcome)
{
    tlp->end_seq = SR_NO_SEQ;
    tlp->is_retrans = false;
    tlp->report.outcome = outcome;
    model->outbox->lost |= !sr_outbox_add_probe(model->outbox, &tlp->report);
}

void sr_tlp_acknowledged(struct sr_model *model, struct sr_tlp *tlp, const struct sr_tlp_feedback *feedback)
{
    /* What follows feedback is sent because of it, not because of a timeout before it. */
    tlp->expects = false;
    if (tlp->end_seq == SR_NO_SEQ || feedback->una < tlp->end_seq)
        return;
    /* RFC 8985 section 7.4.2: a probe of new data is delivered; a DSACK that matches the probe: nothing was lost; the
     * acknowledgement goes beyond it, without proof of the contrary: it repaired a loss; a duplicate acknowledgement
     * from a receiver without DSACK: nothing was lost. */
    if (!tlp->is_retrans)
        finish(model, tlp, SR_PROBE_WITHOUT_OUTCOME);
    else if (feedback->reports_probe)
        finish(model, tlp, SR_PROBE_OUTCOME_SPURIOUS);
    else if (feedback->una > tlp->end_seq)
        finish(model, tlp,
               feedback->reports_duplicates ? SR_PROBE_OUTCOME_REPAIRED_SINGLE_LOSS
                                            : SR_PROBE_OUTCOME_REPAIRED_OR_ACK_LOSS);
    else if (feedback->duplicate_ack && !feedback->reports_duplicates)
        finish(model, tlp, SR_PROBE_OUTCOME_SPURIOUS);
}

void sr_tlp_reset(struct sr_model *model, struct sr_tlp *tlp, enum sr_probe_outcome outcome)
{
    tlp->expects = false;
    if (tlp->end_seq != SR_NO_SEQ)
        finish(model, tlp, (uint8_t)outcome);
}
