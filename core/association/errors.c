/* SPDX-License-Identifier: BSD-2-Clause */
/* Causes of ABORT and ERROR chunks, counted. */
#include "errors.h"

#include <stdlib.h>
#include <string.h>

#include "../text/printable.h"
#include "../wire/tlv.h"

/* Causes whose value may be a text: RFC 9260 sections 3.3.10.12 and 3.3.10.13. */
enum { USER_INITIATED_ABORT = 12, PROTOCOL_VIOLATION = 13 };

static struct sr_error *find_or_add(struct sr_errors *errors, const struct sr_error *error)
{
    for (uint32_t i = 0; i < errors->kinds; i++) {
        struct sr_error *kept = &errors->kept[i];
        if (kept->chunk == error->chunk && kept->from == error->from && kept->has_cause == error->has_cause &&
            kept->cause == error->cause && kept->reflected == error->reflected)
            return kept;
    }
    if (!errors->kept) /* most associations never have one */
        errors->kept = calloc(SR_ERRORS_KEPT, sizeof *errors->kept);
    if (errors->kinds == SR_ERRORS_KEPT || !errors->kept) {
        errors->more++;
        return NULL;
    }
    errors->kept[errors->kinds] = *error;
    return &errors->kept[errors->kinds++];
}

void sr_errors_free(struct sr_errors *errors)
{
    free(errors->kept);
    *errors = (struct sr_errors){0};
}

static void take_text(struct sr_error *error, const struct sr_tlv *cause)
{
    if (cause->type != USER_INITIATED_ABORT && cause->type != PROTOCOL_VIOLATION)
        return;
    if (error->text_length > 0 || cause->captured == 0)
        return;
    error->text_length = (uint8_t)(cause->captured < SR_ERROR_TEXT ? cause->captured : SR_ERROR_TEXT);
    memcpy(error->text, cause->value, error->text_length);
}

void sr_errors_note(struct sr_errors *errors, unsigned from, const struct sr_chunk *chunk, uint32_t frame)
{
    enum { T_BIT = 1 };
    struct sr_error error = {
        .first_frame = frame,
        .chunk = chunk->type,
        .from = (uint8_t)from,
        .reflected = chunk->type == SR_CHUNK_ABORT && (chunk->flags & T_BIT),
    };
    struct sr_tlv_walk walk =
        sr_tlv_walk(chunk->bytes + SR_CHUNK_HEADER_LENGTH, chunk->captured - (uint32_t)SR_CHUNK_HEADER_LENGTH,
                    chunk->length - (uint32_t)SR_CHUNK_HEADER_LENGTH);
    struct sr_tlv cause;
    struct sr_error *kept;
    while (sr_tlv_next(&walk, &cause)) {
        error.has_cause = true;
        error.cause = cause.type;
        if ((kept = find_or_add(errors, &error))) {
            kept->count++;
            take_text(kept, &cause);
        }
    }
    if (!error.has_cause && (kept = find_or_add(errors, &error)))
        kept->count++;
}

const unsigned char *sr_error_reason(const struct sr_error *error, uint32_t *length)
{
    enum { SHORTEST = 3 }; /* fewer characters are no text */
    const unsigned char *begin = error->text;
    size_t characters, bytes = sr_printable(begin, error->text_length, &characters);
    for (; bytes > 0 && begin[bytes - 1] == ' '; bytes--)
        characters--;
    for (; bytes > 0 && *begin == ' '; bytes--, begin++)
        characters--;
    *length = (uint32_t)bytes;
    return characters < SHORTEST ? NULL : begin;
}

void sr_errors_join(struct sr_errors *errors, const struct sr_errors *others, bool turned)
{
    errors->more += others->more;
    for (uint32_t i = 0; i < others->kinds; i++) {
        struct sr_error other = others->kept[i];
        other.from = turned ? 1 - other.from : other.from;
        uint32_t count = other.count;
        other.count = 0;
        struct sr_error *kept = find_or_add(errors, &other);
        if (!kept)
            continue;
        kept->count += count;
        if (other.first_frame < kept->first_frame)
            kept->first_frame = other.first_frame;
    }
}
