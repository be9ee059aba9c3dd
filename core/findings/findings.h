/* SPDX-License-Identifier: BSD-2-Clause */
/* What a person should know about a capture: those findings of `sctp-rack analyze` that rest on SCTP packets and on
 * what the engine made of them, by the same rules (analyzer/sctp_rack/findings) and in the same order. */
#ifndef SR_FINDINGS_FINDINGS_H
#define SR_FINDINGS_FINDINGS_H

#include "../capture/icmp.h"
#include "../engine/engine.h"

enum { SR_MOST_FRAMES = 8 };

/* Where to look first. */
struct sr_look {
    uint32_t frames[SR_MOST_FRAMES], count;
};

/* Of what findings are wanted. */
struct sr_findings_asked {
    const struct sr_engine *engine;           /* it has judged */
    int64_t latest_ns;                        /* of all frames, also those without SCTP; SR_NO_TIME without */
    const struct sr_icmp_errors *icmp_errors; /* NULL: they are not known */
    uint64_t icmp_quotes;                     /* frames with such an error, also of kinds that are not kept */
    uint32_t icmp_quotes_first;
    /* Whether an association is told of; NULL: all are. */
    bool (*in_scope)(const void *scope, uint32_t assoc);
    const void *scope;
    /* What the user knows better of a retransmission; NULL: nothing. */
    uint8_t (*verdict_of)(const void *overrides, const struct sr_transmission_row *row);
    const void *overrides;
};

struct sr_finding_told {
    uint8_t severity; /* enum sr_severity */
    uint8_t code;     /* enum sr_finding */
    bool shown;       /* while they are put in order */
    struct sr_look look;
    uint32_t others; /* of this kind, which are not told one by one */
    size_t text;     /* where its sentence begins */
};

/* All zero before the first use. */
struct sr_findings {
    const struct sr_findings_asked *asked;
    struct sr_buffer told;  /* struct sr_finding_told, as they were found */
    struct sr_buffer shown; /* likewise, in the order in which they are read */
    struct sr_buffer text;  /* their sentences */
    uint32_t counts[SR_SEVERITY_COUNT][SR_FINDING_COUNT];
    bool failed; /* memory ran out */
};

/* Worst first; of more than eight of one kind the first. False when memory runs out. */
bool sr_findings_find(struct sr_findings *findings, const struct sr_findings_asked *asked);
void sr_findings_free(struct sr_findings *findings);

uint32_t sr_findings_count(const struct sr_findings *findings);
const struct sr_finding_told *sr_findings_at(const struct sr_findings *findings, uint32_t at);

/* Appends its sentence, and how many others there are; with a NUL behind, which the length does not count. */
void sr_findings_say(const struct sr_findings *findings, const struct sr_finding_told *one, struct sr_buffer *to);

#endif
