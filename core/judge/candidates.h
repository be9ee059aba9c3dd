/* SPDX-License-Identifier: BSD-2-Clause */
/* Which copies of a TSN may have come first, at its first acknowledgement. */
#ifndef SR_JUDGE_CANDIDATES_H
#define SR_JUDGE_CANDIDATES_H

#include "../facts/half.h"
#include "../facts/path_loops.h"

enum { SR_COPIES = 32 }; /* of one TSN that are looked at: the latest */

#define SR_NEVER_OVERTAKEN ((struct sr_overtaken){-1, -1})
#define SR_MOST_ACK_DELAY_NS INT64_C(550000000) /* RFC 9260 section 6.2: 500 ms; and what hosts take */

struct sr_sent_copy {
    uint32_t row; /* 1 + row */
    uint32_t frame;
    int64_t time_ns;
    uint32_t path;
    struct sr_overtaken overtaken;
    bool discarded; /* a wrong checksum (RFC 9260 section 6.8), or a PACKET-DROP chunk */
};

/* One TSN at its first acknowledgement. */
struct sr_covered {
    struct sr_ledger_slot *slot;
    struct sr_sent_copy copies[SR_COPIES]; /* oldest first */
    uint32_t count;
    uint32_t candidates[SR_COPIES]; /* index into copies */
    uint32_t candidate_count;
    uint32_t on_time;  /* 1 + row of the first copy that was not overtaken further than the network reorders; 0: none */
    uint32_t feasible; /* copies that a loop separates from the acknowledgement */
    uint32_t likely;   /* that one most likely does */
    bool overtaken_candidate;
    bool ignored_candidate; /* one met a window that was said to be closed */
    bool not_accepted;      /* a copy met a closed window, or would have been answered */
    bool by_silence;        /* it would have been answered */
    bool unanswered;        /* likewise, as no answer was lost */
    bool by_order;          /* a copy was overtaken too far to be one */
    bool by_release;        /* later copies had no time, as what a path held came back to back */
    bool may_be_unseen;     /* another copy may lie in what the capture cut off */
    bool by_step;           /* a copy was still missing when what was sent long after it was answered */
};

/* The acknowledgement that is looked at, and the ones before. */
struct sr_acknowledgement {
    const struct sr_sack_row *row, *before; /* `before` may be NULL */
    const struct sr_sack_row *window;       /* the last before it that tells the receiver's window; NULL: none */
    uint32_t number;                        /* 1 + row */
    bool doubtful;                          /* it claims more than was seen sent by then */
};

/* By how much at least a copy was overtaken, or SR_NEVER_OVERTAKEN. */
struct sr_overtaken sr_overtaken_by(const struct sr_half *half, const struct sr_acknowledgement *answer,
                                    const struct sr_sent_copy *copy);

/* Fills all but the slot; the rest is zero before. */
void sr_candidates_weigh(const struct sr_half *half, const struct sr_acknowledgement *answer,
                         struct sr_covered *covered);

/* Whether feedback could tell of the TSN: where there are blocks, there may have been no room for one more. */
bool sr_has_room_for(const struct sr_half *half, const struct sr_sack_row *sack, struct sr_tsn tsn);

/* Whether feedback came in time for an answer to the copy. */
bool sr_is_in_time(const struct sr_half *half, const struct sr_sack_row *feedback, const struct sr_sent_copy *copy);

/* Its last candidate was sent after the copy of another TSN, of that row, and came after it: it was not the first,
 * unless the network reorders as far. */
void sr_candidates_not_last(const struct sr_half *half, struct sr_ledger_slot *slot, uint32_t behind);

/* It was overtaken and still arrived: the network reorders so far. */
void sr_reorders_so_far(struct sr_half *half, const struct sr_acknowledgement *answer, const struct sr_sent_copy *copy);

/* Likewise, where only the first copy can have come. */
void sr_candidates_learn(struct sr_half *half, const struct sr_acknowledgement *answer,
                         const struct sr_covered *covered);

#endif
