/* SPDX-License-Identifier: BSD-2-Clause */
/* Of the TSNs that were seen for the first time below others, and seem to be sent again: what comes sooner after the
 * first report that it is missing than the loop was sent before that report came, which association/kind.c says where
 * the loop is known; and what nothing had asked for. */
#include "overtaken.h"

#include "../association/kind.h"
#include "../books/belief.h"
#include "../books/rto.h"
#include "../model/profiles.h"
#include "../wire/time.h"

/* What may have asked the sender of a direction to send again, by a place in it. */
struct asked {
    bool by_three;         /* missing reports, and by T3-rtx, but by nothing else */
    struct sr_tsn cum;     /* that it was told last, from `moved_ns` on */
    int64_t moved_ns;      /* T3-rtx begins anew then (RFC 9260 section 6.3.2, R3); SR_NO_TIME: it was told nothing */
    struct sr_tsn highest; /* that it has sent, last at `sent_ns` in this frame */
    int64_t sent_ns;       /* SR_NO_TIME: it has sent nothing */
    uint32_t frame;
    bool marked; /* T3-rtx may have marked what it had sent before that frame: it sends again, or breaks a silence */
    bool any_marked;
    struct sr_tsn last_marked; /* by then, the highest */
};

static int64_t least_loop_ns(const struct sr_half *half)
{
    return half->measured.sender_loop_ns - half->measured.sender_loop_ns / 16;
}

/* Its stack has neither RACK nor probes; with several paths each has a timer of its own, and a PACKET-DROP chunk asks
 * without a report. Who counts packets tells more. */
static bool is_asked_by_three(const struct sr_half *half)
{
    const struct sr_association *association = half->association;
    uint8_t told = half->told.profile;
    unsigned profile = told > 0 ? told - 1u : sr_profile_of_family(sr_sender_family(half));
    if (profile == SR_PROFILE_COUNT || association->side[0].addresses > 1 || association->side[1].addresses > 1 ||
        association->features >> SR_FEATURE_PACKET_DROP & 1 ||
        sr_counts_packets(&association->side[half->from].data.board))
        return false;
    struct sr_parameters sender = sr_parameters_of((enum sr_profile)profile);
    return !sender.rack.on && !sender.pion.on && sender.misses.threshold == 3;
}

static void note_sack(struct asked *asked, const struct sr_sack_row *sack)
{
    struct sr_tsn cum = sr_tsn(sack->cum_tsn);
    if (asked->moved_ns != SR_NO_TIME && !sr_tsn_after(cum, asked->cum))
        return;
    asked->cum = cum;
    asked->moved_ns = sack->time_ns;
}

static void note_sent(struct asked *asked, const struct sr_transmission_row *row)
{
    struct sr_tsn tsn = sr_tsn(row->tsn);
    int64_t silent_ns;
    if (sr_tells_nothing((enum sr_kind)row->kind))
        return;
    if (asked->sent_ns == SR_NO_TIME || sr_tsn_after(tsn, asked->highest))
        asked->highest = tsn;
    if (row->frame != asked->frame)
        asked->marked = sr_elapsed(row->time_ns, asked->sent_ns, &silent_ns) && silent_ns >= SR_LEAST_RTO_MIN_NS;
    asked->marked |= row->kind == SR_KIND_RETRANSMISSION;
    asked->frame = row->frame;
    asked->sent_ns = row->time_ns;
    if (!asked->marked)
        return;
    asked->any_marked = true;
    asked->last_marked = asked->highest;
}

/* Fewer than three reports that it is missing have passed, and T3-rtx cannot have expired since it began anew; nor
 * before that, as what it marks may be sent much later. */
static bool nothing_asked(const struct sr_half *half, const struct asked *asked, const struct sr_transmission_row *row,
                          const struct sr_missed *missed)
{
    int64_t since_ns;
    if (!asked->by_three || missed->first_ns == SR_NO_TIME || missed->third_ns != SR_NO_TIME)
        return false;
    return (!asked->any_marked || sr_tsn_after(sr_tsn(row->tsn), asked->last_marked)) &&
           sr_elapsed(row->time_ns, asked->moved_ns, &since_ns) && since_ns < least_loop_ns(half) + SR_LEAST_RTO_MIN_NS;
}

/* A copy before it was not seen. */
static bool is_late(const struct sr_half *half, const struct asked *asked, const struct sr_transmission_row *row)
{
    struct sr_missed missed = sr_reports_missed(&half->reports, half->journal, row);
    bool too_soon = half->measured.inferred && missed.first_ns != SR_NO_TIME && missed.first_ns < least_loop_ns(half);
    return too_soon || nothing_asked(half, asked, row, &missed);
}

void sr_find_overtaken(struct sr_half *half)
{
    const struct sr_measured *measured = &half->measured;
    struct sr_journal_pass pass = {.next = half->association->entries.first};
    struct asked asked = {.by_three = is_asked_by_three(half), .moved_ns = SR_NO_TIME, .sent_ns = SR_NO_TIME};
    struct sr_entry entry;
    if (!measured->resends || measured->vantage == SR_VANTAGE_SENDER || (!measured->inferred && !asked.by_three))
        return;
    while (sr_journal_pass(half->journal, &pass, &entry)) {
        if (entry.table == SR_ENTRY_SACK) {
            const struct sr_sack_row *sack = sr_sack_at(half->journal, entry.row);
            if (sack->from == half->from || !sr_is_believed(sack))
                continue;
            sr_reports_add(&half->reports, entry.row + 1);
            note_sack(&asked, sack);
        } else if (entry.table == SR_ENTRY_TRANSMISSION) {
            struct sr_transmission_row *row = sr_transmission_at(half->journal, entry.row);
            if (row->from != half->from)
                continue;
            if (row->kind == SR_KIND_RETRANSMISSION && row->prev_row == 0 && row->copy == 1 &&
                is_late(half, &asked, row))
                row->kind = SR_KIND_REORDERED;
            note_sent(&asked, row);
        }
    }
    half->reports = (struct sr_reports){0};
}
