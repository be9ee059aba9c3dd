/* SPDX-License-Identifier: BSD-2-Clause */
/* A growing array of bytes. It keeps its memory when emptied, so a steady state allocates nothing. */
#ifndef SR_BUFFER_H
#define SR_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sr_buffer {
    uint8_t *bytes;
    size_t length, capacity;
    bool failed; /* memory ran out; what was appended since is missing */
};

/* Room for `count` more bytes at the end, already counted in the length; NULL when memory ran out. */
void *sr_buffer_extend(struct sr_buffer *buffer, size_t count);

void sr_buffer_append(struct sr_buffer *buffer, const void *bytes, size_t count);

void sr_buffer_free(struct sr_buffer *buffer);

#endif
