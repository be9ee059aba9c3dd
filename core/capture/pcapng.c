/* SPDX-License-Identifier: BSD-2-Clause */
/* The pcapng file format (draft-ietf-opsawg-pcapng): sections, interfaces, packets, drop counters, secrets. */
#include <string.h>

#include "reader_state.h"

enum block_type {
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 2, /* obsolete */
    BLOCK_SIMPLE_PACKET = 3,
    BLOCK_NAME_RESOLUTION = 4,
    BLOCK_STATISTICS = 5,
    BLOCK_ENHANCED_PACKET = 6,
    BLOCK_JOURNAL_ENTRY = 9,
    BLOCK_SECRETS = 10,
    BLOCK_SYSDIG_EVENT = 0x204,
    BLOCK_SYSDIG_EVENT_2 = 0x216,
    BLOCK_SYSDIG_EVENT_2_LARGE = 0x221,
    BLOCK_CUSTOM = 0x0bad,
    BLOCK_CUSTOM_NOT_TO_COPY = 0x40000bad,
};

#define BLOCK_SECTION UINT32_C(0x0a0d0d0a) /* the same in both byte orders */
#define BYTE_ORDER_MAGIC UINT32_C(0x1a2b3c4d)

enum {
    BLOCK_HEADER = 8,
    BLOCK_TRAILER = 4,
    LEAST_BLOCK = 12,
    SECTION_HEADER = 28,
    MAJOR_VERSION = 1,
    LARGEST_BLOCK = 134348832, /* Wireshark 4.0's limit: 128 MiB for a packet, the rest for header and options */
    MOST_INTERFACES = 65536,
};

enum option_code {
    OPTION_END = 0,
    OPTION_PACKET_DROPS = 4,
    OPTION_IF_DROPS = 5,
    OPTION_OS_DROPS = 7,
    OPTION_RESOLUTION = 9,
    OPTION_OFFSET = 14,
};

/* The body of a block, without header and trailer; of one larger than the buffer only its beginning. */
struct body {
    const uint8_t *bytes;
    uint32_t length;
};

struct option {
    uint16_t code, length;
    const uint8_t *value;
};

bool sr_pcapng_is_magic(const uint8_t *at)
{
    return sr_be32(at) == BLOCK_SECTION;
}

/* Steps through the options in `body` from `*offset`; false at their end or where they are broken. */
static bool next_option(const struct sr_reader *reader, struct body body, uint32_t *offset, struct option *option)
{
    if (*offset > body.length || body.length - *offset < 4)
        return false;
    const uint8_t *at = body.bytes + *offset;
    *option = (struct option){sr_reader_16(reader, at), sr_reader_16(reader, at + 2), at + 4};
    if (option->code == OPTION_END || option->length > body.length - *offset - 4)
        return false;
    *offset += 4 + ((option->length + UINT32_C(3)) & ~UINT32_C(3));
    return true;
}

static struct sr_interface *interface_of(const struct sr_reader *reader, uint32_t index)
{
    size_t count = reader->interfaces.length / sizeof(struct sr_interface);
    return index < count ? (struct sr_interface *)(void *)reader->interfaces.bytes + index : NULL;
}

static enum sr_reader_step section(struct sr_reader *reader)
{
    struct sr_reader_totals totals = sr_reader_totals(reader);
    reader->drops_of_closed_sections[0] = totals.interface_drops;
    reader->drops_of_closed_sections[1] = totals.system_drops;
    reader->interfaces.length = 0;
    reader->totals.sections++;
    return SR_READER_MORE;
}

/* if_tsresol: a negative power of 10, or of 2 with the highest bit set. */
static void set_resolution(struct sr_interface *interface, uint8_t resolution)
{
    enum { BINARY = 0x80, NANO = 9, FINEST_DECIMAL = 19, FINEST_BINARY = 63 };
    uint8_t exponent = resolution & 0x7f;

    interface->ticks_per_ns = 0;
    if (resolution & BINARY) {
        interface->ticks_per_second = UINT64_C(1) << (exponent < FINEST_BINARY ? exponent : FINEST_BINARY);
        return;
    }
    uint64_t power = 1;
    for (uint8_t i = 0; i < exponent && i < FINEST_DECIMAL; i++)
        power *= 10;
    interface->ticks_per_second = power;
    if (exponent > NANO)
        interface->ticks_per_ns = power / 1000000000;
}

static enum sr_reader_step interface_block(struct sr_reader *reader, struct body body)
{
    enum { FIXED = 8 };
    struct sr_interface interface = {.ticks_per_second = 1000000};
    struct option option;

    if (body.length < FIXED)
        return sr_reader_bad(reader, "an interface description block is too short");
    if (reader->interfaces.length / sizeof interface >= MOST_INTERFACES)
        return sr_reader_bad(reader, "more than 65536 interfaces in a section");
    interface.link_type = sr_reader_16(reader, body.bytes);
    interface.snaplen = sr_reader_32(reader, body.bytes + 4);
    for (uint32_t offset = FIXED; next_option(reader, body, &offset, &option);) {
        if (option.code == OPTION_RESOLUTION && option.length >= 1)
            set_resolution(&interface, option.value[0]);
        else if (option.code == OPTION_OFFSET && option.length >= 8)
            interface.offset_s = (int64_t)sr_reader_64(reader, option.value);
    }
    sr_buffer_append(&reader->interfaces, &interface, sizeof interface);
    reader->totals.interfaces++;
    return SR_READER_MORE;
}

/* Nanoseconds of a timestamp, at the ends of the range where it leaves it. */
static int64_t nanoseconds(const struct sr_interface *interface, uint64_t ticks)
{
    __int128 ns;
    if (interface->ticks_per_ns != 0)
        ns = (__int128)(ticks / interface->ticks_per_ns);
    else
        ns = (__int128)ticks * 1000000000 / (__int128)interface->ticks_per_second;
    ns += (__int128)interface->offset_s * 1000000000;
    if (ns > INT64_MAX)
        return INT64_MAX;
    return ns <= SR_NO_TIME ? SR_NO_TIME + 1 : (int64_t)ns;
}

static enum sr_reader_step packet(struct sr_reader *reader, struct body body, uint32_t data, uint32_t index,
                                  uint64_t ticks, uint32_t captured, uint32_t wire, struct sr_record *record)
{
    const struct sr_interface *interface = interface_of(reader, index);
    if (!interface)
        return sr_reader_bad(reader, "a packet names an interface that the section does not have");
    if (captured > SR_LARGEST_RECORD)
        return sr_reader_bad(reader, "a packet block claims more than 262144 captured bytes");
    if (captured > body.length - data)
        return sr_reader_bad(reader, "a packet block claims more captured bytes than it has");
    *record = (struct sr_record){
        .frame = ++reader->totals.frames,
        .time_ns = nanoseconds(interface, ticks),
        .bytes = body.bytes + data,
        .captured = captured,
        .wire = wire < captured ? captured : wire,
        .link_type = interface->link_type,
        .interface = index,
    };
    return SR_READER_RECORD;
}

static enum sr_reader_step enhanced_packet(struct sr_reader *reader, struct body body, struct sr_record *record)
{
    enum { FIXED = 20 };
    const uint8_t *at = body.bytes;
    struct option option;

    if (body.length < FIXED)
        return sr_reader_bad(reader, "an enhanced packet block is too short");
    uint64_t ticks = (uint64_t)sr_reader_32(reader, at + 4) << 32 | sr_reader_32(reader, at + 8);
    uint32_t captured = sr_reader_32(reader, at + 12);
    enum sr_reader_step step =
        packet(reader, body, FIXED, sr_reader_32(reader, at), ticks, captured, sr_reader_32(reader, at + 16), record);
    if (step != SR_READER_RECORD)
        return step;
    for (uint32_t offset = FIXED + ((captured + 3) & ~UINT32_C(3)); next_option(reader, body, &offset, &option);)
        if (option.code == OPTION_PACKET_DROPS && option.length >= 8)
            reader->totals.record_drops += sr_reader_64(reader, option.value);
    return step;
}

static enum sr_reader_step obsolete_packet(struct sr_reader *reader, struct body body, struct sr_record *record)
{
    enum { FIXED = 20, DROPS_UNKNOWN = 0xffff };
    const uint8_t *at = body.bytes;

    if (body.length < FIXED)
        return sr_reader_bad(reader, "a packet block is too short");
    uint64_t ticks = (uint64_t)sr_reader_32(reader, at + 4) << 32 | sr_reader_32(reader, at + 8);
    uint16_t drops = sr_reader_16(reader, at + 2);
    if (drops != DROPS_UNKNOWN)
        reader->totals.record_drops += drops;
    return packet(reader, body, FIXED, sr_reader_16(reader, at), ticks, sr_reader_32(reader, at + 12),
                  sr_reader_32(reader, at + 16), record);
}

/* It has no time, belongs to the first interface and is cut by that one's snap length. */
static enum sr_reader_step simple_packet(struct sr_reader *reader, struct body body, struct sr_record *record)
{
    enum { FIXED = 4 };
    const struct sr_interface *interface = interface_of(reader, 0);

    if (body.length < FIXED)
        return sr_reader_bad(reader, "a simple packet block is too short");
    uint32_t wire = sr_reader_32(reader, body.bytes), captured = wire;
    if (interface && interface->snaplen != 0 && captured > interface->snaplen)
        captured = interface->snaplen;
    enum sr_reader_step step = packet(reader, body, FIXED, 0, 0, captured, wire, record);
    if (step == SR_READER_RECORD)
        record->time_ns = SR_NO_TIME;
    return step;
}

static enum sr_reader_step statistics(struct sr_reader *reader, struct body body)
{
    enum { FIXED = 12 };
    struct option option;

    if (body.length < FIXED)
        return sr_reader_bad(reader, "an interface statistics block is too short");
    struct sr_interface *interface = interface_of(reader, sr_reader_32(reader, body.bytes));
    if (!interface) { /* only counters are lost: Wireshark reads on too */
        reader->totals.skipped_blocks++;
        return SR_READER_MORE;
    }
    for (uint32_t offset = FIXED; next_option(reader, body, &offset, &option);) {
        if (option.code == OPTION_IF_DROPS && option.length >= 8)
            interface->interface_drops = sr_reader_64(reader, option.value);
        else if (option.code == OPTION_OS_DROPS && option.length >= 8)
            interface->system_drops = sr_reader_64(reader, option.value);
    }
    return SR_READER_MORE;
}

static enum sr_reader_step secrets(struct sr_reader *reader, struct body body)
{
    enum { FIXED = 8 };

    if (body.length < FIXED)
        return sr_reader_bad(reader, "a decryption secrets block is too short");
    uint32_t entry[2] = {sr_reader_32(reader, body.bytes), sr_reader_32(reader, body.bytes + 4)};
    reader->totals.secrets++;
    if (entry[1] > body.length - FIXED || reader->secrets.length + sizeof entry + entry[1] > SR_SECRETS_LIMIT)
        return SR_READER_MORE;
    sr_buffer_append(&reader->secrets, entry, sizeof entry);
    sr_buffer_append(&reader->secrets, body.bytes + FIXED, entry[1]);
    return SR_READER_MORE;
}

/* Wireshark gives these a frame number although they hold no packet, and our numbers have to be its. */
static enum sr_reader_step numbered_block(struct sr_reader *reader)
{
    reader->totals.frames++;
    reader->totals.skipped_blocks++;
    return SR_READER_MORE;
}

static enum sr_reader_step read_body(struct sr_reader *reader, uint32_t type, struct body body,
                                     struct sr_record *record)
{
    switch (type) {
    case BLOCK_SECTION: return section(reader);
    case BLOCK_INTERFACE: return interface_block(reader, body);
    case BLOCK_PACKET: return obsolete_packet(reader, body, record);
    case BLOCK_SIMPLE_PACKET: return simple_packet(reader, body, record);
    case BLOCK_ENHANCED_PACKET: return enhanced_packet(reader, body, record);
    case BLOCK_STATISTICS: return statistics(reader, body);
    case BLOCK_SECRETS: return secrets(reader, body);
    case BLOCK_NAME_RESOLUTION: return SR_READER_MORE;
    case BLOCK_JOURNAL_ENTRY:
    case BLOCK_SYSDIG_EVENT:
    case BLOCK_SYSDIG_EVENT_2:
    case BLOCK_SYSDIG_EVENT_2_LARGE:
    case BLOCK_CUSTOM:
    case BLOCK_CUSTOM_NOT_TO_COPY: return numbered_block(reader);
    default: reader->totals.skipped_blocks++; return SR_READER_MORE;
    }
}

enum sr_reader_step sr_pcapng_block(struct sr_reader *reader, struct sr_record *record)
{
    size_t there = sr_reader_there(reader);
    if (there < LEAST_BLOCK)
        return SR_READER_MORE;
    const uint8_t *at = sr_reader_at(reader);
    uint32_t type = sr_reader_32(reader, at);
    if (type == BLOCK_SECTION) {
        if (sr_be32(at + 8) != BYTE_ORDER_MAGIC && sr_le32(at + 8) != BYTE_ORDER_MAGIC)
            return sr_reader_bad(reader, "a section header has no byte-order magic");
        reader->big_endian = sr_be32(at + 8) == BYTE_ORDER_MAGIC;
        if (there < SECTION_HEADER)
            return SR_READER_MORE;
        if (sr_reader_16(reader, at + 12) != MAJOR_VERSION)
            return sr_reader_bad(reader, "pcapng of a version other than 1");
    }
    uint32_t length = sr_reader_32(reader, at + 4);
    if (length < LEAST_BLOCK || length % 4 != 0)
        return sr_reader_bad(reader, "a block's length is not a multiple of four, or below twelve");
    if (length > LARGEST_BLOCK)
        return sr_reader_bad(reader, "a block claims more than 128 MiB");

    bool whole = length <= SR_READER_BUFFER;
    uint32_t view = whole ? length : SR_READER_BUFFER;
    if (there < view)
        return SR_READER_MORE;
    if (whole && sr_reader_32(reader, at + length - BLOCK_TRAILER) != length)
        return sr_reader_bad(reader, "a block's two lengths differ");
    struct body body = {at + BLOCK_HEADER, view - BLOCK_HEADER - (whole ? (uint32_t)BLOCK_TRAILER : 0)};
    enum sr_reader_step step = read_body(reader, type, body, record);
    if (step != SR_READER_BAD)
        sr_reader_consume(reader, length);
    return step;
}
