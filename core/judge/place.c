/* SPDX-License-Identifier: BSD-2-Clause */
/* What was measured and chosen for a direction, as columns. */
#include "place.h"

#include "../books/rto.h"
#include "../wire/time.h"

static enum sr_answer duplicates_of(const struct sr_half *half)
{
    if (half->measured.dups_reported)
        return SR_ANSWER_YES;
    return sr_is_silent(half) ? SR_ANSWER_NO : SR_ANSWER_UNKNOWN;
}

static uint8_t told_of(const struct sr_half *half)
{
    return (uint8_t)((half->told.vantage ? 1u << SR_TOLD_WHAT_VANTAGE : 0) |
                     (half->told.loop ? 1u << SR_TOLD_WHAT_LOOP : 0) |
                     (half->told.profile ? 1u << SR_TOLD_WHAT_PROFILE : 0));
}

static uint16_t counted(uint32_t count)
{
    return (uint16_t)(count < UINT16_MAX ? count : UINT16_MAX);
}

/* Of what is counted; 0 for nothing. */
static uint8_t small(int64_t value)
{
    return (uint8_t)(value == SR_NO_TIME ? 0 : value);
}

#define PUT_TIMES(row, column, estimate)                                                                               \
    ((row)->column##_lo_ns = (estimate).lo, (row)->column##_hi_ns = (estimate).hi,                                     \
     (row)->column##_count = counted((estimate).count))
#define PUT_COUNTS(row, column, estimate)                                                                              \
    ((row)->column##_lo = small((estimate).lo), (row)->column##_hi = small((estimate).hi),                             \
     (row)->column##_count = counted((estimate).count))

static float back_off_of(int64_t thousandths)
{
    return thousandths == SR_NO_TIME ? -1.0f : (float)thousandths / 1000.0f;
}

static bool excludes(const struct sr_estimate *shown, int64_t value)
{
    enum { ENOUGH = 2 };
    return shown->count >= ENOUGH &&
           ((shown->lo != SR_NO_TIME && value < shown->lo) || (shown->hi != SR_NO_TIME && value > shown->hi));
}

/* Without a handshake a stack is known by what nobody can set: pion's RTO.Min, and that timeouts double. */
static enum sr_answer is_known(const struct sr_half *half, const struct sr_parameters *chosen,
                               const struct sr_timer_bounds *timers)
{
    enum { DOUBLED = 2000 };
    enum sr_stack_family family = sr_sender_family(half);
    if (half->told.profile)
        return SR_ANSWER_YES;
    if (family != SR_FAMILY_UNKNOWN)
        return family == SR_FAMILY_OTHER ? SR_ANSWER_NO : SR_ANSWER_YES;
    bool other =
        excludes(&timers->backoff, DOUBLED) || (chosen->rto.min_is_fixed && excludes(&timers->min, chosen->rto.min_ns));
    return other ? SR_ANSWER_NO : SR_ANSWER_UNKNOWN;
}

static void fill_parameters(struct sr_path_row *row, const struct sr_half *half, const struct sr_causes *causes,
                            const struct sr_parameters *chosen)
{
    enum { ENOUGH = 3 };
    struct sr_timer_bounds timers =
        sr_timer_bounds(&causes->timeouts, half->measured.sender, chosen, sr_timer_view_of(half));
    struct sr_estimate delay = sr_ack_habit_delay(&causes->ack_habit);
    struct sr_estimate frequency = sr_ack_habit_frequency(&causes->ack_habit);
    struct sr_estimate reports = sr_estimate_of_votes(causes->sent_at_report, SR_MOST_REPORTS, ENOUGH);
    PUT_TIMES(row, rto_initial, timers.initial);
    PUT_TIMES(row, rto_min, timers.min);
    PUT_TIMES(row, rto_max, timers.max);
    PUT_TIMES(row, sack_delay, delay);
    PUT_COUNTS(row, sack_frequency, frequency);
    PUT_COUNTS(row, missing_reports, reports);
    row->rto_backoff_lo = back_off_of(timers.backoff.lo);
    row->rto_backoff_hi = back_off_of(timers.backoff.hi);
    row->rto_backoff_count = counted(timers.backoff.count);
    row->sender_known = (uint8_t)is_known(half, chosen, &timers);
}

static void fill(struct sr_path_row *row, const struct sr_half *half, const struct sr_causes *causes)
{
    const struct sr_measured *measured = &half->measured;
    struct sr_parameters senders[SR_SENDER_COUNT];
    bool known = measured->handshake_ns[1] != SR_NO_TIME;
    sr_senders(senders);
    sr_leave_out(senders, half->told.without);
    fill_parameters(row, half, causes, &senders[measured->sender]);
    row->vantage = measured->vantage;
    row->vantage_class =
        measured->vantage_class > 0 && sr_has_two_taps(half->association) ? 1 : measured->vantage_class;
    row->told = told_of(half);
    if (half->told.loop) {
        row->loop_lo_ns = row->loop_hi_ns = measured->sender_loop_ns;
    } else if (known) { /* hosts take a part of it: at the sender's own tap all */
        row->loop_hi_ns = measured->sender_loop_ns;
        row->loop_lo_ns = measured->sender_loop_ns > measured->receiver.jitter_ns
                              ? measured->sender_loop_ns - measured->receiver.jitter_ns
                              : 0;
    }
    row->loop_fitted_ns = measured->fitted_ns;
    if (measured->learnt && row->rto_ns != SR_NO_TIME)
        row->rto_ns = sr_rto_within(row->unclamped_rto_ns, measured->rto_min_ns);
    row->dup_capable = (uint8_t)duplicates_of(half);
    if (half->told.profile)
        row->profile = half->told.profile - 1;
    if (causes->telling_count == 0)
        return;
    row->profile = senders[measured->sender].profile;
    row->profile_score = (float)causes->fit[measured->sender].agrees / (float)causes->telling_count;
    enum sr_answer has_rack = sr_fit_has_rack(causes->fit, sr_sender_family(half), causes->telling_count);
    row->sender_has_rack = (uint8_t)(sr_announces_rack(half) ? SR_ANSWER_YES : has_rack);
}

void sr_place(struct sr_judgement *judgement, uint64_t *next, const struct sr_half *half,
              const struct sr_causes *causes)
{
    for (; *next < judgement->paths.count; ++*next) {
        struct sr_path_row *row = sr_spool_visit(&judgement->paths, *next);
        if (row->assoc != half->association->number || row->from != half->from)
            return;
        fill(row, half, causes);
    }
}
