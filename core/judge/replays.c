/* SPDX-License-Identifier: BSD-2-Clause */
/* How often a direction is replayed: once, and again where its packets show that its sender's timers are not those of
 * its profile, or that its loop is not as long as the handshake's. */
#include "replay.h"

#include "../facts/overtaken.h"
#include "../facts/paths_at_once.h"
#include "../wire/time.h"
#include "loop_fit.h"

/* What a bound of two timeouts at least says otherwise than the profile: the soonest of them, hosts being late. No
 * sooner than what telephony sets. */
static bool learn(int64_t *parameter_ns, const struct sr_estimate *shown, const struct sr_parameters *parameters,
                  int64_t jitter_ns)
{
    enum { ENOUGH = 2 };
    if (shown->count < ENOUGH || shown->lo == SR_NO_TIME || shown->hi == SR_NO_TIME ||
        shown->hi < SR_SHORTEST_SET_RTO_NS || (shown->lo <= *parameter_ns && *parameter_ns <= shown->hi))
        return false;
    *parameter_ns = shown->hi - (parameters->t3.tick_ns > 0 ? 0 : SR_TIMEOUT_EARLY_NS + jitter_ns);
    return true;
}

/* Gives each sender the parameters of T3-rtx that the timeouts show; false where its profile's are right for all. What
 * pion sends before its own is a probe; where the stack is not known, one resend may be that too. */
static bool adapt(struct sr_half *half, const struct sr_causes *causes, struct sr_parameters *senders)
{
    struct sr_measured *measured = &half->measured;
    enum sr_stack_family family = sr_sender_family(half);
    int64_t rto_min_ns[SR_SENDER_COUNT];
    struct sr_timeout_limits limits = {
        .round_trip_ns = measured->receiver.typical_ns + measured->sender_loop_ns,
        .jitter_ns = sr_jitter_of(measured),
        .needed = sr_is_not_pion(family) ? 1 : 2,
    };
    bool other = false;
    if (family == SR_FAMILY_PION)
        return false;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        rto_min_ns[sender] = sr_timeouts_rto_min(&causes->timeouts, sender, senders, limits);
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        struct sr_parameters *parameters = &senders[sender];
        if (parameters->rto.min_is_fixed)
            continue;
        struct sr_timer_view view = sr_timer_view_of(half);
        struct sr_timer_bounds shown = sr_timer_bounds(&causes->timeouts, sender, parameters, view);
        if (view.at_sender) { /* elsewhere what looks like a timeout may be none */
            other |= learn(&parameters->rto.initial_ns, &shown.initial, parameters, view.jitter_ns);
            other |= learn(&parameters->rto.max_ns, &shown.max, parameters, view.jitter_ns);
        }
        if (rto_min_ns[sender] == SR_NO_TIME)
            continue;
        parameters->rto.min_ns = rto_min_ns[sender];
        measured->learnt = true;
    }
    return other || measured->learnt;
}

/* As it was before the replay, which may have found retransmissions. */
static void restore_kinds(struct sr_half *half)
{
    struct sr_journal_pass pass = {.next = half->association->entries.first};
    struct sr_entry entry;
    while (sr_journal_pass(half->journal, &pass, &entry)) {
        if (entry.table != SR_ENTRY_TRANSMISSION)
            continue;
        struct sr_transmission_row *row = sr_transmission_at(half->journal, entry.row);
        if (row->from == half->from && row->kind == SR_KIND_RETRANSMISSION)
            row->kind = row->seen_kind;
    }
    sr_find_overtaken(half);
}

static int64_t least_rto_min(const struct sr_parameters *senders)
{
    int64_t least_ns = INT64_MAX;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++)
        if (senders[sender].rto.min_ns < least_ns)
            least_ns = senders[sender].rto.min_ns;
    return least_ns;
}

bool sr_replay_again(struct sr_half *half, struct sr_causes *causes, const struct sr_parameters *senders, uint32_t most)
{
    restore_kinds(half);
    sr_causes_begin_again(causes);
    return sr_replay_once(half, causes, senders, most);
}

bool sr_replay(struct sr_half *half, struct sr_causes *causes)
{
    struct sr_parameters senders[SR_SENDER_COUNT];
    sr_senders(senders);
    sr_leave_out(senders, half->told.without);
    bool at_once = sr_uses_paths_at_once(half);
    for (unsigned sender = 0; at_once && sender < SR_SENDER_COUNT; sender++)
        sr_split_paths(&senders[sender]);
    if (half->told.max_ack_delay)
        senders[SR_SENDER_RFC8985].tlp.max_ack_delay_ns = half->told.max_ack_delay_ns;
    half->measured.shortest_rto_ns = least_rto_min(senders);
    bool ok = sr_replay_once(half, causes, senders, UINT32_MAX);
    if (ok && adapt(half, causes, senders)) {
        half->measured.shortest_rto_ns = least_rto_min(senders);
        ok = sr_replay_again(half, causes, senders, UINT32_MAX);
    }
    ok = ok && sr_loop_fit(half, causes, senders);
    if (ok)
        sr_causes_decide(causes);
    half->measured.rto_min_ns = senders[half->measured.sender].rto.min_ns;
    return ok && !causes->failed;
}
