/* SPDX-License-Identifier: BSD-2-Clause */
/* One packet on its way through the engine: what the files of the engine share. */
#ifndef SR_ENGINE_PASSAGE_H
#define SR_ENGINE_PASSAGE_H

#include "../association/repeats.h"
#include "../journal/judgement.h"
#include "../wire/chunk.h"
#include "../wire/re_config.h"
#include "../wire/sack.h"
#include "engine.h"
#include "hand_out.h"

struct sr_engine {
    struct sr_engine_options options;
    struct sr_engine_totals totals;
    struct sr_registry *associations;
    struct sr_repeats *repeats;
    struct sr_journal journal;
    struct sr_judgement judgement;
    struct sr_hand_out hand_out;
    struct sr_rows rows;
    bool keeps_journal;    /* a table was asked for that needs it */
    uint64_t frame;        /* of the packet before */
    uint32_t frame_chunks; /* chunks of that frame so far, over all its packets */
};

struct sr_passage {
    const struct sr_packet *packet;
    struct sr_common_header header;
    uint32_t path;                      /* its number */
    struct sr_association *association; /* NULL beyond the limit */
    unsigned from;                      /* the side that sent it */
    uint8_t checksum;                   /* enum sr_checksum */
    uint8_t crc;                        /* enum sr_crc */
    uint32_t repeats;                   /* frame of the packet that it repeats; 0: none */
    enum sr_kind repeated_by;           /* and whether the capture or the network does */
    struct sr_seen_packet *kept;        /* it may come once more; NULL where it repeats another, or is of nobody */
    bool has_data;                      /* a DATA or I-DATA chunk was seen so far */
    struct sr_tsn new_from;             /* its lowest TSN that may be sent for the first time */
    struct sr_tsn fills_at;             /* the first TSN with which it fills a gap */
    bool sends, fills, sends_again;     /* an original, a TSN first seen below the highest, one that was seen before */
};

/* write.c: a row with what is known at its frame, where rows of its table are kept; without a row, NULL. */
void sr_write_transmission(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
                           const struct sr_data *data, const struct sr_sent_chunk *sent, struct sr_copy copy);
/* The capture cut chunks off behind the last of them. */
void sr_write_hidden(struct sr_engine *engine, const struct sr_passage *passage);
struct sr_sack_row *sr_write_sack(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
                                  const struct sr_sack *sack);
void sr_write_control(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
                      const struct sr_chunk *chunk, const struct sr_tsn_response *reset);
void sr_write_chunk(struct sr_engine *engine, const struct sr_passage *passage, uint32_t position,
                    const struct sr_chunk *chunk, uint32_t anomalies, uint64_t text);

/* decode.c: a chunk, and the place where decoding had to stop. */
void sr_decode_chunk(struct sr_engine *engine, struct sr_passage *passage, const struct sr_chunk *chunk);
void sr_decode_end(struct sr_engine *engine, const struct sr_passage *passage, enum sr_chunk_step end,
                   const struct sr_chunk *chunk);

#endif
