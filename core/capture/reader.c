/* SPDX-License-Identifier: BSD-2-Clause */
/* The buffer between the input and the file formats, and which format it is. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include "reader_state.h"

struct sr_reader *sr_reader_new(void)
{
    struct sr_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->began_frame = 1;
    reader->buffer = malloc(SR_READER_BUFFER);
    if (!reader->buffer) {
        free(reader);
        return NULL;
    }
    return reader;
}

void sr_reader_free(struct sr_reader *reader)
{
    if (!reader)
        return;
    sr_reader_let_go(reader);
    sr_buffer_free(&reader->interfaces);
    sr_buffer_free(&reader->secrets);
    free(reader->buffer);
    free(reader);
}

bool sr_reader_keep(struct sr_reader *reader)
{
    bool kept = true;
    for (int i = 0; i < SR_READER_KEPT; i++)
        kept &= (reader->before[i] = malloc(SR_READER_BUFFER)) != NULL;
    if (!kept)
        sr_reader_let_go(reader);
    return kept;
}

void sr_reader_let_go(struct sr_reader *reader)
{
    for (int i = 0; i < SR_READER_KEPT; i++) {
        free(reader->before[i]);
        reader->before[i] = NULL;
    }
}

/* The oldest becomes the buffer. */
static void keep_buffer(struct sr_reader *reader)
{
    uint8_t *kept = reader->buffer;
    reader->buffer = reader->before[0];
    for (int i = 1; i < SR_READER_KEPT; i++)
        reader->before[i - 1] = reader->before[i];
    reader->before[SR_READER_KEPT - 1] = kept;
}

uint8_t *sr_reader_space(struct sr_reader *reader, size_t *room)
{
    if (reader->start > 0) {
        const uint8_t *rest = sr_reader_at(reader);
        if (reader->before[0])
            keep_buffer(reader);
        memmove(reader->buffer, rest, sr_reader_there(reader));
        reader->end -= reader->start;
        reader->start = 0;
    }
    *room = SR_READER_BUFFER - reader->end;
    return reader->buffer + reader->end;
}

void sr_reader_filled(struct sr_reader *reader, size_t count)
{
    if (count == 0)
        reader->ended = true;
    reader->end += count;
    size_t there = sr_reader_there(reader);
    size_t discard = reader->skip < there ? (size_t)reader->skip : there;
    reader->start += discard;
    reader->skip -= discard;
    reader->totals.bytes += discard;
}

/* Sets the format when enough is there to tell. */
static enum sr_reader_step find_format(struct sr_reader *reader)
{
    enum { MAGIC = 4 };
    if (sr_reader_there(reader) < MAGIC) {
        if (!reader->ended)
            return SR_READER_MORE;
        return sr_reader_bad(reader, sr_reader_there(reader) == 0
                                         ? "nothing to read: the file is empty, or its compressed data is cut"
                                         : "not a capture: fewer than four bytes");
    }
    if (sr_pcapng_is_magic(sr_reader_at(reader)))
        reader->format = SR_FORMAT_PCAPNG;
    else if (sr_pcap_is_magic(sr_reader_at(reader)))
        return sr_pcap_header(reader);
    else
        return sr_reader_bad(reader, "not a pcap or pcapng capture; `--reader tshark` may be able to read it");
    return SR_READER_MORE;
}

static enum sr_reader_step at_end(struct sr_reader *reader)
{
    if (sr_reader_there(reader) == 0 && reader->skip == 0)
        return SR_READER_END;
    reader->error = (struct sr_reader_error){"the file ends inside a record", reader->began_at, reader->began_frame};
    return SR_READER_CUT;
}

enum sr_reader_step sr_reader_next(struct sr_reader *reader, struct sr_record *record)
{
    if (reader->interfaces.failed || reader->secrets.failed)
        return SR_READER_NO_MEMORY;
    if (reader->format == SR_FORMAT_UNKNOWN) {
        enum sr_reader_step step = find_format(reader);
        if (reader->format == SR_FORMAT_UNKNOWN)
            return step == SR_READER_MORE && reader->ended ? at_end(reader) : step;
    }
    for (;;) {
        uint64_t consumed = reader->totals.bytes;
        enum sr_reader_step step = SR_READER_MORE;
        if (reader->skip == 0) {
            reader->began_at = consumed;
            reader->began_frame = reader->totals.frames + 1;
            step = reader->format == SR_FORMAT_PCAP ? sr_pcap_record(reader, record) : sr_pcapng_block(reader, record);
        }
        if (step != SR_READER_MORE)
            return step;
        if (reader->totals.bytes == consumed)
            return reader->ended ? at_end(reader) : SR_READER_MORE;
    }
}

struct sr_reader_error sr_reader_error(const struct sr_reader *reader)
{
    return reader->error;
}

struct sr_reader_totals sr_reader_totals(const struct sr_reader *reader)
{
    struct sr_reader_totals totals = reader->totals;
    totals.interface_drops = reader->drops_of_closed_sections[0];
    totals.system_drops = reader->drops_of_closed_sections[1];
    const struct sr_interface *interfaces = (const void *)reader->interfaces.bytes;
    for (size_t i = 0; i < reader->interfaces.length / sizeof *interfaces; i++) {
        totals.interface_drops += interfaces[i].interface_drops;
        totals.system_drops += interfaces[i].system_drops;
    }
    return totals;
}

const char *sr_reader_format(const struct sr_reader *reader)
{
    static const char *const names[] = {NULL, "pcap", "pcapng"};
    return names[reader->format];
}

const uint8_t *sr_reader_next_secrets(const struct sr_reader *reader, size_t *offset, uint32_t *type, uint32_t *length)
{
    if (*offset >= reader->secrets.length)
        return NULL;
    const uint8_t *at = reader->secrets.bytes + *offset;
    memcpy(type, at, sizeof *type);
    memcpy(length, at + sizeof *type, sizeof *length);
    at += sizeof *type + sizeof *length;
    *offset = (size_t)(at - reader->secrets.bytes) + *length;
    return at;
}

const uint8_t *sr_reader_secrets(const struct sr_reader *reader, size_t index, uint32_t *type, uint32_t *length)
{
    size_t offset = 0;
    const uint8_t *at;
    do
        at = sr_reader_next_secrets(reader, &offset, type, length);
    while (at && index-- > 0);
    return at;
}
