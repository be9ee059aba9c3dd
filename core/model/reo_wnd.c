/* SPDX-License-Identifier: BSD-2-Clause */
/* RACK.reordering_seen, dsack_round, reo_wnd_mult and reo_wnd_persist of RFC 8985. */
#include "reo_wnd.h"

#include "../wire/time.h"
#include "tsn_line.h"

void sr_reo_wnd_init(struct sr_reo_wnd *reo_wnd, const struct sr_reo_wnd_parameters *parameters)
{
    *reo_wnd = (struct sr_reo_wnd){.dsack_round = SR_NO_SEQ, .mult = 1, .persist = parameters->persist_recoveries};
}

void sr_reo_wnd_adapt(struct sr_reo_wnd *reo_wnd, const struct sr_reo_wnd_parameters *parameters, int64_t una,
                      int64_t nxt, bool duplicates, bool exiting_recovery)
{
    /* RFC 8985 section 6.2 step 4: the round ends when SND.UNA reaches it. */
    if (reo_wnd->dsack_round != SR_NO_SEQ && una >= reo_wnd->dsack_round)
        reo_wnd->dsack_round = SR_NO_SEQ;
    if (reo_wnd->dsack_round == SR_NO_SEQ && duplicates) {
        /* RFC 8985 section 6.2 step 4: one step for every round that sees a DSACK.
         * ADAPTATION: SCTP's DSACK is the list of duplicate TSNs in a SACK (RFC 9260 section 3.3.4). */
        reo_wnd->dsack_round = nxt;
        reo_wnd->mult++;
        reo_wnd->persist = parameters->persist_recoveries;
    } else if (exiting_recovery) {
        /* RFC 8985 section 6.2 step 4: back to one step after 16 DSACK-free recoveries. */
        reo_wnd->persist -= reo_wnd->persist > 0;
        if (reo_wnd->persist == 0)
            reo_wnd->mult = 1;
    }
}

int64_t sr_reo_wnd_ns(const struct sr_reo_wnd *reo_wnd, const struct sr_reo_wnd_parameters *parameters,
                      int64_t min_rtt_ns, int64_t srtt_ns, bool in_recovery, uint32_t segs_sacked)
{
    /* RFC 8985 section 3.3.2 rule 1: zero without reordering, in recovery or with three SACKed. */
    if (!reo_wnd->reordering_seen && (in_recovery || segs_sacked >= parameters->dup_thresh))
        return 0;
    if (min_rtt_ns == SR_NO_TIME || srtt_ns == SR_NO_TIME)
        return 0;
    /* RFC 8985 section 6.2 step 4: min(reo_wnd_mult * min_RTT / 4, SRTT). */
    int64_t product;
    if (__builtin_mul_overflow(min_rtt_ns, (int64_t)reo_wnd->mult * parameters->step.numerator, &product))
        return srtt_ns;
    int64_t window_ns = product / parameters->step.denominator;
    return window_ns < srtt_ns ? window_ns : srtt_ns;
}
