/* SPDX-License-Identifier: BSD-2-Clause */
/* Which sender is believed, and what that makes of each resend: its cause, how sure that is, and its probes. Where no
 * mark explains a resend the occasion does. */
#include "cause.h"
#include "cause_evidence.h"

static unsigned choose(const struct sr_causes *causes)
{
    const struct sr_half *half = causes->half;
    return half->told.profile ? sr_fit_variant(causes->fit, half->told.profile - 1)
                              : sr_fit_best(causes->fit, sr_sender_family(half), causes->telling_count);
}

static uint8_t class_of(const struct sr_causes *causes, const struct sr_explained *explained, unsigned chosen)
{
    uint32_t others = 0, same = 0;
    /* When the sender had which feedback is not known: what moved it is a guess. */
    bool adrift = causes->half->measured.adrift;
    if (adrift || explained->late >> chosen & 1)
        return 2;
    if (explained->certain)
        return explained->certain;
    for (unsigned sender = 0; sender < SR_SENDER_COUNT; sender++) {
        others += sender != chosen && explained->cause[sender] != SR_CAUSE_UNKNOWN;
        same += sender != chosen && explained->cause[sender] == explained->cause[chosen];
    }
    /* Whose stack it is, is only a guess where no handshake was seen. */
    bool known = causes->half->told.profile || sr_sender_family(causes->half) != SR_FAMILY_UNKNOWN;
    uint8_t most = (uint8_t)(4 - explained->doubts[chosen]), limit = (uint8_t)(others == same ? 4 : 3);
    limit = (uint8_t)(limit - !known);
    /* Away from the sender its timers are told from fewer timeouts, and less exactly. */
    if (causes->half->measured.learnt && !sr_is_vantage(causes->half, SR_VANTAGE_SENDER) && limit > 3)
        limit = 3;
    return most < limit ? most : limit;
}

/* It repeats what may have been sent before the capture: what led to it may lie there too. */
static bool began_before(const struct sr_half *half, const struct sr_transmission_row *row)
{
    return row->prev_row == 0 && half->measured.has_before && !sr_tsn_after(sr_tsn(row->tsn), half->measured.before);
}

/* A timeout that no replay had, as where the acknowledgements that passed the tap were held up behind it. */
struct episode {
    uint32_t row; /* 1 + row of its first resend; 0: none yet */
};

/* How long the copy before was out when this one was sent. */
static int64_t age_of(const struct sr_causes *causes, const struct sr_transmission_row *row)
{
    int64_t age_ns;
    if (row->prev_row == 0 || !sr_elapsed(row->time_ns, sr_half_tx(causes->half, row->prev_row)->time_ns, &age_ns))
        return 0;
    return age_ns;
}

/* No RTO is shorter than 400 ms in any stack known (dcSCTP), unless the timeouts show one; before it fires nothing has
 * been sent for a round trip. Where both copies were held up before the tap they pass it together when that ends:
 * sooner than anything about the first can have come back to the sender. */
static bool begins_episode(const struct sr_causes *causes, const struct sr_explained *explained,
                           const struct sr_transmission_row *row)
{
    const struct sr_measured *measured = &causes->half->measured;
    int64_t age_ns = age_of(causes, row);
    bool behind = sr_is_vantage(causes->half, SR_VANTAGE_MIDDLE) || sr_is_vantage(causes->half, SR_VANTAGE_RECEIVER);
    if (behind && explained->released && row->prev_row != 0 &&
        age_ns < measured->receiver.floor_ns + measured->sender_loop_ns)
        return true;
    return age_ns >= measured->shortest_rto_ns && explained->silent_ns != SR_NO_TIME &&
           explained->silent_ns >
               measured->receiver.typical_ns + measured->sender_loop_ns + measured->receiver.jitter_ns;
}

/* What was outstanding at the timeout, and is sent again after it, was marked by it (RFC 9260 section 6.3.3). */
static bool belongs_to(const struct episode *episode, const struct sr_transmission_row *row)
{
    return episode->row != 0 && row->prev_row != 0 && row->prev_row < episode->row;
}

/* The timer runs on the SRTT that the sender has measured, longer than the tap's by what its host takes, and twice
 * (pion's PTO is 2 SRTT): a host may take a quarter of a round trip. A heuristic, see docs/verdicts.md. */
static bool is_late_probe(const struct sr_causes *causes, const struct sr_explained *explained)
{
    return explained->last_open && explained->probe_late_ns != SR_NO_TIME && explained->probe_late_ns >= 0 &&
           explained->probe_late_ns <= causes->half->measured.receiver.typical_ns / 2;
}

/* Behind the tap some of what moved the sender is not seen, or is seen at another time: then the mechanism is told by
 * the occasion. */
static enum sr_cause by_occasion(const struct sr_causes *causes, const struct sr_explained *explained,
                                 const struct sr_transmission_row *row, unsigned chosen, struct episode *episode)
{
    if (belongs_to(episode, row))
        return SR_CAUSE_T3_GBN;
    if (begins_episode(causes, explained, row)) {
        episode->row = explained->row + 1;
        return explained->no_room && explained->alone ? SR_CAUSE_ZERO_WINDOW_PROBE : SR_CAUSE_T3;
    }
    bool has_rack = chosen == SR_SENDER_PION || chosen == SR_SENDER_RFC8985;
    if (has_rack && is_late_probe(causes, explained))
        return SR_CAUSE_TLP;
    /* All that the sender had passed the tap: without three reports nothing was fast (RFC 9260 section 7.2.4). */
    if (has_rack ? explained->at_feedback || explained->passed_over : explained->asked_for)
        return has_rack ? SR_CAUSE_RACK : SR_CAUSE_FAST;
    return SR_CAUSE_UNKNOWN;
}

/* What it no longer has acknowledged is old: RACK marks it at once. */
static bool is_of_rack(enum sr_cause cause)
{
    return cause == SR_CAUSE_RACK || cause == SR_CAUSE_RACK_TIMER;
}

void sr_causes_decide(struct sr_causes *causes)
{
    unsigned chosen = choose(causes);
    struct episode episode = {0};
    causes->half->measured.sender = (uint8_t)chosen;
    for (uint32_t i = 0; i < causes->explained_count; i++) {
        const struct sr_explained *explained = sr_causes_explained(causes, i);
        struct sr_transmission_row *row = sr_transmission_at(causes->half->journal, explained->row);
        enum sr_cause cause = (enum sr_cause)explained->cause[chosen];
        bool told = true;
        sr_half_give_back(causes->half, i, explained->row);
        row->cause_class = class_of(causes, explained, chosen);
        if (explained->dropped) {
            cause = SR_CAUSE_PACKET_DROP;
            row->cause_class = 5;
        } else if (row->may_be_fragmented) {
            /* What is larger than the path's MTU has become goes out again in fragments (RFC 9260 section 7.3). */
            cause = SR_CAUSE_PMTU;
            told = false;
            row->cause_class = row->cause_class < 3 ? row->cause_class : 3;
        } else if (explained->reneged && (cause == SR_CAUSE_UNKNOWN || is_of_rack(cause))) {
            cause = SR_CAUSE_RENEGE;
            row->cause_class = 3;
        } else if (cause == SR_CAUSE_UNKNOWN || (belongs_to(&episode, row) && !explained->certain)) {
            cause = by_occasion(causes, explained, row, chosen, &episode);
            told = cause == SR_CAUSE_T3_GBN || cause == SR_CAUSE_TLP;
            bool by_feedback = cause == SR_CAUSE_RACK || cause == SR_CAUSE_FAST;
            bool adrift = causes->half->measured.adrift;
            row->cause_class = cause == SR_CAUSE_UNKNOWN ? 1 : by_feedback || adrift ? 2 : 3;
        }
        if (began_before(causes->half, row) && !explained->dropped && row->cause_class > 2)
            row->cause_class = 2;
        row->cause = (uint8_t)cause;
        row->trigger_frame = explained->dropped ? explained->dropped : explained->trigger[chosen];
        if (told)
            sr_cause_evidence(causes->half, explained, chosen, row);
        if (row->cause == SR_CAUSE_TLP) {
            row->probe = SR_PROBE_RETRANSMISSION;
            row->probe_class = row->cause_class;
        }
    }
    sr_causes_decide_new_data(causes, chosen);
}
