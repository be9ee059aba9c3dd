/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person should know about the open file: those findings of `sctp-rack analyze` that rest on SCTP packets and on
 * what the engine made of them, by the same rules (analyzer/sctp_rack/findings). */
#ifndef SR_DISSECTOR_FINDINGS_H
#define SR_DISSECTOR_FINDINGS_H

#include "names.h"
#include "report.h"
#include "say.h"

enum { SR_MOST_FRAMES = 8 };

/* Where to look first. */
struct sr_look {
    uint32_t frames[SR_MOST_FRAMES], count;
};

/* A frame behind the others; 0 is none, and one that is there is not told again. */
void sr_look_at(struct sr_look *look, uint32_t frame);
/* The lowest stay, in order. */
void sr_look_at_lowest(struct sr_look *look, uint32_t frame);

/* Of one kind the first are kept, so that a hundred thousand take no memory. */
enum { SR_MOST_ALIKE = 8 };

struct sr_finding_told {
    uint8_t severity; /* enum sr_severity */
    uint8_t code;     /* enum sr_finding */
    struct sr_look look;
    char *text;
    bool told;
};

struct sr_findings {
    const struct sr_recording *recording;
    const struct sr_scope *scope;
    GArray *list; /* struct sr_finding_told */
    uint32_t counts[SR_SEVERITY_COUNT][SR_FINDING_COUNT];
};

/* One more; the sentence is that of the code. */
void sr_findings_add(struct sr_findings *findings, enum sr_severity severity, uint8_t code, enum sr_sentence sentence,
                     const struct sr_look *look, const struct sr_value *values);

/* An association that is told of by itself, from number `*next` on; NULL behind the last. */
const struct sr_association *sr_findings_next(const struct sr_findings *findings, uint32_t *next);

/* `0: 192.0.2.1:5000 - 198.51.100.1:5001`: as wording/ends.py. To be freed. */
char *sr_findings_ends(const struct sr_association *association);

void sr_find_capture(struct sr_findings *findings);
void sr_find_behaviour(struct sr_findings *findings);
void sr_find_resends(struct sr_findings *findings);

#endif
