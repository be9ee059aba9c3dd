/* SPDX-License-Identifier: BSD-2-Clause */
/* What the first chunk of a packet says of the association that it belongs to, where its tag does not tell. */
#ifndef SR_ASSOCIATION_CLUE_H
#define SR_ASSOCIATION_CLUE_H

#include "../wire/chunk.h"
#include "../wire/tsn.h"

enum sr_clue_kind {
    SR_CLUE_NONE,
    SR_CLUE_QUESTION, /* HEARTBEAT */
    SR_CLUE_ANSWER,   /* HEARTBEAT ACK, which repeats the information of the question: RFC 9260 section 8.3 */
    SR_CLUE_DATA,
    SR_CLUE_FEEDBACK, /* SACK, NR-SACK, SHUTDOWN */
};

struct sr_clue {
    enum sr_clue_kind kind;
    uint32_t information; /* of a question or an answer: equal for equal information */
    struct sr_tsn tsn;    /* of data; the highest that feedback acknowledges cumulatively */
    struct sr_tsn top;    /* the highest that feedback acknowledges at all */
};

/* `first` may be NULL; what was not captured is no clue. */
struct sr_clue sr_clue_of(const struct sr_chunk *first);

#endif
