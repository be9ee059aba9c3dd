/* SPDX-License-Identifier: BSD-2-Clause */
/* From what was noted at a resend to the codes. K10 is of new data, which is no resend, and K11 tells nothing. */
#include "cause_evidence.h"

#include "evidence.h"

/* A sender would have sent it for this cause too, at the same feedback. Those of the standards are asked: stacks have
 * habits of their own, and pion's depend on the number of a TSN. */
static bool says(const struct sr_explained *explained, enum sr_sender sender, unsigned chosen, enum sr_cause cause)
{
    return explained->cause[sender] == cause && explained->trigger[sender] == explained->trigger[chosen];
}

static uint64_t of_timer(const struct sr_explained *explained, bool other, uint64_t otherwise)
{
    return explained->alone && other ? sr_bit(SR_EVIDENCE_K8) : otherwise;
}

/* The copy before was sent by a timeout too: that timer had doubled (RFC 9260 section 6.3.3 E2), and was due again. */
static void confirm_before(const struct sr_half *half, const struct sr_transmission_row *row)
{
    struct sr_transmission_row *before = row->prev_row ? sr_half_tx(half, row->prev_row) : NULL;
    if (before && before->evidence & sr_bit(SR_EVIDENCE_K6))
        before->evidence ^= sr_bit(SR_EVIDENCE_K6) | sr_bit(SR_EVIDENCE_K5);
}

static uint64_t of_t3(const struct sr_half *half, const struct sr_explained *explained, unsigned chosen,
                      const struct sr_transmission_row *row)
{
    confirm_before(half, row);
    if (row->prev_row != 0 && sr_half_tx(half, row->prev_row)->path != row->path)
        return sr_bit(SR_EVIDENCE_K16);
    return of_timer(explained, says(explained, SR_SENDER_RFC8985, chosen, SR_CAUSE_TLP), sr_bit(SR_EVIDENCE_K6));
}

static uint64_t codes_of(const struct sr_half *half, const struct sr_explained *explained, unsigned chosen,
                         const struct sr_transmission_row *row)
{
    switch ((enum sr_cause)row->cause) {
    case SR_CAUSE_FAST:
    case SR_CAUSE_FAST_DEFERRED:
        return sr_bit(says(explained, SR_SENDER_RFC8985, chosen, SR_CAUSE_RACK) ? SR_EVIDENCE_K3 : SR_EVIDENCE_K1);
    case SR_CAUSE_RACK:
        return sr_bit(says(explained, SR_SENDER_RFC9260, chosen, SR_CAUSE_FAST) ? SR_EVIDENCE_K3 : SR_EVIDENCE_K2);
    case SR_CAUSE_RACK_TIMER: return sr_bit(SR_EVIDENCE_K4);
    case SR_CAUSE_RACK_RTX: return sr_bit(SR_EVIDENCE_K13);
    case SR_CAUSE_T3: return of_t3(half, explained, chosen, row);
    case SR_CAUSE_T3_GBN: return sr_bit(SR_EVIDENCE_K14);
    case SR_CAUSE_TLP:
        return of_timer(explained, says(explained, SR_SENDER_RFC9260, chosen, SR_CAUSE_T3),
                        sr_bit(explained->highest ? SR_EVIDENCE_K7 : SR_EVIDENCE_K9));
    case SR_CAUSE_ZERO_WINDOW_PROBE: return sr_bit(SR_EVIDENCE_K12);
    case SR_CAUSE_PACKET_DROP: return sr_bit(SR_EVIDENCE_K15);
    default: return 0;
    }
}

void sr_cause_evidence(const struct sr_half *half, const struct sr_explained *explained, unsigned chosen,
                       struct sr_transmission_row *row)
{
    row->evidence &= ~SR_EVIDENCE_OF_CAUSES;
    row->evidence |= codes_of(half, explained, chosen, row);
}
