/* SPDX-License-Identifier: BSD-2-Clause */
/* Where in a frame the next header begins: what was captured from there on and what was on the wire. Headers below
 * SCTP are read through it and never beyond the captured bytes. */
#ifndef SR_CAPTURE_CURSOR_H
#define SR_CAPTURE_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

struct sr_cursor {
    const uint8_t *bytes;
    uint32_t captured; /* never more than wire */
    uint32_t wire;
};

static inline struct sr_cursor sr_cursor(const uint8_t *bytes, uint32_t captured, uint32_t wire)
{
    return (struct sr_cursor){bytes, captured < wire ? captured : wire, wire};
}

/* Steps over `count` captured bytes. */
static inline void sr_cursor_skip(struct sr_cursor *cursor, uint32_t count)
{
    cursor->bytes += count;
    cursor->captured -= count;
    cursor->wire -= count;
}

/* From here on there were `wire` bytes: a length field says so. It may say more than the frame had, as where a tool
 * cut the frame and its length with it: what is missing is blind. */
static inline void sr_cursor_limit(struct sr_cursor *cursor, uint32_t wire)
{
    cursor->wire = wire;
    if (cursor->captured > wire)
        cursor->captured = wire;
}

#endif
