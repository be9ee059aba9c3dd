/* SPDX-License-Identifier: BSD-2-Clause */
/* Which TSNs of one direction were seen, how often, and which are acknowledged. It keeps books; it calls nothing lost.
 * Its cost is amortised O(1) for each chunk, each newly acknowledged TSN and each block of a SACK. */
#ifndef SR_ASSOCIATION_SCOREBOARD_H
#define SR_ASSOCIATION_SCOREBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "../names.h"
#include "../wire/sack.h"
#include "../wire/tsn_reset.h"
#include "loop.h"
#include "unseen.h"

enum {
    SR_SCOREBOARD_HISTORY = 4096,    /* TSNs kept behind the highest, acknowledged or not */
    SR_SCOREBOARD_LARGEST = 1 << 17, /* kept where they are not acknowledged: twice what a SACK can reach */
    SR_SCOREBOARD_REACH = 8192,      /* further above the highest a TSN is not the next one sent */
    SR_SCOREBOARD_PAST = 1 << 18,    /* further below the highest neither a TSN nor a SACK is of this numbering */
};

/* What tells a packet from others. */
struct sr_packet_identity {
    uint32_t fingerprint; /* equal for equal bytes; 0 where nothing is known of them */
    uint16_t id;          /* 0 where it says nothing */
};

struct sr_tsn_slot {
    struct sr_tsn tsn;    /* whose slot it is: of another TSN it means not seen and not acknowledged */
    uint32_t first_frame; /* of copy 1 */
    uint32_t last_frame;  /* of the latest copy */
    uint32_t bytes;       /* user data */
    uint32_t skip;        /* acknowledged: how far on the next TSN that may not be is; 0: not acknowledged */
    uint32_t copies;
    struct sr_packet_identity first, latest; /* of the packets of copy 1 and of the latest copy */
    uint16_t numbering;                      /* of another one than the scoreboard's it means not seen too */
    uint32_t content;                        /* of copy 1: struct sr_sent_chunk */
    bool original;                           /* copy 1 was */
    bool conflicting;                        /* the TSN stands for different chunks */
    bool passed; /* feedback that acknowledges a higher TSN (before the first copy was seen: or itself) has passed the
                    tap, first at `passed_ns` */
    int64_t first_time_ns, last_time_ns;
    int64_t passed_ns;
};

/* Whether identifications count a sender's packets: of TSNs that are each the highest so far. */
struct sr_packet_count {
    uint16_t last;  /* 0: none */
    uint16_t rises; /* in a row, by less than SR_PACKETS_APART: what else the host sends is counted too */
};

struct sr_scoreboard {
    struct sr_tsn_slot *slots; /* ring: slot of a TSN is its value modulo the capacity */
    uint32_t capacity;         /* a power of two; 0 before the first TSN */
    struct sr_tsn base;        /* the lowest TSN kept */
    struct sr_tsn highest;     /* the highest TSN seen */
    struct sr_tsn top;         /* the highest TSN acknowledged, also by a block */
    bool acked;                /* `top` means something */
    bool seen_below;           /* TSNs below `base` were seen, and are forgotten */
    bool took_all;             /* of the SACK before: each of its blocks lies between `base` and `highest` */
    uint16_t numbering;        /* counts, and wraps with, the jumps and resets */
    struct sr_tsn_reset reset; /* that the numbering began with, if any */
    struct sr_tsn told; /* where the capture begins in the middle: acknowledged, and never seen; from `told_ns` on */
    int64_t told_ns;
    bool has_told;
    struct sr_tsn forward; /* where `gives_up`, the highest TSN that a FORWARD-TSN passed over */
    bool gives_up;
    bool caught_up;                 /* feedback acknowledged nothing but what was seen: `told` stays as it is */
    struct sr_packet_count counted; /* the sender's packets, at the highest TSN */
    struct sr_tsn_slot
        *stray;         /* the last TSN that was out of reach; NULL before the first, without copies there is none */
    uint64_t forgotten; /* chunks whose TSN lay below what is kept */
    uint64_t jumps;     /* times the numbering jumped out of reach */
};

/* Memory that all scoreboards together may take, in slots, beside the few that each begins with; a scoreboard that gets
 * no more forgets its oldest TSNs. */
struct sr_slot_budget {
    uint32_t left;
};

/* A chunk on the wire, and of its packet what tells a duplicate from a retransmission. */
struct sr_sent_chunk {
    struct sr_tsn tsn;
    uint32_t bytes; /* user data */
    uint32_t frame;
    int64_t time_ns;
    struct sr_packet_identity identity;
    uint32_t content;    /* what tells its user data from others; 0 where nothing is known of it: see sr_data_content */
    struct sr_loop loop; /* of its sender */
    bool at_tap;         /* its sender is, and no handshake shows a loop */
    bool sent_before;    /* the order of TSNs in its packet says so: association/tsn_order.h */
};

/* What is known of a chunk when it is seen. */
struct sr_copy {
    uint32_t copy;        /* 1 for the first seen; a duplicate has the number of what it repeats */
    uint32_t first_frame; /* of copy 1; 0 where that was forgotten */
    uint32_t prev_frame;  /* of the copy before; 0 for the first, and where that was forgotten; a duplicate has the
                             frame that it repeats */
    enum sr_kind kind;
    bool overtaken; /* by what was seen before, as its sender's count of packets says */
};

void sr_scoreboard_free(struct sr_scoreboard *board, struct sr_slot_budget *budget);

/* No packet follows: only the sums stay. */
void sr_scoreboard_ended(struct sr_scoreboard *board, struct sr_slot_budget *budget);

struct sr_copy sr_scoreboard_sent(struct sr_scoreboard *board, struct sr_slot_budget *budget,
                                  const struct sr_sent_chunk *sent);

/* A chunk of a packet that was seen before, in `frame`: nothing changes. Its kind is to be told by the caller. */
struct sr_copy sr_scoreboard_repeated(const struct sr_scoreboard *board, struct sr_tsn tsn, uint32_t frame);

/* TSNs are numbered anew from `next` on (RFC 6525 section 5.2.4). False where they go on with it anyway, or did so
 * when that was told before. */
bool sr_scoreboard_reset(struct sr_scoreboard *board, struct sr_tsn next);

/* The sender gives up all up to `cum`, and sends none of it again (RFC 3758 section 3.5). */
void sr_scoreboard_forward(struct sr_scoreboard *board, struct sr_tsn cum);

/* The slot of a TSN of which a chunk was seen, as far as it is kept; else NULL. */
const struct sr_tsn_slot *sr_scoreboard_seen(const struct sr_scoreboard *board, struct sr_tsn tsn);

struct sr_newly {
    uint32_t chunks; /* TSNs seen and acknowledged for the first time */
    uint32_t bytes;  /* their user data */
    bool above;      /* what it acknowledges lies in part above all that was seen */
};

/* Blocks that cannot be are left out: reversed ones, and what lies above the highest TSN seen; so is a SACK that is too
 * far from it to be of the same numbering. */
struct sr_newly sr_scoreboard_acked(struct sr_scoreboard *board, struct sr_slot_budget *budget,
                                    const struct sr_sack *sack, int64_t time_ns);

#endif
