/* SPDX-License-Identifier: BSD-2-Clause */
/* From the bytes of a capture file, block by block, to its records: pcap and pcapng. It does no input of its own: the
 * caller fills the space that it offers, from a file, a pipe or a decompressor. Memory is constant. */
#ifndef SR_CAPTURE_READER_H
#define SR_CAPTURE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../wire/time.h"

struct sr_reader;

struct sr_record {
    uint64_t frame;       /* 1-based, as Wireshark counts */
    int64_t time_ns;      /* since the Unix epoch; SR_NO_TIME where the file has none */
    const uint8_t *bytes; /* valid until space is asked for again; or longer: sr_reader_keep */
    uint32_t captured, wire;
    uint32_t link_type; /* LINKTYPE number */
    uint32_t interface; /* within its section */
};

enum sr_reader_step {
    SR_READER_RECORD,
    SR_READER_MORE, /* it needs more bytes */
    SR_READER_END,  /* the input ended at the end of a record */
    SR_READER_CUT,  /* the input ended inside a record; what came before stands */
    SR_READER_BAD,  /* sr_reader_error says what and where; what came before stands */
    SR_READER_NO_MEMORY,
};

struct sr_reader_error {
    const char *what;
    uint64_t offset; /* byte of the input where the record begins */
    uint64_t frame;  /* that it would have been */
};

struct sr_reader_totals {
    uint64_t bytes;           /* of the input, read so far */
    uint64_t frames;          /* numbered as Wireshark does: see pcapng.c for those that are no packets */
    uint64_t interfaces;      /* of all sections */
    uint64_t sections;        /* 1 for pcap */
    uint64_t skipped_blocks;  /* without a packet that are not read */
    uint64_t interface_drops; /* that the interfaces reported, by their last statistics block */
    uint64_t system_drops;    /* that the operating system reported, likewise */
    uint64_t record_drops;    /* that packet blocks say were lost before them */
    uint64_t secrets;         /* decryption secrets blocks */
};

struct sr_reader *sr_reader_new(void); /* NULL when memory runs out */
void sr_reader_free(struct sr_reader *reader);

/* Where to put the next bytes, and for how many there is room: at least one after SR_READER_MORE. */
uint8_t *sr_reader_space(struct sr_reader *reader, size_t *room);

/* Bytes of records stay valid until space was asked for SR_READER_KEPT times more. False without memory for it. */
enum { SR_READER_KEPT = 3 };
bool sr_reader_keep(struct sr_reader *reader);

/* They need not stay any more. */
void sr_reader_let_go(struct sr_reader *reader);

/* So many were put there; 0 says that the input has ended. */
void sr_reader_filled(struct sr_reader *reader, size_t count);

enum sr_reader_step sr_reader_next(struct sr_reader *reader, struct sr_record *record);

struct sr_reader_error sr_reader_error(const struct sr_reader *reader);
struct sr_reader_totals sr_reader_totals(const struct sr_reader *reader);

/* "pcap", "pcapng", or NULL until enough was read to tell. */
const char *sr_reader_format(const struct sr_reader *reader);

/* Decryption secrets of the file, `index` from 0: their type (0x544c534b for a TLS key log) and bytes, NULL past the
 * last. Those that would take more than SR_SECRETS_LIMIT bytes together are counted and not kept. */
enum { SR_SECRETS_LIMIT = 1 << 20 };
const uint8_t *sr_reader_secrets(const struct sr_reader *reader, size_t index, uint32_t *type, uint32_t *length);

/* The next of them behind `*offset`, which begins at 0. */
const uint8_t *sr_reader_next_secrets(const struct sr_reader *reader, size_t *offset, uint32_t *type, uint32_t *length);

#endif
