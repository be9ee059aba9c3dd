/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sides of an association say that is wrong: ABORT and ERROR chunks by their causes (RFC 9260 section 3.3.10).
 * Memory is bounded: of more kinds than are kept there is a count. */
#ifndef SR_ASSOCIATION_ERRORS_H
#define SR_ASSOCIATION_ERRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "../wire/chunk.h"

enum { SR_ERRORS_KEPT = 4, SR_ERROR_TEXT = 80 };

struct sr_error {
    uint32_t count; /* how often */
    uint32_t first_frame;
    uint16_t cause; /* cause code, where there is one */
    uint8_t chunk;  /* enum sr_chunk_type: ABORT or ERROR */
    uint8_t from;   /* side that sent it */
    bool has_cause;
    bool reflected;                    /* the T bit of an ABORT: its sender knows no such association (section 8.5.1) */
    uint8_t text_length;               /* of the first that brings one */
    unsigned char text[SR_ERROR_TEXT]; /* as its sender wrote it, or its beginning */
};

struct sr_errors {
    struct sr_error *kept; /* room for SR_ERRORS_KEPT; NULL before the first */
    uint32_t kinds;        /* that are kept */
    uint32_t more;         /* others */
};

void sr_errors_free(struct sr_errors *errors);

/* An ABORT or ERROR chunk of side `from`. */
void sr_errors_note(struct sr_errors *errors, unsigned from, const struct sr_chunk *chunk, uint32_t frame);

/* What the sender of a cause wrote about it, without spaces around it: the beginning that can be printed, since behind
 * a text some stacks quote a chunk. NULL where it is none; it has no NUL behind it. */
const unsigned char *sr_error_reason(const struct sr_error *error, uint32_t *length);

/* Those of the other half of an association, whose side a is side b here where it is `turned`. */
void sr_errors_join(struct sr_errors *errors, const struct sr_errors *others, bool turned);

#endif
