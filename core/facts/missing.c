/* SPDX-License-Identifier: BSD-2-Clause */
/* Holes in the sender's count of packets, held against what the direction is known to have lost before the tap. */
#include "missing.h"

#include "../association/kind.h"
#include "../wire/time.h"

/* RTO.Min as telecom gear sets it: 100 ms and more. */
#define LEAST_RTO_NS INT64_C(100000000)

void sr_silence_begin(struct sr_silence *silence)
{
    *silence = (struct sr_silence){0, SR_NO_TIME, SR_NO_TIME};
}

void sr_silence_frame(struct sr_silence *silence, uint32_t frame, int64_t time_ns)
{
    if (silence->frame != frame)
        silence->before_ns = silence->time_ns;
    silence->frame = frame;
    silence->time_ns = time_ns;
}

/* An RTO is longer than the round trip (RFC 9260 section 6.3.1, C3); a PTO is two of them (RFC 8985 section 7.2), and
 * may be shorter than any RTO.Min. */
bool sr_silence_is_timeout(const struct sr_silence *silence, const struct sr_half *half)
{
    int64_t round_trip_ns = half->measured.receiver.typical_ns + half->measured.sender_loop_ns, silent_ns;
    int64_t least_ns = round_trip_ns > LEAST_RTO_NS ? round_trip_ns : LEAST_RTO_NS;
    if (sr_sender_family(half) == SR_FAMILY_PION && 2 * round_trip_ns < least_ns)
        least_ns = 2 * round_trip_ns;
    return sr_elapsed(silence->time_ns, silence->before_ns, &silent_ns) && silent_ns >= least_ns;
}

/* How often packets of a sender were missing, and what came of it. */
struct holes {
    uint32_t lost;  /* packets of which it is proven that a copy before never passed the tap */
    uint32_t other; /* with something else than data of this direction in them: new data followed at once */
};

static void look_at(struct holes *holes, const struct sr_half *half, const struct sr_transmission_row *row,
                    uint32_t skipped, const struct sr_silence *silence)
{
    if (row->kind == SR_KIND_RETRANSMISSION && row->prev_row == 0)
        holes->lost++;
    else if (row->kind == SR_KIND_ORIGINAL && row->missing > skipped && !sr_silence_is_timeout(silence, half))
        holes->other++;
}

/* Over several addresses a packet that is missing may have taken another way. */
static bool is_counted(const struct sr_half *half, unsigned from)
{
    const struct sr_side *side = half->association->side;
    return side[0].addresses <= 1 && side[1].addresses <= 1 && sr_unseen_tells(&side[from].unseen);
}

bool sr_feedback_missing(const struct sr_half *half, const struct sr_sack_row *feedback, uint32_t *packets)
{
    *packets = feedback->missing;
    return feedback->missing < SR_UNSEEN_MOST && is_counted(half, 1 - half->from);
}

static bool may_tell(const struct sr_half *half)
{
    bool behind = sr_is_vantage(half, SR_VANTAGE_MIDDLE) || sr_is_vantage(half, SR_VANTAGE_RECEIVER);
    return behind && half->measured.resends && !half->measured.adrift && is_counted(half, half->from);
}

void sr_find_missing(struct sr_half *half)
{
    enum { RARE = 4 }; /* so many times as often what is missing is data that was lost */
    struct sr_journal_pass pass = {.next = half->association->entries.first};
    struct sr_entry entry;
    struct sr_silence silence;
    struct holes holes = {0, 0};
    uint32_t highest = 0;
    bool begun = false;
    if (!may_tell(half))
        return;
    sr_silence_begin(&silence);
    while (sr_journal_pass(half->journal, &pass, &entry)) {
        if (entry.table == SR_ENTRY_SACK) {
            const struct sr_sack_row *sack = sr_sack_at(half->journal, entry.row);
            sr_silence_frame(&silence, sack->frame, sack->time_ns);
        } else if (entry.table == SR_ENTRY_TRANSMISSION) {
            const struct sr_transmission_row *row = sr_transmission_at(half->journal, entry.row);
            sr_silence_frame(&silence, row->frame, row->time_ns);
            if (row->from != half->from)
                continue;
            int64_t ahead = begun ? sr_tsn_distance(sr_tsn(row->tsn), sr_tsn(highest)) : 0;
            look_at(&holes, half, row, ahead > 1 ? (uint32_t)(ahead - 1) : 0, &silence);
            if (!begun || ahead > 0)
                highest = row->tsn;
            begun = true;
        }
    }
    half->measured.counts_packets = holes.lost > 0 && holes.other <= holes.lost / RARE;
}
