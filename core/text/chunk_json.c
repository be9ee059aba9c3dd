/* SPDX-License-Identifier: BSD-2-Clause */
/* Control chunks as JSON, by their layouts. */
#include "chunk_json.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../wire/bytes.h"
#include "../wire/layout.h"
#include "../wire/tlv.h"
#include "address_text.h"

enum { DEEPEST = 4 }; /* an unrecognized parameter may quote one that quotes one, and so on */

struct span {
    const uint8_t *bytes;
    uint32_t captured, wire;
};

static void write_rest(struct sr_buffer *out, const struct sr_layout *layout, struct span rest, int depth);

__attribute__((format(printf, 2, 3))) static void print(struct sr_buffer *out, const char *format, ...)
{
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sr_buffer_append(out, text, (size_t)length);
}

/* A comma, unless the object or list has just been opened. */
static void separate(struct sr_buffer *out)
{
    char last = out->length > 0 ? (char)out->bytes[out->length - 1] : '{';
    if (last != '{' && last != '[')
        print(out, ",");
}

static struct span skip(struct span span, uint32_t count)
{
    uint32_t there = count < span.captured ? count : span.captured;
    uint32_t wire = count < span.wire ? count : span.wire;
    return (struct span){span.bytes + there, span.captured - there, span.wire - wire};
}

/* Fixed fields; one that lies beyond `fixed` is optional (RFC 6525 section 4.4). */
static void write_fields(struct sr_buffer *out, const struct sr_layout *layout, struct span value)
{
    for (const struct sr_field *field = layout->fields; field < layout->fields + SR_LAYOUT_FIELDS && field->name;
         field++) {
        if ((uint32_t)field->offset + field->bytes > value.captured)
            continue;
        const uint8_t *at = value.bytes + field->offset;
        separate(out);
        print(out, "\"%s\":%u", field->name, (unsigned)(field->bytes == 2 ? sr_be16(at) : sr_be32(at)));
    }
}

static void write_elements(struct sr_buffer *out, struct span span, bool causes, int depth)
{
    struct sr_tlv_walk walk = sr_tlv_walk(span.bytes, span.captured, span.wire);
    struct sr_tlv tlv;
    while (sr_tlv_next(&walk, &tlv)) {
        const struct sr_layout *layout = causes ? sr_cause_layout(tlv.type) : sr_parameter_layout(tlv.type);
        struct span value = {tlv.value, tlv.captured, tlv.length - UINT32_C(4)};
        separate(out);
        print(out, "{\"type\":%u,\"length\":%u", tlv.type, tlv.length);
        if (layout) {
            print(out, ",\"name\":\"%s\"", layout->name);
            write_fields(out, layout, value);
            if (value.wire >= layout->fixed)
                write_rest(out, layout, skip(value, layout->fixed), depth + 1);
        }
        print(out, "}");
    }
    if (walk.broken) {
        separate(out);
        print(out, "{\"broken\":true}");
    }
}

static void write_list(struct sr_buffer *out, enum sr_rest rest, struct span span)
{
    uint32_t size = rest == SR_REST_BYTE_LIST         ? 1
                    : rest == SR_REST_WORD_LIST       ? 2
                    : rest == SR_REST_STREAM_SSN_LIST ? 4
                                                      : 8;
    for (const uint8_t *at = span.bytes; span.captured >= size; at += size, span.captured -= size) {
        separate(out);
        switch (size) {
        case 1: print(out, "%u", at[0]); break;
        case 2: print(out, "%u", sr_be16(at)); break;
        case 4: print(out, "{\"sid\":%u,\"ssn\":%u}", sr_be16(at), sr_be16(at + 2)); break;
        case 8:
            print(out, "{\"sid\":%u,\"unordered\":%s,\"mid\":%u}", sr_be16(at), at[3] & 1 ? "true" : "false",
                  (unsigned)sr_be32(at + 4));
            break;
        }
    }
}

static void write_address(struct sr_buffer *out, const char *name, struct span span, uint8_t family)
{
    char text[SR_ADDRESS_TEXT];
    if (span.captured >= (family == 4 ? 4u : 16u)) {
        sr_address_text(span.bytes, family, text);
        print(out, "\"%s\":\"%s\"", name, text);
    } else {
        print(out, "\"%s\":null", name);
    }
}

static void write_rest(struct sr_buffer *out, const struct sr_layout *layout, struct span rest, int depth)
{
    if (layout->rest == SR_REST_NOTHING)
        return;
    separate(out);
    switch ((enum sr_rest)layout->rest) {
    case SR_REST_NOTHING: break;
    case SR_REST_IPV4: write_address(out, layout->rest_name, rest, 4); break;
    case SR_REST_IPV6: write_address(out, layout->rest_name, rest, 6); break;
    case SR_REST_OPAQUE: print(out, "\"%s\":%u", layout->rest_name, (unsigned)rest.wire); break;
    case SR_REST_PARAMETERS:
    case SR_REST_CAUSES:
        print(out, "\"%s\":[", layout->rest_name);
        if (depth < DEEPEST)
            write_elements(out, rest, layout->rest == SR_REST_CAUSES, depth);
        print(out, "]");
        break;
    case SR_REST_BYTE_LIST:
    case SR_REST_WORD_LIST:
    case SR_REST_STREAM_SSN_LIST:
    case SR_REST_STREAM_MID_LIST:
        print(out, "\"%s\":[", layout->rest_name);
        write_list(out, (enum sr_rest)layout->rest, rest);
        print(out, "]");
        break;
    }
}

bool sr_chunk_json(const struct sr_chunk *chunk, struct sr_buffer *out)
{
    const struct sr_layout *layout = sr_chunk_layout(chunk->type);
    if (!layout)
        return true;
    struct span value = {chunk->bytes + SR_CHUNK_HEADER_LENGTH, chunk->captured - SR_CHUNK_HEADER_LENGTH,
                         chunk->length - (uint32_t)SR_CHUNK_HEADER_LENGTH};
    print(out, "{");
    write_fields(out, layout, value);
    if (value.wire >= layout->fixed)
        write_rest(out, layout, skip(value, layout->fixed), 0);
    print(out, "}");
    return value.wire >= layout->fixed;
}
