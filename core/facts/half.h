/* SPDX-License-Identifier: BSD-2-Clause */
/* One direction of an association on its way through the judge: what was measured, and where a pass has got to. */
#ifndef SR_FACTS_HALF_H
#define SR_FACTS_HALF_H

#include "../association/association.h"
#include "../association/family.h"
#include "../journal/told.h"
#include "../names.h"
#include "../timeline/ledger.h"
#include "../wire/time.h"
#include "at_once.h"
#include "losses.h"
#include "quantiles.h"
#include "reaction.h"
#include "receiver.h"

enum { SR_RECENT = 256 }; /* transmissions looked back at */

/* A copy that is known to have arrived, as far as the acknowledgement before tells. */
struct sr_arrived {
    uint32_t row; /* 1 + its row: copies were sent in the order of their rows */
    uint32_t frame;
    uint32_t path;
    int64_t time_ns;
};

/* An acknowledgement that came a loop after the copy that it answers. */
struct sr_step {
    int64_t loop_ns;
    struct sr_arrived sent; /* row 0: none came so */
    bool broken;            /* since something that was sent once came, another was no answer to what was sent again */
};

/* Acknowledgements of what a path had held, one soon after the other: judge/release.h. */
struct sr_release {
    uint32_t count;            /* that are of first copies of what was sent again */
    int64_t time_ns, apart_ns; /* of the last, and the most between two */
};

/* Of what is sent again and reported now, the first copy came first, or another may have. */
struct sr_release_told {
    bool first, other;
};

/* Duplicates that are not reported: judge/unreported.h. */
struct sr_unreported {
    uint32_t duplicates;             /* as many as all feedback so far was made for */
    bool at_once;                    /* some of what was sent again asked to be answered at once: I bit (RFC 7053) */
    uint32_t again[SR_RECENT];       /* 1 + row of what was sent again, a ring */
    uint32_t again_begin, again_end; /* those behind the latest TSN that was sent once and came */
};

/* By how much a packet was overtaken: so much later was sent what arrived before it, and so much later than usual had
 * it still not arrived. All packets of a path that stands still are late, and keep their order. */
struct sr_overtaken {
    int64_t lead_ns; /* -1: it was not */
    int64_t late_ns;
};

/* From the tap to the receiver and back. */
struct sr_receiver_loop {
    int64_t floor_ns;   /* it cannot be shorter */
    int64_t least_ns;   /* as short as it was seen; SR_NO_TIME where it was not */
    int64_t early_ns;   /* what comes sooner most likely answers another copy */
    int64_t typical_ns; /* its median, of undelayed answers */
    int64_t jitter_ns;  /* how much longer than the least most undelayed ones are */
};

/* What a pass over the whole direction has measured. */
struct sr_measured {
    struct sr_quantiles loop;    /* from the tap to the receiver and back: of TSNs seen once */
    struct sr_reaction reaction; /* of the sender, where no handshake shows its loop */
    int64_t prompt_ns;       /* least loop to the receiver of what acknowledges several packets; SR_NO_TIME without */
    int64_t handshake_ns[2]; /* least loop to the receiver, and to the sender, of what is answered at once;
                                SR_NO_TIME without */
    struct sr_receiver_loop receiver; /* of all paths together */
    struct sr_at_once_seen at_once_seen;
    struct sr_at_once at_once; /* of its answers, those that did not wait; of one path */
    int64_t sender_loop_ns;    /* from the tap to the sender and back */
    int64_t feedback_ns;       /* of that, what passes at least until the sender acts on feedback */
    int64_t fitted_ns;         /* likewise, where that explains little: judge/loop_fit.h; SR_NO_TIME: it does not */
    int64_t resent_ns; /* the soonest that a TSN sent again was acknowledged after its last copy; INT64_MAX: none */
    bool may_reorder;  /* or what was supposed of the order was wrong */
    struct sr_overtaken reordering;         /* the most by which packets were overtaken and still arrived; 0: never */
    uint32_t rule_votes[SR_ACK_RULE_COUNT]; /* answers that only this rule explains; the last rule's are against both
                                               others, which have as many as `waits` */
    uint32_t waits;                         /* answers to a second packet, or after a delay */
    struct sr_quantiles delays;             /* of answers to a single packet */
    int64_t ack_delay_ns;                   /* SACK.Delay (RFC 9260 section 16), as far as they show it */
    int64_t shortest_rto_ns;                /* no silence that is shorter is a timeout */
    uint8_t sender;                         /* enum sr_sender that explains the resends best */
    uint8_t vantage, vantage_class;         /* enum sr_vantage; a class of 0: it was told, or follows from a loop */
    bool inferred;       /* the sender's loop was not seen, and what is known of it follows from the others */
    bool learnt;         /* RTO.Min is not that of the profiles */
    int64_t rto_min_ns;  /* then, that of the sender that explains the resends best */
    bool counts_packets; /* a packet that is missing in its sender's count was one of this association */
    bool adrift;         /* when the sender had which feedback is not known */
    /* Where the capture begins in the middle: up to `before` TSNs may have been sent before it, and what came of that
     * is told by `settled_ns`. */
    struct sr_tsn before;
    bool has_before, caught_up;
    uint32_t rows, sampled_from; /* 1 + row of the latest transmission; loops are of those after the other */
    uint32_t unsure; /* likewise: what seems to be sent once up to there may have been sent in chunks that the capture
                        cut off, or before a capture that begins in the middle had any feedback; 0: nothing */
    bool has_gaps;   /* not all was captured: chunks or feedback were cut off, or TSNs came that were never seen */
    bool inverted;   /* the capture holds new data behind feedback that acknowledges it */
    bool takes_back; /* the receiver took back what it had acknowledged by gap blocks, or was so short of room that it
                        may have, without a word (RFC 9260 section 6.2) */
    uint32_t first_path; /* that new data takes (RFC 9260 section 6.4): of the first transmission */
    int64_t settled_ns;
    bool resends;
    bool dups_reported;
    bool overtaken;       /* what was sent later may have arrived before a TSN that was sent once */
    bool dups_of_network; /* a TSN that was sent once was reported twice */
    uint32_t repeated; /* reports in a row with which a TSN was reported as often as it was sent: sr_repeats_reports */
    struct sr_losses losses;
};

struct sr_half {
    struct sr_journal *journal;
    const struct sr_association *association;
    unsigned from;       /* the side that sends the data */
    struct sr_told told; /* of this direction */
    struct sr_measured measured;
    struct sr_path_loops *path_loops; /* NULL where there is but one path */
    struct sr_ledger ledger;
    struct sr_arrived newest; /* row 0: none */
    uint32_t supposed;        /* 1 + row of what is supposed to have come, as the network is not known to reorder */
    struct sr_step step;      /* of the acknowledgement before */
    struct sr_release release;
    struct sr_unreported unreported;
    uint32_t feedback; /* 1 + row of the acknowledgement before; 0: none */
    uint32_t window;   /* likewise, of the last that tells the receiver's window: a SHUTDOWN does not */
    struct sr_reports reports;
    struct sr_tsn cum;     /* of it */
    struct sr_tsn vouched; /* up to there feedback that claimed nothing unseen acknowledged all */
    bool has_vouched;
    bool doubtful;         /* the acknowledgement before claimed more than was seen sent by then */
    struct sr_tsn forward; /* highest new cumulative TSN of a FORWARD-TSN */
    bool has_forward;
    uint64_t lost_tsns;
    bool deciding;              /* the last pass: rows are written */
    uint32_t recent[SR_RECENT]; /* 1 + row of the latest transmissions, a ring */
    uint32_t recent_at;
    uint32_t open_until; /* 1 + row: no copy sent later is one of several that may have come first */
};

/* The receiver repeats its reports of duplicates, though RFC 9260 section 6.2 lets it make each once. One or two may be
 * of copies that the tap missed, or that the network repeated. */
static inline bool sr_repeats_reports(const struct sr_half *half)
{
    enum { ENOUGH = 3 };
    return half->measured.repeated >= ENOUGH;
}

static inline struct sr_transmission_row *sr_half_tx(const struct sr_half *half, uint32_t row_and_one)
{
    return sr_transmission_at(half->journal, row_and_one - 1);
}

/* Likewise, of a TSN that leaves: where many are outstanding, far behind what is walked over. */
static inline struct sr_transmission_row *sr_half_left(const struct sr_half *half, uint32_t row_and_one)
{
    return sr_spool_visit(&half->journal->transmissions, row_and_one - 1);
}

/* In a loop over rows here and there, in order: each would stay in memory with all that lies around it. */
static inline void sr_half_give_back(const struct sr_half *half, uint64_t turn, uint32_t row)
{
    const uint64_t rows_kept = 128;
    if (turn % rows_kept == rows_kept - 1)
        sr_spool_done_before(&half->journal->transmissions, row);
}

static inline struct sr_sack_row *sr_half_sack(const struct sr_half *half, uint32_t row_and_one)
{
    return sr_sack_at(half->journal, row_and_one - 1);
}

/* What passes until the sender acts on feedback, as far as is known. */
static inline int64_t sr_half_feedback_ns(const struct sr_half *half)
{
    const struct sr_measured *measured = &half->measured;
    return measured->fitted_ns == SR_NO_TIME ? measured->feedback_ns : measured->fitted_ns;
}

/* When it acts on feedback that passes the tap at a time. */
static inline int64_t sr_half_fed_ns(const struct sr_half *half, int64_t time_ns)
{
    return sr_time_after(time_ns, sr_half_feedback_ns(half));
}

static inline bool sr_is_vantage(const struct sr_half *half, enum sr_vantage vantage)
{
    return half->measured.vantage == vantage;
}

/* What an acknowledgement takes back is outstanding again (RFC 9260 section 6.2.1, D iii). */
static inline void sr_half_taken_back(struct sr_half *half, const struct sr_sack_row *row)
{
    const uint32_t *tsns = row->reneged_count > 0 ? sr_spool_at(&half->journal->judged, row->reneged) : NULL;
    for (uint32_t i = 0; i < row->reneged_count; i++) {
        struct sr_ledger_slot *slot = sr_ledger_at(&half->ledger, sr_tsn(tsns[i]));
        if (!slot)
            continue;
        slot->reneged = true;
        slot->copies_reneged = slot->copies;
    }
}

static inline bool sr_reorders(const struct sr_half *half)
{
    return half->measured.reordering.lead_ns > 0 || half->measured.reordering.late_ns > 0;
}

static inline bool sr_may_reorder(const struct sr_half *half)
{
    return half->measured.may_reorder || sr_reorders(half);
}

static inline bool sr_is_left_out(const struct sr_half *half, unsigned profile)
{
    return half->told.without >> profile & 1;
}

/* Whose stack a side's is, as its INIT or INIT ACK tells; one that is left out is another. */
static inline enum sr_stack_family sr_family_of(const struct sr_half *half, unsigned side)
{
    enum sr_stack_family family = (enum sr_stack_family)half->association->side[side].family;
    return sr_is_left_out(half, sr_profile_of_family(family)) ? SR_FAMILY_OTHER : family;
}

/* Whose stack the sender's is: as its INIT or INIT ACK tells, unless the profile of one was told. */
static inline enum sr_stack_family sr_sender_family(const struct sr_half *half)
{
    enum sr_stack_family told =
        half->told.profile > 0 ? sr_family_of_profile(half->told.profile - 1u) : SR_FAMILY_UNKNOWN;
    return told != SR_FAMILY_UNKNOWN ? told : sr_family_of(half, half->from);
}

/* pion lists I-DATA since 1.10.0, unless its program asks not to (Config.applyDefaults), and has RACK since 1.9.0; its
 * ports have neither. */
static inline bool sr_announces_rack(const struct sr_half *half)
{
    bool lists_i_data = half->association->side[half->from].init_features >> SR_FEATURE_I_DATA & 1;
    return sr_sender_family(half) == SR_FAMILY_PION && sr_family_of(half, half->from) == SR_FAMILY_PION && lists_i_data;
}

/* Whether its receiver tells of what came twice: one did, or its stack does whenever there is something to tell. */
static inline bool sr_tells_duplicates(const struct sr_half *half)
{
    enum sr_stack_family family = sr_family_of(half, 1 - half->from);
    return half->measured.dups_reported || family == SR_FAMILY_USRSCTP || family == SR_FAMILY_DCSCTP ||
           family == SR_FAMILY_LINUX;
}

/* pion's does not tell of duplicates. */
static inline bool sr_is_silent(const struct sr_half *half)
{
    return sr_family_of(half, 1 - half->from) == SR_FAMILY_PION && !half->measured.dups_reported;
}

#endif
