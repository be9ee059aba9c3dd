/* SPDX-License-Identifier: BSD-2-Clause */
/* The pcap file format (draft-ietf-opsawg-pcap) in both byte orders, with microseconds or nanoseconds, and with the
 * longer record header of Kuznetzov's modified libpcap. */
#include "reader_state.h"

#define MAGIC_MICROSECONDS UINT32_C(0xa1b2c3d4)
#define MAGIC_NANOSECONDS UINT32_C(0xa1b23c4d)
#define MAGIC_KUZNETZOV UINT32_C(0xa1b2cd34)
#define LINKTYPE_MASK UINT32_C(0x03ffffff) /* the bits above tell of a frame check sequence */

enum { FILE_HEADER = 24, RECORD_HEADER = 16, RECORD_HEADER_KUZNETZOV = 24, MAJOR_VERSION = 2 };

static bool is_magic(uint32_t magic)
{
    return magic == MAGIC_MICROSECONDS || magic == MAGIC_NANOSECONDS || magic == MAGIC_KUZNETZOV;
}

bool sr_pcap_is_magic(const uint8_t *at)
{
    return is_magic(sr_be32(at)) || is_magic(sr_le32(at));
}

enum sr_reader_step sr_pcap_header(struct sr_reader *reader)
{
    if (sr_reader_there(reader) < FILE_HEADER)
        return SR_READER_MORE;
    const uint8_t *at = sr_reader_at(reader);
    reader->big_endian = is_magic(sr_be32(at));
    uint32_t magic = sr_reader_32(reader, at);
    if (sr_reader_16(reader, at + 4) != MAJOR_VERSION)
        return sr_reader_bad(reader, "pcap of a version other than 2");
    reader->format = SR_FORMAT_PCAP;
    reader->fraction_ns = magic == MAGIC_NANOSECONDS ? 1 : 1000;
    reader->record_header = magic == MAGIC_KUZNETZOV ? RECORD_HEADER_KUZNETZOV : RECORD_HEADER;
    reader->link_type = sr_reader_32(reader, at + 20) & LINKTYPE_MASK;
    reader->totals.sections = reader->totals.interfaces = 1;
    sr_reader_consume(reader, FILE_HEADER);
    return SR_READER_MORE;
}

enum sr_reader_step sr_pcap_record(struct sr_reader *reader, struct sr_record *record)
{
    if (sr_reader_there(reader) < reader->record_header)
        return SR_READER_MORE;
    const uint8_t *at = sr_reader_at(reader);
    uint32_t captured = sr_reader_32(reader, at + 8);
    if (captured > SR_LARGEST_RECORD)
        return sr_reader_bad(reader, "a record claims more than 262144 captured bytes");
    if (sr_reader_there(reader) < reader->record_header + captured)
        return SR_READER_MORE;
    uint32_t wire = sr_reader_32(reader, at + 12);
    *record = (struct sr_record){
        .frame = ++reader->totals.frames,
        .time_ns = (int64_t)sr_reader_32(reader, at) * 1000000000 +
                   (int64_t)sr_reader_32(reader, at + 4) * reader->fraction_ns,
        .bytes = at + reader->record_header,
        .captured = captured,
        .wire = wire < captured ? captured : wire,
        .link_type = reader->link_type,
    };
    sr_reader_consume(reader, reader->record_header + captured);
    return SR_READER_RECORD;
}
