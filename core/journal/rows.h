/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows that leave the core: fixed width, columns as in names.toml, lists and text in pools beside them. Strings
 * exist only where the rows are shown. Rows of transmissions and acknowledgements are the journal: what was known at
 * the frame is written once, what is known later by whoever judges. Fields are ordered by size, so that no byte is
 * lost. */
#ifndef SR_JOURNAL_ROWS_H
#define SR_JOURNAL_ROWS_H

#include <stdint.h>

/* In a row of an association beyond the limit. */
#define SR_NO_ASSOCIATION UINT32_MAX
/* In place of a word of an enum: null. */
#define SR_NO_WORD 255
/* All bits that an enum sr_kind takes. */
#define SR_KIND_MASK 63
/* Likewise an enum sr_crc. */
#define SR_CRC_MASK 15u

/* What every pass of the judge looks at comes first: of most rows it takes one line of the cache. */
struct sr_transmission_row {
    int64_t time_ns;
    uint32_t frame;
    uint32_t tsn;
    uint32_t path;     /* its number, or SR_NO_PATH */
    uint32_t prev_row; /* 1 + number of the row of the copy before; 0: none that is known */
    uint16_t bytes;
    uint8_t from;             /* side that sent the packet: 0 for a, 1 for b */
    uint8_t kind;             /* enum sr_kind */
    uint8_t seen_kind : 6;    /* enum sr_kind: as at the frame */
    uint8_t reported : 1;     /* as a duplicate: this copy, to judge by the time */
    uint8_t acked_by_gap : 1; /* of a TSN sent again: its first acknowledgement was out of order */
    uint8_t flags;
    uint8_t crc;           /* enum sr_crc */
    uint8_t present;       /* 1 << enum sr_data_field */
    int64_t acked_time_ns; /* SR_NO_TIME: null */
    uint32_t acked_frame;  /* 0: null, also the next two */
    uint32_t resolved_frame, trigger_frame;
    uint8_t outcome, outcome_class; /* enum sr_outcome or SR_NO_WORD; a class of 0 is null */
    uint8_t verdict, verdict_class; /* enum sr_verdict or SR_NO_WORD */
    uint8_t cause, cause_class;     /* enum sr_cause or SR_NO_WORD */
    uint8_t probe, probe_class;     /* enum sr_probe or SR_NO_WORD */
    uint32_t assoc;                 /* or SR_NO_ASSOCIATION */
    uint64_t evidence;              /* 1 << code */
    uint32_t chunk;
    uint32_t copy;
    uint32_t first_frame, prev_frame; /* 0: not known, none */
    uint32_t dup_frame;               /* of feedback that reports it as a duplicate; 0: none */
    uint32_t mid, fsn, ppid;
    uint16_t sid, ssn;
    /* What follows stays inside the core. */
    uint8_t missing;               /* packets of its sender that were not seen before it: association/unseen.h */
    uint8_t may_be_fragmented : 1; /* its packet, though not all of its side may */
    uint8_t never_missed : 1;      /* before it, no feedback has passed its TSN over, but where a later took it back */
    uint8_t met_closed : 1;        /* the receiver had told last that it had no room for it */
    uint8_t sent_before : 1;       /* the order of TSNs in its packet says so: association/tsn_order.h */
    uint8_t hides : 1;             /* chunks follow in its packet that the capture cut off */
    uint8_t overtaken : 1;         /* its sender's count of packets says so: struct sr_copy */
    uint16_t packet_id;            /* with the next two what tells copies from duplicates */
    uint32_t fingerprint, content; /* of the packet and of the chunk: struct sr_sent_chunk */
};

struct sr_sack_row {
    int64_t time_ns;
    uint64_t lists; /* index into the pool of numbers: first and last TSN of each gap, then of each NR-gap, then dups */
    uint32_t frame;
    uint32_t cum_tsn;
    uint32_t a_rwnd;
    uint16_t gaps, nr_gaps, dups; /* how many of each in `lists` */
    uint16_t told;       /* so many gaps, from the first on, the SACK before had too: see engine/told_before.h */
    uint8_t from;        /* side that sent the packet: it acknowledges the data of the other */
    uint8_t kind;        /* enum sr_sack_kind; SHUTDOWN has no a_rwnd */
    uint8_t crc : 4;     /* enum sr_crc */
    uint8_t refuted : 1; /* it acknowledges what was sent only later: books/belief.h */
    uint8_t missing : 3; /* packets of its side, by its count, since the row before: association/unseen.h */
    uint8_t flags;
    uint32_t reneged_count;
    uint32_t path;    /* its number, or SR_NO_PATH */
    int64_t rtt_ns;   /* SR_NO_TIME: null */
    uint64_t reneged; /* index into the pool of the judge's numbers: the TSNs that it withdraws */
    uint32_t chunk;
    uint32_t assoc; /* or SR_NO_ASSOCIATION */
    uint32_t newly_acked, newly_acked_bytes;
    uint32_t malformed;                        /* 1 << enum sr_sack_anomaly */
    uint32_t rtxq_bytes, rtxq_necessary_bytes; /* the necessary ones are also those that are outstanding */
    uint8_t rtt_tag;                           /* enum sr_rtt_tag or SR_NO_WORD */
    uint8_t stale, truncated;
    uint8_t reneged_class; /* of what it takes back; 0: nothing */
    uint32_t repeats;      /* frame of the packet that its packet repeats: a judge leaves it out; 0: none */
};

/* A chunk of another type that a judge needs; these rows stay inside the core. */
struct sr_control_row {
    int64_t time_ns;
    uint64_t lists; /* index into the pool of numbers. PACKET DROP: TSNs that it quotes; RE-CONFIG: sender's and
                       receiver's next TSN, where it numbers TSNs anew */
    uint32_t frame;
    uint32_t chunk;
    uint32_t assoc;
    uint32_t path;  /* its number, or SR_NO_PATH */
    uint32_t count; /* of the numbers in `lists` */
    uint32_t tsn;   /* INIT, INIT ACK: initial TSN; FORWARD-TSN, I-FORWARD-TSN: new cumulative TSN; ECNE, CWR: lowest */
    uint32_t value; /* INIT, INIT ACK: a_rwnd; HEARTBEAT, HEARTBEAT ACK: equal for equal information */
    uint8_t from;   /* side that sent the packet */
    uint8_t type;   /* enum sr_chunk_type */
    uint8_t flags;
    uint8_t whole; /* the fields above were captured */
};

struct sr_chunk_row {
    int64_t time_ns;
    uint64_t text; /* index into the pool of text */
    uint32_t frame;
    uint32_t text_length; /* 0 without */
    uint32_t chunk;
    uint32_t assoc; /* or SR_NO_ASSOCIATION */
    uint32_t vtag;
    uint32_t malformed; /* 1 << enum sr_chunk_anomaly */
    uint32_t path;      /* its number, or SR_NO_PATH */
    uint32_t repeats;   /* frame of the packet that its packet repeats; 0: none */
    uint16_t sport, dport;
    uint16_t length;
    uint8_t from;      /* side that sent the packet */
    uint8_t has_chunk; /* 0 where not even a chunk header is there: type, flags and length mean nothing */
    uint8_t type, flags;
    uint8_t encapsulation; /* enum sr_encapsulation */
    uint8_t checksum;      /* enum sr_checksum */
};

#endif
