/* SPDX-License-Identifier: BSD-2-Clause */
/* The TSNs of one direction that a judge has not done with: their copies, and whether they are acknowledged. */
#ifndef SR_TIMELINE_LEDGER_H
#define SR_TIMELINE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "../journal/journal.h"
#include "../wire/tsn_reset.h"
#include "tsn_set.h"

enum {
    SR_LEDGER_FIRST = 1 << 10,   /* TSNs kept from the highest down */
    SR_LEDGER_LARGEST = 1 << 17, /* at most, where they are outstanding: twice what a SACK can reach */
    SR_LEDGER_REACH = 1 << 16,   /* further above the highest a TSN is of another numbering */
};

/* What the receiver's answers say of which copy came first. */
enum sr_reading {
    SR_READING_NONE,   /* they were not asked */
    SR_READING_COPY,   /* one copy explains them best */
    SR_READING_TIE,    /* several do */
    SR_READING_OUTAGE, /* none does: something was delayed */
};

struct sr_ledger_slot {
    struct sr_tsn tsn;
    uint32_t last_row;                        /* 1 + row of the latest copy; 0: never seen */
    uint32_t acked_by;                        /* 1 + row of the acknowledgement */
    uint32_t first_candidate, last_candidate; /* 1 + row of the copies that may have come first */
    uint32_t on_time;                         /* 1 + row of the first copy that nothing overtook; 0: none */
    uint32_t read_row;                        /* 1 + row of the copy of SR_READING_COPY */
    uint32_t marks;                           /* 1 + index of what was said of it; 0: nothing */
    uint16_t copies, dups;                    /* seen, and reported as duplicates */
    uint32_t reported_by;                     /* 1 + row of the latest feedback that did */
    uint16_t traces;                          /* copies that left the trace of a duplicate */
    uint32_t duplicates_before;               /* the acknowledgement: as many as feedback was made for */
    uint16_t copies_before;                   /* the acknowledgement */
    uint16_t copies_reneged;                  /* before the receiver took that back */
    uint16_t copies_dropped;                  /* before a PACKET-DROP chunk said that the latest was dropped */
    bool acked;
    bool by_doubtful; /* the acknowledgement, or what told of it before it was seen, claimed more than was seen sent */
    uint8_t candidates;   /* how many */
    uint8_t reading;      /* enum sr_reading */
    bool reneged;         /* the receiver took its acknowledgement back */
    bool unseen_before;   /* the first copy seen was not the first sent */
    bool acked_unseen;    /* feedback acknowledged it before the first copy was seen */
    bool may_be_original; /* only late: which is not known */
    bool sent_before;     /* that may have been before the capture */
    bool settled;         /* what came of it then was told before it was acknowledged */
    bool original_late;   /* it was seen after what was sent again */
    bool given_up;        /* by FORWARD-TSN before it was acknowledged */
    bool passed_over;     /* sent once, and feedback before the acknowledgement had what was sent later */
    bool may_be_late;     /* a candidate other than the last may have been overtaken */
    bool may_be_ignored;  /* one of several candidates met a window that was said to be closed */
    bool not_accepted;    /* a copy is ruled out since it met a closed window, or nothing answered it */
    bool by_silence;      /* nothing did */
    bool unanswered;      /* likewise, though an answer may be held back for longer */
    bool by_order;        /* a copy is ruled out since later ones came first */
    bool by_release;      /* or later ones are, since what a path held came back to back */
    bool by_step;         /* likewise, since feedback is in step with later copies */
    bool may_be_unseen;   /* another copy may lie in what the capture cut off */
    bool doubtful;        /* it comes sooner than any other, after the last of those that may be */
    bool early;           /* the acknowledgement is too early for the last copy */
    bool clearly_early;   /* by more than half of the least loop */
    bool early_for_all;   /* and clearly for the first copy seen */
    bool in_time;         /* for an answer to the last candidate */
};

struct sr_ledger {
    struct sr_ledger_slot *slots;
    struct sr_tsn_set sent;      /* TSNs that have a slot */
    struct sr_tsn_set acked;     /* also of those that have none */
    uint32_t capacity;           /* a power of two */
    struct sr_tsn base, highest; /* kept, and seen */
    struct sr_tsn begun_at;      /* the first that was seen */
    struct sr_tsn una;           /* from the base up to before it all are acknowledged */
    bool begun;
    bool took_all;             /* of the acknowledgement before: each of its gaps lies among what is kept */
    struct sr_tsn_reset reset; /* that the numbering began with, if any */
    struct sr_tsn stray;       /* the last TSN out of reach */
    bool has_stray;
};

/* One more copy of its TSN is seen. */
static inline void sr_ledger_count(struct sr_ledger_slot *slot)
{
    if (slot->copies < UINT16_MAX)
        slot->copies++;
}

/* What to do with a slot that leaves the ledger. */
typedef void sr_ledger_leaves(void *context, const struct sr_ledger_slot *slot);

bool sr_ledger_init(struct sr_ledger *ledger); /* false when memory runs out */
void sr_ledger_free(struct sr_ledger *ledger);

/* Begins anew; what is on it leaves. */
void sr_ledger_clear(struct sr_ledger *ledger, sr_ledger_leaves *leaves, void *context);

/* Whether numbering TSNs anew from `next` on (RFC 6525 section 5.2.4) changes anything: not where they go on with it,
 * nor where that was told before. */
bool sr_ledger_resets(const struct sr_ledger *ledger, struct sr_tsn next);
/* All that is on it leaves, and TSNs begin anew. */
void sr_ledger_reset(struct sr_ledger *ledger, struct sr_tsn next, sr_ledger_leaves *leaves, void *context);

/* Feedback is of the numbering of what is on it: no receiver acknowledges so far ahead, and none was overtaken by so
 * much. */
bool sr_ledger_follows(const struct sr_ledger *ledger, struct sr_tsn cum);

/* The slot of a TSN that is sent; NULL where it is out of reach. */
struct sr_ledger_slot *sr_ledger_sent(struct sr_ledger *ledger, struct sr_tsn tsn, sr_ledger_leaves *leaves,
                                      void *context);

/* The slot of a TSN that was sent and is kept; NULL without. */
struct sr_ledger_slot *sr_ledger_at(const struct sr_ledger *ledger, struct sr_tsn tsn);

/* Every TSN above it is acknowledged. */
bool sr_ledger_is_last_open(const struct sr_ledger *ledger, struct sr_tsn tsn);

/* An acknowledgement on its way onto the ledger: up to its cumulative TSN, then its blocks. */
struct sr_ledger_walk {
    struct sr_ledger *ledger;
    struct sr_tsn next, last; /* of what it covers, where the walk has got to, up to the end of the block */
    const uint32_t *blocks;   /* that are left: first and last TSN of each */
    uint32_t count;           /* of them */
    uint32_t unseen;          /* TSNs that were put in where none was seen, and that it is the first to acknowledge */
    bool passes_unseen;       /* it is the first to acknowledge a TSN between those seen that never was */
};

/* `lists` are those of the row; NULL: its blocks are left out. What the one before had too (`told`) is not looked at
 * again: it was acknowledged then, if the ledger took all of that. The walk is to be gone to its end. */
struct sr_ledger_walk sr_ledger_take(struct sr_ledger *ledger, const struct sr_sack_row *row, const uint32_t *lists);

/* An acknowledgement is not taken. */
static inline void sr_ledger_pass_over(struct sr_ledger *ledger)
{
    ledger->took_all = false;
}

/* The next TSN that was seen and that it is the first to acknowledge; NULL when there is none. */
struct sr_ledger_slot *sr_ledger_next_acked(struct sr_ledger_walk *walk);

#endif
