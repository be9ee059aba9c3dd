/* SPDX-License-Identifier: BSD-2-Clause */
/* A cause is the surer the more of its direction the replay of its sender explains, the fewer other senders say
 * otherwise, and the nearer the tap is to the sender. */
#include "cause_class.h"

#include "occasion.h"

/* Less than half of what was sent again left soon after it had marked it: the sender knew other things than this
 * replay. */
static bool explains_little(const struct sr_causes *causes, unsigned chosen)
{
    return sr_fit_explains_little(&causes->fit[chosen], causes->telling_count);
}

/* A pion of which little is explained may have RACK as well, which then sent it. */
static bool may_be_rack(const struct sr_causes *causes, unsigned chosen)
{
    return chosen == SR_SENDER_EARLY_PION && explains_little(causes, chosen);
}

/* Whose stack it is, is only a guess where no handshake was seen. */
static bool is_known(const struct sr_half *half)
{
    return half->told.profile != 0 || sr_sender_family(half) != SR_FAMILY_UNKNOWN;
}

/* Its handshake is that of none that is known: it may have habits that none of the senders has. */
static bool is_foreign(const struct sr_half *half)
{
    return half->told.profile == 0 && sr_sender_family(half) == SR_FAMILY_OTHER;
}

/* RFC 9260 section 7.2.4 lets a chunk be fast-retransmitted once: how a foreign sender counts the missing reports of
 * what it sent again, and so when it owed it, nobody knows. Which reports count for the first copy, and whether it
 * looks at the window when a timer expires, differs between stacks too. One whose handshake was not captured may be
 * foreign. */
static int limit_of_foreign(const struct sr_explained *explained, enum sr_cause cause)
{
    if (cause == SR_CAUSE_FAST_DEFERRED)
        return explained->sent_again_before ? 1 : 3;
    return cause == SR_CAUSE_ZERO_WINDOW_PROBE ? 3 : 4;
}

static uint8_t of_sender(const struct sr_half *half, int class)
{
    class -= is_foreign(half);
    return (uint8_t)(class > 1 ? class : 1);
}

/* Away from the sender it is not seen what moved it: a fast retransmission leaves at the feedback that asks for it, and
 * what passes the tap later was held up; where data was sent until a timeout, its third missing report may have come as
 * well. */
static bool has_doubtful_occasion(const struct sr_half *half, const struct sr_explained *explained, enum sr_cause cause)
{
    if (sr_is_vantage(half, SR_VANTAGE_SENDER))
        return false;
    if (cause == SR_CAUSE_T3)
        return explained->asked_for && !sr_occasion_is_of_timer(half, explained);
    return cause == SR_CAUSE_FAST && !explained->at_feedback;
}

/* No other sender that explains it says otherwise. */
static bool is_undisputed(const struct sr_explained *explained, unsigned chosen)
{
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        if (explained->cause[sender] != SR_CAUSE_UNKNOWN && explained->cause[sender] != explained->cause[chosen])
            return false;
    return true;
}

/* Another version of the stack explains the direction as well, and says otherwise. */
static bool is_of_version(const struct sr_causes *causes, const struct sr_explained *explained, unsigned chosen)
{
    bool of_version = false;
    for (unsigned sender = 0; !sr_announces_rack(causes->half) && sender < SR_SENDER_COUNT; sender++)
        of_version |= explained->cause[sender] != SR_CAUSE_UNKNOWN &&
                      explained->cause[sender] != explained->cause[chosen] &&
                      sr_fit_has_rival(causes->fit, chosen, sender, causes->telling_count);
    return of_version;
}

static int limit_of(const struct sr_causes *causes, const struct sr_explained *explained, unsigned chosen)
{
    const struct sr_half *half = causes->half;
    enum sr_cause cause = (enum sr_cause)explained->cause[chosen];
    bool undisputed = is_undisputed(explained, chosen), away = !sr_is_vantage(half, SR_VANTAGE_SENDER);
    bool little = !undisputed && explains_little(causes, chosen);
    if (cause == SR_CAUSE_FAST && may_be_rack(causes, chosen))
        return 1;
    /* It rests on which feedback the sender had, and on when its window opened. */
    if (cause == SR_CAUSE_FAST_DEFERRED && (little || away))
        return 1;
    if (is_of_version(causes, explained, chosen))
        return 2;
    /* Away from the sender its timers are told from fewer timeouts, and less exactly. */
    int limit = undisputed && !(half->measured.learnt && away) ? 4 : 3;
    return little || has_doubtful_occasion(half, explained, cause) ? (limit < 4 ? 2 : 3) : limit;
}

uint8_t sr_cause_class(const struct sr_causes *causes, const struct sr_explained *explained, unsigned chosen)
{
    /* When the sender had which feedback is not known: what moved it is a guess. */
    if (causes->half->measured.adrift || explained->late >> chosen & 1)
        return of_sender(causes->half, 2);
    if (explained->certain)
        return explained->certain;
    int most = 4 - explained->doubts[chosen] - !is_known(causes->half), limit = limit_of(causes, explained, chosen);
    if (is_foreign(causes->half) || !is_known(causes->half)) {
        int foreign = limit_of_foreign(explained, (enum sr_cause)explained->cause[chosen]);
        limit = foreign < limit ? foreign : limit;
    }
    uint8_t class = of_sender(causes->half, most < limit ? most : limit);
    /* Away from the sender a replay that explains little is out of step, whatever others say. */
    bool fits = sr_is_vantage(causes->half, SR_VANTAGE_SENDER) || !explains_little(causes, chosen);
    return fits || class < 4 ? class : 3;
}

/* Three missing reports, and the feedback that brought one of them: RFC 9260 section 7.2.4 asks for no more. After a
 * timeout at its own tap no queue has moved what follows it. A closed window lets nothing else out. */
static bool is_clear_occasion(const struct sr_causes *causes, const struct sr_explained *explained, unsigned chosen,
                              enum sr_cause cause)
{
    const struct sr_half *half = causes->half;
    if (half->measured.adrift)
        return false;
    if (cause == SR_CAUSE_FAST)
        return explained->at_feedback && is_known(half) && !explains_little(causes, chosen);
    if (cause == SR_CAUSE_T3_GBN)
        return sr_is_vantage(half, SR_VANTAGE_SENDER);
    return cause == SR_CAUSE_ZERO_WINDOW_PROBE;
}

uint8_t sr_cause_class_by_occasion(const struct sr_causes *causes, const struct sr_explained *explained,
                                   unsigned chosen, enum sr_cause cause)
{
    if (cause == SR_CAUSE_UNKNOWN || (cause == SR_CAUSE_FAST && may_be_rack(causes, chosen)))
        return 1;
    return of_sender(causes->half, is_clear_occasion(causes, explained, chosen, cause) ? 3 : 2);
}
