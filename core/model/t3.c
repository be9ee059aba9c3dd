/* SPDX-License-Identifier: BSD-2-Clause */
/* What a timeout marks. */
#include "t3.h"

/* Older than SRTT + 4 RTTVAR, without the minimum of RTO: usrsctp. */
static bool older_than_unclamped_rto(const struct sr_rtt_estimator *rtt, int64_t age_ns)
{
    return rtt->srtt_ns == SR_NO_TIME || age_ns > rtt->srtt_ns + 4 * rtt->rttvar_ns;
}

bool sr_t3_marks(const struct sr_sender *sender, const struct sr_sender_path *path, int64_t sent_ns)
{
    switch ((enum sr_t3_marks)sender->parameters.t3.marks) {
    case SR_T3_MARKS_OLDER_THAN_RACK_RTT: return sr_rack_lost_at_rto(&path->rack, sent_ns, sender->now_ns);
    case SR_T3_MARKS_OLDER_THAN_UNCLAMPED_RTO:
        return older_than_unclamped_rto(&path->clock->rtt, sender->now_ns - sent_ns);
    case SR_T3_MARKS_EVERY_CHUNK: break;
    }
    /* RFC 9260 section 6.3.3: chunks that did not fit the packet are marked too. */
    return true;
}
