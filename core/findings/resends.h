/* SPDX-License-Identifier: BSD-2-Clause */
/* The retransmissions of each direction, summed up for its findings: as recovery/retransmissions.py. */
#ifndef SR_FINDINGS_RESENDS_H
#define SR_FINDINGS_RESENDS_H

#include "findings.h"

#define SR_SACK_DELAY_NS INT64_C(200000000) /* RFC 9260 section 6.2: unless configured */

/* Retransmissions that one sentence speaks of. */
struct sr_group {
    struct sr_look look;
    int64_t count, packets; /* that hold them: a timer sends one */
    uint32_t last_frame;
    int64_t spared;                         /* of copies that RACK-TLP never marked */
    int64_t waits, shortest_ns, longest_ns; /* how many waited a known time, and the extremes */
};

/* One expiry of T3-rtx and its retransmissions; or several, summed up. */
struct sr_timeout {
    uint32_t frame;
    int64_t time_ns;
    struct sr_group resent;
    struct sr_group arrived; /* the spurious that it had marked, and cwnd held back */
    int64_t spurious, spurious_bytes;
    int64_t young; /* the spurious that were sent less than a smoothed round trip before it */
};

enum { SR_MOST_STORMS = 100 };

struct sr_resends {
    uint32_t assoc;
    uint8_t from;
    bool has_paths, reports_no_duplicates;
    int64_t srtt_ns, min_rtt_ns, soon_ns;
    int64_t shortest_ns, delayed_ns; /* round trip; longest of one whose SACK may have been held back */
    int64_t sack_delay_ns;           /* 0: none was seen to be held back */
    int64_t false_marks;             /* of RACK-TLP */
    int64_t undetermined;
    struct sr_group reordered, under_way; /* spurious ones by feedback: of first copies and of later ones */
    struct sr_group too_soon;             /* by timers that were too short */
    int64_t too_soon_probes;              /* of them */
    struct sr_group lost_again, tail;     /* needed, after T3-rtx */
    int64_t led, longest_lead_ns;         /* of lost_again, those that RACK-TLP would have sent earlier */
    struct sr_buffer storms;              /* struct sr_timeout */
    int64_t more_storms;
    struct sr_timeout other_storms, calm; /* beyond SR_MOST_STORMS; those that are none */
    struct sr_timeout open;
    bool has_open;
    struct sr_buffer stalls; /* struct sr_stall */
    bool wants_usual;        /* the next is to be found: it takes sorting */
    int64_t usual_ns;        /* median round trip */
};

/* Of the directions in scope, by association and side. */
struct sr_resends_list {
    struct sr_resends *of;
    uint32_t count;
    uint32_t directions; /* 2 * association + side is below it */
    uint32_t *place_of;  /* by it: 1 + which of them; 0: none */
};

/* NULL: it is none of them. */
static inline struct sr_resends *sr_resends_of(const struct sr_resends_list *list, uint32_t assoc, unsigned from)
{
    uint32_t place = assoc < list->directions / 2 ? list->place_of[2 * assoc + from] : 0;
    return place > 0 ? &list->of[place - 1] : NULL;
}

/* False when memory runs out. To be given to sr_resends_free anyway. */
bool sr_resends_find(struct sr_resends_list *list, const struct sr_findings_asked *asked);
/* `usual_ns` of those that want it, as recovery/round_trips.py. False when memory runs out. */
bool sr_usual_find(const struct sr_resends_list *list, const struct sr_spool *samples);

void sr_resends_free(struct sr_resends_list *list);

static inline uint32_t sr_resends_storms(const struct sr_resends *resends)
{
    return (uint32_t)(resends->storms.length / sizeof(struct sr_timeout));
}

static inline const struct sr_timeout *sr_resends_storm(const struct sr_resends *resends, uint32_t at)
{
    return (const struct sr_timeout *)(const void *)resends->storms.bytes + at;
}

#endif
