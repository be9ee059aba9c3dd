/* SPDX-License-Identifier: BSD-2-Clause */
/* Which SACKs are not believed: a receiver acknowledges what it has got (RFC 9260 section 6.2.1), so one that
 * acknowledges a TSN which is sent for the first time later is forged, or broken. Where what it acknowledges beyond all
 * that was seen is never seen, the tap may have missed it. */
#include "belief.h"

#include <stdlib.h>

#include "../association/kind.h"
#include "../association/scoreboard.h"
#include "../timeline/numbering.h"
#include "../wire/chunk.h"
#include "../wire/forward_tsn.h"
#include "../wire/time.h"
#include "inverted.h"

enum { CLAIMS = 1 << 14 }; /* waiting to be refuted; beyond it the oldest is believed */

/* A SACK that acknowledges more than was seen sent by then. */
struct claim {
    uint32_t row;
    struct sr_tsn top; /* the highest TSN that it acknowledges */
};

struct believer {
    struct sr_tsn highest; /* seen sent, or passed over by the sender */
    struct sr_tsn stray;   /* the last TSN out of reach */
    bool begun, has_stray;
    bool settled;         /* nothing above the highest is on its way from before the capture */
    struct claim *claims; /* a ring, in the order of the capture */
    uint32_t from, to;
};

static void begin_at(struct believer *believer, struct sr_tsn highest, bool settled)
{
    believer->highest = highest;
    believer->begun = true;
    believer->settled = settled;
    believer->has_stray = false;
    believer->from = believer->to;
}

/* One TSN out of reach is a broken packet's, a second near it is of another numbering: as in the scoreboard. */
static bool is_out_of_reach(struct believer *believer, struct sr_tsn tsn)
{
    int64_t ahead = sr_tsn_distance(tsn, believer->highest), apart = sr_tsn_distance(tsn, believer->stray);
    if (ahead <= SR_SCOREBOARD_REACH && ahead > -SR_SCOREBOARD_PAST)
        return false;
    if (believer->has_stray && apart <= SR_SCOREBOARD_REACH && apart >= -SR_SCOREBOARD_REACH)
        begin_at(believer, tsn, false);
    else
        believer->stray = tsn;
    believer->has_stray = true;
    return true;
}

/* A TSN is sent for the first time: whoever acknowledged it long ago did not have it. A capture may have the answer
 * before what it answers, by little. */
static void refute(struct believer *believer, struct sr_journal *journal, struct sr_tsn tsn, int64_t time_ns)
{
    int64_t later_ns;
    for (; believer->from != believer->to; believer->from++) {
        const struct claim *claim = &believer->claims[believer->from % CLAIMS];
        struct sr_sack_row *row = sr_sack_at(journal, claim->row);
        if (!sr_elapsed(time_ns, row->time_ns, &later_ns) || later_ns <= SR_INVERTED_NS)
            return;
        row->refuted = !sr_tsn_after(tsn, claim->top);
        if (row->refuted)
            row->malformed |= 1u << SR_SACK_ANOMALY_CLAIMS_UNSENT;
    }
}

static void take_transmission(struct believer *believer, struct sr_journal *journal,
                              const struct sr_transmission_row *row, bool from_start)
{
    struct sr_tsn tsn = sr_tsn(row->tsn);
    if (sr_is_duplicate(row->seen_kind))
        return;
    if (!believer->begun)
        begin_at(believer, tsn, from_start);
    if (is_out_of_reach(believer, tsn) || !sr_tsn_after(tsn, believer->highest))
        return;
    refute(believer, journal, tsn, row->time_ns);
    believer->highest = tsn;
}

static struct sr_tsn top_of(const struct sr_journal *journal, const struct sr_sack_row *row)
{
    uint32_t blocks = (uint32_t)row->gaps + row->nr_gaps;
    const uint32_t *list = blocks > 0 ? sr_numbers_at(journal, row->lists) : NULL;
    struct sr_tsn top = sr_tsn(row->cum_tsn);
    for (uint32_t i = 0; i < blocks; i++)
        if (sr_tsn_after(sr_tsn(list[2 * i + 1]), top))
            top = sr_tsn(list[2 * i + 1]);
    return top;
}

static void take_sack(struct believer *believer, struct sr_journal *journal, uint32_t number)
{
    struct sr_sack_row *row = sr_sack_at(journal, number);
    row->refuted = 0;
    row->malformed &= ~(1u << SR_SACK_ANOMALY_CLAIMS_UNSENT);
    struct sr_tsn top = top_of(journal, row);
    if (row->crc == SR_CRC_BAD || !believer->begun)
        return;
    believer->settled |= sr_tsn_equal(top, believer->highest) && row->cum_tsn == top.value;
    if (!sr_tsn_after(top, believer->highest))
        return;
    if (!believer->settled) { /* it was sent before the capture, to all that is known */
        if (sr_tsn_distance(top, believer->highest) <= SR_SCOREBOARD_REACH)
            believer->highest = top;
        return;
    }
    believer->claims[believer->to++ % CLAIMS] = (struct claim){number, top};
    if (believer->to - believer->from > CLAIMS)
        believer->from++;
}

static void take_control(struct believer believers[2], const struct sr_journal *journal,
                         const struct sr_control_row *row)
{
    struct believer *own = &believers[row->from];
    struct sr_tsn next;
    bool forward = sr_is_forward_tsn(row->type);
    /* It may pass over what was never sent (RFC 3758 section 3.5, A3). */
    if (row->whole && forward && own->begun && sr_tsn_after(sr_tsn(row->tsn), own->highest) &&
        sr_tsn_distance(sr_tsn(row->tsn), own->highest) <= SR_SCOREBOARD_REACH)
        own->highest = sr_tsn(row->tsn);
    for (unsigned from = 0; from < 2; from++)
        if (sr_numbered_anew(journal, row, from, &next))
            begin_at(&believers[from], sr_tsn_add(next, UINT32_MAX), true);
}

static void walk(struct sr_journal *journal, const struct sr_association *association, struct believer believers[2])
{
    struct sr_journal_pass pass = {.next = association->entries.first};
    struct sr_entry entry;
    for (unsigned from = 0; from < 2; from++)
        believers[from] = (struct believer){.claims = believers[from].claims};
    while (sr_journal_pass(journal, &pass, &entry)) {
        switch ((enum sr_entry_table)entry.table) {
        case SR_ENTRY_TRANSMISSION: {
            const struct sr_transmission_row *row = sr_transmission_at(journal, entry.row);
            take_transmission(&believers[row->from], journal, row, association->started != SR_STARTED_MIDDLE);
            break;
        }
        case SR_ENTRY_SACK: take_sack(&believers[1 - sr_sack_at(journal, entry.row)->from], journal, entry.row); break;
        case SR_ENTRY_CONTROL: take_control(believers, journal, sr_control_at(journal, entry.row)); break;
        }
    }
}

bool sr_belief(struct sr_journal *journal, const struct sr_registry *associations, struct sr_judgement *judgement)
{
    struct believer believers[2] = {{.claims = NULL}, {.claims = NULL}};
    bool ok = true;
    (void)judgement;
    for (uint32_t number = 0; ok && number < sr_registry_count(associations); number++) {
        const struct sr_association *association = sr_registry_at(associations, number);
        if (!association->side[0].claimed_unseen && !association->side[1].claimed_unseen)
            continue;
        for (unsigned from = 0; from < 2 && ok; from++) {
            if (!believers[from].claims)
                believers[from].claims = malloc(CLAIMS * sizeof *believers[from].claims);
            ok = believers[from].claims != NULL;
        }
        if (ok)
            walk(journal, association, believers);
    }
    free(believers[0].claims);
    free(believers[1].claims);
    return ok;
}
