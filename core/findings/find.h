/* SPDX-License-Identifier: BSD-2-Clause */
/* What those share that find something. */
#ifndef SR_FINDINGS_FIND_H
#define SR_FINDINGS_FIND_H

#include "findings.h"
#include "say.h"

/* A frame behind the others; 0 is none, and one that is there is not told again. */
void sr_look_at(struct sr_look *look, uint32_t frame);
/* The lowest stay, in order. */
void sr_look_at_lowest(struct sr_look *look, uint32_t frame);

/* One more; the sentence is that of the code. `look` may be NULL. */
void sr_findings_add(struct sr_findings *findings, enum sr_severity severity, uint8_t code, enum sr_sentence sentence,
                     const struct sr_look *look, const struct sr_value *values);

bool sr_findings_tell_of(const struct sr_findings_asked *asked, uint32_t assoc);

/* An association that is told of by itself, from number `*next` on; NULL behind the last. */
const struct sr_association *sr_findings_next(const struct sr_findings *findings, uint32_t *next);

/* Associations, those included that are told of with others: each number is below it. */
uint32_t sr_findings_associations(const struct sr_findings_asked *asked);

enum { SR_ENDS_TEXT = 192 }; /* more than two addresses, their ports, and as many numbers */

/* `BEFORE 0: 192.0.2.1:5000 - 198.51.100.1:5001BEHIND`: as wording/ends.py. */
void sr_findings_ends(const struct sr_association *association, const char *before, const char *behind,
                      char text[SR_ENDS_TEXT]);

enum { SR_END_TEXT = 80 }; /* of an address in brackets, a port, and how many addresses more */

/* The first that is known; NULL without. */
const struct sr_address *sr_findings_address(const struct sr_side *side);
/* `address:port`; `unknown` in place of an address of family 0, or NULL. */
void sr_findings_end(const struct sr_address *address, unsigned port, const char *unknown, char text[SR_END_TEXT]);

/* RFC 9260 section 6.3.3: while data is outstanding a timer runs, and each expiry sends. This side's did not. */
bool sr_is_stuck(const struct sr_findings *findings, const struct sr_association *association,
                 const struct sr_direction_figures *figures);

struct sr_resends_list;

void sr_find_wrong(struct sr_findings *findings);
void sr_find_signalled(struct sr_findings *findings);
void sr_find_icmp(struct sr_findings *findings);
void sr_find_unreachable(struct sr_findings *findings);
void sr_find_capture(struct sr_findings *findings);
void sr_find_behaviour(struct sr_findings *findings);
/* On loss and recovery, then on what limited the transfer, of each direction. */
void sr_find_recovery(struct sr_findings *findings, const struct sr_resends_list *list);
void sr_find_stalled(struct sr_findings *findings, const struct sr_resends_list *list);

#endif
