/* SPDX-License-Identifier: BSD-2-Clause */
/* Which sender is believed, and what that makes of each resend: its cause, how sure that is, and its probes. Where no
 * mark explains a resend the occasion does. */
#include "cause.h"
#include "cause_class.h"
#include "cause_evidence.h"
#include "occasion.h"

unsigned sr_causes_chosen(const struct sr_causes *causes)
{
    const struct sr_half *half = causes->half;
    if (sr_announces_rack(half))
        return SR_SENDER_PION;
    return half->told.profile ? sr_fit_variant(causes->fit, half->told.profile - 1, causes->telling_count)
                              : sr_fit_best(causes->fit, sr_sender_family(half), causes->telling_count);
}

/* It repeats what may have been sent before the capture: what led to it may lie there too. */
static bool began_before(const struct sr_half *half, const struct sr_transmission_row *row)
{
    return row->prev_row == 0 && half->measured.has_before && !sr_tsn_after(sr_tsn(row->tsn), half->measured.before);
}

/* After how many missing reports a chunk is sent again that was sent once: at the sender's tap alone it is seen which
 * it had. */
static void note_report(struct sr_causes *causes, const struct sr_explained *explained,
                        const struct sr_transmission_row *row)
{
    const struct sr_half *half = causes->half;
    bool once = row->prev_row != 0 && sr_half_tx(half, row->prev_row)->kind == SR_KIND_ORIGINAL;
    if (once && row->cause == SR_CAUSE_FAST && explained->at_feedback && sr_is_vantage(half, SR_VANTAGE_SENDER))
        causes->sent_at_report[explained->reports]++;
}

/* What a timeout sends at once is one packet (RFC 9260 section 6.3.3 E3): its causes are one. */
struct packet {
    uint32_t frame;
    bool by_timer;         /* T3-rtx has sent it, whatever the marks say */
    uint8_t timeout_class; /* of the latest in it that is T3-rtx's; 0: none so far */
};

void sr_causes_decide(struct sr_causes *causes)
{
    unsigned chosen = sr_causes_chosen(causes);
    struct sr_episode episode = {0}, timeout = {0};
    struct packet packet = {0};
    causes->half->measured.sender = (uint8_t)chosen;
    for (uint32_t i = 0; i < causes->explained_count; i++) {
        struct sr_explained *explained = sr_causes_explained(causes, i);
        struct sr_transmission_row *row = sr_transmission_at(causes->half->journal, explained->row);
        enum sr_cause cause = (enum sr_cause)explained->cause[chosen];
        bool told = true;
        if (row->frame != packet.frame)
            packet = (struct packet){row->frame, sr_occasion_has_timer_packet(causes, i, chosen), 0};
        explained->by_timer = packet.by_timer;
        sr_half_give_back(causes->half, i, explained->row);
        row->cause_class = sr_cause_class(causes, explained, chosen);
        if (explained->dropped) {
            cause = SR_CAUSE_PACKET_DROP;
            row->cause_class = 5;
        } else if (row->may_be_fragmented) {
            /* What is larger than the path's MTU has become goes out again in fragments (RFC 9260 section 7.3). */
            cause = SR_CAUSE_PMTU;
            told = false;
            row->cause_class = row->cause_class < 3 ? row->cause_class : 3;
        } else if (explained->reneged && (cause == SR_CAUSE_UNKNOWN || sr_is_of_rack(cause))) {
            /* What it no longer has acknowledged is old: RACK marks it at once. */
            cause = SR_CAUSE_RENEGE;
            row->cause_class = 3;
        } else if (sr_occasion_tells(causes->half, &episode, explained, row, chosen)) {
            cause = sr_occasion_cause(causes->half, explained, row, chosen, &episode);
            /* Where the timer expired later than its replay, what was sent in between has no mark either. */
            if (cause == SR_CAUSE_UNKNOWN && sr_occasion_follows(causes->half, &timeout, explained, row, cause, chosen))
                cause = SR_CAUSE_T3_GBN;
            told = cause == SR_CAUSE_T3_GBN || cause == SR_CAUSE_TLP;
            row->cause_class = sr_cause_class_by_occasion(causes, explained, chosen, cause);
        }
        if (cause == SR_CAUSE_T3_GBN && packet.timeout_class != 0) {
            cause = SR_CAUSE_T3;
            told = false;
            if (row->cause_class > packet.timeout_class)
                row->cause_class = packet.timeout_class;
        }
        if (cause == SR_CAUSE_T3)
            packet.timeout_class = row->cause_class;
        if (cause == SR_CAUSE_T3)
            timeout = (struct sr_episode){explained->row + 1, explained->top};
        if (began_before(causes->half, row) && !explained->dropped && row->cause_class > 2)
            row->cause_class = 2;
        row->cause = (uint8_t)cause;
        note_report(causes, explained, row);
        bool marked =
            cause == (enum sr_cause)explained->cause[chosen] || cause == SR_CAUSE_PMTU || cause == SR_CAUSE_RENEGE;
        row->trigger_frame = explained->dropped ? explained->dropped : marked ? explained->trigger[chosen] : 0;
        if (told)
            sr_cause_evidence(causes->half, explained, chosen, row);
        if (row->cause == SR_CAUSE_TLP) {
            row->probe = SR_PROBE_RETRANSMISSION;
            row->probe_class = row->cause_class;
        }
    }
    sr_causes_decide_new_data(causes, chosen);
}
