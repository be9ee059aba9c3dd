/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reader remembers between two blocks, shared by its file formats. */
#ifndef SR_CAPTURE_READER_STATE_H
#define SR_CAPTURE_READER_STATE_H

#include "../buffer.h"
#include "../wire/bytes.h"
#include "reader.h"

enum {
    SR_READER_BUFFER = 1 << 20,
    SR_LARGEST_RECORD = 262144, /* captured bytes; Wireshark's limit */
};

struct sr_interface {
    uint64_t ticks_per_second; /* decimal resolutions up to 1 ns and all binary ones up to 2^-63 */
    uint64_t ticks_per_ns;     /* for finer decimal resolutions; else 0 */
    int64_t offset_s;
    uint32_t link_type;
    uint32_t snaplen;
    uint64_t interface_drops, system_drops; /* by the last statistics block */
};

struct sr_reader {
    uint8_t *buffer;
    uint8_t *before[SR_READER_KEPT]; /* buffers before it, oldest first: that one is the next again; null: none kept */
    size_t start, end;               /* of the bytes not yet consumed */
    uint64_t skip;                   /* bytes of the current block to discard as they come */
    bool ended;                      /* no more bytes will come */
    bool big_endian;
    enum { SR_FORMAT_UNKNOWN, SR_FORMAT_PCAP, SR_FORMAT_PCAPNG } format;
    uint32_t fraction_ns;                 /* pcap: nanoseconds in a unit of the second timestamp field */
    uint32_t record_header;               /* pcap: bytes before the packet */
    uint32_t link_type;                   /* pcap */
    struct sr_buffer interfaces;          /* of the section: struct sr_interface */
    struct sr_buffer secrets;             /* {type, length, bytes} each, in host order */
    uint64_t drops_of_closed_sections[2]; /* interface, system */
    struct sr_reader_totals totals;
    uint64_t began_at;    /* byte of the input where the current block or record begins */
    uint64_t began_frame; /* and the frame that it would be */
    struct sr_reader_error error;
};

static inline uint16_t sr_reader_16(const struct sr_reader *reader, const uint8_t *at)
{
    return reader->big_endian ? sr_be16(at) : sr_le16(at);
}

static inline uint32_t sr_reader_32(const struct sr_reader *reader, const uint8_t *at)
{
    return reader->big_endian ? sr_be32(at) : sr_le32(at);
}

static inline uint64_t sr_reader_64(const struct sr_reader *reader, const uint8_t *at)
{
    uint64_t first = sr_reader_32(reader, at), second = sr_reader_32(reader, at + 4);
    return reader->big_endian ? first << 32 | second : second << 32 | first;
}

static inline const uint8_t *sr_reader_at(const struct sr_reader *reader)
{
    return reader->buffer + reader->start;
}

static inline size_t sr_reader_there(const struct sr_reader *reader)
{
    return reader->end - reader->start;
}

/* `count` bytes of the current block are done with; those not there yet are discarded as they come. */
static inline void sr_reader_consume(struct sr_reader *reader, uint64_t count)
{
    size_t there = sr_reader_there(reader);
    size_t now = count < there ? (size_t)count : there;
    reader->start += now;
    reader->skip = count - now;
    reader->totals.bytes += now;
}

static inline enum sr_reader_step sr_reader_bad(struct sr_reader *reader, const char *what)
{
    reader->error = (struct sr_reader_error){what, reader->began_at, reader->began_frame};
    return SR_READER_BAD;
}

/* Each reads one header, block or record at the start of the buffer. SR_READER_MORE with nothing consumed asks for
 * more bytes; with something consumed it says that this was no packet. */
enum sr_reader_step sr_pcap_header(struct sr_reader *reader);
enum sr_reader_step sr_pcap_record(struct sr_reader *reader, struct sr_record *record);
bool sr_pcap_is_magic(const uint8_t *at);
enum sr_reader_step sr_pcapng_block(struct sr_reader *reader, struct sr_record *record);
bool sr_pcapng_is_magic(const uint8_t *at);

#endif
