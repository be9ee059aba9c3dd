/* SPDX-License-Identifier: BSD-2-Clause */
/* How soon after missing reports a TSN is sent again: the loop from the tap to the sender and back, where neither
 * handshake nor heartbeat shows it. */
#ifndef SR_FACTS_REACTION_H
#define SR_FACTS_REACTION_H

#include "../journal/journal.h"
#include "../wire/tsn.h"
#include "quantiles.h"

enum {
    SR_REPORTS = 64,     /* that are looked back at */
    SR_MOST_REPORTS = 8, /* of a TSN that are counted */
};

/* The latest feedback, 1 + row of each, a ring. */
struct sr_reports {
    uint32_t row[SR_REPORTS];
    uint32_t at;
};

static inline void sr_reports_add(struct sr_reports *reports, uint32_t row_and_one)
{
    reports->row[reports->at++ % SR_REPORTS] = row_and_one;
}

/* How long before `row` the first and the third of the reports came that its TSN was missing; SR_NO_TIME where there
 * were fewer, or too many to say. */
struct sr_missed {
    int64_t first_ns, third_ns;
};

struct sr_missed sr_reports_missed(const struct sr_reports *reports, const struct sr_journal *journal,
                                   const struct sr_transmission_row *row);

/* Whether so many of the latest feedback, one after the other, report a TSN as missing. */
bool sr_reports_ask(const struct sr_reports *reports, const struct sr_journal *journal, struct sr_tsn tsn,
                    uint32_t times);

/* How many of the latest feedback that passed the tap before the row's packet, one after the other, report its TSN as
 * missing; SR_MOST_REPORTS at most. */
uint32_t sr_reports_before(const struct sr_reports *reports, const struct sr_journal *journal,
                           const struct sr_transmission_row *row);

/* What a lag was measured of, and since which report. */
enum sr_lag {
    SR_LAG_RESENT, /* a TSN of which a copy was seen, since the third */
    SR_LAG_UNSEEN, /* one of which none was seen: it may only be late; since the third */
    SR_LAG_FIRST,  /* what did not wait for a third, since the first */
    SR_LAG_COUNT,
};

struct sr_reaction {
    struct sr_quantiles lags[SR_LAG_COUNT]; /* of packets */
    uint32_t frame;                         /* of the packet that was looked at last */
};

/* A TSN is sent again, of which a copy was `seen`. */
void sr_reaction_resent(struct sr_reaction *reaction, const struct sr_reports *reports,
                        const struct sr_journal *journal, const struct sr_transmission_row *row, bool seen);

/* SR_NO_TIME where it does not show. Nothing is added afterwards. */
int64_t sr_reaction_loop(struct sr_reaction *reaction);

#endif
