/* SPDX-License-Identifier: BSD-2-Clause */
/* Which associations have to be looked at one by one, and what all others come to together: most of a hundred thousand
 * say nothing that others do not, and a look at each by itself takes far longer than its packets. */
#ifndef SR_ENGINE_CROWD_H
#define SR_ENGINE_CROWD_H

#include "engine.h"

enum {
    SR_CROWD_FRAMES = 8,  /* that a finding names: finding.py */
    SR_CROWD_FIRST = 20,  /* told where there are no more: worst.py */
    SR_CROWD_LARGEST = 8, /* told where there are: worst.py */
    SR_CROWD_WITHOUT = 8, /* without data, likewise: summary/show.py */
};

/* Where an association is looked at. */
enum sr_company {
    SR_COMPANY_NONE,       /* nowhere: it was joined to another */
    SR_COMPANY_CROWD,      /* with all others of the crowd */
    SR_COMPANY_UNANSWERED, /* likewise, and its INIT was never answered */
    SR_COMPANY_ALONE,      /* by itself */
};

/* Frames that were added: the lowest of them, in order. */
struct sr_lowest {
    uint32_t count; /* of those that are here */
    uint32_t frames[SR_CROWD_FRAMES];
};

struct sr_crowd {
    uint64_t with_data; /* or acknowledgements of some; of them: */
    uint64_t started[SR_STARTED_COUNT], ended[SR_ENDED_COUNT];
    uint64_t chunks, bytes, tsns, acked;
    uint64_t one_way;      /* that sent data, while only one side was captured */
    uint64_t without_data; /* the others */
    uint64_t overdue_tsns;
    uint64_t checksums[SR_CHECKSUM_COUNT]; /* packets of each kind */
    struct sr_lowest one_way_frames, overdue_frames, checksum_frames[SR_CHECKSUM_COUNT];
    uint32_t first[SR_CROWD_FIRST];     /* numbers of the first with data, */
    uint32_t largest[SR_CROWD_LARGEST]; /* of those with most chunks, the first of those with as many first, */
    uint32_t without[SR_CROWD_WITHOUT]; /* and of the first without */
    uint64_t largest_chunks[SR_CROWD_LARGEST];
    bool answered; /* one sent data, and the other side acknowledges some */
};

/* `company`, by number, is not 0 where somebody else knows that an association has to be looked at by itself; what each
 * is (enum sr_company) takes its place. Of what was judged. */
void sr_engine_crowd(const struct sr_engine *engine, uint8_t *company, struct sr_crowd *crowd);

#endif
