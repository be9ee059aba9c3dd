/* SPDX-License-Identifier: BSD-2-Clause */
/* Behind the tap some of what moved the sender is not seen, or is seen at another time: then the mechanism is told by
 * the occasion. A timer sends after a silence, all else leaves with feedback. */
#include "occasion.h"

/* How long the copy before was out when this one was sent. */
static int64_t age_of(const struct sr_half *half, const struct sr_transmission_row *row)
{
    int64_t age_ns;
    if (row->prev_row == 0 || !sr_elapsed(row->time_ns, sr_half_tx(half, row->prev_row)->time_ns, &age_ns))
        return 0;
    return age_ns;
}

static bool is_silent_for(const struct sr_explained *explained, int64_t least_ns)
{
    return !explained->at_feedback && explained->silent_ns != SR_NO_TIME && explained->silent_ns >= least_ns;
}

/* Nothing sent before can still bring feedback. */
static bool is_silent(const struct sr_half *half, const struct sr_explained *explained)
{
    const struct sr_measured *measured = &half->measured;
    return is_silent_for(explained,
                         measured->receiver.typical_ns + measured->sender_loop_ns + measured->receiver.jitter_ns + 1);
}

/* RFC 8985 section 7.2: a probe is due two SRTT after the latest data or feedback. */
static bool is_silent_for_probe(const struct sr_half *half, const struct sr_explained *explained)
{
    return is_silent_for(explained, 2 * (half->measured.receiver.typical_ns + half->measured.sender_loop_ns));
}

bool sr_occasion_is_of_timer(const struct sr_half *half, const struct sr_explained *explained)
{
    return is_silent_for(explained, half->measured.shortest_rto_ns);
}

/* It leaves with feedback that reports it as missing for at least the third time (RFC 9260 section 7.2.4). */
static bool is_asked_for(const struct sr_explained *explained)
{
    return explained->at_feedback && explained->asked_for;
}

/* Missing reports and RACK (RFC 8985 section 6.2) need that what was sent later was acknowledged. For pion's RACK that
 * is also a TSN that was sent again, whichever of its copies came. */
static bool cannot_be_by_loss(const struct sr_explained *explained, bool rack)
{
    return explained->never_missed && (!rack || explained->alone_again);
}

/* No RTO is shorter than 400 ms in any stack known (dcSCTP), unless the timeouts show one; before it fires nothing has
 * been sent for a round trip. Where both copies were held up before the tap they pass it together when that ends:
 * sooner than anything about the first can have come back to the sender, or though nothing said that it was missing. */
static bool begins_episode(const struct sr_half *half, const struct sr_explained *explained,
                           const struct sr_transmission_row *row)
{
    const struct sr_measured *measured = &half->measured;
    int64_t age_ns = age_of(half, row);
    bool behind = sr_is_vantage(half, SR_VANTAGE_MIDDLE) || sr_is_vantage(half, SR_VANTAGE_RECEIVER);
    if (is_asked_for(explained))
        return false;
    bool together = row->prev_row != 0 && age_ns < measured->receiver.floor_ns + measured->sender_loop_ns;
    bool unasked = cannot_be_by_loss(explained, true) && !explained->last_open;
    bool acked = row->acked_frame != 0 && row->acked_frame < row->frame;
    if (explained->released && ((behind && (together || unasked)) || (acked && unasked)))
        return true;
    return age_ns >= measured->shortest_rto_ns && is_silent(half, explained);
}

static bool is_fast(enum sr_cause cause)
{
    return cause == SR_CAUSE_FAST || cause == SR_CAUSE_FAST_DEFERRED;
}

/* What was lost before the tap was sent before what had passed it. */
static bool was_outstanding(const struct sr_half *half, const struct sr_episode *episode,
                            const struct sr_transmission_row *row)
{
    if (episode->row == 0)
        return false;
    if (row->prev_row != 0)
        return row->prev_row < episode->row;
    return !sr_is_vantage(half, SR_VANTAGE_SENDER) && !sr_tsn_after(sr_tsn(row->tsn), episode->top);
}

static enum sr_repeat repeat_of(unsigned chosen)
{
    return sr_parameters_of(sr_profile_of_sender(chosen)).misses.repeat;
}

/* A TSN is fast-retransmitted once (RFC 9260 section 7.2.4, rule 5), and at once (rule 3): what had been marked before
 * a timeout, and had not left when its timer expired, the sender had not marked, as feedback did not reach it. dcSCTP
 * counts anew after each resend; whether it had counted to three before a timeout, its own tap alone shows. */
static bool may_be_fast(const struct sr_half *half, const struct sr_episode *episode,
                        const struct sr_explained *explained, const struct sr_transmission_row *row, unsigned chosen)
{
    bool at_sender = sr_is_vantage(half, SR_VANTAGE_SENDER);
    if (repeat_of(chosen) == SR_REPEAT_ALWAYS && !at_sender)
        return true;
    if (!at_sender && explained->trigger[chosen] <= sr_half_tx(half, episode->row)->frame)
        return false;
    return row->prev_row == 0 || sr_half_tx(half, row->prev_row)->kind != SR_KIND_RETRANSMISSION;
}

/* That takes it no more than another round trip, and no timer is as short. Away from it the feedback that it acts on is
 * not seen to come, but that the feedback asks for it is. */
static bool is_fast_again(const struct sr_half *half, const struct sr_explained *explained,
                          const struct sr_transmission_row *row, unsigned chosen)
{
    const struct sr_measured *measured = &half->measured;
    return explained->asked_for && row->prev_row != 0 && repeat_of(chosen) == SR_REPEAT_ALWAYS &&
           !sr_is_vantage(half, SR_VANTAGE_SENDER) &&
           age_of(half, row) + sr_jitter_of(measured) < measured->shortest_rto_ns;
}

/* Whose habits it has. */
static bool is_known(const struct sr_half *half)
{
    enum sr_stack_family family = sr_sender_family(half);
    return half->told.profile != 0 || (family != SR_FAMILY_UNKNOWN && family != SR_FAMILY_OTHER);
}

/* A sender that fast-retransmits a TSN once (RFC 9260 section 7.2.4, rule 5) had done so: what leaves a timeout later
 * the timer has sent. */
static bool was_fast_before(const struct sr_half *half, const struct sr_transmission_row *row, unsigned chosen)
{
    return row->prev_row != 0 && is_fast((enum sr_cause)sr_half_tx(half, row->prev_row)->cause) &&
           age_of(half, row) >= half->measured.shortest_rto_ns && is_known(half) &&
           repeat_of(chosen) == SR_REPEAT_NEVER;
}

bool sr_occasion_follows(const struct sr_half *half, const struct sr_episode *episode,
                         const struct sr_explained *explained, const struct sr_transmission_row *row,
                         enum sr_cause marked_as, unsigned chosen)
{
    return was_outstanding(half, episode, row) &&
           !(is_fast(marked_as) && may_be_fast(half, episode, explained, row, chosen));
}

/* The timer runs on the SRTT that the sender has measured, longer than the tap's by what its host takes, and twice
 * (pion's PTO is 2 SRTT): a host may take a quarter of a round trip. A heuristic, see docs/verdict-rules.md. */
static bool is_late_probe(const struct sr_half *half, const struct sr_explained *explained)
{
    return explained->last_open && explained->probe_late_ns != SR_NO_TIME && explained->probe_late_ns >= 0 &&
           explained->probe_late_ns <= (half->measured.receiver.typical_ns + half->measured.sender_loop_ns) / 2;
}

/* Its copies were lost before the tap. What is passed over RACK marks with that feedback (RFC 8985 section 6.2), if it
 * did not do so before, and leaves nothing of it to a probe. */
static bool is_for_rack(const struct sr_explained *explained, const struct sr_transmission_row *row, unsigned chosen)
{
    return explained->passed_over && row->prev_row == 0 && explained->cause[chosen] == SR_CAUSE_UNKNOWN;
}

/* Feedback marked it, and what was sent then was lost before the tap: after a silence this is a timer's. What missing
 * reports mark may wait for room (RFC 9260 section 7.2.4, rule 4), but no longer than the timer. */
static bool was_marked_before(const struct sr_half *half, const struct sr_explained *explained, unsigned chosen)
{
    enum sr_cause cause = (enum sr_cause)explained->cause[chosen];
    if (explained->at_feedback || sr_is_vantage(half, SR_VANTAGE_SENDER))
        return false;
    if (is_fast(cause))
        return explained->silent_for_rto >> chosen & 1;
    return cause == SR_CAUSE_RACK &&
           (sr_occasion_is_of_timer(half, explained) || (explained->last_open && is_silent_for_probe(half, explained)));
}

/* What a timeout had marked before leaves with feedback, what a probe's timer sends is no TSN that feedback has passed
 * over just then (feedback starts it anew: RFC 8985 section 7.2), what missing reports had marked leaves when a timer
 * expires. */
bool sr_occasion_contradicts(const struct sr_half *half, const struct sr_explained *explained, unsigned chosen)
{
    enum sr_cause cause = (enum sr_cause)explained->cause[chosen];
    bool rack = sr_is_of_rack(cause);
    if (((rack || is_fast(cause)) && cannot_be_by_loss(explained, rack)) || was_marked_before(half, explained, chosen))
        return true;
    if (cause == SR_CAUSE_T3)
        return explained->at_feedback && !(explained->on_time >> chosen & 1);
    if (cause == SR_CAUSE_TLP)
        return explained->at_feedback && explained->passed_over && !sr_is_vantage(half, SR_VANTAGE_SENDER);
    return is_fast(cause) && sr_occasion_is_of_timer(half, explained);
}

bool sr_occasion_tells(const struct sr_half *half, const struct sr_episode *episode,
                       const struct sr_explained *explained, const struct sr_transmission_row *row, unsigned chosen)
{
    enum sr_cause cause = (enum sr_cause)explained->cause[chosen];
    return cause == SR_CAUSE_UNKNOWN ||
           (!explained->certain && (sr_occasion_contradicts(half, explained, chosen) ||
                                    sr_occasion_follows(half, episode, explained, row, cause, chosen)));
}

/* RFC 9260 section 6.1 A: into a window without room goes one probe. */
static enum sr_cause of_timer(const struct sr_explained *explained, struct sr_episode *episode)
{
    *episode = (struct sr_episode){explained->row + 1, explained->top};
    return explained->no_room ? SR_CAUSE_ZERO_WINDOW_PROBE : SR_CAUSE_T3;
}

static bool has_rack(unsigned chosen)
{
    return chosen == SR_SENDER_PION || chosen == SR_SENDER_RFC8985;
}

/* No RTO is shorter than a round trip: a copy that comes sooner after the first repeats it otherwise, as a network
 * does. Of many copies a few are looked back at. */
static bool is_old(const struct sr_half *half, const struct sr_transmission_row *row)
{
    const int copies = 8;
    const struct sr_transmission_row *copy = row;
    for (int i = 0; i < copies && copy->prev_row != 0; i++) {
        int64_t ago_ns;
        copy = sr_half_tx(half, copy->prev_row);
        if (sr_elapsed(row->time_ns, copy->time_ns, &ago_ns) &&
            ago_ns >= half->measured.receiver.floor_ns + half->measured.sender_loop_ns)
            return true;
    }
    return false;
}

/* What no feedback asked for T3-rtx has sent, or left marked, if the sender has no other timer: pion has its probe's,
 * whose handshake is the same where it has not, and a stack that is none of the known may have any. What was sent for
 * the first time before the capture may have been asked for there. */
static bool by_t3(const struct sr_half *half, const struct sr_transmission_row *row, unsigned chosen)
{
    return is_known(half) && row->prev_row != 0 && !has_rack(chosen) && chosen != SR_SENDER_EARLY_PION;
}

static const struct sr_transmission_row *row_of(struct sr_causes *causes, uint32_t index)
{
    return sr_half_tx(causes->half, sr_causes_explained(causes, index)->row + 1);
}

bool sr_occasion_has_timer_packet(struct sr_causes *causes, uint32_t first, unsigned chosen)
{
    uint32_t frame = row_of(causes, first)->frame;
    if (sr_causes_explained(causes, first)->at_feedback || !is_old(causes->half, row_of(causes, first)))
        return false;
    for (uint32_t i = first; i < causes->explained_count && row_of(causes, i)->frame == frame; i++)
        if (cannot_be_by_loss(sr_causes_explained(causes, i), false) && by_t3(causes->half, row_of(causes, i), chosen))
            return true;
    return false;
}

enum sr_cause sr_occasion_cause(const struct sr_half *half, const struct sr_explained *explained,
                                const struct sr_transmission_row *row, unsigned chosen, struct sr_episode *episode)
{
    bool rack = has_rack(chosen);
    bool fast = !rack && is_asked_for(explained);
    if (!explained->by_timer && is_fast_again(half, explained, row, chosen))
        return SR_CAUSE_FAST;
    /* What is left of a timeout leaves as feedback comes: after another silence it is another timeout. */
    if (was_outstanding(half, episode, row) && !(fast && may_be_fast(half, episode, explained, row, chosen)) &&
        !sr_occasion_is_of_timer(half, explained))
        return SR_CAUSE_T3_GBN;
    if (explained->by_timer || begins_episode(half, explained, row) || was_fast_before(half, row, chosen))
        return of_timer(explained, episode);
    if (explained->cause[chosen] == SR_CAUSE_T3 && !fast)
        return SR_CAUSE_T3_GBN; /* marked before, and sent when feedback let it */
    if (was_marked_before(half, explained, chosen) && sr_occasion_is_of_timer(half, explained))
        return of_timer(explained, episode);
    if (rack && !is_for_rack(explained, row, chosen) &&
        (is_late_probe(half, explained) || is_silent_for_probe(half, explained)))
        return SR_CAUSE_TLP;
    /* All that the sender had passed the tap: without three reports nothing was fast (RFC 9260 section 7.2.4), and what
     * leaves with feedback a timeout had marked before. */
    if (cannot_be_by_loss(explained, rack))
        return by_t3(half, row, chosen) && is_old(half, row) ? SR_CAUSE_T3_GBN : SR_CAUSE_UNKNOWN;
    if (rack ? explained->at_feedback || explained->passed_over : explained->asked_for)
        return rack ? SR_CAUSE_RACK : SR_CAUSE_FAST;
    return SR_CAUSE_UNKNOWN;
}
