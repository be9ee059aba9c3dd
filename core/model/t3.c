/* SPDX-License-Identifier: BSD-2-Clause */
/* What starts and stops T3-rtx, and what a timeout marks. */
#include "t3.h"

#include "crossing.h"

void sr_t3_data_sent(struct sr_sender *sender, struct sr_sender_path *path, bool earliest_resent)
{
    if (path->t3_ns == SR_NO_TIME) {
        /* RFC 9260 section 6.3.2 R1: if the T3-rtx timer of that address is not running, start it; F1: those of others
         * are left running. */
        int64_t armed_ns = path->t3_armed_ns;
        sr_t3_start(sender, path);
        if (path->t3_off_ns != SR_NO_TIME && sender->now_ns - path->t3_off_ns <= SR_REACTION_NS)
            /* ADAPTATION: perhaps it was never off: the data was on its way already. */
            path->t3_armed_ns = armed_ns;
    } else if (earliest_resent) {
        /* RFC 9260 section 6.1 and 7.2.4 rule 4: restart it if the earliest outstanding chunk is retransmitted. */
        sr_t3_start(sender, path);
    }
}

/* RFC 9260 section 6.3.2 R3: restart with the current RTO; section 7.2.4 rule 4: only if the lowest outstanding TSN was
 * acknowledged. So does sctp_handle_sack for those of all addresses when the cumulative TSN advances, with CMT for the
 * address whose lowest TSN it was; sctp_express_handle_sack lets the timers run on. */
static bool restarts(const struct sr_sender *sender, bool cum_advanced, const struct sr_path_news *news)
{
    switch ((enum sr_t3_restarts)sender->parameters.t3.restarts) {
    case SR_T3_RESTARTS_CUM_ADVANCED: return cum_advanced && !sender->express;
    case SR_T3_RESTARTS_PSEUDO_CUM_ACKED: return news->earliest_acked && !sender->express;
    case SR_T3_RESTARTS_EARLIEST_ACKED: break;
    }
    return news->earliest_acked;
}

void sr_t3_acknowledged(struct sr_sender *sender, struct sr_sender_path *path, bool cum_advanced,
                        const struct sr_path_news *news, bool outstanding)
{
    path->t3_kept = path->window_probe && !outstanding;
    path->window_probe = path->t3_kept && !sender->express;
    if (path->t3_kept) {
        /* usrsctp: sctp_handle_sack starts it anew, sctp_express_handle_sack lets it run on. */
        if (!sender->express || path->t3_ns == SR_NO_TIME)
            sr_t3_start(sender, path);
    } else if (!outstanding) {
        /* RFC 9260 section 6.3.2 R2: all outstanding data sent to the address is acknowledged: turn off. */
        sr_t3_stop(sender, path);
    } else if (restarts(sender, cum_advanced, news) || (path->t3_ns == SR_NO_TIME && news->taken_back)) {
        /* RFC 9260 section 6.3.2 R4: a TSN once gap-acked is missing: start T3-rtx if it is not running. */
        sr_t3_start(sender, path);
    }
}

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
