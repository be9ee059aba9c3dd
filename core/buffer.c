/* SPDX-License-Identifier: BSD-2-Clause */
/* The growing array. */
#include "buffer.h"

#include <stdlib.h>
#include <string.h>

void *sr_buffer_extend(struct sr_buffer *buffer, size_t count)
{
    if (buffer->capacity - buffer->length < count) {
        size_t capacity = buffer->capacity ? buffer->capacity : 4096;
        while (capacity - buffer->length < count)
            capacity *= 2;
        uint8_t *grown = realloc(buffer->bytes, capacity);
        if (!grown) {
            buffer->failed = true;
            return NULL;
        }
        buffer->bytes = grown;
        buffer->capacity = capacity;
    }
    void *room = buffer->bytes + buffer->length;
    buffer->length += count;
    return room;
}

void sr_buffer_append(struct sr_buffer *buffer, const void *bytes, size_t count)
{
    if (count == 0) /* there may be no array yet to point into */
        return;
    void *room = sr_buffer_extend(buffer, count);
    if (room)
        memcpy(room, bytes, count);
}

void sr_buffer_free(struct sr_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct sr_buffer){0};
}
