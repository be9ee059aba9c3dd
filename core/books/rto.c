/* SPDX-License-Identifier: BSD-2-Clause */
/* The formulas, with floor division in the order in which RFC 9260 writes them. */
#include "rto.h"

void sr_rto_measured(struct sr_rto *rto, int64_t rtt_ns)
{
    if (!rto->measured) { /* C2 */
        rto->srtt_ns = rtt_ns;
        rto->rttvar_ns = rtt_ns / 2;
        rto->measured = true;
    } else { /* C3 */
        int64_t apart = rto->srtt_ns > rtt_ns ? rto->srtt_ns - rtt_ns : rtt_ns - rto->srtt_ns;
        rto->rttvar_ns = rto->rttvar_ns * 3 / 4 + apart / 4;
        rto->srtt_ns = rto->srtt_ns * 7 / 8 + rtt_ns / 8;
    }
    if (rto->rttvar_ns == 0) /* G1 */
        rto->rttvar_ns = SR_RTO_GRANULARITY_NS;
}

int64_t sr_rto_within(int64_t rto_ns, int64_t min_ns)
{
    if (rto_ns < min_ns) /* C6 */
        return min_ns;
    return rto_ns > SR_RTO_MAX_NS ? SR_RTO_MAX_NS : rto_ns; /* C7 */
}

int64_t sr_observed_rto_ns(const struct sr_rto *rto)
{
    if (!rto->measured) /* C1 */
        return SR_RTO_INITIAL_NS;
    return sr_rto_within(rto->srtt_ns + 4 * rto->rttvar_ns, SR_RTO_MIN_NS);
}
